// SPDX-License-Identifier: Apache-2.0
// Frames that the transmit side must send, computed only from the settings: closed forms for the schedule, octet by
// octet for the contents. Written from the register descriptions, not from the RTL.
#pragma once
#include "tests/rtl/tb.h"
#include "tests/rtl/tx_rules_model.h"
#include <algorithm>
#include <array>
#include <vector>

namespace tb {

struct TxPhase {
  uint64_t time, gap_octets, gap_numerator, gap_denominator;
};

struct TxSettings {
  unsigned run_id = 1, frame_octets = 64;
  uint64_t gap_octets = 12, gap_numerator = 0, gap_denominator = 1;
  uint64_t burst_frames = 0, burst_gap_octets = 12;
  uint64_t stop_frames = 0, duration = 0, start_offset = 0;
  unsigned flows = 1, order = 0, turns = 1;
  uint32_t seed = 1, size_seed = 1;
  bool tag_enable = false;
  uint64_t tag_first = 0, tag_interval = 0;
  uint32_t bad_fcs_every = 0;
  std::vector<TxPhase> phases; // phases 1, 2, ...
  std::vector<TxRule> rules;
  uint32_t every = 0;
  unsigned every_flow = 0;
};

struct TxFlow {
  std::array<uint8_t, 64> header{};
  std::vector<std::array<uint8_t, 64>> body; // entries that follow the header
  unsigned payload = 42;                     // octet where the counting payload begins
  unsigned how = 0, first = 0, count = 0;    // lengths
  bool is_unsigned = false, bad_fcs = false, bad_end = false;
};

struct TxTables {
  std::array<TxFlow, 256> flows;
  std::array<unsigned, 1024> lengths{};
  std::array<unsigned, 4096> turns{};
};

struct TxExpected {
  uint64_t start_ot; // time from the origin of the trial
  bool tag, bad_fcs;
  unsigned flow, octets, flags;
  bool by_rule;
};

// A draw below `count`, from xorshift32 (Marsaglia 2003).
class TxDraw {
public:
  explicit TxDraw(uint32_t seed) : state_(seed ? seed : 1) {}
  unsigned below(unsigned count) {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 17;
    state_ ^= state_ << 5;
    return (unsigned)((uint64_t)(state_ >> 16) * count >> 16);
  }

private:
  uint32_t state_;
};

// Frames of a trial, in their order.
class TxSequence {
public:
  TxSequence(const TxSettings &s, const TxTables &tables)
      : s_(s), tables_(tables), flow_draw_(s.seed), size_draw_(s.size_seed) {}

  struct Frame {
    unsigned flow, octets;
  };
  Frame next() {
    unsigned flow = s_.every && ++made_ % s_.every == 0 ? s_.every_flow : flow_in_turn();
    const TxFlow &f = tables_.flows[flow];
    unsigned octets = s_.frame_octets;
    // 10 bits of position: counts of 0 and above 1024 act as 1024
    unsigned positions = f.count == 0 || f.count > 1024 ? 1024 : f.count;
    if (f.how == 1)
      octets = tables_.lengths[(f.first + used_[flow]++ % positions) % 1024];
    else if (f.how == 2)
      octets = tables_.lengths[(f.first + size_draw_.below(f.count)) % 1024];
    else if (f.how == 3)
      octets = (f.first + size_draw_.below(f.count)) % 16384;
    return {flow, std::max(octets, 54u)};
  }

private:
  TxSettings s_;
  const TxTables &tables_;
  uint64_t n_ = 0, made_ = 0;
  TxDraw flow_draw_, size_draw_;
  std::array<uint64_t, 256> used_{}; // frames of each flow so far

  unsigned flow_in_turn() {
    unsigned turn = (unsigned)(n_++ % (s_.order == 2 ? s_.turns : s_.flows));
    return s_.order == 1 ? flow_draw_.below(s_.flows) : s_.order == 2 ? tables_.turns[turn] : turn;
  }
};

// Octet time of the ideal start of frame n of frames of one length: n frames, the gaps between them, and the whole
// octets of the fractions. Without phases.
inline uint64_t tx_ideal_start(const TxSettings &s, uint64_t n) {
  uint64_t burst_gaps = s.burst_frames ? n / s.burst_frames : 0;
  uint64_t gaps = n - burst_gaps;
  auto fraction = (unsigned __int128)gaps * s.gap_numerator / s.gap_denominator;
  return s.start_offset + n * (s.frame_octets + 8) + gaps * s.gap_octets + burst_gaps * s.burst_gap_octets +
         (uint64_t)fraction;
}

// Ideal starts of frames of any lengths, with phases: `start` of the next frame from the origin. done() when it has
// begun.
class TxPacing {
public:
  static constexpr uint64_t PHASE_GUARD_WORDS = 8; // words between the starts with which two phases begin

  TxPacing(const TxSettings &s, unsigned word_octets) : s_(s), word_octets_(word_octets), ideal_(s.start_offset) {
    gap_ = {0, s.gap_octets, s.gap_numerator, s.gap_denominator};
  }
  uint64_t ideal() const { return ideal_; }
  uint64_t start() const { return ideal_ / 8 * 8; } // a start must be on a group
  void slide(uint64_t words = 1) { ideal_ += words * word_octets_; } // the next frame was late

  // can_begin: not a rule's frame, so a phase may begin with it.
  void done(unsigned octets, bool can_begin = true) {
    uint64_t word = start() / word_octets_;
    if (can_begin && phase_ < s_.phases.size() && start() >= s_.phases[phase_].time &&
        (phase_ == 0 || word >= phase_word_ + PHASE_GUARD_WORDS)) {
      gap_ = s_.phases[phase_++];
      phase_word_ = word;
      gaps_ = 0;
    }
    ideal_ += octets + 8;
    if (s_.burst_frames && ++burst_done_ == s_.burst_frames) {
      ideal_ += s_.burst_gap_octets;
      burst_done_ = 0;
      return;
    }
    ideal_ += gap_.gap_octets + fractions(gaps_ + 1) - fractions(gaps_);
    gaps_++;
  }

private:
  TxSettings s_;
  unsigned word_octets_;
  uint64_t ideal_, gaps_ = 0, burst_done_ = 0, phase_word_ = 0;
  size_t phase_ = 0;
  TxPhase gap_;

  uint64_t fractions(uint64_t gaps) const { // whole octets in this many of them
    return (uint64_t)((unsigned __int128)gaps * gap_.gap_numerator / gap_.gap_denominator);
  }
};

// The frames of a trial, one by one, also those of rules; next() returns false at its end.
class TxModel {
public:
  TxModel(const TxSettings &s, const TxTables &tables, unsigned word_octets)
      : s_(s), tables_(tables), sequence_(s, tables), pacing_(s, word_octets), rules_(s.rules, word_octets),
        word_octets_(word_octets), due_(s.tag_first), armed_(s.tag_enable) {
  }

  uint64_t start() const { return pacing_.start(); } // start of the next frame
  void slide(uint64_t words = 1) { pacing_.slide(words); }
  bool rule_due() const { return rules_.due(start()); }                // the next frame is one of a rule or of tx_send
  void ask(const TxRuleFrame &frame) { rules_.ask(frame); }
  bool asked() const { return rules_.asked(); }

  bool next(TxExpected &frame) {
    frame.start_ot = pacing_.start();
    if ((s_.stop_frames && n_ >= s_.stop_frames) || (s_.duration && frame.start_ot >= s_.duration))
      return false;
    frame.tag = armed_ && frame.start_ot >= due_;
    if (frame.tag) {
      due_ += s_.tag_interval;
      armed_ = s_.tag_interval != 0;
    }
    frame.by_rule = rule_due();
    if (frame.by_rule) {
      const TxRuleFrame what = rules_.frame();
      frame.flow = what.flow;
      frame.octets = what.sent_octets();
      frame.flags = what.flags;
      rules_.begun(frame.start_ot / word_octets_);
    } else {
      TxSequence::Frame what = sequence_.next();
      const TxFlow &flow = tables_.flows[what.flow];
      frame.flow = what.flow;
      frame.octets = what.octets;
      frame.flags = flow.is_unsigned | flow.bad_fcs << 1 | flow.bad_end << 2;
    }
    pacing_.done(frame.octets, !frame.by_rule);
    n_++;
    frame.bad_fcs = (s_.bad_fcs_every && n_ % s_.bad_fcs_every == 0) || (frame.flags & 2);
    return true;
  }

private:
  TxSettings s_;
  const TxTables &tables_;
  TxSequence sequence_;
  TxPacing pacing_;
  TxRulesModel rules_;
  unsigned word_octets_;
  uint64_t n_ = 0, due_;
  bool armed_;
};

inline void tx_put_be(uint8_t *octets, uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    octets[i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

// The octets that a flow's frames begin with, before any signature: header, body, counting payload.
inline uint8_t tx_flow_octet(const TxFlow &flow, size_t at) {
  if (at < 64)
    return flow.header[at];
  if (at / 64 - 1 < flow.body.size())
    return flow.body[at / 64 - 1][at % 64];
  return (uint8_t)(at - flow.payload);
}

// start_ot is absolute here.
inline std::vector<uint8_t> tx_signature(const TxSettings &s, const TxExpected &frame, uint64_t start_ot,
                                         unsigned source_port, uint64_t sequence) {
  std::vector<uint8_t> signature(18);
  tx_put_be(&signature[0], 0xF9A6, 2);
  signature[2] = (uint8_t)s.run_id;
  signature[3] = (uint8_t)(source_port << 4);
  signature[4] = (uint8_t)frame.flow;
  tx_put_be(&signature[5], sequence, 6);
  tx_put_be(&signature[11], start_ot / 8, 5);
  tx_put_be(&signature[16], (uint64_t)frame.tag << 15 | frame.octets, 2);
  return signature;
}

// A frame without its FCS. start_ot is absolute here.
inline std::vector<uint8_t> tx_contents(const TxSettings &s, const TxExpected &frame, uint64_t start_ot,
                                        const TxFlow &flow, unsigned source_port, uint64_t sequence) {
  std::vector<uint8_t> octets(frame.octets - 4);
  for (unsigned i = 0; i < octets.size(); i++)
    octets[i] = tx_flow_octet(flow, i);
  if (flow.is_unsigned)
    return octets;
  std::vector<uint8_t> signature = tx_signature(s, frame, start_ot, source_port, sequence);
  std::copy(signature.begin(), signature.end(), octets.end() - 18);
  return octets;
}

// The octets of one frame, with its FCS.
inline std::vector<uint8_t> tx_frame(const TxSettings &s, const TxExpected &frame, uint64_t start_ot,
                                     const TxFlow &flow, unsigned source_port, uint64_t sequence) {
  std::vector<uint8_t> octets = tx_contents(s, frame, start_ot, flow, source_port, sequence);
  uint32_t fcs = ~crc32_octets(octets.data(), octets.size());
  if (frame.bad_fcs)
    fcs = ~fcs;
  for (unsigned i = 0; i < 4; i++)
    octets.push_back((uint8_t)(fcs >> 8 * i));
  return octets;
}

} // namespace tb
