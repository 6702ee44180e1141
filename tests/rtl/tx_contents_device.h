// SPDX-License-Identifier: Apache-2.0
// The transmitter as a host sees it: what is written to its tables, kept for the model, and the frames on its line.
#pragma once
#include "tests/rtl/tb_line.h"
#include "tests/rtl/tx_contents_flows.h"
#include "tests/rtl/tx_model.h"

#ifndef TB_GROUPS
#define TB_GROUPS 8
#endif

namespace tb
{

class ContentsDevice
{
public:
  static constexpr unsigned OCTETS = 8 * TB_GROUPS, PORT = 11, SLOTS = 16, COMMON_OCTETS = 333;

  Vdut dut;
  uint64_t word_time = (1ull << 48) - 200000; // times of signatures wrap
  uint64_t clocks = 0;
  LineDecoder line;
  TxTables tables;
  FieldDraws draws;
  std::array<ContentsFlow, 256> flows;
  std::array<unsigned, SLOTS> slots{}; // flows that are used

  explicit ContentsDevice(Random &random) : random_(random)
  {
  }

  void reset_all()
  {
    dut.flow_payload_we = dut.flow_body_we = dut.body_we = dut.flow_size_we = dut.flow_flags_we =
            dut.size_we = dut.turn_we = dut.header_we = dut.start = dut.phase_time_we =
                    dut.phase_gap_octets_we = dut.phase_gap_numerator_we = dut.phase_gap_denominator_we =
                            dut.stop = dut.clear = dut.snapshot = dut.stream_req = dut.cfg_enable = 0;
    dut.flow_length1_we = dut.flow_length2_we = dut.flow_checksum1_we = dut.flow_checksum2_we =
            dut.field_start_we = dut.field_step_we = dut.field_mask_we = dut.field_count_we =
                    dut.field_kind_we = dut.value_we = dut.rule_time_we = dut.rule_period_we =
                            dut.rule_frame_we = dut.send_we = 0;
    dut.word_time = word_time;
    configure(TxSettings{}, 1);
    line.errors_allowed = true; // the testbench knows where
    reset(dut);
    while (dut.busy)
      clock_words();
    for (unsigned i = 0; i < SLOTS; i++)
      slots[i] = i < SLOTS / 2 ? i : i < SLOTS - 1 ? 16 + 16 * i + (unsigned)random_.below(15) : 255;
    for (unsigned i = 0; i < 4096; i++)
      write_value(i, (uint32_t)random_.next());
  }

  void clock_words(uint32_t skip = 0)
  {
    dut.skip_words = skip;
    tick(dut);
    clocks++;
    word_time += 1 + skip;
    dut.word_time = word_time;
    dut.skip_words = 0;
    dut.eval();
    uint8_t data[64];
    get_octets(dut.line_data, data, OCTETS);
    line.word(word_time * OCTETS, data, get_u64(dut.line_ctrl), OCTETS);
  }

  void strobe(CData &enable)
  {
    enable = 1;
    clock_words();
    enable = 0;
  }

  // First entries of the table of bodies. Those of the last slot wrap after 3, those of another cross the middle.
  static unsigned first_entry(unsigned slot)
  {
    return 32 * slot + 29;
  }

  void write_image(unsigned slot, const Octets &image)
  {
    uint32_t word;
    for (unsigned w = 0; w < 16; w++) {
      memcpy(&word, &image[4 * w], 4);
      dut.header_word = (uint8_t)w;
      dut.header_data = word;
      strobe(dut.header_we);
    }
    for (size_t at = 64; at < image.size(); at += 4) {
      memcpy(&word, &image[at], 4);
      dut.body_index = (uint16_t)((first_entry(slot) + at / 64 - 1) % 512);
      dut.body_word = at / 4 % 16;
      dut.body_data = word;
      strobe(dut.body_we);
    }
  }

  void write_fields(unsigned index, const ContentsFlow &f)
  {
    for (unsigned n = 0; n < 4; n++) {
      const VaryingField &field = f.fields[n];
      const uint32_t data[] = {field.start, field.step, field.mask, field.count, field.kind_word()};
      CData *const enables[] = {&dut.field_start_we, &dut.field_step_we, &dut.field_mask_we,
                                &dut.field_count_we, &dut.field_kind_we};
      dut.field_index = (uint16_t)(index * 4 + n);
      for (unsigned i = 0; i < 5; i++) {
        dut.field_data = data[i];
        strobe(*enables[i]);
      }
    }
  }

  void write_length(unsigned entry, unsigned octets)
  {
    tables.lengths[entry] = octets;
    dut.size_index = (uint16_t)entry;
    dut.size_octets = (uint16_t)octets;
    strobe(dut.size_we);
  }

  // Lengths of the frames of a flow: one, the common one, entries of the table, or a range.
  void choose_lengths(unsigned slot, const FlowMaker &maker, TxFlow &t)
  {
    const ContentsFlow &f = maker.flow;
    t.how = (unsigned)random_.between(1, 3);
    t.first = 64 * slot;
    t.count = f.fixed_octets ? 1 : (unsigned)random_.between(1, 64);
    for (unsigned i = 0; t.how != 3 && i < t.count; i++)
      write_length(t.first + i, f.fixed_octets ? f.fixed_octets : maker.random_octets());
    if (t.how == 3) {
      t.first = f.least_octets;
      t.count = f.fixed_octets ? 1 : (unsigned)random_.between(1, 300);
    }
    if (f.fixed_octets == COMMON_OCTETS ||
        (!f.fixed_octets && f.least_octets <= COMMON_OCTETS && random_.one_in(4)))
      t.how = 0;
  }

  void write_flow(unsigned slot, const FlowMaker &maker)
  {
    const unsigned index = slots[slot];
    const ContentsFlow &f = flows[index] = maker.flow;
    TxFlow &t = tables.flows[index];
    dut.flow_index = (uint8_t)index;
    choose_lengths(slot, maker, t);
    t.is_unsigned = f.is_unsigned;
    t.bad_fcs = random_.one_in(12);
    t.bad_end = random_.one_in(12);
    write_image(slot, f.image);
    write_fields(index, f);
    const uint32_t data[] = {t.count << 16 | t.first << 2 | t.how,
                             (uint32_t)t.is_unsigned | (uint32_t)t.bad_fcs << 1 | (uint32_t)t.bad_end << 2,
                             f.payload,
                             f.body_words() << 16 | first_entry(slot),
                             f.length1.word(),
                             f.length2.word(),
                             f.checksum1,
                             f.checksum2};
    CData *const enables[] = {&dut.flow_size_we,      &dut.flow_flags_we,    &dut.flow_payload_we,
                              &dut.flow_body_we,      &dut.flow_length1_we,  &dut.flow_length2_we,
                              &dut.flow_checksum1_we, &dut.flow_checksum2_we};
    for (unsigned i = 0; i < 8; i++) {
      dut.flow_data = data[i];
      strobe(*enables[i]);
    }
  }

  void write_rule(unsigned index, const TxRule &rule)
  {
    const uint64_t data[5] = {rule.time, rule.time >> 32, rule.period, rule.period >> 32,
                              rule.frame.word()};
    for (unsigned i = 0; i < 5; i++) {
      dut.rule_index = (uint8_t)index;
      dut.rule_data = (uint32_t)data[i];
      dut.rule_time_we = (uint8_t)(i < 2 ? 1 << i : 0);
      dut.rule_period_we = (uint8_t)(i / 2 == 1 ? 1 << i % 2 : 0);
      dut.rule_frame_we = i == 4;
      clock_words();
    }
    dut.rule_frame_we = 0;
  }

  void write_turn(unsigned turn, unsigned flow)
  {
    tables.turns[turn] = flow;
    dut.turn_index = (uint16_t)turn;
    dut.turn_flow = (uint8_t)flow;
    strobe(dut.turn_we);
  }

  void write_value(unsigned index, uint32_t value)
  {
    draws.list[index] = value;
    dut.value_index = (uint16_t)index;
    dut.value_data = value;
    strobe(dut.value_we);
  }

  void configure(const TxSettings &s, uint32_t field_seed)
  {
    dut.port = (uint8_t)PORT;
    dut.cfg_run_id = (uint8_t)s.run_id;
    dut.cfg_frame_octets = (uint16_t)s.frame_octets;
    dut.cfg_gap_octets = s.gap_octets;
    dut.cfg_gap_numerator = (uint32_t)s.gap_numerator;
    dut.cfg_gap_denominator = (uint32_t)s.gap_denominator;
    dut.cfg_burst_frames = dut.cfg_phases = 0;
    dut.cfg_duration = dut.cfg_start_offset = 0;
    dut.cfg_stop_frames = s.stop_frames;
    dut.cfg_flows = (uint16_t)s.flows;
    dut.cfg_order = (uint8_t)s.order;
    dut.cfg_turns = (uint16_t)s.turns;
    dut.cfg_seed = s.seed;
    dut.cfg_size_seed = s.size_seed;
    dut.cfg_tag_enable = s.tag_enable;
    dut.cfg_tag_first = s.tag_first;
    dut.cfg_tag_interval = s.tag_interval;
    dut.cfg_bad_fcs_every = s.bad_fcs_every;
    dut.cfg_every = s.every;
    dut.cfg_every_flow = (uint8_t)s.every_flow;
    dut.cfg_rules = (uint8_t)s.rules.size();
    dut.cfg_field_seed = field_seed;
  }

private:
  Random &random_;
};

} // namespace tb
