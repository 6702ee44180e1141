// SPDX-License-Identifier: Apache-2.0
// rx_mail against a model of the box: frames of any length at any place of the word, back to back, broken, cut, wanted or
// not, under a filter that changes; a host that reads at once, slowly or never. What is read is what was on the line.
#include "Vdut.h"
#include "line_model.h"
#include "verilated.h"
#include <cstdio>
#include <cstdlib>
#include <deque>

using namespace line;

static constexpr size_t WORD = sizeof(std::declval<Vdut>().word_data);
static constexpr uint64_t WAIT = 13;             // clocks from a frame's last word to the clock in which it is counted
static constexpr uint64_t ENTRIES = 32768 / WORD, FRAMES = 64;
static constexpr size_t CLOCKS_BEHIND = WAIT + 8;
static unsigned failures;

static bool same(const char *name, uint64_t is, uint64_t should, uint64_t clock) {
  if (is == should) return true;
  if (failures++ < 20)
    fprintf(stderr, "clock %llu: %s is %llu, should be %llu\n", (unsigned long long)clock, name, (unsigned long long)is,
            (unsigned long long)should);
  return false;
}

struct Filter {
  unsigned bits = 0;
  uint64_t address = 0; // first octet lowest
  uint16_t types[4] = {};
};

static bool holds(const Filter &f, const std::vector<uint8_t> &frame) {
  uint64_t to = 0;
  for (int i = 5; i >= 0; i--) to = to << 8 | frame[i];
  const bool broadcast = to == 0xFFFFFFFFFFFF, group = frame[0] & 1;
  const uint16_t type = frame[12] << 8 | frame[13];
  bool type_holds = f.bits & 16;
  for (uint16_t t : f.types) type_holds = type_holds || (t != 0 && t == type);
  return type_holds && ((f.bits & 1 && to == f.address) || (f.bits & 2 && broadcast) || (f.bits & 4 && group && !broadcast) ||
                        f.bits & 8);
}

// ---- what is on the line

enum Sizes { SMALL, MIXED, LARGE };

struct Line {
  Rng r;
  Encoder e;
  std::vector<uint64_t> addresses; // some of them are those of the filters
  std::vector<uint16_t> types{0x0806, 0x86DD, 0x88CC, 0x0800, 0x8100, 0x0026, 0};
  explicit Line(uint64_t seed) : r(seed) {
    for (int i = 0; i < 3; i++) addresses.push_back((r.next() & 0xFFFFFFFFFFFF) & ~1ull);
    addresses.push_back(0xFFFFFFFFFFFF);
    addresses.push_back(0xFFFFFFFFFFFD); // a group, but for one bit all
    addresses.push_back((r.next() & 0xFFFFFFFFFFFF) | 1);
  }
  void frame(size_t octets) {
    uint64_t to = r.chance(900) ? addresses[r.below(addresses.size())] : r.next();
    if (r.chance(60)) to ^= 1ull << r.below(48);
    const uint16_t type = types[r.below(types.size())] ^ (r.chance(60) ? 1 << r.below(16) : 0);
    const size_t error = r.chance(20) ? r.below(octets) : SIZE_MAX, cut = r.chance(30) ? r.below(octets) : SIZE_MAX;
    e.start();
    for (size_t i = 0; i < octets && i != cut; i++) {
      uint8_t octet = i < 6 ? to >> (8 * i) : i == 12 ? type >> 8 : i == 13 ? type : r.next();
      e.put(i == error ? uint8_t(ERROR) : octet, i == error);
    }
    if (cut == SIZE_MAX || r.chance(500)) e.terminate(); // else the next start falls inside it
    const size_t gap = r.chance(800) ? r.range(4, 11) : r.below(r.chance(100) ? 4000 : 200);
    e.idle(cut == SIZE_MAX ? gap : 0);
    e.align(8);
  }
  size_t size(Sizes sizes) {
    if (sizes == SMALL) return r.range(64, r.chance(800) ? 80 : 132);
    if (sizes == LARGE) return r.chance(300) ? 9216 : r.range(1500, 9216);
    return r.chance(600) ? r.range(64, 200) : r.chance(900) ? r.range(64, 1600) : r.range(64, 9216);
  }
  void make(Sizes sizes, size_t octets) {
    e.idle(2 * WORD);
    while (e.position() < octets) {
      if (r.chance(4)) garbage(e, r, r.range(1, 400));
      if (r.chance(8)) frame(r.below(64));
      if (r.chance(30)) e.align(WORD), e.idle(8 * r.below(WORD / 8)); // where the encoder would not have put it
      frame(size(sizes));
      if (r.chance(1)) frame(r.range(16384, 50000));
    }
    e.align(WORD);
    e.idle((CLOCKS_BEHIND + 2) * WORD);
  }
};

// The filter of every clock: mostly one that something on the line passes.
static std::vector<Filter> filters(Line &l, size_t clocks, bool changing) {
  Rng &r = l.r;
  std::vector<Filter> all(clocks);
  Filter f;
  for (size_t c = 0; c < clocks;) {
    if (c == 0 || r.chance(500)) {
      f.bits = r.range(1, 31);
      f.address = l.addresses[r.below(l.addresses.size())];
      for (auto &type : f.types) type = r.chance(300) ? 0 : l.types[r.below(l.types.size())];
    } else {
      f.bits = r.chance(400) ? 0 : r.below(32);
    }
    for (size_t n = changing ? r.range(1, f.bits ? 200 : 20) : clocks; n > 0 && c < clocks; n--) all[c++] = f;
  }
  return all;
}

// ---- the model: which frames are in the box, and which entries of the ring they take, counted on without end

struct Frame {
  const Found *f;
  uint64_t number, first_word, last_word; // number of the start's group; words of the line
  bool wanted = false, good = false;
  uint64_t first = 0, shown = 0; // entry of its first word; the clock from which it is seen as the oldest
  bool lost = false;
};

struct Box {
  std::deque<Frame> kept;
  uint64_t base = 0; // the first entry after those that are kept
  uint64_t frames = 0, overflow = 0;
  uint64_t released = UINT64_MAX, low_then = 0; // the clock of the last release; the oldest entry that was in use then
  // Hard cases that were met: a test that did not meet the hard cases proves nothing.
  unsigned shared = 0, rolled_back = 0, no_entry = 0, no_frame = 0, wrapped = 0, ceased = 0;

  uint64_t low_now(const Frame *open) const { return !kept.empty() ? kept.front().first : open ? open->first : base; }
  uint64_t low(const Frame *open, uint64_t clock) const { // room comes two clocks after it was given back
    return released + 1 == clock ? low_then : low_now(open);
  }
  void release(const Frame *open, uint64_t clock, size_t count) {
    low_then = low_now(open);
    released = clock;
    kept.erase(kept.begin(), kept.begin() + count);
    if (!kept.empty()) kept.front().shown = clock + 2;
  }
  // A word: of the frame that is open (or nullptr), and of one that begins (or nullptr). clear: nothing is kept now.
  void word(Frame *open, Frame *begins, uint64_t number, uint64_t clock, bool clear) {
    bool stays = false; // the entry of this word is one of a frame that is kept
    if (open) {
      const uint64_t entry = open->first + (number - open->first_word);
      open->lost = open->lost || entry >= low(open, clock) + ENTRIES;
      if (open->last_word == number) {
        const bool keep = open->good && open->wanted && !clear;
        stays = keep && !open->lost && kept.size() < FRAMES;
        if (stays) {
          open->shown = clock + 2;
          kept.push_back(*open);
          base = entry + 1;
          frames++;
          wrapped += base / ENTRIES != open->first / ENTRIES;
        } else if (keep) {
          overflow++;
          if (open->lost) no_entry++;
          else no_frame++;
        }
      }
    }
    if (begins) {
      begins->first = stays ? base - 1 : base;
      begins->lost = !stays && !kept.empty() && base >= low(nullptr, clock) + ENTRIES;
      shared += stays;
      rolled_back += open && !stays;
    }
  }
};

// ---- a host: reads the oldest frame and gives it back

enum Pace { EAGER, SLOW, NEVER };

struct Host {
  Pace pace;
  uint64_t rest = 0; // clocks until it does something
  bool asking = false, next = false;
  std::vector<unsigned> words; // words of the frame, to be read
  bool begun = false;          // it has seen the frame's length
  unsigned index = 0, pause = 0;
  uint64_t asked = 0, read_frames = 0, read_words = 0, idle_reads = 0, longest = 0;
};

struct Bench {
  std::unique_ptr<Vdut> d{new Vdut};
  Line l;
  std::vector<Filter> filter;
  std::vector<Found> found;
  std::deque<Frame> frames; // frames that are on their way, by start
  Box box;
  Host host;
  uint64_t start_of_line; // time in groups
  bool there = false, there_then = false;
  Frame then; // the oldest when the read began
  Bench(uint64_t seed) : l(seed) {}

  void apply(const Filter &f) {
    d->filter = f.bits, d->address = f.address;
    d->types = 0;
    for (int i = 3; i >= 0; i--) d->types = d->types << 16 | f.types[i];
  }

  // Checks the answer of a read; all of it is of the frame that was the oldest when it began.
  void answered(uint64_t clock) {
    host.asking = false;
    same("octets", d->octets, there_then ? then.f->octets.size() : 0, clock);
    same("start_time", d->start_time, there_then ? then.number * 8 : 0, clock);
    if (!there_then) {
      same("data", d->data, 0, clock);
      host.idle_reads++;
      host.rest = l.r.below(host.pace == EAGER ? 20 : 400);
      return;
    }
    const std::vector<uint8_t> &octets = then.f->octets;
    for (unsigned i = 0; i < 4 && 4 * host.index + i < octets.size() && failures < 20; i++)
      if (!same("octet", d->data >> (8 * i) & 255, octets[4 * host.index + i], clock))
        fprintf(stderr, "  octet %u of %zu\n", 4 * host.index + i, octets.size());
    host.read_words++;
    if (!host.begun) {
      host.begun = true;
      if (octets.size() > host.longest) host.longest = octets.size();
      const unsigned all = (octets.size() + 3) / 4;
      host.words.clear();
      if (host.pace == SLOW && l.r.chance(500)) // some of it
        for (int i = 0; i < 20; i++) host.words.push_back(l.r.below(all));
      else
        for (unsigned i = 0; i < all; i++) host.words.push_back(i);
    }
    host.rest = host.pace == SLOW ? l.r.below(60) : l.r.below(2);
  }

  void drive_host(uint64_t clock) {
    d->next = 0;
    if (host.asking) return;
    d->req = 0;
    if (host.pace == NEVER && host.read_words && clock % 64) return; // looks at the first one now and then
    if (host.rest) {
      host.rest--;
      return;
    }
    if (host.begun && host.words.empty() && host.pace != NEVER) {
      d->next = 1;
      host.begun = false;
      host.read_frames++;
      host.rest = host.pace == SLOW ? l.r.below(800) : 2;
      return;
    }
    if (host.pace != NEVER && l.r.chance(1)) { // although it may not have seen one
      d->next = 1;
      host.begun = false;
      host.rest = 2;
      return;
    }
    if (host.begun && !host.words.empty()) host.index = host.words.back(), host.words.pop_back();
    else if (!host.begun) host.index = 0;
    d->req = 1;
    d->index = host.index;
    host.asking = true;
    host.asked = clock;
  }

  void check_host(uint64_t clock) {
    there = !box.kept.empty() && clock >= box.kept.front().shown;
    if (host.asking && clock == host.asked + 1) {
      there_then = there;
      if (there) then = box.kept.front();
    }
    same("ack", d->ack, host.asking && clock == host.asked + 3, clock);
    if (d->ack) answered(clock);
    same("frames", d->frames, box.frames, clock);
    same("overflow_frames", d->overflow_frames, box.overflow, clock);
  }

  // Drives what line_decode says of a word: the frame that owns group 0, if it ends, the one that begins.
  void drive_word(uint64_t word, size_t at, size_t &began) {
    const Found *owner = nullptr, *live = nullptr;
    for (size_t i = at; i < found.size() && i < at + 6; i++) {
      const Found &f = found[i];
      if (f.start / WORD < word && f.end / WORD >= word) owner = &f;
      if (f.start / WORD == word && f.end / WORD > word) live = &f;
    }
    uint8_t data[WORD];
    for (size_t i = 0; i < WORD; i++) data[i] = l.e.octets[word * WORD + i].data;
    memcpy(&d->word_data, data, WORD);
    d->word_owned = owner != nullptr;
    d->word_end = owner && owner->end / WORD == word;
    d->word_live = live != nullptr;
    d->word_live_group = live ? live->start % WORD / 8 : l.r.below(WORD / 8);
    if (!live) return;
    Frame f;
    f.f = live, f.number = start_of_line + live->start / 8, f.first_word = live->start / WORD, f.last_word = live->end / WORD;
    // Octets 8 to 15 decide, in the clock after their word.
    const size_t decided = (live->start + 16) / WORD + 1;
    f.good = live->well && live->octets.size() >= 64 && live->octets.size() <= 16383 && l.r.chance(850);
    if (f.good) f.wanted = holds(filter[decided], live->octets);
    frames.push_back(f);
    began++;
  }

  // The word that is now to be written, and the frame that is counted now.
  Frame *late_word(uint64_t number, Frame *&begins) {
    while (!frames.empty() && frames.front().last_word < number) frames.pop_front();
    Frame *open = nullptr;
    begins = nullptr;
    for (Frame &f : frames) {
      if (f.first_word < number && number <= f.last_word) open = &f;
      if (f.first_word == number) begins = &f;
    }
    // A frame is followed as long as the filter was not 0.
    auto on = [&](const Frame &f) {
      for (uint64_t c = f.first_word; c <= number; c++)
        if (!filter[c].bits) return false;
      return true;
    };
    d->commit_foreign = open && open->last_word == number && open->good;
    if (open && open->last_word == number) {
      d->commit_octets = open->f->octets.size();
      d->commit_start_groups = open->number;
    }
    if (begins && !on(*begins)) begins = nullptr;
    if (open && !on(*open)) {
      box.ceased += d->commit_foreign && open->wanted;
      open = nullptr;
    }
    return open;
  }

  void reset() {
    d->rst = 1, d->clear = 0, d->next = 0, d->req = 0, d->commit_foreign = 0;
    d->word_owned = d->word_end = d->word_live = 0;
    d->clk = 0, d->eval();
    for (int i = 0; i < 20; i++) d->clk = 1, d->eval(), d->clk = 0, d->eval();
    d->rst = 0, d->eval();
  }

  void run(uint64_t seed, Sizes sizes, Pace pace, bool changing, bool clears, size_t octets) {
    l.make(sizes, octets);
    found = read(l.e.octets, WORD);
    const size_t words = l.e.position() / WORD;
    filter = filters(l, words + 4, changing);
    start_of_line = l.r.next() >> 4;
    host.pace = pace;
    apply(filter[0]);
    reset();
    size_t at = 0, began = 0;
    for (uint64_t clock = 0; clock < words && failures < 20; clock++) {
      while (at < found.size() && found[at].end / WORD < clock) at++;
      apply(filter[clock]);
      drive_word(clock, at, began);
      d->clear = clears && l.r.chance(1) && l.r.chance(300);
      Frame *begins = nullptr, *open = nullptr;
      d->commit_foreign = 0;
      if (clock >= WAIT) open = late_word(clock - WAIT, begins);
      if (!host.asking || !d->clear) drive_host(clock);
      d->eval();
      check_host(clock);
      // the end of the clock
      const bool taken = d->next && there;
      if (clock >= WAIT) box.word(open, begins, clock - WAIT, clock, d->clear);
      Frame *now = begins ? begins : open && open->last_word > clock - WAIT ? open : nullptr;
      if (d->clear) {
        box.release(now, clock, box.kept.size());
        box.frames = box.overflow = 0;
        host.begun = false;
      } else if (taken) {
        box.release(now, clock, 1);
      }
      d->clk = 1, d->eval(), d->clk = 0, d->eval();
    }
    printf("seed %llu: %zu frames, %llu kept, %llu overflow (%u entries, %u frames); %u shared, %u rolled back, %u wrapped; "
           "%llu read in %llu words, %llu times nothing\n",
           (unsigned long long)seed, began, (unsigned long long)box.frames, (unsigned long long)box.overflow, box.no_entry,
           box.no_frame, box.shared, box.rolled_back, box.wrapped, (unsigned long long)host.read_frames,
           (unsigned long long)host.read_words, (unsigned long long)host.idle_reads);
  }
};

// Checks over all runs: each of the hard cases has come up.
static void met(const char *what, uint64_t times, uint64_t least) {
  printf("%s: %llu\n", what, (unsigned long long)times);
  if (times < least) failures++, fprintf(stderr, "%s: %llu, should be %llu at least\n", what, (unsigned long long)times, (unsigned long long)least);
}

int main(int argc, char **argv) {
  const uint64_t first = argc > 1 ? strtoull(argv[1], nullptr, 0) : 1, n = argc > 2 ? strtoull(argv[2], nullptr, 0) : 27;
  Box all;
  Host hosts{NEVER};
  for (uint64_t seed = first; seed < first + n && !failures; seed++) {
    Bench b(seed);
    const Sizes sizes = Sizes(seed % 3);
    b.run(seed, sizes, Pace(seed / 3 % 3), seed % 5 == 0, seed % 4 == 1, sizes == SMALL ? 400000 : 1500000);
    all.shared += b.box.shared, all.rolled_back += b.box.rolled_back, all.no_entry += b.box.no_entry;
    all.no_frame += b.box.no_frame, all.wrapped += b.box.wrapped, all.ceased += b.box.ceased;
    hosts.read_frames += b.host.read_frames;
    if (b.host.longest > hosts.longest) hosts.longest = b.host.longest;
  }
  if (!failures && n >= 27) {
    met("kept frames that share a word with the next", all.shared, WORD > 8 ? 100 : 0);
    met("words with the end of a frame that is not kept and a start", all.rolled_back, 50);
    met("frames without room in the ring", all.no_entry, 100);
    met("frames too many", all.no_frame, 100);
    met("frames at both ends of the ring", all.wrapped, 20);
    met("frames while which the filter was 0", all.ceased, 10);
    met("frames read and given back", hosts.read_frames, 300);
    met("octets of the longest frame read", hosts.longest, 9216);
  }
  printf(failures ? "FAILED\n" : "passed\n");
  return failures ? 1 : 0;
}
