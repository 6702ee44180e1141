// SPDX-License-Identifier: Apache-2.0
// fpgauge_ports as one Verilated model: the core as on a card, behind the crossing of its registers, with an adapter
// and a model of a CMAC with alignment markers (cmac_model.h) at each port. parted_core.h says what the calls do.
//
// Both CMACs are on the core's clock, as on a U55C (LOCKED is 3). A frame that a CMAC has sent goes to the lines
// CABLE_OT after its start, and likewise back: a cable that is longer than the longest frame, because the model of the
// CMAC gives and takes whole frames. What the device under test sends has no markers.
// Time jumps only in the core, and only when nothing is anywhere between it and the lines: adapters and CMACs stand
// still meanwhile, so markers come later than they would.
#ifndef FPGAUGE_SIM_RTL_CARD_CORE_H
#define FPGAUGE_SIM_RTL_CARD_CORE_H

#include <cstdint>
#include <memory>

#include "Vfpgauge_ports.h"
#include "sim/line/line_decoder.h"
#include "sim/line/line_encoder.h"
#include "sim/rtl/cmac_model.h"
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

	Vfpgauge_ports &bus()
	{
		return *core_;
	}
	// Off: until the core answers and its adapters know the time.
	void reset(bool on);
	uint64_t word_time() const
	{
		return core_->word_time;
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

      private:
	struct Port {
		cmac::Transmitter transmitter;
		cmac::Receiver receiver;
		struct frame_store store; // to the line
		struct line_encoder encoder;
		struct line_decoder decoder; // from the line
		uint8_t frame[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
		CardCore *card;
	};

	static uint8_t *begin_frame(void *port);
	static void end_frame(void *port, const struct line_frame *frame);
	void rise(bool of_core);
	void mac_edge();
	void put(unsigned port, cmac::SentFrame &frame);
	void carry();
	uint64_t mac_ot() const; // of the CMACs' lines
	bool is_quiet() const;

	Lines &lines_;
	std::unique_ptr<Vfpgauge_ports> core_;
	Port port_[PORTS];
	WordList sent_[PORTS], received_[PORTS];
	uint64_t core_units_ = 0, mac_units_; // when their next clocks begin
	uint64_t mac_clocks_ = 0;
	uint64_t quiet_clocks_ = 0; // of the core, since something moved outside it
};

#endif
