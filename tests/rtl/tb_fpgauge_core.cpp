// SPDX-License-Identifier: Apache-2.0
// The whole core through its AXI4-Lite port and its lines. Registers: every address of the global block and of every
// port answers as described, and no other address does. Traffic: adjacent ports (0 and 1, 2 and 3) are wired to each
// other, and snapshots, tables, times, clear, skip and loopback are checked while frames run.
// The contents and pacing of frames are tested by tb_tx and tb_rx.
#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "axil_master.h"
#include "hw/regs/fpgauge_regs.h"
#include "tb.h"

namespace {

enum Access { ro, rw, wo };
struct Register {
  const char *name;
  uint32_t offset;
  Access access;
  unsigned bits, count;
};
#define ROW(NAME, offset, access, bits, count) {#NAME, offset, access, bits, count},
const Register kGlobal[] = {FPGAUGE_GLOBAL_REGISTERS(ROW)};
const Register kPort[] = {FPGAUGE_PORT_REGISTERS(ROW)};
#undef ROW

constexpr unsigned kOkay = 0, kSlverr = 2;
constexpr uint32_t kFrameOctets = 64, kDestinations = 3;

class Bench {
 public:
  Bench() : bus_(dut_, [this] { clock(); }) {
    dut_.skip_words = 0;
    idle_lines();
    dut_.rst = 1;
    for (int i = 0; i < 8; i++) clock();
    dut_.rst = 0;
    ports_ = read(FPGAUGE_GLOBAL_PORTS);
    groups_ = read(FPGAUGE_GLOBAL_GROUPS);
  }

  void run() {
    identity();
    while (read(FPGAUGE_GLOBAL_STATUS)) {}
    for (unsigned block = 0; block <= ports_; block++) decode(block);
    beyond_the_map();
    partial_writes();
    time_is_coherent();
    configure();
    traffic();
    snapshot_at_rest();
    tables();
    skip();
    clear();
    unexpected_frames();
    trial_across_a_high_word();
    starts_that_no_port_takes();
    gaps_of_line_rate();
    gaps_of_bursts();
    gaps_after_a_clear_on_the_way();
    loopback();
    loopback_waits_for_the_end_of_a_trial();
    loopback_cuts_what_comes_in();
  }

 private:
  Vdut dut_;
  tb::AxilMaster<Vdut> bus_;
  tb::Random random_{7};
  unsigned ports_ = 0, groups_ = 0;
  uint64_t busy_words_[16] = {};   // groups of a line that were not idle
  unsigned delay_words_ = 0;       // delay of every wire, behind a clock
  std::deque<std::vector<uint8_t>> on_the_way_;   // words and control octets of all ports

  // ---- lines: 8 * groups data octets and `groups` control octets per port
  void idle_lines() {
    memset(&dut_.line_rx_data, 0x07, sizeof dut_.line_rx_data);
    memset(&dut_.line_rx_ctrl, 0xff, sizeof dut_.line_rx_ctrl);
  }

  void clock() {
    if (groups_) {
      std::vector<uint8_t> words(ports_ * 8 * groups_), controls(ports_ * groups_), crossed = words, marks = controls;
      tb::get_octets(dut_.line_tx_data, words.data(), words.size());
      tb::get_octets(dut_.line_tx_ctrl, controls.data(), controls.size());
      for (unsigned p = 0; p < ports_; p++)
        for (unsigned g = 0; g < groups_; g++)
          if (controls[p * groups_ + g] != 0xff) busy_words_[p]++;
      for (unsigned p = 0; p < ports_; p++) {
        memcpy(&crossed[(p ^ 1) * 8 * groups_], &words[p * 8 * groups_], 8 * groups_);
        memcpy(&marks[(p ^ 1) * groups_], &controls[p * groups_], groups_);
      }
      delay(crossed, marks);
      tb::put_octets(dut_.line_rx_data, crossed.data(), crossed.size());
      tb::put_octets(dut_.line_rx_ctrl, marks.data(), marks.size());
      dut_.eval();
    }
    tb::tick(dut_);
  }
  // Words come out delay_words_ clocks later; idle until then.
  void delay(std::vector<uint8_t> &words, std::vector<uint8_t> &controls) {
    if (delay_words_ == 0) return;
    std::vector<uint8_t> both = words;
    both.insert(both.end(), controls.begin(), controls.end());
    on_the_way_.push_back(both);
    if (on_the_way_.size() <= delay_words_) {
      std::fill(words.begin(), words.end(), 0x07);
      std::fill(controls.begin(), controls.end(), 0xff);
      return;
    }
    both = on_the_way_.front();
    on_the_way_.pop_front();
    std::copy(both.begin(), both.begin() + static_cast<long>(words.size()), words.begin());
    std::copy(both.begin() + static_cast<long>(words.size()), both.end(), controls.begin());
  }
  void clocks(unsigned n) {
    while (n--) clock();
  }

  // ---- registers
  uint32_t read(uint32_t address, unsigned expected = kOkay) {
    const tb::AxilResult result = bus_.read(address);
    tb::check(result.answered, "read of %05x is not answered", address);
    tb::check(result.response == expected, "read of %05x: response %u, expected %u", address, result.response, expected);
    if (expected != kOkay) tb::check(result.data == 0, "read of %05x: error with data %08x", address, result.data);
    return result.data;
  }
  void write(uint32_t address, uint32_t value, unsigned expected = kOkay, unsigned strobes = 0xf) {
    const tb::AxilResult result = bus_.write(address, value, strobes);
    tb::check(result.answered, "write to %05x is not answered", address);
    tb::check(result.response == expected, "write to %05x: response %u, expected %u", address, result.response, expected);
  }
  uint64_t read64(uint32_t address) {
    const uint64_t low = read(address);
    return low | static_cast<uint64_t>(read(address + 4)) << 32;
  }
  uint64_t counter(unsigned port, fpgauge_counter which) { return read64(FPGAUGE_COUNTER(port, which)); }
  void control(uint32_t strobes) { write(FPGAUGE_GLOBAL_CONTROL, strobes); }

  // ---- checks
  void identity() {
    tb::check(read(FPGAUGE_GLOBAL_ID) == FPGAUGE_MAP_ID, "id");
    tb::check(read(FPGAUGE_GLOBAL_MAP_VERSION) == FPGAUGE_MAP_VERSION, "map_version");
    tb::check(read(FPGAUGE_GLOBAL_MAP_HASH) == FPGAUGE_MAP_HASH, "map_hash");
    tb::check(ports_ * 64 * groups_ == 8 * sizeof dut_.line_tx_data, "%u ports of %u groups", ports_, groups_);
    tb::check(read(FPGAUGE_GLOBAL_CLOCK_HZ) == 195312500, "clock_hz");
    tb::check(read(FPGAUGE_GLOBAL_FLOWS) == 256, "destinations");
    tb::check(read(FPGAUGE_GLOBAL_HISTOGRAM_BINS) == 1024, "histogram_bins");
    tb::check(read(FPGAUGE_GLOBAL_SENDS) == 7, "sends: the core itself sends all");
    tb::check(read(FPGAUGE_GLOBAL_STATUS) == FPGAUGE_GLOBAL_STATUS_CLEARING, "tables are cleared after reset");
  }

  // Every word of a block and one unaligned address in it, read and written.
  void decode(unsigned block) {
    const uint32_t base = block * FPGAUGE_PORT_STRIDE;
    std::vector<const Register *> owner(FPGAUGE_PORT_STRIDE / 4, nullptr);
    const Register counters = {"counters", FPGAUGE_COUNTER_BASE, ro, 64, FPGAUGE_COUNTER_COUNT};
    auto claim = [&](const Register &r) {
      for (uint32_t i = 0; i < (r.bits > 32 ? 2 : 1) * r.count; i++) owner[r.offset / 4 + i] = &r;
    };
    if (block == 0) {
      for (const Register &r : kGlobal) claim(r);
    } else {
      for (const Register &r : kPort) claim(r);
      claim(counters);
    }
    for (uint32_t offset = 0; offset < FPGAUGE_PORT_STRIDE; offset += 4) {
      const Register *r = owner[offset / 4];
      const uint32_t address = base + offset;
      if (!r || r->access == ro) write(address, 0xffffffff, kSlverr);
      if (!r) {
        read(address, kSlverr);
      } else if (r->access == rw) {
        holds(*r, address);
      } else if (r->access == wo) {
        tb::check(read(address) == 0, "%s reads other than 0", r->name);
        write(address, 0);
      } else {
        read(address);
      }
    }
    read(base + 2, kSlverr);
    write(base + 1, 0, kSlverr);
  }

  void holds(const Register &r, uint32_t address) {
    const bool high = (address & (FPGAUGE_PORT_STRIDE - 1)) != r.offset;
    const unsigned bits = high ? r.bits - 32 : r.bits > 32 ? 32 : r.bits;
    const uint32_t mask = static_cast<uint32_t>((UINT64_C(1) << bits) - 1);
    tb::check(read(address) == 0, "%s is not 0 after reset", r.name);
    for (uint32_t value : {UINT32_MAX, static_cast<uint32_t>(random_.next()), 0u}) {
      write(address, value);
      const uint32_t back = read(address);
      tb::check(back == (value & mask), "%s at %05x: wrote %08x, read %08x, %u bits", r.name, address, value, back, bits);
    }
  }

  void beyond_the_map() {
    for (uint32_t block = 1 + ports_; block < FPGAUGE_MAP_OCTETS / FPGAUGE_PORT_STRIDE; block++) {
      read(block * FPGAUGE_PORT_STRIDE, kSlverr);
      write(block * FPGAUGE_PORT_STRIDE, 1, kSlverr);
    }
    write(FPGAUGE_PORT_RX_STREAM_INDEX(0), ports_ * 256 - 1);
    read(FPGAUGE_PORT_RX_STREAM_NEXT(0));
    if (ports_ < FPGAUGE_MAX_PORTS) {
      write(FPGAUGE_PORT_RX_STREAM_INDEX(0), ports_ * 256);
      read(FPGAUGE_PORT_RX_STREAM_RECEIVED(0), kSlverr);
      read(FPGAUGE_PORT_RX_STREAM_NEXT(0) + 4, kSlverr);
    }
  }

  void partial_writes() {
    write(FPGAUGE_GLOBAL_SCRATCH, 0x12345678);
    for (unsigned strobes = 0; strobes < 0xf; strobes++) write(FPGAUGE_GLOBAL_SCRATCH, 0xffffffff, kSlverr, strobes);
    tb::check(read(FPGAUGE_GLOBAL_SCRATCH) == 0x12345678, "a partial write changed scratch");
  }

  void time_is_coherent() {
    const uint64_t before = dut_.word_time;
    const uint64_t time = read64(FPGAUGE_GLOBAL_TIME);
    const uint64_t after = dut_.word_time;
    tb::check(time >= before * 8 * groups_ && time <= after * 8 * groups_, "time is not between two readings of word_time");
  }

  void configure() {
    for (unsigned p = 0; p < ports_; p++) {
      write(FPGAUGE_PORT_TX_ENABLE(p), 1);
      write(FPGAUGE_PORT_TX_FRAME_OCTETS(p), kFrameOctets);
      write(FPGAUGE_PORT_TX_GAP_OCTETS(p), 12);
      write(FPGAUGE_PORT_TX_GAP_DENOMINATOR(p), 1);
      write(FPGAUGE_PORT_TX_FLOWS(p), kDestinations);
      write(FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(p), 1518);
      write(FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(p), 3);
      for (unsigned entry = 0; entry < kDestinations; entry++) {
        write(FPGAUGE_PORT_TX_FLOW_INDEX(p), entry);
        write(FPGAUGE_PORT_TX_FLOW_PAYLOAD(p), 42);
        for (unsigned word = 0; word < FPGAUGE_PORT_TX_HEADER_COUNT; word++)
          write(FPGAUGE_PORT_TX_HEADER(p) + 4 * word, 0x01010101 * (word + entry));
      }
      expect(p, p ^ 1);
    }
    write(FPGAUGE_GLOBAL_RUN_ID, 0x5a);
  }

  // Makes port p expect the frames of `source` and no others from now on.
  void expect(unsigned p, unsigned source) {
    for (unsigned s = 0; s < ports_; s++) expect_flows(p, s, s == source ? (1u << kDestinations) - 1 : 0);
  }
  void expect_flows(unsigned p, unsigned source, uint32_t flows) {
    write(FPGAUGE_PORT_RX_EXPECTED(p) + 4 * (source * 256 / 32), flows);
  }

  uint64_t gap_bin(unsigned p, unsigned bin) {
    write(FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX(p), bin);
    return read64(FPGAUGE_PORT_TX_GAP_HISTOGRAM_COUNT(p));
  }

  uint64_t octave_bin(unsigned p, unsigned bin) {
    write(FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_INDEX(p), bin);
    return read64(FPGAUGE_PORT_RX_OCTAVE_HISTOGRAM_COUNT(p));
  }
  // Checks the latency of the stream selected; on a wire the sum is 0.
  void latency_of_stream(unsigned p, uint64_t min, uint64_t max) {
    const uint64_t is_min = read64(FPGAUGE_PORT_RX_STREAM_LATENCY_MIN(p)), is_max = read64(FPGAUGE_PORT_RX_STREAM_LATENCY_MAX(p));
    tb::check(is_min == min && is_max == max, "port %u: a stream's latency is %" PRIx64 " to %" PRIx64, p, is_min, is_max);
    tb::check(read64(FPGAUGE_PORT_RX_STREAM_LATENCY_SUM(p)) == 0 && read64(FPGAUGE_PORT_RX_STREAM_LATENCY_SUM_HIGH(p)) == 0,
              "port %u: sum of a stream's latency", p);
  }

  // Checks what must hold in every snapshot, at rest or not.
  void coherent(unsigned p) {
    uint64_t value[FPGAUGE_COUNTER_COUNT];
    for (int c = 0; c < FPGAUGE_COUNTER_COUNT; c++) value[c] = counter(p, static_cast<fpgauge_counter>(c));
    const uint64_t *v = value;
#define V(NAME) v[FPGAUGE_COUNTER_##NAME]
    tb::check(V(RX_FRAMES) == V(RX_FOREIGN_FRAMES) + V(RX_OTHER_RUN_FRAMES) + V(RX_WRONG_LENGTH_FRAMES) + V(RX_BAD_PAYLOAD_FRAMES) +
                                  V(RX_WRONG_PORT_FRAMES) + V(RX_RECEIVED_FRAMES),
              "port %u: rx_frames is not the sum of its parts", p);
    tb::check(V(RX_RECEIVED_FRAMES) == V(RX_FRAMES) && V(RX_BAD_FRAMES) == 0 && V(RX_LOST_FRAMES) == 0,
              "port %u: a wire lost or changed frames: %" PRIu64 " frames, %" PRIu64 " received, %" PRIu64 " bad, %" PRIu64
              " lost", p, V(RX_FRAMES), V(RX_RECEIVED_FRAMES), V(RX_BAD_FRAMES), V(RX_LOST_FRAMES));
    tb::check(V(RX_LATENCY_FRAMES) == V(RX_RECEIVED_FRAMES), "port %u: not every frame has a latency", p);
    tb::check(V(RX_LATENCY_MAX) == 0 && V(RX_LATENCY_SUM) == 0, "port %u: a wire has latency", p);
    tb::check(V(TX_OCTETS) == kFrameOctets * V(TX_FRAMES), "port %u: tx_octets", p);
    // The tables, frozen with the counters.
    uint64_t received = 0, next = 0;
    for (unsigned entry = 0; entry < kDestinations; entry++) {
      write(FPGAUGE_PORT_RX_STREAM_INDEX(p), (p ^ 1) * 256 + entry);
      received += read64(FPGAUGE_PORT_RX_STREAM_RECEIVED(p));
      next += read64(FPGAUGE_PORT_RX_STREAM_NEXT(p));
      latency_of_stream(p, 0, 0);
      tb::check(read64(FPGAUGE_PORT_RX_STREAM_UNEXPECTED(p)) == 0, "port %u entry %u: unexpected frames", p, entry);
    }
    tb::check(received == V(RX_RECEIVED_FRAMES), "port %u: streams have %" PRIu64 ", counter %" PRIu64, p, received,
              V(RX_RECEIVED_FRAMES));
    tb::check(next == received, "port %u: sequence numbers", p);
    write(FPGAUGE_PORT_RX_HISTOGRAM_INDEX(p), 1);
    tb::check(read64(FPGAUGE_PORT_RX_HISTOGRAM_COUNT(p)) == V(RX_LATENCY_FRAMES), "port %u: histogram", p);
    tb::check(octave_bin(p, 0) == V(RX_LATENCY_FRAMES) && octave_bin(p, 1) == 0, "port %u: octaves", p);
    // 64 octets and an average gap of 12: deficit idle count alternates between gaps of 8 and 16.
    const uint64_t less = gap_bin(p, 8), more = gap_bin(p, 16);
    tb::check(less + more == V(TX_GAPS) && (less == more || less + 1 == more || more + 1 == less) && gap_bin(p, 12) == 0,
              "port %u: %" PRIu64 " gaps: %" PRIu64 " of 8, %" PRIu64 " of 16", p, V(TX_GAPS), less, more);
    tb::check(8 * less + 16 * more == V(TX_GAP_SUM_OCTETS), "port %u: sum of gaps", p);
#undef V
  }

  void traffic() {
    control(FPGAUGE_GLOBAL_CONTROL_START);
    tb::check(read(FPGAUGE_GLOBAL_STATUS) == FPGAUGE_GLOBAL_STATUS_SENDING, "status.sending after start");
    for (unsigned round = 0; round < 6; round++) {
      clocks(static_cast<unsigned>(random_.between(50, 400)) * 8 / groups_);
      const uint64_t before = dut_.word_time;
      control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
      const uint64_t at = read64(FPGAUGE_GLOBAL_SNAPSHOT_TIME);
      tb::check(at >= before * 8 * groups_ && at <= dut_.word_time * 8 * groups_, "snapshot_time");
      for (unsigned p = 0; p < ports_; p++) coherent(p);
      for (unsigned p = 0; p < ports_; p++) {
        // The same instant for all ports, whenever they are read: a gap of 12 gives one frame per 84 octets.
        const uint64_t sent = counter(p, FPGAUGE_COUNTER_TX_FRAMES), peer = counter(p ^ 1, FPGAUGE_COUNTER_TX_FRAMES);
        tb::check(sent == peer && sent > 20, "ports %u and %u sent %" PRIu64 " and %" PRIu64, p, p ^ 1, sent, peer);
        const uint64_t due = (at - counter(p, FPGAUGE_COUNTER_TX_FIRST_TIME)) / 84;
        tb::check(sent <= due + 1 && sent + 2 + 16 * groups_ / 8 >= due, "port %u sent %" PRIu64 " at %" PRIu64, p, sent, due);
        clocks(100);
        tb::check(counter(p, FPGAUGE_COUNTER_TX_FRAMES) == sent, "a frozen counter moved");
      }
    }
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    clocks(300);
    tb::check(read(FPGAUGE_GLOBAL_STATUS) == 0, "status after stop");
  }

  void snapshot_at_rest() {
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    const uint64_t start = read64(FPGAUGE_GLOBAL_START_TIME);
    for (unsigned p = 0; p < ports_; p++) {
      coherent(p);
      tb::check(counter(p, FPGAUGE_COUNTER_RX_FRAMES) == counter(p ^ 1, FPGAUGE_COUNTER_TX_FRAMES), "frames on the wire");
      const uint64_t first = counter(p, FPGAUGE_COUNTER_TX_FIRST_TIME);
      tb::check(first == start, "port %u: first frame at %" PRIu64 ", start_time %" PRIu64, p, first, start);
      tb::check(counter(p, FPGAUGE_COUNTER_RX_FIRST_TIME) == start, "port %u: first frame in", p);
      const uint64_t gaps = counter(p, FPGAUGE_COUNTER_TX_GAPS);
      tb::check(gaps + 1 == counter(p, FPGAUGE_COUNTER_TX_FRAMES), "port %u: gaps", p);
    }
  }

  void tables() {
    for (unsigned p = 0; p < ports_; p++) {
      uint64_t sent = 0;
      for (unsigned entry = 0; entry < kDestinations + 1; entry++) {
        write(FPGAUGE_PORT_TX_STREAM_INDEX(p), entry);
        const uint64_t frames = read64(FPGAUGE_PORT_TX_STREAM_FRAMES(p));
        tb::check((frames > 0) == (entry < kDestinations), "port %u entry %u: %" PRIu64 " frames", p, entry, frames);
        sent += frames;
      }
      tb::check(sent == counter(p, FPGAUGE_COUNTER_TX_FRAMES), "port %u: entries have %" PRIu64 " frames", p, sent);
    }
  }

  // Time may be skipped when everything is quiet, by exactly the requested amount.
  void skip() {
    clocks(64);
    tb::check(dut_.idle, "not idle at rest");
    tb::check(dut_.idle_words > 1000000, "idle_words %u at rest", dut_.idle_words);
    const uint64_t before = dut_.word_time;
    dut_.skip_words = 123456;
    clock();
    dut_.skip_words = 0;
    unsigned waited = 0;
    dut_.eval();
    tb::check(!dut_.idle, "idle before the skip was made");
    while (!dut_.idle && ++waited < 100) clock();
    tb::check(dut_.word_time == before + 1 + waited + 123456, "skipped %" PRIu64, dut_.word_time - before - 1 - waited);
    tb::check(waited < 12, "%u clocks until idle again", waited);
    dut_.s_axil_arvalid = 1;   // an access ends idleness
    dut_.s_axil_araddr = 0;
    clocks(2);
    tb::check(!dut_.idle, "idle during an access");
    dut_.s_axil_arvalid = 0;
    dut_.s_axil_rready = 1;
    clocks(20);
    dut_.s_axil_rready = 0;
  }

  void clear() {
    control(FPGAUGE_GLOBAL_CONTROL_CLEAR);
    tb::check(read(FPGAUGE_GLOBAL_STATUS) == FPGAUGE_GLOBAL_STATUS_CLEARING, "status.clearing");
    tb::check(!dut_.idle, "idle while clearing");
    write(FPGAUGE_PORT_TX_STREAM_INDEX(0), 0);
    tb::check(read64(FPGAUGE_PORT_TX_STREAM_FRAMES(0)) == 0, "a table read waits for the clear");
    tb::check(gap_bin(0, 8) == 0, "a read of the gaps waits for the clear");
    while (read(FPGAUGE_GLOBAL_STATUS)) {}
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    for (unsigned p = 0; p < ports_; p++) {
      for (int c = 0; c < FPGAUGE_COUNTER_COUNT; c++) {
        const bool smallest = c == FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS || c == FPGAUGE_COUNTER_RX_GAP_MIN_OCTETS ||
                              c == FPGAUGE_COUNTER_RX_LATENCY_MIN;
        const uint64_t value = counter(p, static_cast<fpgauge_counter>(c));
        tb::check(value == (smallest ? UINT64_MAX : 0), "port %u: counter %d is %" PRIx64 " after clear", p, c, value);
      }
      write(FPGAUGE_PORT_RX_STREAM_INDEX(p), (p ^ 1) * 256);
      tb::check(read64(FPGAUGE_PORT_RX_STREAM_RECEIVED(p)) == 0, "stream after clear");
      tb::check(read64(FPGAUGE_PORT_RX_STREAM_UNEXPECTED(p)) == 0, "unexpected frames after clear");
      latency_of_stream(p, UINT64_MAX, 0);
      write(FPGAUGE_PORT_RX_HISTOGRAM_INDEX(p), 1);
      tb::check(read64(FPGAUGE_PORT_RX_HISTOGRAM_COUNT(p)) == 0, "histogram after clear");
      tb::check(octave_bin(p, 0) == 0, "octaves after clear");
      tb::check(gap_bin(p, 8) == 0 && gap_bin(p, 16) == 0, "gaps after clear");
    }
  }

  // ---- time
  uint64_t now_ot() { return uint64_t{dut_.word_time} * 8 * groups_; }

  // Skips to somewhat before an octet time.
  void skip_to(uint64_t ot) {
    while (ot - now_ot() > 12000 * 8 * groups_) {
      clocks(64);   // the skip before has been made
      tb::check(dut_.idle, "not idle at rest");
      const uint64_t words = (ot - now_ot()) / (8 * groups_) - 10000;
      dut_.skip_words = words < dut_.idle_words ? static_cast<uint32_t>(words) : dut_.idle_words;
      clock();
      dut_.skip_words = 0;
      clocks(8);
    }
  }

  // A trial over a wire with latency that begins before and ends after the high word of octet times changes: at 2^32,
  // at 2^54 (also a multiple of the 2^43 octet times of a signature) or at 2^64 - 2^33 (CMakeLists.txt).
  void trial_across_a_high_word() {
    const uint64_t boundary = (now_ot() >> 32 << 32) + (UINT64_C(1) << 32);
    const uint64_t latency = 100 * 8 * groups_, interval = 50000;
    printf("across %016" PRIx64 "\n", boundary);
    delay_words_ = 100;
    skip_to(boundary);
    for (unsigned p = 0; p < ports_; p++) {
      write(FPGAUGE_PORT_TX_TAG_ENABLE(p), 1);
      write(FPGAUGE_PORT_TX_TAG_INTERVAL(p), static_cast<uint32_t>(interval));
    }
    forget();
    tb::check(now_ot() < boundary, "too late for the boundary");
    control(FPGAUGE_GLOBAL_CONTROL_START);
    while (now_ot() < boundary + 4 * interval) clock();
    tb::check(time_now() >= boundary, "time");
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    clocks(600);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    const uint64_t start = read64(FPGAUGE_GLOBAL_START_TIME);
    tb::check(start < boundary && boundary - start < UINT64_C(1) << 20, "start_time %016" PRIx64, start);
    tb::check(read64(FPGAUGE_GLOBAL_SNAPSHOT_TIME) > boundary, "snapshot_time");
    for (unsigned p = 0; p < ports_; p++) across(p, boundary, start, latency, interval);
    delay_words_ = 0;
    on_the_way_.clear();
    for (unsigned p = 0; p < ports_; p++) write(FPGAUGE_PORT_TX_TAG_ENABLE(p), 0);
    forget();
  }
  uint64_t time_now() { return read64(FPGAUGE_GLOBAL_TIME); }

  // 64 octets and a gap of 12: frame n starts at 84 n, rounded down to a group.
  void across(unsigned p, uint64_t boundary, uint64_t start, uint64_t latency, uint64_t interval) {
    const uint64_t frames = counter(p, FPGAUGE_COUNTER_TX_FRAMES), last = start + (frames - 1) * 84 / 8 * 8;
    auto is = [&](fpgauge_counter which, uint64_t value, const char *name) {
      const uint64_t read = counter(p, which);
      tb::check(read == value, "port %u: %s is %016" PRIx64 ", should be %016" PRIx64, p, name, read, value);
    };
    tb::check(last > boundary + 3 * interval, "port %u: last frame at %016" PRIx64, p, last);
    is(FPGAUGE_COUNTER_TX_FIRST_TIME, start, "tx_first_time");
    is(FPGAUGE_COUNTER_TX_LAST_TIME, last, "tx_last_time");
    is(FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS, 16, "tx_gap_max_octets");
    is(FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS, last - start - (frames - 1) * 72, "tx_gap_sum_octets");
    is(FPGAUGE_COUNTER_RX_RECEIVED_FRAMES, frames, "rx_received_frames");
    is(FPGAUGE_COUNTER_RX_FIRST_TIME, start + latency, "rx_first_time");
    is(FPGAUGE_COUNTER_RX_LAST_TIME, last + latency, "rx_last_time");
    is(FPGAUGE_COUNTER_RX_SILENCE_MAX, 88, "rx_silence_max");
    is(FPGAUGE_COUNTER_RX_GAP_MAX_OCTETS, 16, "rx_gap_max_octets");
    is(FPGAUGE_COUNTER_RX_LATENCY_MIN, latency, "rx_latency_min");
    is(FPGAUGE_COUNTER_RX_LATENCY_MAX, latency, "rx_latency_max");
    is(FPGAUGE_COUNTER_RX_LATENCY_SUM, latency * frames, "rx_latency_sum");
    const uint64_t tagged = counter(p, FPGAUGE_COUNTER_RX_TAGGED_FRAMES);
    tb::check(tagged == (last - start) / interval + 1, "port %u: %" PRIu64 " tagged", p, tagged);
    for (unsigned tag = 0; tag < tagged && tag < 20; tag++) {
      // The first frame that starts at tag x interval or later.
      const uint64_t due = tag * interval;
      uint64_t n = due / 84;
      while (n * 84 / 8 * 8 < due) n++;
      write(FPGAUGE_PORT_RX_TAG_INDEX(p), tag);
      const uint64_t time = read64(FPGAUGE_PORT_RX_TAG_TIME(p)), should = start + n * 84 / 8 * 8 + latency;
      tb::check(time == should, "port %u: tag %u at %016" PRIx64 ", should be %016" PRIx64, p, tag, time, should);
      tb::check(read64(FPGAUGE_PORT_RX_TAG_LATENCY(p)) == latency, "port %u: latency of tag %u", p, tag);
    }
  }

  // Such a start leaves start_time; one that a single port takes sets it.
  void starts_that_no_port_takes() {
    for (unsigned p = 1; p < ports_; p++) write(FPGAUGE_PORT_TX_ENABLE(p), 0);
    send(100);
    const uint64_t first = read64(FPGAUGE_GLOBAL_START_TIME);
    tb::check(first == counter(0, FPGAUGE_COUNTER_TX_FIRST_TIME), "start_time of port 0 alone");
    write(FPGAUGE_PORT_TX_ENABLE(0), 0);
    send(100);
    tb::check(read64(FPGAUGE_GLOBAL_START_TIME) == first, "a start without an enabled port sets start_time");
    write(FPGAUGE_PORT_TX_ENABLE(0), 1);
    forget();
    control(FPGAUGE_GLOBAL_CONTROL_START);
    const uint64_t second = read64(FPGAUGE_GLOBAL_START_TIME);
    tb::check(second > first, "a start does not set start_time");
    control(FPGAUGE_GLOBAL_CONTROL_START);
    tb::check(read64(FPGAUGE_GLOBAL_START_TIME) == second, "a start while the port sends sets start_time");
    for (unsigned p = 1; p < ports_; p++) write(FPGAUGE_PORT_TX_ENABLE(p), 1);
    control(FPGAUGE_GLOBAL_CONTROL_START);   // port 1 takes this one, port 0 does not
    const uint64_t third = read64(FPGAUGE_GLOBAL_START_TIME);
    tb::check(third > second, "a start that one port takes does not set start_time");
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    clocks(300);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    tb::check(counter(0, FPGAUGE_COUNTER_TX_FIRST_TIME) == second, "the first frame of port 0");
    tb::check(counter(1, FPGAUGE_COUNTER_TX_FIRST_TIME) == third, "the first frame of port 1");
    forget();
  }

  void forget() {
    control(FPGAUGE_GLOBAL_CONTROL_CLEAR);
    while (read(FPGAUGE_GLOBAL_STATUS)) {}
    memset(busy_words_, 0, sizeof busy_words_);
  }
  void turn(unsigned p, bool round) {
    write(FPGAUGE_PORT_LOOPBACK(p), round);
    expect(p, round ? p : p ^ 1);
  }
  void send(unsigned rounds) {
    control(FPGAUGE_GLOBAL_CONTROL_START);
    clocks(rounds * 8 / groups_);
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    clocks(300);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
  }
  uint64_t received_from(unsigned p, unsigned source) {
    uint64_t sum = 0;
    for (unsigned entry = 0; entry < kDestinations; entry++) {
      write(FPGAUGE_PORT_RX_STREAM_INDEX(p), source * 256 + entry);
      sum += read64(FPGAUGE_PORT_RX_STREAM_RECEIVED(p));
    }
    return sum;
  }

  // Flow 1 of its partner is not expected at a port, then no stream is, then all are again; nothing else is lost or
  // counted differently, and a clear changes nothing about it.
  void unexpected_frames() {
    for (unsigned expected : {5u, 0u, 7u}) {
      for (unsigned p = 0; p < ports_; p++) expect_flows(p, p ^ 1, expected);
      forget();
      send(300);
      for (unsigned p = 0; p < ports_; p++) {
        uint64_t unexpected = 0, received = 0;
        for (unsigned entry = 0; entry < kDestinations; entry++) {
          write(FPGAUGE_PORT_TX_STREAM_INDEX(p ^ 1), entry);
          const uint64_t sent = read64(FPGAUGE_PORT_TX_STREAM_FRAMES(p ^ 1));
          const bool is_expected = expected >> entry & 1;
          write(FPGAUGE_PORT_RX_STREAM_INDEX(p), (p ^ 1) * 256 + entry);
          const uint64_t here = read64(FPGAUGE_PORT_RX_STREAM_UNEXPECTED(p)), good = read64(FPGAUGE_PORT_RX_STREAM_RECEIVED(p));
          tb::check(sent > 20 && good == (is_expected ? sent : 0) && here == (is_expected ? 0 : sent),
                    "port %u entry %u: %" PRIu64 " sent, %" PRIu64 " received, %" PRIu64 " unexpected", p, entry, sent, good, here);
          latency_of_stream(p, is_expected ? 0 : UINT64_MAX, 0);
          unexpected += here, received += good;
        }
        tb::check(counter(p, FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES) == unexpected &&
                      counter(p, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) == received &&
                      counter(p, FPGAUGE_COUNTER_RX_FRAMES) == unexpected + received && octave_bin(p, 0) == received,
                  "port %u: %" PRIu64 " unexpected, %" PRIu64 " received by stream", p, unexpected, received);
      }
    }
  }

  // Gaps by length, with ideal starts rounded down to a group, for the first `frames` of a trial.
  static std::map<unsigned, uint64_t> rounded_gaps(uint64_t frames, unsigned octets, unsigned gap, unsigned burst,
                                                   unsigned burst_gap) {
    std::map<unsigned, uint64_t> count;
    uint64_t ideal = 0, end = 0;
    for (uint64_t n = 0; n < frames; n++) {
      const uint64_t start = ideal / 8 * 8;
      if (n > 0) count[start - end > 1023 ? 1023 : static_cast<unsigned>(start - end)]++;
      end = start + 8 + octets;
      ideal += 8 + octets + (burst && (n + 1) % burst == 0 ? burst_gap : gap);
    }
    return count;
  }
  void gaps_are(unsigned octets, unsigned gap, unsigned burst, unsigned burst_gap) {
    for (unsigned p = 0; p < ports_; p++) {
      write(FPGAUGE_PORT_TX_FRAME_OCTETS(p), octets);
      write(FPGAUGE_PORT_TX_GAP_OCTETS(p), gap);
      write(FPGAUGE_PORT_TX_BURST_FRAMES(p), burst);
      write(FPGAUGE_PORT_TX_BURST_GAP_OCTETS(p), burst_gap);
    }
    forget();
    send(octets > 1000 ? 1200 : 400);
    for (unsigned p = 0; p < ports_; p++) {
      const uint64_t gaps = counter(p, FPGAUGE_COUNTER_TX_GAPS);
      auto expected = rounded_gaps(gaps + 1, octets, gap, burst, burst_gap);
      tb::check(gaps > 20, "port %u: %" PRIu64 " gaps", p, gaps);
      for (unsigned bin = 0; bin < 1024; bin++) {
        if (p > 0 && bin > 40 && bin < 1020) continue;
        const uint64_t count = gap_bin(p, bin);
        tb::check(count == expected[bin], "port %u, %u octets, gap %u: bin %u has %" PRIu64 ", should have %" PRIu64, p,
                  octets, gap, bin, count, expected[bin]);
      }
    }
  }
  void gaps_of_line_rate() {
    for (unsigned octets : {64u, 65u, 66u, 67u, 68u, 71u, 72u, 128u, 1518u}) gaps_are(octets, 12, 0, 0);
    gaps_are(64, 11, 0, 0);   // RFC 2889 5.6.3.2
  }
  void gaps_of_bursts() {
    for (unsigned burst_gap : {100u, 1014u, 1015u, 1022u, 1023u, 1024u, 1030u, 2000u}) gaps_are(65, 12, 3, burst_gap);
    gaps_are(64, 12, 0, 0);
  }
  // Nothing is counted from a clear until it is done, so that the bins still add up.
  void gaps_after_a_clear_on_the_way() {
    forget();
    control(FPGAUGE_GLOBAL_CONTROL_START);
    clocks(200);
    control(FPGAUGE_GLOBAL_CONTROL_CLEAR);
    clocks(700);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    for (unsigned p = 0; p < ports_; p++)
      tb::check(counter(p, FPGAUGE_COUNTER_TX_FRAMES) == 0, "port %u counts what leaves in a clear", p);
    while (read(FPGAUGE_GLOBAL_STATUS) & FPGAUGE_GLOBAL_STATUS_CLEARING) {}
    clocks(static_cast<unsigned>(random_.between(50, 90)) * 8 / groups_);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    for (unsigned p = 0; p < ports_; p++) {
      const uint64_t gaps = counter(p, FPGAUGE_COUNTER_TX_GAPS);
      tb::check(gaps > 20 && gap_bin(p, 8) + gap_bin(p, 16) == gaps, "port %u: %" PRIu64 " gaps after a clear", p, gaps);
    }
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    clocks(300);
  }

  // Port 0 receives its own frames at latency 0, its line stays idle, it receives nothing from port 1, and port 1
  // receives nothing.
  void heard_itself(unsigned p) {
    const uint64_t sent = counter(p, FPGAUGE_COUNTER_TX_FRAMES);
    tb::check(sent > 20 && counter(p, FPGAUGE_COUNTER_RX_FRAMES) == sent &&
                  counter(p, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES) == sent && received_from(p, p) == sent,
              "port %u in loopback: %" PRIu64 " sent, %" PRIu64 " received", p, sent,
              counter(p, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES));
    tb::check(received_from(p, p ^ 1) == 0, "port %u in loopback receives from its partner", p);
    tb::check(counter(p, FPGAUGE_COUNTER_RX_LATENCY_MAX) == 0, "port %u: loopback has latency", p);
    tb::check(counter(p, FPGAUGE_COUNTER_RX_FIRST_TIME) == counter(p, FPGAUGE_COUNTER_TX_FIRST_TIME), "first time");
    tb::check(counter(p, FPGAUGE_COUNTER_RX_GAP_SUM_OCTETS) == counter(p, FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS), "gaps");
    tb::check(busy_words_[p] == 0, "port %u in loopback sends to its line", p);
  }

  void loopback() {
    forget();
    turn(0, true);
    send(400);
    heard_itself(0);
    tb::check(counter(1, FPGAUGE_COUNTER_TX_FRAMES) > 20 && busy_words_[1] > 20, "the partner does not send");
    tb::check(counter(1, FPGAUGE_COUNTER_RX_FRAMES) == 0, "the partner of a port in loopback receives something");
    forget();
    for (unsigned p = 1; p < ports_; p++) turn(p, true);
    send(300);
    for (unsigned p = 0; p < ports_; p++) heard_itself(p);
    clocks(64);
    tb::check(dut_.idle, "not idle after loopback");
    for (unsigned p = 0; p < ports_; p++) turn(p, false);
    forget();
    send(300);
    for (unsigned p = 0; p < ports_; p++) coherent(p);
  }

  // A change during a trial takes effect after it: all frames of a trial go the same way.
  void loopback_waits_for_the_end_of_a_trial() {
    forget();
    control(FPGAUGE_GLOBAL_CONTROL_START);
    clocks(500);
    write(FPGAUGE_PORT_LOOPBACK(0), 1);
    tb::check(read(FPGAUGE_PORT_LOOPBACK(0)) == 1, "the written value is not read back");
    clocks(500);
    write(FPGAUGE_PORT_LOOPBACK(1), 1);
    write(FPGAUGE_PORT_LOOPBACK(1), 0);
    clocks(500);
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    clocks(300);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    for (unsigned p = 0; p < ports_; p++) {
      coherent(p);
      tb::check(counter(p, FPGAUGE_COUNTER_RX_FRAMES) == counter(p ^ 1, FPGAUGE_COUNTER_TX_FRAMES),
                "port %u lost frames to a loopback that should have waited", p);
    }
    forget();
    expect(0, 0);
    send(200);
    heard_itself(0);
    turn(0, false);
  }

  // While port 1 sends, loopback of port 0 is switched on and off: frames are cut, and no fragment counts as good.
  void loopback_cuts_what_comes_in() {
    forget();
    write(FPGAUGE_PORT_TX_ENABLE(0), 0);
    control(FPGAUGE_GLOBAL_CONTROL_START);
    for (unsigned round = 0; round < 60; round++) {
      clocks(static_cast<unsigned>(random_.between(1, 60)));
      write(FPGAUGE_PORT_LOOPBACK(0), round % 2 == 0);
    }
    control(FPGAUGE_GLOBAL_CONTROL_STOP);
    clocks(300);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    const uint64_t sent = counter(1, FPGAUGE_COUNTER_TX_FRAMES);
    const uint64_t good = counter(0, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), bad = counter(0, FPGAUGE_COUNTER_RX_BAD_FRAMES);
    tb::check(good > 0 && good + bad < sent && bad > 0 && bad <= 30, "%" PRIu64 " sent, %" PRIu64 " good, %" PRIu64 " bad",
              sent, good, bad);
    tb::check(counter(0, FPGAUGE_COUNTER_RX_FRAMES) == good && counter(0, FPGAUGE_COUNTER_RX_BAD_CODE_FRAMES) == bad,
              "a frame that was cut is counted as something else");
    tb::check(counter(0, FPGAUGE_COUNTER_RX_LATENCY_MAX) == 0, "a latency from fragments");
    uint64_t next = 0;
    for (unsigned entry = 0; entry < kDestinations; entry++) {
      write(FPGAUGE_PORT_RX_STREAM_INDEX(0), 256 + entry);
      next += read64(FPGAUGE_PORT_RX_STREAM_NEXT(0));
    }
    tb::check(next == good + counter(0, FPGAUGE_COUNTER_RX_LOST_FRAMES), "lost frames are not those that did not come");
    write(FPGAUGE_PORT_TX_ENABLE(0), 1);
    forget();
    send(300);
    for (unsigned p = 0; p < ports_; p++) coherent(p);
  }
};

}  // namespace

int main() {
  Bench bench;
  bench.run();
  return tb::finish("fpgauge_core");
}
