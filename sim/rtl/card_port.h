// SPDX-License-Identifier: Apache-2.0
// A port of a simulated card outside the Verilog: the streams of its CMAC (cmac_model.h) on the signals of
// vendor/cmac_usplus.vh, the cable, and the transceivers of the far end, as far as their link goes.
//
// The far end sends a remote fault as long as it does not receive; frames pass only while the link is up at both ends.
// A frame that the CMAC has sent goes to the lines CABLE_OT after its start, and likewise back: a cable that is longer
// than the longest frame, because the model of the CMAC gives and takes whole frames. What the device under test sends
// has no markers.
#ifndef FPGAUGE_SIM_RTL_CARD_PORT_H
#define FPGAUGE_SIM_RTL_CARD_PORT_H

#include <cstdint>
#include <string>

#include "sim/line/line_decoder.h"
#include "sim/line/line_encoder.h"
#include "sim/rtl/cmac_model.h"
#include "verilated.h"

// Faults that a port has from the beginning, by their names in the settings.
enum class CardFault {
	NONE,
	NO_REFERENCE_CLOCK,
	NO_SIGNAL,
	OTHER_RATE,   // 10G a lane, say
	OTHER_FEC,    // RS-FEC at this end only
	BAD_LANE,     // one of the 20
	SKEW,         // more than the receiver can take back
	FAR_END_DEAF, // it does not receive, and says so
	FEC_ERRORS,   // more in a code word than can be corrected
};

// False: no fault has this name.
bool card_fault_of(const char *name, CardFault &fault);
std::string card_fault_names(); // text for a refusal

// The public signals of a model of a CMAC.
struct CmacSignals {
	CData *usrclk, *tx_ready, *tx_starved, *tx_went;
	CData *rx_valid, *rx_last, *rx_user;
	VlWide<16> *rx_data;
	QData *rx_keep;
	CData *far_fec, *far_rate, *far_skew, *far_fault, *far_errors;
	IData *far_lanes;
	const CData *runs, *receives, *rx_in_reset, *tx_in_reset, *sends, *tells_fault, *mixed, *has_fec;
	const CData *tx_valid, *tx_last, *tx_user;
	const VlWide<16> *tx_data;
	const QData *tx_keep;
};

class CardPort
{
      public:
	CardPort();
	~CardPort();
	CardPort(const CardPort &) = delete;
	CardPort &operator=(const CardPort &) = delete;

	void connect(const CmacSignals &signals)
	{
		cmac_ = signals;
	}
	void set_fault(CardFault fault)
	{
		fault_ = fault;
	}
	// Times are those of the CMAC's line: the far end sends nothing in this time.
	void go_dark(uint64_t from_ot, uint64_t until_ot)
	{
		dark_from_ot_ = from_ot;
		dark_until_ot_ = until_ot;
	}

	bool has_reference_clock() const
	{
		return fault_ != CardFault::NO_REFERENCE_CLOCK;
	}
	bool clock_runs() const
	{
		return *cmac_.runs;
	}
	// The transmitter's clock may have another frequency as long as it is in reset.
	bool clock_settles() const
	{
		return clock_runs() && *cmac_.tx_in_reset;
	}
	void set_clock(bool high)
	{
		*cmac_.usrclk = high && clock_runs();
	}
	// Pins of the four transceivers: what comes in, for what goes out.
	bool signal(bool sent);

	// A clock of the CMAC: before it, and after it. At now_ot of its line; then the lines are at line_ot.
	void before(uint64_t now_ot);
	void after(uint64_t now_ot, uint64_t line_ot);

	// A word of the line, from and to the device under test. now_ot: of the CMAC's line.
	bool encode(uint64_t number, struct line_word *word);
	void decode(uint64_t number, const struct line_word *word, uint64_t now_ot);

	bool is_quiet() const; // nothing in the CMAC or on its way
	// Returns whether the link stays as it is.
	bool is_steady(bool up) const
	{
		return !is_dark() && (up || (fault_ != CardFault::NONE && fault_ != CardFault::FEC_ERRORS));
	}
	// Returns what the card did to a CMAC or to the far end that it must not; null: it did not.
	const char *violation() const
	{
		return violation_ != nullptr ? violation_ : transmitter_.violation;
	}

      private:
	bool is_dark() const
	{
		return now_ot_ >= dark_from_ot_ && now_ot_ < dark_until_ot_;
	}
	bool far_end_receives() const
	{
		return far_hears_ && !*cmac_.tells_fault;
	}
	void watch_far_end();
	void receive();
	void put(const cmac::SentFrame &frame, uint64_t line_ot);
	static uint8_t *begin_frame(void *port);
	static void end_frame(void *port, const struct line_frame *frame);

	CmacSignals cmac_ = {};
	CardFault fault_ = CardFault::NONE;
	uint64_t dark_from_ot_ = 0, dark_until_ot_ = 0, now_ot_ = 0;
	bool far_hears_ = false;
	unsigned untold_clocks_ = 0; // clocks in which this end has not received, and not said so
	unsigned mixed_clocks_ = 0;  // clocks in which it was told to send frames and a remote fault
	const char *violation_ = nullptr;
	bool valid_ = false, ready_ = false; // values of the clock
	cmac::Beat beat_ = {};
	cmac::Transmitter transmitter_;
	cmac::Receiver receiver_;
	struct frame_store store_; // frames to the line
	struct line_encoder encoder_;
	struct line_decoder decoder_; // frames from the line
	uint64_t decoded_word_ = 0;
	uint8_t frame_[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
};

#endif
