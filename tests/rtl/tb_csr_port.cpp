// SPDX-License-Identifier: Apache-2.0
// csr_port against a model made of the generated register lists: every offset is read and written, then random accesses,
// back to back or apart, with resets in between. In every clock, the settings, the indices, the strobes to the tables and
// the requests to them are what the model says, and the bus is 0 unless it acknowledges.
#include <algorithm>
#include <map>

#include "csr_bench.h"

#ifndef TB_RX_STREAM_ENTRIES
#define TB_RX_STREAM_ENTRIES 4096
#endif
#ifndef TB_TCP_CONNECTIONS
#define TB_TCP_CONNECTIONS 0
#endif

namespace {

using csr::Register;
using tb::check;

// Tables that are read: X(name of its ports, prefix of its registers).
#define ASKED_TABLES(X)               \
  X(tx_stream, "TX_STREAM_")          \
  X(rx_stream, "RX_STREAM_")          \
  X(rx_histogram, "RX_HISTOGRAM_")    \
  X(rx_octave_histogram, "RX_OCTAVE_HISTOGRAM_") \
  X(tx_gap_histogram, "TX_GAP_HISTOGRAM_") \
  X(rx_gap_histogram, "RX_GAP_HISTOGRAM_") \
  X(rx_mail, "RX_MAIL_")             \
  X(tcp_look, "TCP_LOOK_")           \
  X(tcp_stream, "TCP_STREAM_")

constexpr unsigned SIDES = 3;

bool begins(const std::string &name, const char *prefix) { return name.rfind(prefix, 0) == 0; }

struct Statistics {
  unsigned plain = 0, counters = 0, asked = 0, errors = 0, strobes = 0, high_words = 0, array_words = 0, absent = 0, resets = 0;
};

class Bench {
 public:
  explicit Bench(uint64_t seed) : random_(seed) {
    describe();
    tb::reset(dut_);
    check_state("after reset");
  }

  void every_offset() {
    for (uint32_t offset = 0; offset < FPGAUGE_PORT_STRIDE; offset++) {
      access(true, offset, static_cast<uint32_t>(random_.next()));
      access(false, offset, 0);
    }
  }
  void at_random(unsigned accesses) {
    for (unsigned n = 0; n < accesses; n++) {
      access(random_.one_in(2), offset(), random_.one_in(8) ? UINT32_MAX : static_cast<uint32_t>(random_.next()));
      if (random_.one_in(3)) idle(1 + static_cast<unsigned>(random_.below(3)));
      if (random_.one_in(500)) reset();
    }
  }
  // All settings at once, so that no register can be the neighbour's.
  void all_settings() {
    for (const Register &r : csr::port_registers())
      for (unsigned word = 0; r.access == csr::rw && word < r.words(); word++)
        access(true, r.offset + 4 * word, static_cast<uint32_t>(random_.next()));
    for (const Register &r : csr::port_registers())
      for (unsigned word = 0; r.access == csr::rw && word < r.words(); word++) access(false, r.offset + 4 * word, 0);
  }
  Statistics statistics;

 private:
  Vdut dut_;
  tb::Random random_;
  std::map<std::string, uint64_t> kept_;   // settings and indices
  csr::Struct settings_[SIDES], writes_[SIDES];   // rx, tx, tcp
  std::map<std::string, csr::Struct> values_;   // values by the prefix of the table
  std::string waiting_;                    // prefix of the table that has a request
  const Register *strobe_ = nullptr;       // written in the last clock
  unsigned strobe_word_ = 0;
  uint32_t strobe_data_ = 0;

  // The table that a window belongs to: the index whose prefix it has.
  static std::string prefix_of(const std::string &window) {
    for (const Register &r : csr::port_registers())
      if (r.kind() == csr::index_of_table) {
        const std::string prefix = r.name.substr(0, r.name.size() - 5);
        if (begins(window, prefix.c_str())) return prefix;
      }
    check(false, "%s: no index", window.c_str());
    return "";
  }
  static bool is_written_index(const std::string &name) {
    for (const Register &r : csr::port_registers())
      if (r.kind() == csr::window && prefix_of(r.name) + "INDEX" == name) return false;
    return true;
  }

  void describe() {
    unsigned word_bits[SIDES] = {};
    for (const Register &r : csr::port_registers()) {
      for (unsigned log2 = 0; r.kind() == csr::written_through && 1u << log2 < r.count; log2++)
        if (word_bits[r.side()] <= log2) word_bits[r.side()] = log2 + 1;
      if (r.kind() == csr::setting) settings_[r.side()].add(r.name, r.bits);
      if (r.kind() == csr::window) values_[prefix_of(r.name)].add(r.name, r.bits);
      if (r.access == csr::rw) kept_[r.name] = 0;
    }
    for (unsigned tx = 0; tx < SIDES; tx++) {
      writes_[tx].add("data", 32);
      writes_[tx].add("word", word_bits[tx]);
    }
    std::vector<Register> by_offset = csr::port_registers();   // writes to tables are in this order
    std::sort(by_offset.begin(), by_offset.end(), [](const Register &a, const Register &b) { return a.offset < b.offset; });
    for (const Register &r : by_offset)
      if (r.kind() == csr::index_of_table && is_written_index(r.name)) writes_[r.side()].add(r.name, r.bits);
    for (const Register &r : by_offset)
      if (r.kind() == csr::written_through) writes_[r.side()].add(r.name, r.words());
    settings_[0].fits(dut_.rx_settings, "rx_settings");
    settings_[1].fits(dut_.tx_settings, "tx_settings");
    settings_[2].fits(dut_.tcp_settings, "tcp_settings");
    writes_[0].fits(dut_.rx_writes, "rx_writes");
    writes_[1].fits(dut_.tx_writes, "tx_writes");
    writes_[2].fits(dut_.tcp_writes, "tcp_writes");
#define FITS(table, prefix) values_[prefix].fits(dut_.table##_values, #table "_values");
    ASKED_TABLES(FITS)
    values_["RX_TAG_"].fits(dut_.rx_tag_values, "rx_tag_values");
#undef FITS
    check(values_.size() == 10, "%zu tables with windows, this testbench has 10", values_.size());
  }

  // Mostly offsets where something is.
  uint32_t offset() {
    if (random_.one_in(10)) return static_cast<uint32_t>(random_.below(FPGAUGE_PORT_STRIDE));
    if (random_.one_in(5)) return FPGAUGE_COUNTER_BASE + 4 * static_cast<uint32_t>(random_.below(2 * FPGAUGE_COUNTER_COUNT + 2));
    const auto &list = csr::port_registers();
    const Register &r = list[random_.below(list.size())];
    return r.offset + 4 * static_cast<uint32_t>(random_.below(r.octets() / 4));
  }

  // ---- every clock
  void clock(const char *when) {
    tb::tick(dut_);
    check_state(when);
    strobe_ = nullptr;
  }
  void check_state(const char *when) {
    const std::vector<uint8_t> settings[SIDES] = {settings_[0].image(dut_.rx_settings), settings_[1].image(dut_.tx_settings),
                                                  settings_[2].image(dut_.tcp_settings)};
    const std::vector<uint8_t> writes[SIDES] = {writes_[0].image(dut_.rx_writes), writes_[1].image(dut_.tx_writes),
                                                writes_[2].image(dut_.tcp_writes)};
    for (const Register &r : csr::port_registers()) {
      const unsigned tx = r.side();
      if (r.kind() == csr::setting || writes_[tx].has(r.name)) {
        const bool strobe = r.kind() == csr::written_through;
        const uint64_t expected = !strobe ? kept_[r.name] : strobe_ != &r ? 0 : r.words() == 2 ? 1u << strobe_word_ : 1;
        const uint64_t found =
            r.kind() == csr::setting ? settings_[tx].get(settings[tx], r.name) : writes_[tx].get(writes[tx], r.name);
        check(found == expected, "%s: %s is %" PRIx64 ", expected %" PRIx64, when, r.name.c_str(), found, expected);
      }
    }
    if (strobe_) {
      const unsigned tx = strobe_->side();
      const uint64_t data = writes_[tx].get(writes[tx], "data"), word = writes_[tx].get(writes[tx], "word");
      check(data == strobe_data_, "%s: data %" PRIx64 " for %s", when, data, strobe_->name.c_str());
      if (strobe_->count > 1)
        check(word % strobe_->count == strobe_word_, "%s: word %" PRIu64 ", expected %u", when, word, strobe_word_);
      statistics.strobes++;
    }
#define ASKED(table, prefix)                                                                                        \
  check(dut_.table##_req == (waiting_ == prefix), "%s: " #table "_req is %u", when, dut_.table##_req);                \
  check(dut_.table##_index == kept_[prefix "INDEX"], "%s: " #table "_index is %u", when, unsigned{dut_.table##_index});
    ASKED_TABLES(ASKED)
#undef ASKED
    check(dut_.rx_tag_index == kept_["RX_TAG_INDEX"], "%s: rx_tag_index is %u", when, unsigned{dut_.rx_tag_index});
  }
  void check_answer(bool ack, bool error, uint32_t data, const char *when, uint32_t offset) {
    check(dut_.bus_ack == ack && dut_.bus_error == error && dut_.bus_rdata == data,
          "%s at %03x: ack %u error %u data %08x, expected %u %u %08x", when, offset, dut_.bus_ack, dut_.bus_error,
          dut_.bus_rdata, ack, error, data);
  }
  void idle(unsigned clocks) {
    for (unsigned n = 0; n < clocks; n++) {
      clock("idle");
      check_answer(false, false, 0, "idle", 0);
    }
  }
  void reset() {
    dut_.rst = 1;
    for (auto &kept : kept_) kept.second = 0;
    waiting_.clear();
    for (unsigned n = 0; n < 2; n++) {
      clock("in reset");
      check_answer(false, false, 0, "in reset", 0);
    }
    dut_.rst = 0;
    statistics.resets++;
  }

  // Puts random values on the inputs for the fields of a register, and returns them as the register has them.
  uint32_t put_flags(const std::string &name) {
    check(name == "LINK_STATUS", "%s: no inputs", name.c_str());
    uint32_t value = 0;
#define FLAG(NAME, field)                                     \
  dut_.link_status_##field = random_.one_in(2);                \
  if (dut_.link_status_##field) value |= FPGAUGE_PORT_LINK_STATUS_##NAME;
    FLAG(PRESENT, present) FLAG(UP, up) FLAG(CLOCK, clock) FLAG(BLOCK_LOCK, block_lock) FLAG(LANES_SYNCED, lanes_synced)
    FLAG(ALIGNED, aligned) FLAG(REMOTE_FAULT, remote_fault) FLAG(FEC_UNCORRECTABLE, fec_uncorrectable)
    FLAG(DOWN, down) FLAG(LANES_LOST, lanes_lost) FLAG(MAC_HELD, mac_held)
    FLAG(REFUSED, refused) FLAG(NO_ROOM, no_room) FLAG(LATE, late) FLAG(OVERFLOW, overflow)
    FLAG(UNDERFLOW, underflow) FLAG(TIME_SLIP, time_slip) FLAG(RX_LATE, rx_late) FLAG(RX_NO_ROOM, rx_no_room)
#undef FLAG
    return value;
  }

  // ---- an access
  void access(bool write, uint32_t offset, uint32_t data) {
    unsigned word = 0;
    const Register *r = csr::find(csr::port_registers(), offset, &word);
    const uint32_t in_counters = offset - FPGAUGE_COUNTER_BASE;
    const bool counter = offset % 4 == 0 && offset >= FPGAUGE_COUNTER_BASE && in_counters < 8 * FPGAUGE_COUNTER_COUNT;
    const std::vector<uint8_t> tag = values_["RX_TAG_"].put_random(dut_.rx_tag_values, random_);
    dut_.bus_req = 1;
    dut_.bus_write = write;
    dut_.bus_offset = static_cast<uint16_t>(offset);
    dut_.bus_wdata = data;
    dut_.tcp_status_busy = random_.one_in(2);
    dut_.link_flaps_value = static_cast<uint32_t>(random_.next());
    dut_.eval();
    check(dut_.counter_read == (counter && !write), "counter_read is %u at %03x", dut_.counter_read, offset);
    if (counter && !write) check(dut_.counter_slot == in_counters / 8, "counter_slot is %u at %03x", dut_.counter_slot, offset);

    std::string table = r && !write && r->kind() == csr::window ? prefix_of(r->name) : "";
    bool error = write ? !r || r->access == csr::ro : !r && !counter;
    uint32_t expected = 0;
    if (!write && r && r->access == csr::rw) expected = static_cast<uint32_t>(kept_[r->name] >> (32 * word)) & r->mask(word);
    if (r && r->kind() == csr::flags) expected = !write ? put_flags(r->name) : 0;
    if (!write && r && r->name == "TCP_STATUS") expected = dut_.tcp_status_busy ? FPGAUGE_PORT_TCP_STATUS_BUSY : 0;
    if (!write && r && r->name == "LINK_FLAPS") expected = dut_.link_flaps_value;
    if (!write && r && r->name == "TCP_CONNECTIONS") expected = TB_TCP_CONNECTIONS;
    if (table == "RX_TAG_") expected = static_cast<uint32_t>(values_[table].get(tag, r->name) >> (32 * word));
    if (table == "RX_STREAM_" && kept_["RX_STREAM_INDEX"] >= TB_RX_STREAM_ENTRIES) {
      error = true;   // this build does not have the entry
      table.clear();
      statistics.absent++;
    }
    if (table == "RX_TAG_") table.clear();
    if (write && r && r->access == csr::rw) {
      const unsigned shift = 32 * word;
      kept_[r->name] = (kept_[r->name] & ~(UINT64_C(0xffffffff) << shift)) | static_cast<uint64_t>(data & r->mask(word)) << shift;
      statistics.high_words += word;
    }
    if (write && r && r->access == csr::wo) {
      strobe_ = r;
      strobe_word_ = word;
      strobe_data_ = data;
      statistics.array_words += r->count > 1;
    }
    waiting_ = table;
    clock("access");
    dut_.bus_req = 0;
    values_["RX_TAG_"].put_random(dut_.rx_tag_values, random_);
    if (counter && !write)
      answer_counter(offset);
    else if (!table.empty())
      answer_table(*r, word, offset);
    else
      check_answer(true, error, expected, write ? "write" : "read", offset);
    statistics.plain++;
    statistics.errors += error;
  }

  void answer_counter(uint32_t offset) {
    check_answer(false, false, 0, "counter, first clock", offset);
    const uint64_t value = random_.next();
    dut_.counter_value = value;
    clock("counter");
    check_answer(true, false, static_cast<uint32_t>(offset & 4 ? value >> 32 : value), "counter", offset);
    dut_.counter_value = random_.next();
    statistics.counters++;
  }

  // The answer is only at the table's port in the clock of the acknowledgement.
  void answer_table(const Register &r, unsigned word, uint32_t offset) {
    for (uint64_t n = random_.below(6); n > 0; n--) {
      clock("table waits");
      check_answer(false, false, 0, "table waits", offset);
      if (random_.one_in(100)) {
        reset();
        // An acknowledgement that was on its way is none of the bus's business.
#define LATE(table, prefix) dut_.table##_ack = random_.one_in(2);
        ASKED_TABLES(LATE)
#undef LATE
        idle(1);
        quiet_tables();
        idle(1);
        return;
      }
    }
    check_answer(false, false, 0, "table", offset);
    std::vector<uint8_t> image;
#define ANSWER(table, prefix)                                             \
  if (waiting_ == prefix) {                                               \
    image = values_[prefix].put_random(dut_.table##_values, random_);     \
    dut_.table##_ack = 1;                                                 \
  }
    ASKED_TABLES(ANSWER)
#undef ANSWER
    const uint64_t value = values_[waiting_].get(image, r.name);
    waiting_.clear();
    clock("table answers");
    check_answer(true, false, static_cast<uint32_t>(value >> (32 * word)), r.name.c_str(), offset);
    quiet_tables();
    statistics.asked++;
  }
  void quiet_tables() {
#define QUIET(table, prefix)                              \
  dut_.table##_ack = 0;                                   \
  values_[prefix].put_random(dut_.table##_values, random_);
    ASKED_TABLES(QUIET)
#undef QUIET
  }
};

}  // namespace

int main() {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    Bench bench(seed);
    bench.every_offset();
    bench.all_settings();
    bench.at_random(20000);
    const Statistics &s = bench.statistics;
    check(s.counters && s.asked && s.errors && s.strobes && s.high_words && s.array_words && s.resets,
          "a case never happened: %u counters, %u asked, %u errors, %u strobes, %u high words, %u array words, %u resets",
          s.counters, s.asked, s.errors, s.strobes, s.high_words, s.array_words, s.resets);
    check((s.absent > 0) == (TB_RX_STREAM_ENTRIES < 4096), "%u reads of absent streams", s.absent);
  }
  return tb::finish("csr_port");
}
