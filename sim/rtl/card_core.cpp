// SPDX-License-Identifier: Apache-2.0
// The clocks of a card, and the words between its ports and the lines.
#include "sim/rtl/card_core.h"

#include <algorithm>
#include <cstdlib>

#include "Vfpgauge_card___024root.h"

// Members that vendor/ and card.vlt make public.
#define CARD(name) core_->rootp->fpgauge_card__DOT__##name
#define CMAC(port, name)                                                                                               \
	&core_->rootp                                                                                                  \
	         ->fpgauge_card__DOT__port__BRA__##port##__KET____DOT__u_port__DOT__port##port##__DOT__u_cmac__DOT__##name
#define MMCM(name) CARD(u_clock__DOT__u_mmcm__DOT__##name)
#define CORE(name) CARD(u_ports__DOT__##name)
#define CMAC_SIGNALS(port)                                                                                             \
	{                                                                                                              \
		CMAC(port, usrclk), CMAC(port, tx_ready), CMAC(port, tx_starved), CMAC(port, tx_went),                 \
		        CMAC(port, rx_valid), CMAC(port, rx_last), CMAC(port, rx_user), CMAC(port, rx_data),           \
		        CMAC(port, rx_keep), CMAC(port, far_fec), CMAC(port, far_rate), CMAC(port, far_skew),          \
		        CMAC(port, far_fault), CMAC(port, far_errors), CMAC(port, far_lanes), CMAC(port, runs),        \
		        CMAC(port, receives), CMAC(port, rx_in_reset), CMAC(port, tx_in_reset), CMAC(port, sends),     \
		        CMAC(port, tells_fault), CMAC(port, mixed), CMAC(port, has_fec), CMAC(port, tx_valid),         \
		        CMAC(port, tx_last), CMAC(port, tx_user), CMAC(port, tx_data), CMAC(port, tx_keep)             \
	}

namespace
{
// A word of the line is 33 units of a thousand, a clock of a CMAC 20: 195.3125 and 322.265625 MHz. The host's clock is
// as fast as the core's, and rises with it.
constexpr uint64_t WORD_UNITS = 33000, MAC_UNITS = 20000, MAC_PHASE_UNITS = 7000;
constexpr uint32_t MAC_PERIOD_PS = 3103, PERIOD_SLACK_PS = 31; // period and slack that the MMCM must be told
constexpr uint64_t START_WORDS = 2 * 4096 + 2048;              // clocks and resets; and two marks for cmac_time
constexpr uint64_t SETTLED_CLOCKS = 2 * 320; // more than a frame takes through an adapter: 320, and its crossings
constexpr uint64_t SKIP_LEAD_WORDS = 2;      // the lead of whole_core.cpp
constexpr unsigned ALL_PORTS = (1u << CardCore::PORTS) - 1;
static_assert(CardCore::PORTS == 2, "a card has two ports here");
} // namespace

CardCore::CardCore(VerilatedContext *context, Lines &lines)
    : lines_(lines), core_(std::make_unique<Vfpgauge_card>(context)), mac_units_(MAC_PHASE_UNITS)
{
	port_[0].connect(CMAC_SIGNALS(0));
	port_[1].connect(CMAC_SIGNALS(1));
}

CardCore::~CardCore()
{
	core_->final();
}

void CardCore::reset(bool on)
{
	core_->async_rst = on;
	core_->eval();
	look_at_mmcm();
	for (uint64_t i = 0; !on && i < START_WORDS; i++)
		edge();
	if (!CORE(rst))
		word_ = core_word_;
}

// Its output comes from here, by its own parameters.
void CardCore::look_at_mmcm()
{
	core_period_ = MAC_UNITS * MMCM(divide) / MMCM(multiply);
	if (abs(static_cast<int>(MMCM(period_ps) - MAC_PERIOD_PS)) > static_cast<int>(PERIOD_SLACK_PS))
		failure_ = "the MMCM is told another period of its input than 3.103 ns";
}

std::string CardCore::failure() const
{
	if (failure_ != nullptr)
		return failure_;
	for (unsigned p = 0; p < PORTS; p++)
		if (port_[p].violation() != nullptr)
			return "port " + std::to_string(p) + ": " + port_[p].violation();
	return "";
}

void CardCore::restart_far_ends(uint64_t lead_ot, uint64_t dark_ot)
{
	for (CardPort &port : port_)
		if (dark_ot != 0)
			port.go_dark(mac_ot() + lead_ot, mac_ot() + lead_ot + dark_ot);
}

// -- clocks -------------------------------------------------------------------------------------------------------

void CardCore::settle()
{
	carry();
	core_->eval();
}

// One clock falls when another one rises, which saves an evaluation.
void CardCore::fall()
{
	core_->axil_clk = MMCM(clkout) = 0;
	for (CardPort &port : port_)
		port.set_clock(false);
	core_->eval();
}

// The host's clock, or else the core's alone. init_clk has half of the host's, 97.7 MHz, and between two of its edges
// the reference clocks change. The core's rises with the host's, unless the MMCM makes another one.
void CardCore::rise(bool of_host)
{
	fall();
	if (of_host) {
		core_->axil_clk = 1;
		core_->init_clk = !core_->init_clk;
		for (unsigned p = 0; p < PORTS && !core_->init_clk; p++)
			if (port_[p].has_reference_clock())
				core_->gt_refclk_p ^= static_cast<CData>(1u << p);
		core_->gt_refclk_n = core_->gt_refclk_p ^ ALL_PORTS;
		for (unsigned p = 0; p < PORTS; p++) {
			const bool in = port_[p].signal(core_->gt_txp_out >> 4 * p & ~(core_->gt_txn_out >> 4 * p) & 1);
			const unsigned lanes = 0xfu << 4 * p;

			core_->gt_rxp_in =
			        static_cast<CData>(in ? core_->gt_rxp_in | lanes : core_->gt_rxp_in & ~lanes);
		}
	}
	MMCM(input_runs) = port_[0].clock_runs();
	if (port_[0].clock_settles() && !MMCM(held))
		failure_ = "the MMCM is not in reset while the clock of port 0 settles";
	if (!MMCM(runs)) {
		core_units_ = host_units_ + WORD_UNITS;
	} else if (core_units_ <= host_units_ || !of_host) {
		MMCM(clkout) = 1;
		core_units_ += core_period_;
	}
	core_->eval();
}

// A clock of the host, and those of others that begin before the next one.
void CardCore::edge()
{
	rise(true);
	pass_words();
	host_units_ += WORD_UNITS;
	while (std::min(mac_units_, core_units_) < host_units_)
		if (mac_units_ <= core_units_)
			mac_edge();
		else
			rise(false);
	quiet_clocks_ = is_quiet() ? quiet_clocks_ + 1 : 0;
}

// Time goes on where the core's does not.
void CardCore::pass_words()
{
	const uint64_t now = CORE(word_time);

	word_ += now > core_word_ ? now - core_word_ : 1;
	core_word_ = now;
}

uint64_t CardCore::mac_ot() const
{
	return mac_clocks_ * cmac::OCTETS_A_CLOCK_NUM / cmac::OCTETS_A_CLOCK_DEN;
}

void CardCore::mac_edge()
{
	const uint64_t in_word_units = mac_units_ + WORD_UNITS - host_units_;

	for (CardPort &port : port_)
		if (port.clock_runs())
			port.before(mac_ot());
	fall();
	for (CardPort &port : port_)
		port.set_clock(true);
	core_->eval();
	mac_clocks_++;
	mac_units_ += MAC_UNITS;
	for (CardPort &port : port_)
		if (port.clock_runs())
			port.after(mac_ot(), (word_ * WORD_UNITS + in_word_units) * LINE_OCTETS / WORD_UNITS);
}

// -- words --------------------------------------------------------------------------------------------------------

// Carries what is on the lines in this clock.
void CardCore::carry()
{
	for (unsigned i = 0; i < PORTS; i++) {
		struct line_word word = {};

		sent_[i].clear(false);
		if (port_[i].encode(word_, &word))
			*sent_[i].add(word_) = word;
	}
	lines_.carry(word_, word_ + 1, sent_, received_);
	for (unsigned i = 0; i < PORTS; i++)
		port_[i].decode(word_, received_[i].at(0, word_), mac_ot());
}

// Nothing on any line or stream, or in a CMAC, and nothing to come but what is sent.
bool CardCore::is_quiet() const
{
	bool quiet = true;

	for (unsigned p = 0; p < PORTS; p++)
		quiet = quiet && port_[p].is_steady(core_->link_up >> p & 1);
	for (unsigned i = 0; quiet && i < 2 * PORTS; i++)
		quiet = (CORE(line_tx_ctrl)[i] & CORE(line_rx_ctrl)[i]) == UINT32_MAX;
	for (const CardPort &port : port_)
		quiet = quiet && port.is_quiet();
	return quiet;
}

uint64_t CardCore::still_until(uint64_t most) const
{
	if (quiet_clocks_ < SETTLED_CLOCKS || !CORE(idle))
		return word_;
	return std::min({most, lines_.next_word(), word_ + SKIP_LEAD_WORDS + CORE(idle_words)});
}

void CardCore::run_to(uint64_t target_word, bool leap)
{
	while (word_ < target_word) {
		const uint64_t first = word_ + SKIP_LEAD_WORDS;

		carry();
		const uint64_t until = leap ? still_until(target_word) : 0;

		CARD(skip_words) = static_cast<uint32_t>(until > first ? until - first : 0);
		edge();
	}
	CARD(skip_words) = 0;
}
