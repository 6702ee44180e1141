// SPDX-License-Identifier: Apache-2.0
// Beats to frames and back, and what the far end of the cable makes of the link.
#include "sim/rtl/card_port.h"

#include <cstring>
#include <new>

namespace
{
constexpr uint64_t CABLE_OT = UINT64_C(64) * 264; // longer than a frame of 16384 octets and the markers in it
constexpr unsigned TELL_CLOCKS = 8;               // clocks from the loss of alignment to the remote fault
constexpr IData ALL_LANES = (1u << 20) - 1, ONE_LANE = 1u << 13;

const struct {
	const char *name;
	CardFault fault;
} FAULTS[] = {
        {"none", CardFault::NONE},
        {"no reference clock", CardFault::NO_REFERENCE_CLOCK},
        {"no signal", CardFault::NO_SIGNAL},
        {"other rate", CardFault::OTHER_RATE},
        {"other FEC", CardFault::OTHER_FEC},
        {"bad lane", CardFault::BAD_LANE},
        {"skew", CardFault::SKEW},
        {"far end deaf", CardFault::FAR_END_DEAF},
        {"FEC errors", CardFault::FEC_ERRORS},
};
} // namespace

bool card_fault_of(const char *name, CardFault &fault)
{
	for (const auto &row : FAULTS)
		if (strcmp(row.name, name) == 0) {
			fault = row.fault;
			return true;
		}
	return false;
}

std::string card_fault_names()
{
	std::string names;

	for (const auto &row : FAULTS)
		names += (names.empty() ? "\"" : ", \"") + std::string(row.name) + "\"";
	return names;
}

CardPort::CardPort()
{
	const struct line_sink sink = {begin_frame, end_frame, this};

	if (frame_store_init(&store_) != 0)
		throw std::bad_alloc();
	line_encoder_init(&encoder_, &store_);
	line_decoder_init(&decoder_, &sink);
}

CardPort::~CardPort()
{
	frame_store_release(&store_);
}

// -- the link -----------------------------------------------------------------------------------------------------

bool CardPort::signal(bool sent)
{
	far_hears_ = sent && !is_dark() && fault_ != CardFault::FAR_END_DEAF && *cmac_.has_fec == *cmac_.far_fec;
	return !is_dark() && fault_ != CardFault::NO_SIGNAL;
}

// A far end that hears no fault takes the link for good, and the device under test begins to send.
void CardPort::watch_far_end()
{
	*cmac_.far_fec = fault_ != CardFault::OTHER_FEC;
	*cmac_.far_rate = fault_ != CardFault::OTHER_RATE;
	*cmac_.far_lanes = fault_ == CardFault::BAD_LANE ? ALL_LANES & ~ONE_LANE : ALL_LANES;
	*cmac_.far_skew = fault_ == CardFault::SKEW;
	*cmac_.far_errors = fault_ == CardFault::FEC_ERRORS;
	*cmac_.far_fault = !far_hears_;
	untold_clocks_ = !*cmac_.receives && far_end_receives() && !*cmac_.tx_in_reset ? untold_clocks_ + 1 : 0;
	if (untold_clocks_ > TELL_CLOCKS && violation_ == nullptr)
		violation_ = "the receiver is not aligned, and the far end is not told of it (remote fault)";
	mixed_clocks_ = *cmac_.mixed ? mixed_clocks_ + 1 : 0;
	if (mixed_clocks_ > TELL_CLOCKS && violation_ == nullptr)
		violation_ = "the CMAC is told to send frames and a remote fault";
}

// -- clocks -------------------------------------------------------------------------------------------------------

void CardPort::receive()
{
	cmac::Beat in = {};
	bool got = false;

	if (*cmac_.receives) {
		got = receiver_.clock(now_ot_, &in);
	} else if (receiver_.abandon() && !*cmac_.rx_in_reset) { // cut off: ends with an error
		got = in.last = in.user = true;
		in.keep = 1;
	}
	*cmac_.rx_valid = got;
	if (!got)
		return;
	*cmac_.rx_last = in.last;
	*cmac_.rx_user = in.user;
	memcpy(cmac_.rx_data->data(), in.data, sizeof(in.data));
	*cmac_.rx_keep = in.keep;
}

void CardPort::before(uint64_t now_ot)
{
	now_ot_ = now_ot;
	watch_far_end();
	receive();
	if (*cmac_.tx_in_reset)
		transmitter_.reset();
	transmitter_.enabled = *cmac_.sends;
	ready_ = transmitter_.ready() && !*cmac_.tx_in_reset;
	*cmac_.tx_ready = ready_;
	valid_ = *cmac_.tx_valid && !*cmac_.tx_in_reset; // comes from a register, as all of the stream
	if (!valid_)
		return;
	memcpy(beat_.data, cmac_.tx_data->data(), sizeof(beat_.data));
	beat_.keep = *cmac_.tx_keep;
	beat_.last = *cmac_.tx_last;
	beat_.user = *cmac_.tx_user;
}

void CardPort::after(uint64_t now_ot, uint64_t line_ot)
{
	const uint64_t starved = transmitter_.underruns;

	now_ot_ = now_ot;
	transmitter_.clock(valid_ ? &beat_ : nullptr, ready_);
	*cmac_.tx_starved = transmitter_.underruns != starved;
	*cmac_.tx_went = !transmitter_.sent.empty(); // at most one in a clock
	for (; !transmitter_.sent.empty(); transmitter_.sent.pop_front())
		if (far_end_receives())
			put(transmitter_.sent.front(), line_ot);
}

// -- frames -------------------------------------------------------------------------------------------------------

// A time on the CMACs' lines is one of the lines beyond by what the core has jumped.
void CardPort::put(const cmac::SentFrame &frame, uint64_t line_ot)
{
	const uint64_t age_ot = now_ot_ - frame.start_ot;
	uint8_t *const octets = frame_store_reserve(&store_);

	if (octets == nullptr)
		throw std::bad_alloc();
	memcpy(octets, frame.octets.data(), frame.octets.size());
	if (frame_store_put(&store_, static_cast<uint32_t>(frame.octets.size()),
	                    (line_ot - age_ot + CABLE_OT) & ~UINT64_C(7)) != 0)
		throw std::bad_alloc();
}

uint8_t *CardPort::begin_frame(void *context)
{
	return static_cast<CardPort *>(context)->frame_;
}

void CardPort::end_frame(void *context, const struct line_frame *frame)
{
	CardPort *const port = static_cast<CardPort *>(context);
	const uint64_t age_ot = (port->decoded_word_ + 1) * LINE_OCTETS - frame->start_ot;

	if (port->far_end_receives()) // else its link is down
		port->receiver_.put(port->now_ot_ + CABLE_OT - age_ot,
		                    cmac::Frame(frame->octets, frame->octets + frame->length), frame->broken);
}

bool CardPort::encode(uint64_t number, struct line_word *word)
{
	return line_encoder_next(&encoder_) <= number && line_encode(&encoder_, number, word);
}

void CardPort::decode(uint64_t number, const struct line_word *word, uint64_t now_ot)
{
	now_ot_ = now_ot;
	decoded_word_ = number;
	if (word != nullptr || !line_decoder_idle(&decoder_))
		line_decode(&decoder_, number, word != nullptr ? word : &LINE_IDLE_WORD);
}

bool CardPort::is_quiet() const
{
	return !*cmac_.tx_valid && !*cmac_.rx_valid && transmitter_.empty() && receiver_.empty() &&
	       line_decoder_idle(&decoder_) && line_encoder_next(&encoder_) == UINT64_MAX;
}
