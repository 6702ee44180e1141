// SPDX-License-Identifier: Apache-2.0
// The core put together from models: core_control, which has what the ports share, and a port_model for each port. The
// same Verilog as fpgauge_core, joined by this code in place of that module; tests/differential holds it to the whole.
//
// Ports meet in core_control only when the host talks. So between two accesses it stands still, and is brought to the
// time of the ports before the next; and time passes in windows: all transmitters play one, the lines carry their
// words, then the receivers play it. A stretch is many windows, of which several are on their way at once: a team of
// threads plays the ports, each its own ones, and whoever comes first when all have sent a window carries it. So no
// thread waits for another before it is some windows ahead. The result is the same however many there are. While a port
// sends and obeys pause frames, all play in step, clock by clock.
#ifndef FPGAUGE_SIM_RTL_PARTED_CORE_H
#define FPGAUGE_SIM_RTL_PARTED_CORE_H

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "Vcore_control.h"
#include "sim/rtl/lines.h"
#include "sim/rtl/port_model.h"
#include "sim/rtl/team.h"
#include "sim/rtl/word_list.h"
#include "verilated.h"

class PartedCore
{
      public:
	static constexpr unsigned PORTS = FPGAUGE_SIM_PORTS;

	PartedCore(VerilatedContext *context, Lines &lines);
	~PartedCore();

	// At most so many as there are ports; 0, and without this call: as many as processors and ports allow. No
	// thread is left when it returns; they are made with the next work.
	void use_threads(unsigned threads);

	// The AXI4-Lite slave (s_axil_*).
	Vcore_control &bus()
	{
		return *control_;
	}
	void reset(bool on)
	{
		control_->rst = on;
	}
	uint64_t word_time() const
	{
		return now_;
	}

	// A clock in which the bus is in use: after settle(), all that depends on its inputs in this clock is right;
	// then edge(), with which the next one begins.
	void settle();
	void edge();

	// Plays all clocks up to that of a word, without the bus. leap: those in which nothing moves are passed over.
	void run_to(uint64_t target_word, bool leap);

	// Returns whether no port sends or receives. The lines are another matter.
	bool rests() const;

	// The word up to which nothing will move, but at most a later one than this.
	uint64_t still_until(uint64_t most) const;

      private:
	static constexpr unsigned WINDOWS = 4; // windows that are on their way at once, in threads

	struct Window {
		WordList sent[PORTS], received[PORTS];
	};

	// Windows that follow one another. The first may be a long one in which nothing moves.
	struct Stretch {
		uint64_t from = 0, first_to = 0, last_to = 0;
		unsigned windows = 0;
		unsigned threads = 1;
		unsigned slots = 1; // the part of windows_ that is used: one thread needs, and touches, only one
		bool leap = false;  // leaps in a window too, each transmitter on its own
	};

	// How many windows of the stretch a thread has played: its transmitters, its receivers. A line of the cache for
	// each.
	struct alignas(64) Progress {
		std::atomic<unsigned> sent{0}, heard{0};
	};

	PortInputs inputs_of(unsigned port) const;
	void gather();
	void carry();
	void plan_stretch(uint64_t target_word, bool leap);
	void play_stretch();
	void play(unsigned thread);
	bool send_next(unsigned thread);
	bool carry_next(unsigned thread);
	bool hear_next(unsigned thread);
	unsigned busy_ports() const;
	bool someone_heeds() const;
	bool all_are_beyond(std::atomic<unsigned> Progress::*what, unsigned window) const;
	uint64_t begin_of(unsigned window) const;
	void catch_up();

	Lines &lines_;
	std::unique_ptr<Vcore_control> control_;
	std::vector<std::unique_ptr<PortModel>> ports_;
	std::unique_ptr<Window[]> windows_; // WINDOWS of them, by turns
	std::unique_ptr<Team> team_;
	Stretch stretch_;
	Progress progress_[PORTS]; // one for each of the threads that play the stretch
	alignas(64) std::atomic<unsigned> carried_{0};
	std::mutex carrying_;
	uint64_t now_ = 0;
};

#endif
