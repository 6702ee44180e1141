// SPDX-License-Identifier: Apache-2.0
// A CMAC for simulation, as far as an adapter could tell it from a real one (AMD PG203): the two AXI4-Streams of 512
// bits in its clock, and a 100 Gb/s line behind them, on which 1280/33 octets pass per clock.
//
// Transmit: beats go into a buffer of buffer_beats; tready falls when it is full. A frame starts on a group of 8 octets
// once start_beats of it (or all of it) are there and the gap allows: ipg_octets on average, by deficit idle count. An
// octet that is missing when its turn comes is an underrun. In every marker_period_blocks of the line, the first
// MARKER_BLOCKS are alignment markers (IEEE 802.3 82.2.7): frames and gaps stand still meanwhile. The time that this
// takes comes back as idle that is left out, down to ipg_octets: if the frames come with no more than that, never.
// Receive: no tready; a beat comes when its octets have arrived, with code_word_octets when the code word of the FEC
// that it ends in has. Not modelled: the contents of PCS and FEC, pause. It shares nothing with the RTL. Testbenches of the
// adapter have it, and the simulation library of a card (card_core.h).
#pragma once
#include <cstdint>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

namespace cmac {

constexpr uint64_t OCTETS_A_CLOCK_NUM = 1280, OCTETS_A_CLOCK_DEN = 33; // 100 Gb/s at 322.265625 MHz
constexpr unsigned BEAT_OCTETS = 64;

// A block of 66 bits carries 8 octets. One marker for each of 20 lanes, after 16,383 other blocks of the lane.
constexpr unsigned BLOCK_OCTETS = 8, MARKER_BLOCKS = 20, MARKER_OCTETS = MARKER_BLOCKS * BLOCK_OCTETS;
constexpr uint64_t MARKER_PERIOD_BLOCKS = 16384 * MARKER_BLOCKS;
constexpr unsigned RS_FEC_OCTETS = 640; // octets in a code word of RS(528,514): 80 blocks (clause 91.5.2.7)

using Frame = std::vector<uint8_t>;

struct Beat {
  uint8_t data[BEAT_OCTETS];
  uint64_t keep;
  bool last, user;
};

struct SentFrame {
  uint64_t start_ot; // time of the start character, in octet times of this CMAC's line
  bool bad;          // tuser or an underrun: the CMAC corrupts it
  Frame octets;
  size_t marker_at = SIZE_MAX; // octets that were on the line when markers came between; a frame is shorter than a period
};

class Transmitter {
public:
  unsigned buffer_beats = 16, start_beats = 1, ipg_octets = 11; // settings of bitstreams/
  uint64_t marker_period_blocks = MARKER_PERIOD_BLOCKS;         // 0: no markers
  uint64_t block = 0;                                           // block of the period that the line is at
  std::deque<SentFrame> sent;
  uint64_t underruns = 0, valid_gaps = 0, stalled_clocks = 0;
  const char *violation = nullptr; // first violation of PG203 by who feeds it
  bool enabled = true;             // ctl_tx_enable: without it no frame begins

  bool ready() const { return beats_.size() < buffer_beats; }
  bool can_wait() const { return beats_.size() >= 4; } // no underrun yet if tready falls now

  // One clock. `beat` is what is on the stream, null without tvalid; `ready` is the result of ready() before the clock.
  void clock(const Beat *beat, bool ready) {
    if (!beat && in_packet_) valid_gaps++; // PG203: valid until the last beat of a packet
    if (beat && !ready) stalled_clocks++;
    if (beat && ready) accept(*beat);
    line_time_num_ += OCTETS_A_CLOCK_NUM;
    while (line_time_num_ >= 8 * OCTETS_A_CLOCK_DEN) {
      line_time_num_ -= 8 * OCTETS_A_CLOCK_DEN;
      if (marker_period_blocks && block < MARKER_BLOCKS) marker();
      else group();
      if (++block >= marker_period_blocks) block = 0;
      line_ot_ += 8;
    }
  }
  bool empty() const { return beats_.empty() && !sending_; }
  void reset() { // drops what is in it; the line goes on
    beats_.clear();
    in_packet_ = sending_ = false;
    packets_whole_ = beat_at_ = 0;
  }

private:
  std::deque<Beat> beats_;
  bool in_packet_ = false, sending_ = false;
  unsigned packets_whole_ = 0; // packets in the buffer with their last beat
  unsigned beat_at_ = 0;       // octets of the first beat that are on the line
  uint64_t line_ot_ = 0, line_time_num_ = 0;
  uint64_t earliest_ot_ = 0; // end of the last frame plus the average gap; 0: none yet
  unsigned deficit_ = 0;
  SentFrame now_;

  void require(bool good, const char *what) {
    if (!good && !violation) violation = what;
  }

  void accept(const Beat &beat) {
    require(beat.keep != 0 && (beat.keep & (beat.keep + 1)) == 0, "tkeep has holes");
    require(beat.last || beat.keep == ~0ull, "tkeep is not full within a packet");
    require(beat.last || !beat.user, "tuser before the last beat");
    in_packet_ = !beat.last;
    packets_whole_ += beat.last;
    beats_.push_back(beat);
  }

  void marker() {
    if (!sending_) earliest_ot_ += BLOCK_OCTETS;
    else if (now_.marker_at == SIZE_MAX) now_.marker_at = now_.octets.size();
  }

  // IEEE 802.3 clause 46.3.1.4, with starts on groups of 8: at most 7 octets early, which add to the deficit.
  bool gap_allows() {
    if (line_ot_ >= earliest_ot_) {
      uint64_t late = line_ot_ - earliest_ot_;
      deficit_ = late >= deficit_ ? 0 : deficit_ - unsigned(late);
      return true;
    }
    if (deficit_ + (earliest_ot_ - line_ot_) > 7) return false;
    deficit_ += unsigned(earliest_ot_ - line_ot_);
    return true;
  }

  void group() {
    if (!sending_) {
      if (enabled && (packets_whole_ || beats_.size() >= start_beats) && gap_allows()) {
        now_ = SentFrame{line_ot_, false, {}, SIZE_MAX};
        now_.octets.reserve(9216);
        sending_ = true;
        beat_at_ = 0;
      }
      return;
    }
    for (unsigned wanted = 8; wanted;) {
      if (beats_.empty()) {
        underruns++;
        now_.bad = true;
        return end(line_ot_ + 8 - wanted);
      }
      Beat &beat = beats_.front();
      unsigned has = beat.keep == ~0ull ? 64 : unsigned(__builtin_ctzll(~beat.keep));
      unsigned n = has - beat_at_ < wanted ? has - beat_at_ : wanted;
      now_.octets.insert(now_.octets.end(), beat.data + beat_at_, beat.data + beat_at_ + n);
      wanted -= n;
      beat_at_ += n;
      if (beat_at_ < has) continue;
      beat_at_ = 0;
      bool last = beat.last;
      now_.bad = beat.user;
      beats_.pop_front();
      if (last) {
        packets_whole_--;
        return end(line_ot_ + 8 - wanted);
      }
    }
  }
  void end(uint64_t end_ot) {
    require(now_.octets.size() >= 64, "a frame below 64 octets: a CMAC may lock up");
    earliest_ot_ = end_ot + ipg_octets;
    sent.push_back(std::move(now_));
    sending_ = false;
  }
};

class Receiver {
public:
  unsigned code_word_octets = 0; // RS_FEC_OCTETS: beats come in bursts; 0: as they arrive

  // A frame on the line: its start character at octet time start_ot, which never goes back; markers after marker_at of
  // its octets.
  void put(uint64_t start_ot, Frame octets, bool error, size_t marker_at = SIZE_MAX) {
    frames_.push_back({start_ot, std::move(octets), error, marker_at});
  }
  bool empty() const { return frames_.empty(); }
  // The receiver has lost its lanes: true if a frame was on the stream, which then ends with an error.
  bool abandon() {
    const bool cut = at_ != 0;
    frames_.clear();
    at_ = 0;
    return cut;
  }

  // One clock in which the line has reached octet time `line_ot`: true with a beat. At most one per clock, like the
  // stream.
  bool clock(uint64_t line_ot, Beat *beat) {
    if (frames_.empty()) return false;
    const Arriving &frame = frames_.front();
    size_t left = frame.octets.size() - at_, n = left < BEAT_OCTETS ? left : BEAT_OCTETS;
    uint64_t whole_ot = frame.start_ot + 8 + at_ + n + (at_ + n > frame.marker_at ? MARKER_OCTETS : 0);
    if (code_word_octets) whole_ot = (whole_ot + code_word_octets - 1) / code_word_octets * code_word_octets;
    if (line_ot < whole_ot) return false;
    memset(beat->data, 0xEE, BEAT_OCTETS); // octets beyond tkeep: anything
    memcpy(beat->data, frame.octets.data() + at_, n);
    beat->keep = n == 64 ? ~0ull : (1ull << n) - 1;
    beat->last = n == left;
    beat->user = beat->last && frame.error;
    at_ += n;
    if (beat->last) {
      frames_.pop_front();
      at_ = 0;
    }
    return true;
  }

private:
  struct Arriving {
    uint64_t start_ot;
    Frame octets;
    bool error;
    size_t marker_at;
  };
  std::deque<Arriving> frames_;
  size_t at_ = 0;
};

} // namespace cmac
