// SPDX-License-Identifier: Apache-2.0
// The core put together from models: core_control, which has what the ports share, and a port_model for each port. The
// same Verilog as fpgauge_core, joined by this code in place of that module; tests/differential holds it to the whole.
//
// Ports meet in core_control only when the host talks. So between two accesses it stands still, and is brought to the
// time of the ports before the next; and time passes in windows: all transmitters play one, the lines carry their
// words, and while the receivers play it, the transmitters play the next. Ports are played by a team of threads, with
// the same result however many there are.
#ifndef FPGAUGE_SIM_RTL_PARTED_CORE_H
#define FPGAUGE_SIM_RTL_PARTED_CORE_H

#include <cstdint>
#include <memory>
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

	// Whether no port sends or receives. The lines are another matter.
	bool rests() const;

	// The word up to which nothing will move, but at most a later one than this.
	uint64_t still_until(uint64_t most) const;

      private:
	struct Window {
		uint64_t from = 0, to = 0;
		WordList sent[PORTS], received[PORTS];
	};

	PortInputs inputs_of(unsigned port) const;
	void gather();
	void carry();
	void play(const Window &heard, Window &next, bool leap);
	void catch_up();

	Lines &lines_;
	std::unique_ptr<Vcore_control> control_;
	std::vector<std::unique_ptr<PortModel>> ports_;
	std::unique_ptr<Window[]> windows_; // two
	std::unique_ptr<Team> team_;
	uint64_t now_ = 0;
};

#endif
