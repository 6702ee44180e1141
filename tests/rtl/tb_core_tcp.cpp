// SPDX-License-Identifier: Apache-2.0
// TCP connections of whole ports, through registers, two ports on a wire that loses frames or does not: connections open from both
// sides, all octets arrive, and one connection fills the line. Every frame that leaves is read octet by octet: FCS, lengths,
// both checksums, padding, and that the octet with sequence number s is s mod 256.
#include "core_bench.h"
#include "tcp_frames.h"
#include <algorithm>

namespace {

using tb::check;
using tcp_frames::Wrapping;

constexpr unsigned kFlow = 200, kConnections = 64;

struct Seen {
  uint64_t frames = 0, syns = 0, with_octets = 0, odd = 0, padded = 0, again = 0;
};

class Bench : public core::Bench {
 public:
  explicit Bench(uint64_t seed) : random_(seed) {}

  // Connections of both ports with each other: of n, some begun by port 0, some by port 1. Without loss only port 0 sends, so
  // that the connections keep up with the line and nothing is sent again; else both send, and what a port cannot take counts as
  // loss too.
  void transfers(const Wrapping &w, unsigned n, uint32_t octets, unsigned mss, unsigned loss_of_1000) {
    const auto sends = [&](unsigned p, unsigned c) { return p == 0 || loss_of_1000 ? octets + c : 0; };
    begin(w, mss, loss_of_1000);
    std::vector<bool> by_0(n);
    for (unsigned c = 0; c < n; c++) {
      by_0[c] = random_.one_in(2);
      for (unsigned p = 0; p < 2; p++) open(p, c, by_0[c] != (p == 0), false, sends(p, c));
    }
    control(FPGAUGE_GLOBAL_CONTROL_START);
    uint64_t waited = 0;
    unsigned whole = 0;
    while (whole < 2 * n && waited < 1500000 && !tb::failures()) {
      clocks(5000), waited += 5000;
      control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
      whole = 0;
      for (unsigned p = 0; p < 2; p++)
        for (unsigned c = 0; c < n; c++) whole += delivered(p, c) == sends(!p, c);
    }
    check(whole == 2 * n, "%u of %u streams arrived whole after %" PRIu64 " clocks", whole, 2 * n, waited);
    for (unsigned c = 0; c < n; c++)
      for (unsigned p = 0; p < 2; p++) command(p, c);
    for (unsigned p = 0; p < 2; p++)
      for (unsigned c = 0; c < n; c++) wait_for_end(p, c);
    end(loss_of_1000 != 0);
    const uint64_t again = counter(0, FPGAUGE_COUNTER_TCP_SENT_AGAIN_SEGMENTS) + counter(1, FPGAUGE_COUNTER_TCP_SENT_AGAIN_SEGMENTS);
    check(loss_of_1000 || again == 0, "%" PRIu64 " segments were sent again, %u lost of 1000", again, loss_of_1000);
    seen.again += again;
    printf("%u connections, %u octets, MSS %u, %u/1000 lost, header %u: %" PRIu64 " clocks, %" PRIu64 " sent again\n", n, octets, mss,
           loss_of_1000, w.octets_at(), waited, again);
  }

  // One connection takes what the line gives: with every segment of MSS octets in a frame of its own at the least gap.
  void line_rate(const Wrapping &w, unsigned mss) {
    begin(w, mss, 0);
    open(0, 7, false, true, 0), open(1, 7, true, false, 0);
    control(FPGAUGE_GLOBAL_CONTROL_START);
    clocks(40000);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    const uint64_t from = read64(FPGAUGE_GLOBAL_SNAPSHOT_TIME), before = delivered(1, 7);
    clocks(60000);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    const uint64_t time = read64(FPGAUGE_GLOBAL_SNAPSHOT_TIME) - from, octets = delivered(1, 7) - before;
    const double most = double(time) * mss / (w.octets_at() + mss + 4 + 8 + 12);
    printf("MSS %u: %" PRIu64 " octets in %" PRIu64 " octet times, %.3f%% of what the line takes\n", mss, octets, time, 100 * double(octets) / most);
    check(double(octets) > 0.999 * most - mss && double(octets) <= most + 2 * mss, "%" PRIu64 " octets instead of %.0f", octets, most);
    end();
    check(counter(0, FPGAUGE_COUNTER_TCP_SENT_AGAIN_SEGMENTS) == 0, "sent again, and nothing was lost");
  }
  Seen seen;

 private:
  tb::Random random_;
  Wrapping wrapping_;
  unsigned loss_ = 0;
  tb::Octets frame_[2];
  bool open_[2] = {}, spoil_[2] = {};
  uint64_t spoiled_ = 0;

  // ---- the wire
  void pass(unsigned p, core::Line line) override {
    for (unsigned g = 0; g < groups_; g++) {
      if (line.starts(g)) {
        frame_[p].clear(), open_[p] = true;
        spoil_[p] = random_.below(1000) < loss_;
        continue;
      }
      for (unsigned k = 0; open_[p] && k < 8; k++) {
        if (line.controls[g] >> k & 1) {
          open_[p] = false;
          look(p);
          break;
        }
        frame_[p].push_back(line.octets[8 * g + k]);
        if (spoil_[p] && frame_[p].size() == 20) line.octets[8 * g + k] ^= 1, spoiled_++;
      }
    }
  }

  // A frame that has left, against the standards.
  void look(unsigned p) {
    tb::Octets &f = frame_[p];
    if (!check(f.size() >= 64 && tb::crc32_octets(f.data(), f.size()) == 0xDEBB20E3u, "port %u: a frame of %zu octets, or its FCS", p, f.size())) return;
    f.resize(f.size() - 4);
    Wrapping w = wrapping_;
    const unsigned l3 = w.l3(), l4 = w.l4();
    const unsigned ip = w.ipv6 ? 40u + f[l3 + 4] * 256u + f[l3 + 5] : f[l3 + 2] * 256u + f[l3 + 3];
    const unsigned end = l3 + ip, header = 4u * (f[l4 + 12] >> 4);
    if (!check(end <= f.size() && (end == f.size() || f.size() == 60) && l4 + header <= end, "port %u: %zu octets, IP has %u, TCP %u", p, f.size(), ip, header)) return;
    for (size_t i = end; i < f.size(); i++) check(f[i] == 0, "port %u: padding is %02x", p, f[i]);
    seen.padded += end < f.size();
    f.resize(end);
    check(w.ipv6 || tb::ones_sum(&f[l3], 20) == 0xffff, "port %u: IPv4 checksum", p);
    const tb::Layout layout = tcp_frames::layout_of(w);
    check(tb::ones_sum(&f[l4], end - l4, tb::pseudo_header_sum(layout, f, end - l4)) == 0xffff, "port %u: TCP checksum of %u octets", p, end - l4);
    const unsigned seq = f[l4 + 7];
    const unsigned octets = end - l4 - header;
    for (unsigned i = 0; i < octets; i++)
      if (f[l4 + header + i] != uint8_t(seq + i)) {
        check(false, "port %u: octet %u of %u is %02x, begins with %02x", p, i, octets, f[l4 + header + i], seq & 255);
        break;
      }
    const bool syn = f[l4 + 13] & 2;
    check(syn ? header == 28 && octets == 0 && f[l4 + 20] == 2 && f[l4 + 21] == 4 && f[l4 + 24] == 1 && f[l4 + 25] == 3 && f[l4 + 26] == 3
              : header == 20, "port %u: options", p);
    seen.frames++, seen.syns += syn, seen.with_octets += octets > 0, seen.odd += octets % 2;
  }

  // ---- registers
  void set(unsigned p, const Wrapping &w, unsigned mss) {
    const struct { uint32_t address, value; } all[] = {
      {FPGAUGE_PORT_TX_ENABLE(p), 1}, {FPGAUGE_PORT_TX_GAP_OCTETS(p), 12}, {FPGAUGE_PORT_TX_GAP_DENOMINATOR(p), 1},
      {FPGAUGE_PORT_TX_FLOWS(p), 0}, {FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(p), 9216}, {FPGAUGE_PORT_TCP_ENABLE(p), 1},
      {FPGAUGE_PORT_TCP_FLOW(p), kFlow}, {FPGAUGE_PORT_TCP_PORT(p), 10000 + 100 * p}, {FPGAUGE_PORT_TCP_HEADER_OCTETS(p), w.octets_at()},
      {FPGAUGE_PORT_TCP_MSS(p), mss}, {FPGAUGE_PORT_TCP_WINDOW(p), 65535u << 7}, {FPGAUGE_PORT_TCP_USE_SCALE(p), 1},
      {FPGAUGE_PORT_TCP_SCALE(p), 7}, {FPGAUGE_PORT_TCP_INITIAL_SEGMENTS(p), 10}, {FPGAUGE_PORT_TCP_ACK_EVERY(p), 2},
      {FPGAUGE_PORT_TCP_RETRIES(p), 0}, {FPGAUGE_PORT_TCP_ACK_DELAY(p), 20}, {FPGAUGE_PORT_TCP_GRANULARITY(p), 1},
      {FPGAUGE_PORT_TCP_RTO_INITIAL(p), 300}, {FPGAUGE_PORT_TCP_RTO_MIN(p), 100}, {FPGAUGE_PORT_TCP_RTO_MAX(p), 2000},
      {FPGAUGE_PORT_TCP_RTO_AFTER_SYN(p), 300}, {FPGAUGE_PORT_TCP_TIME_WAIT(p), 50}};
    for (const auto &one : all) write(one.address, one.value);
    check(read(FPGAUGE_PORT_TCP_CONNECTIONS(p)) == kConnections, "no connections in this build");
  }
  // The flow of a connection: addresses, ports, and the constant part of the checksums.
  void write_connection(unsigned p, unsigned c, Wrapping w) {
    w.from_port = uint16_t(10000 + 100 * p + c), w.to_port = uint16_t(10000 + 100 * !p + c);
    tb::Octets o = tcp_frames::packet(random_, w, tcp_segment());
    const unsigned l3 = w.l3(), l4 = w.l4();
    std::fill(o.begin() + l4 + 4, o.end(), 0);
    tb::put16(o, w.ipv6 ? l3 + 4 : l3 + 2, 0);
    if (!w.ipv6) tb::put16(o, l3 + 10, 0);
    o.resize(128);
    const unsigned flow = (kFlow + c) % 256;
    write(FPGAUGE_PORT_TX_FLOW_INDEX(p), flow);
    const auto word = [&](unsigned at) { return o[at] | o[at + 1] << 8 | o[at + 2] << 16 | uint32_t(o[at + 3]) << 24; };
    for (unsigned i = 0; i < 16; i++) write(FPGAUGE_PORT_TX_HEADER(p) + 4 * i, word(4 * i));
    write(FPGAUGE_PORT_TX_BODY_INDEX(p), c);
    for (unsigned i = 0; i < 16; i++) write(FPGAUGE_PORT_TX_BODY(p) + 4 * i, word(64 + 4 * i));
    write(FPGAUGE_PORT_TX_FLOW_BODY(p), w.octets_at() > 56 || random_.one_in(2) ? 1u << 16 | c : 0);
    const unsigned uncounted = w.ipv6 ? l3 + 44 : l3 + 4;
    write(FPGAUGE_PORT_TX_FLOW_LENGTH1(p), 1u << 31 | uncounted << 16 | (w.ipv6 ? l3 + 4 : l3 + 2));
    write(FPGAUGE_PORT_TX_FLOW_CHECKSUM1(p), w.ipv6 ? 0 : tb::ones_sum(&o[l3], 20) << 16 | 1 << 15 | (l3 + 10));
    write(FPGAUGE_PORT_TX_FLOW_LENGTH2(p), (l4 + 4) << 16); // not in use, but what it does not count is
    const tb::Octets packet(o.begin(), o.begin() + w.octets_at());
    const uint32_t constant = tb::ones_sum(&o[l4], 4, tb::pseudo_header_sum(tcp_frames::layout_of(w), packet, 0));
    write(FPGAUGE_PORT_TX_FLOW_CHECKSUM2(p), constant << 16 | 1 << 15 | 1 << 12 | (l4 + 16));
  }
  void begin(const Wrapping &w, unsigned mss, unsigned loss) {
    wrapping_ = w, loss_ = loss, spoiled_ = 0;
    for (unsigned p = 0; p < 2; p++) {
      set(p, w, mss);
      for (unsigned c = 0; c < kConnections; c++) write_connection(p, c, w);
    }
    forget();
  }
  void end(bool may_drop = false) {
    stop();
    clocks(64);
    control(FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
    for (unsigned p = 0; p < 2; p++) {
      const uint64_t sent = counter(p, FPGAUGE_COUNTER_TX_FRAMES), heard = counter(!p, FPGAUGE_COUNTER_RX_TCP_FRAMES);
      const uint64_t bad = counter(!p, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES);
      check(sent == heard + bad && counter(!p, FPGAUGE_COUNTER_RX_FRAMES) == heard, "%" PRIu64 " sent, %" PRIu64 " heard, %" PRIu64 " lost", sent, heard, bad);
      check(counter(p, FPGAUGE_COUNTER_RX_TCP_BAD_FRAMES) == 0 && (may_drop || counter(p, FPGAUGE_COUNTER_TCP_DROPPED_SEGMENTS) == 0)
                && counter(p, FPGAUGE_COUNTER_TCP_LOST_CONNECTIONS) == 0 && counter(p, FPGAUGE_COUNTER_TX_LATE_FRAMES) == 0
                && counter(p, FPGAUGE_COUNTER_RX_FOREIGN_FRAMES) == 0,
            "port %u: bad, dropped, lost, late or foreign", p);
      uint64_t by_connection = 0;
      for (unsigned c = 0; c < kConnections; c++) {
        write(FPGAUGE_PORT_TCP_STREAM_INDEX(p), c);
        by_connection += read(FPGAUGE_PORT_TCP_STREAM_SENT(p));
      }
      check(counter(p, FPGAUGE_COUNTER_TCP_SENT_SEGMENTS) == by_connection && by_connection >= sent && by_connection <= sent + 20,
            "port %u: %" PRIu64 " segments of connections, %" PRIu64 " frames", p, by_connection, sent);
    }
  }
  void issue(unsigned p, uint32_t what) {
    write(FPGAUGE_PORT_TCP_COMMAND(p), what);
    unsigned polls = 0;
    while (read(FPGAUGE_PORT_TCP_STATUS(p)) && polls < 100) polls++;
    check(polls < 100, "port %u: a command is not taken", p);
  }
  void command(unsigned p, unsigned c) { issue(p, c); } // close
  void open(unsigned p, unsigned c, bool passive, bool endless, uint32_t octets) {
    write(FPGAUGE_PORT_TCP_ISS(p), uint32_t(random_.one_in(4) ? 0u - random_.below(3000) : random_.next()));
    write(FPGAUGE_PORT_TCP_OCTETS(p), octets);
    issue(p, c | 1u << 8 | unsigned(passive) << 9 | unsigned(endless) << 10);
  }
  uint64_t delivered(unsigned p, unsigned c) {
    write(FPGAUGE_PORT_TCP_STREAM_INDEX(p), c);
    return read64(FPGAUGE_PORT_TCP_STREAM_DELIVERED(p));
  }
  void wait_for_end(unsigned p, unsigned c) {
    write(FPGAUGE_PORT_TCP_LOOK_INDEX(p), c);
    unsigned polls = 0;
    while ((read(FPGAUGE_PORT_TCP_LOOK_STATE(p)) & 15) != 0 && polls < 4000) clocks(100), polls++;
    check(polls < 4000, "port %u: connection %u is in state %u", p, c, read(FPGAUGE_PORT_TCP_LOOK_STATE(p)) & 15);
  }
};

Wrapping wrapping(unsigned tags, bool ipv6) {
  Wrapping w;
  w.tags = tags, w.ipv6 = ipv6;
  return w;
}

} // namespace

int main(int argc, char **argv) {
  const uint64_t seed = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1;
  printf("seed %" PRIu64 "\n", seed);
  Bench bench(seed);
  tb::Random random(seed + 1000);
  bench.transfers(wrapping(0, false), 1, 5000, 1460, 0);
  for (unsigned i = 0; i < 6; i++)
    bench.transfers(wrapping(i % 3, i / 3), unsigned(1 + random.below(i % 2 ? 8 : 64)), uint32_t(random.between(3000, 20000)), unsigned(i % 2 ? random.between(100, 1460) : random.between(1200, 1460)), i % 2 ? 20 : 0);
  bench.line_rate(wrapping(0, false), 1460);
  bench.line_rate(wrapping(0, true), 8960);
  check(bench.seen.syns > 20 && bench.seen.odd > 20 && bench.seen.padded > 20 && bench.seen.with_octets > 200 && bench.seen.again > 0, "too few of one kind");
  printf("%" PRIu64 " frames, %" PRIu64 " SYN, %" PRIu64 " with octets, %" PRIu64 " odd, %" PRIu64 " padded\n", bench.seen.frames, bench.seen.syns,
         bench.seen.with_octets, bench.seen.odd, bench.seen.padded);
  return tb::finish("core_tcp");
}
