// SPDX-License-Identifier: Apache-2.0
// fpgauge_card as one Verilated model: a card from its CMACs and its MMCM to the host's AXI4-Lite, whose vendor's
// blocks are models (vendor/), with the far end of each port's cable (card_port.h). parted_core.h says what the calls
// do.
//
// Here is what has to know the time: the clock of a CMAC runs while its PLL is locked, that of the core while the MMCM
// runs, at the ratio that the MMCM's parameters give. Both CMACs are on one reference clock, as on a U55C (LOCKED is
// 3). A stopped clock stops the core but not the time. Time jumps only in the core, and only when nothing is anywhere
// between it and the lines, and both links stay as they are: adapters and CMACs stand still meanwhile, so markers come
// later than they would.
#ifndef FPGAUGE_SIM_RTL_CARD_CORE_H
#define FPGAUGE_SIM_RTL_CARD_CORE_H

#include <cstdint>
#include <memory>
#include <string>

#include "Vfpgauge_card.h"
#include "sim/rtl/card_port.h"
#include "sim/rtl/lines.h"
#include "sim/rtl/word_list.h"
#include "verilated.h"

class CardCore
{
      public:
	static constexpr unsigned PORTS = FPGAUGE_SIM_PORTS;

	CardCore(VerilatedContext *context, Lines &lines);
	~CardCore();
	CardCore(const CardCore &) = delete;
	CardCore &operator=(const CardCore &) = delete;

	Vfpgauge_card &bus()
	{
		return *core_;
	}
	CardPort &port(unsigned number)
	{
		return port_[number];
	}
	// Sets the reset. Turning it off runs the clocks until the card has come up, and its adapters know the time.
	void reset(bool on);
	uint64_t word_time() const
	{
		return word_;
	}
	void use_threads(unsigned) // one model, one thread
	{
	}
	bool rests() const // frames may be in an adapter, and markers depend on the time
	{
		return false;
	}
	void settle();
	void edge();
	void run_to(uint64_t target_word, bool leap);
	uint64_t still_until(uint64_t most) const;

	// The far ends restart after lead_ot, and send nothing for dark_ot.
	void restart_far_ends(uint64_t lead_ot, uint64_t dark_ot);
	std::string failure() const; // a rule that the card broke; empty: it did not

      private:
	void look_at_mmcm();
	void fall();
	void rise(bool of_host);
	void mac_edge();
	void pass_words();
	void carry();
	uint64_t mac_ot() const; // time of the CMACs' lines
	bool is_quiet() const;

	Lines &lines_;
	std::unique_ptr<Vfpgauge_card> core_;
	CardPort port_[PORTS];
	WordList sent_[PORTS], received_[PORTS];
	uint64_t host_units_ = 0, core_units_ = 0, mac_units_; // when their next clocks begin
	uint64_t core_period_ = 0;                             // period in units
	uint64_t mac_clocks_ = 0;
	uint64_t word_ = 0, core_word_ = 0; // words of the lines; and as the core counts them, which a reset begins
	                                    // anew
	uint64_t quiet_clocks_ = 0;         // clocks of the core, since something moved outside it
	const char *failure_ = nullptr;
};

#endif
