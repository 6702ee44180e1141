// SPDX-License-Identifier: Apache-2.0
// When frames of rules and of tx_send are due, from the register descriptions, in plain arithmetic.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

namespace tb {

struct TxRuleFrame {
  unsigned flow = 0, octets = 64, flags = 0;
  uint32_t word() const { return flags << 24 | octets << 8 | flow; } // the format of tx_rule_frame
  unsigned sent_octets() const { return std::max(octets, 54u); }
};

struct TxRule {
  uint64_t time = 0, period = 0;
  TxRuleFrame frame;
};

class TxRulesModel {
public:
  static constexpr uint64_t GUARD_WORDS = 16; // words from the start of a rule's frame to the next rule

  TxRulesModel() = default;
  TxRulesModel(const std::vector<TxRule> &rules, uint64_t word_octets) : rules_(rules), word_octets_(word_octets) {
    for (const TxRule &rule : rules)
      times_.push_back(rule.time);
    ended_.resize(rules.size());
    choose();
  }

  void ask(const TxRuleFrame &frame) {
    if (!asked_) send_ = frame;
    asked_ = true;
  }
  bool asked() const { return asked_; }
  // Returns whether a rule is due for a frame that starts this many octets after the origin.
  bool due(uint64_t start) const { return asked_ || rule_due(start); }
  bool rule_due(uint64_t start) const {
    return candidate_ >= 0 && start >= times_[candidate()] && start / word_octets_ >= not_before_word_;
  }
  unsigned candidate() const { return (unsigned)candidate_; }
  bool is_tie() const { return std::count(times_.begin(), times_.end(), times_[candidate()]) > 1; }
  const TxRuleFrame &frame() const { return asked_ ? send_ : rules_[candidate()].frame; }
  // The frame that is due starts in this word.
  void begun(uint64_t word) {
    if (!asked_) {
      ended_[candidate()] = rules_[candidate()].period == 0;
      times_[candidate()] += rules_[candidate()].period;
    }
    asked_ = false;
    not_before_word_ = word + GUARD_WORDS;
    choose();
  }

private:
  std::vector<TxRule> rules_;
  uint64_t word_octets_ = 8;
  std::vector<uint64_t> times_;
  std::vector<bool> ended_;
  int candidate_ = -1;
  bool asked_ = false;
  TxRuleFrame send_;
  uint64_t not_before_word_ = 0;

  void choose() {
    candidate_ = -1;
    for (unsigned i = 0; i < rules_.size(); i++)
      if (!ended_[i] && (candidate_ < 0 || times_[i] < times_[candidate()])) candidate_ = (int)i;
  }
};

} // namespace tb
