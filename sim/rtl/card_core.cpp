// SPDX-License-Identifier: Apache-2.0
// The clocks of a card, and its frames between the CMACs and the lines.
#include "sim/rtl/card_core.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "Vfpgauge_ports___024root.h"

namespace
{
// A clock of the core is 33 units, one of a CMAC 20: 195.3125 and 322.265625 MHz.
constexpr uint64_t CORE_UNITS = 33, MAC_UNITS = 20, MAC_PHASE_UNITS = 7;
constexpr uint64_t CABLE_OT = UINT64_C(64) * 264; // longer than a frame of 16384 octets and the markers in it
constexpr uint64_t START_WORDS = 2 * 4096 + 256;  // the core's reset, and two marks for cmac_time
constexpr uint64_t SETTLED_CLOCKS = 2 * 320;      // more than a frame takes through an adapter: 320, and its crossings
constexpr uint64_t SKIP_LEAD_WORDS = 2;           // as in whole_core.cpp

template <typename T> uint8_t *octets_of(T &vector)
{
	return reinterpret_cast<uint8_t *>(&vector);
}

template <typename T> void set_bit(T &vector, unsigned bit, bool value)
{
	vector = static_cast<T>((vector & ~(1u << bit)) | unsigned(value) << bit);
}
} // namespace

CardCore::CardCore(VerilatedContext *context, Lines &lines)
    : lines_(lines), core_(std::make_unique<Vfpgauge_ports>(context)), mac_units_(MAC_PHASE_UNITS)
{
	for (Port &port : port_) {
		const struct line_sink sink = {begin_frame, end_frame, &port};

		port.card = this;
		if (frame_store_init(&port.store) != 0)
			throw std::bad_alloc();
		line_encoder_init(&port.encoder, &port.store);
		line_decoder_init(&port.decoder, &sink);
	}
}

CardCore::~CardCore()
{
	core_->final();
	for (Port &port : port_)
		frame_store_release(&port.store);
}

void CardCore::reset(bool on)
{
	core_->async_rst = on;
	core_->clk_locked = !on;
	core_->tx_enable = core_->rx_enable = on ? 0 : (1u << PORTS) - 1;
	for (unsigned p = 0; p < PORTS; p++) // block lock, lanes found and aligned
		for (unsigned bit = 0; bit < 4; bit++)
			set_bit(core_->rx_lanes, 4 * p + bit, !on && bit < 3);
	for (uint64_t i = 0; !on && i < START_WORDS; i++)
		edge();
}

// -- clocks -------------------------------------------------------------------------------------------------------

void CardCore::settle()
{
	carry();
	core_->eval();
}

// The next clock of the core and the host's side, or of the CMACs. One falls when the other rises, which saves an
// evaluation.
void CardCore::rise(bool of_core)
{
	if (of_core ? core_->clk : core_->cmac_clk) {
		core_->clk = core_->axil_clk = core_->cmac_clk = 0;
		core_->eval();
	}
	core_->clk = core_->axil_clk = of_core;
	core_->cmac_clk = of_core ? 0 : (1u << PORTS) - 1;
	core_->eval();
}

// A clock of the core, and those of the CMACs that begin before the next one.
void CardCore::edge()
{
	rise(true);
	for (core_units_ += CORE_UNITS; mac_units_ < core_units_; mac_units_ += MAC_UNITS)
		mac_edge();
	quiet_clocks_ = is_quiet() ? quiet_clocks_ + 1 : 0;
}

uint64_t CardCore::mac_ot() const
{
	return mac_clocks_ * cmac::OCTETS_A_CLOCK_NUM / cmac::OCTETS_A_CLOCK_DEN;
}

void CardCore::mac_edge()
{
	cmac::Beat out[PORTS];
	bool valid[PORTS], ready[PORTS];

	for (unsigned p = 0; p < PORTS; p++) {
		cmac::Beat in = {};
		const bool got = port_[p].receiver.clock(mac_ot(), &in);

		set_bit(core_->s_axis_tvalid, p, got);
		if (got) {
			set_bit(core_->s_axis_tlast, p, in.last);
			set_bit(core_->s_axis_tuser, p, in.user);
			memcpy(octets_of(core_->s_axis_tdata) + p * sizeof(in.data), in.data, sizeof(in.data));
			memcpy(octets_of(core_->s_axis_tkeep) + p * sizeof(in.keep), &in.keep, sizeof(in.keep));
		}
		ready[p] = port_[p].transmitter.ready();
		set_bit(core_->m_axis_tready, p, ready[p]);
		valid[p] = core_->m_axis_tvalid >> p & 1; // from a register, as all of the stream
		if (valid[p]) {
			memcpy(out[p].data, octets_of(core_->m_axis_tdata) + p * sizeof(out[p].data),
			       sizeof(out[p].data));
			memcpy(&out[p].keep, octets_of(core_->m_axis_tkeep) + p * sizeof(out[p].keep),
			       sizeof(out[p].keep));
			out[p].last = core_->m_axis_tlast >> p & 1;
			out[p].user = core_->m_axis_tuser >> p & 1;
		}
	}
	rise(false);
	mac_clocks_++;
	for (unsigned p = 0; p < PORTS; p++) {
		cmac::Transmitter &transmitter = port_[p].transmitter;

		transmitter.clock(valid[p] ? &out[p] : nullptr, ready[p]);
		set_bit(core_->tx_counted, p, !transmitter.sent.empty()); // at most one in a clock
		for (; !transmitter.sent.empty(); transmitter.sent.pop_front())
			put(p, transmitter.sent.front());
	}
}

// -- frames -------------------------------------------------------------------------------------------------------

// A time on the CMACs' lines is one of the lines beyond by what the core has jumped.
void CardCore::put(unsigned p, cmac::SentFrame &frame)
{
	Port &port = port_[p];
	const uint64_t age_ot = mac_ot() - frame.start_ot;
	const uint64_t now_ot =
	        core_->word_time * LINE_OCTETS + (mac_units_ + CORE_UNITS - core_units_) * LINE_OCTETS / CORE_UNITS;
	uint8_t *const octets = frame_store_reserve(&port.store);

	if (octets == nullptr)
		throw std::bad_alloc();
	memcpy(octets, frame.octets.data(), frame.octets.size());
	if (frame_store_put(&port.store, static_cast<uint32_t>(frame.octets.size()),
	                    (now_ot - age_ot + CABLE_OT) & ~UINT64_C(7)) != 0)
		throw std::bad_alloc();
}

uint8_t *CardCore::begin_frame(void *context)
{
	return static_cast<Port *>(context)->frame;
}

void CardCore::end_frame(void *context, const struct line_frame *frame)
{
	Port *const port = static_cast<Port *>(context);
	const CardCore *const card = port->card;
	const uint64_t age_ot = (card->core_->word_time + 1) * LINE_OCTETS - frame->start_ot;

	port->receiver.put(card->mac_ot() + CABLE_OT - age_ot,
	                   cmac::Frame(frame->octets, frame->octets + frame->length), frame->broken);
}

// What is on the lines in this clock of the core.
void CardCore::carry()
{
	const uint64_t now = core_->word_time;

	for (unsigned i = 0; i < PORTS; i++) {
		struct line_word word = {};

		sent_[i].clear(false);
		if (line_encoder_next(&port_[i].encoder) <= now && line_encode(&port_[i].encoder, now, &word))
			*sent_[i].add(now) = word;
	}
	lines_.carry(now, now + 1, sent_, received_);
	for (unsigned i = 0; i < PORTS; i++) {
		const struct line_word *const word = received_[i].at(0, now);

		if (word != nullptr || !line_decoder_idle(&port_[i].decoder))
			line_decode(&port_[i].decoder, now, word != nullptr ? word : &LINE_IDLE_WORD);
	}
}

// -- leaps --------------------------------------------------------------------------------------------------------

// Nothing on any line or stream, or in a CMAC.
bool CardCore::is_quiet() const
{
	const auto &state = *core_->rootp;
	bool quiet = !core_->m_axis_tvalid && !core_->s_axis_tvalid;

	for (unsigned i = 0; quiet && i < 2 * PORTS; i++)
		quiet = (state.fpgauge_ports__DOT__line_tx_ctrl[i] & state.fpgauge_ports__DOT__line_rx_ctrl[i]) ==
		        UINT32_MAX;

	for (const Port &port : port_)
		quiet = quiet && port.transmitter.empty() && port.receiver.empty() &&
		        line_decoder_idle(&port.decoder) && line_encoder_next(&port.encoder) == UINT64_MAX;
	return quiet;
}

uint64_t CardCore::still_until(uint64_t most) const
{
	if (quiet_clocks_ < SETTLED_CLOCKS || !core_->idle)
		return core_->word_time;
	return std::min({most, lines_.next_word(), core_->word_time + SKIP_LEAD_WORDS + core_->idle_words});
}

void CardCore::run_to(uint64_t target_word, bool leap)
{
	while (core_->word_time < target_word) {
		const uint64_t first = core_->word_time + SKIP_LEAD_WORDS;

		carry();
		const uint64_t until = leap ? still_until(target_word) : 0;

		core_->skip_words = static_cast<uint32_t>(until > first ? until - first : 0);
		edge();
	}
	core_->skip_words = 0;
}
