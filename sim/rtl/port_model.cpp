// SPDX-License-Identifier: Apache-2.0
// The clocks of one port.
#include "sim/rtl/port_model.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "Vsim_port___024root.h"

// True of the versions of Verilator in Debian 12 and 13: tick() knows how they write a clock.
#define FPGAUGE_KNOWS_EVAL_NBA (VERILATOR_VERSION_INTEGER == 5006000 || VERILATOR_VERSION_INTEGER == 5032000)

#if FPGAUGE_KNOWS_EVAL_NBA
void Vsim_port___024root___eval_nba(Vsim_port___024root *root);
#endif

namespace
{
// Half a port falls asleep when nothing has stirred it for more clocks than any of its pipelines is long.
constexpr unsigned SLEEPY_CLOCKS = 64;
// A move in a transmitter has its effect a known number of clocks later: 8 at most (core_control.v).
constexpr unsigned SETTLED_CLOCKS = 12;
constexpr uint32_t RESERVE_WORDS = 4;

// A vector as Verilator lays it out: 32-bit pieces, on a little-endian machine.
template <typename T> auto octets_of(T &vector)
{
	return reinterpret_cast<std::conditional_t<std::is_const_v<T>, const uint8_t *, uint8_t *>>(&vector);
}
} // namespace

bool PortInputs::differ(const PortInputs &other) const
{
	return stir() || other.stir() || run_id != other.run_id;
}

PortModel::PortModel(VerilatedContext *context, unsigned port) : model_(std::make_unique<Vsim_port>(context))
{
	model_->port = static_cast<uint8_t>(port);
	model_->tick = model_->rx_tick = model_->load = 0;
	inputs_.rst = true;
	memcpy(octets_of(model_->line_rx_data), LINE_IDLE_WORD.group, LINE_OCTETS);
	model_->line_rx_ctrl = LINE_IDLE_WORD.ctrl;
	load();
}

PortModel::~PortModel()
{
	model_->final();
}

// -- what is driven into it ---------------------------------------------------------------------------------------

void PortModel::drive(const PortInputs &inputs, uint64_t word_time)
{
	if (!inputs.differ(inputs_))
		return;
	inputs_ = inputs;
	tx_time_ = rx_time_ = word_time;
	skip_ = 0;
	load();
}

// The receiver counts the words that it has registered.
void PortModel::load()
{
	constexpr uint64_t TIME_MASK = UINT64_MAX >> (64 - WORD_TIME_BITS);
	Vsim_port &model = *model_;

	model.time_ahead = (tx_time_ - model.words) & TIME_MASK;
	model.rx_time_ahead = (rx_time_ - 1 - model.rx_words) & TIME_MASK;
	model.skip_words = skip_;
	model.rst = inputs_.rst;
	model.start = inputs_.start;
	model.stop = inputs_.stop;
	model.clear = inputs_.clear;
	model.snapshot = inputs_.snapshot;
	model.run_id = inputs_.run_id;
	model.bus_req = inputs_.bus_req;
	model.bus_write = inputs_.bus_write;
	model.bus_offset = inputs_.bus_offset;
	model.bus_wdata = inputs_.bus_wdata;
	model.load = 1;
	model.eval();
	model.load = 0;
	model.eval();
}

void PortModel::put(const struct line_word *word)
{
	if (word == nullptr && line_idle_)
		return;
	line_idle_ = word == nullptr;
	word = line_idle_ ? &LINE_IDLE_WORD : word;
	memcpy(octets_of(model_->line_rx_data), word->group, LINE_OCTETS);
	model_->line_rx_ctrl = word->ctrl;
	arriving_ = word->ctrl != LINE_ALL_CTRL; // no frame begins in a word of control characters
}

// -- what moves in it ---------------------------------------------------------------------------------------------

bool PortModel::transmits() const
{
	return tx_calm_clocks_ < SLEEPY_CLOCKS;
}

bool PortModel::receives() const
{
	return rx_calm_clocks_ < SLEEPY_CLOCKS || !line_idle_;
}

bool PortModel::heeds() const
{
	return model_->sending && model_->obeys;
}

bool PortModel::rests() const
{
	return !model_->sending && !model_->busy && model_->tx_idle && line_idle_;
}

// Returns whether the transmitter needs this clock. TCP connections do, whether or not there is a trial: what arrived
// waits for them, and so do their timers. Then tx_idle is never set.
bool PortModel::stirs_tx()
{
	const bool stirred = inputs_.stir() || model_->busy;

	still_clocks_ = stirred || !model_->tx_idle ? 0 : still_clocks_ + 1;
	if (stirred || model_->sending || !model_->tx_idle)
		tx_calm_clocks_ = 0;
	else if (transmits())
		tx_calm_clocks_++;
	else
		return false;
	return true;
}

// Returns whether the receiver needs this clock.
bool PortModel::stirs_rx()
{
	if (arriving_ || inputs_.stir() || model_->busy)
		rx_calm_clocks_ = 0;
	else if (rx_calm_clocks_ < SLEEPY_CLOCKS)
		rx_calm_clocks_++;
	else
		return false;
	return true;
}

uint64_t PortModel::still_words() const
{
	if (!transmits())
		return UINT64_MAX;
	if (still_clocks_ < SETTLED_CLOCKS || model_->busy || !model_->tx_idle)
		return 0;
	return model_->idle_words > RESERVE_WORDS ? model_->idle_words - RESERVE_WORDS : 0;
}

// -- its clocks ---------------------------------------------------------------------------------------------------

// Sets what a transmitter passes over with its next clock. Its time is loaded with what wakes it.
void PortModel::aim_tx(uint32_t skip)
{
	if (skip_ == skip)
		return;
	skip_ = skip;
	load();
}

// A receiver that has slept is given the time.
void PortModel::aim_rx(uint64_t word_time)
{
	if (rx_time_ == word_time)
		return;
	rx_time_ = word_time;
	load();
}

// A clock is an evaluation of what Verilator sorted by it, without eval(), which would first look for what has changed,
// once before and once after: a tenth of the time, to find these two. How this is written differs between versions of
// Verilator; the test sim.port_inputs holds what is used here to what was written. With another version, eval() it is,
// and the pulses of sim_port.v.
void PortModel::tick(bool tx, bool rx)
{
#if FPGAUGE_KNOWS_EVAL_NBA
	enum { CLK, RX_CLK };
	auto &triggered = model_->rootp->__VnbaTriggered;
	const auto trigger = [&triggered](unsigned clock, bool ticks) {
#if VERILATOR_VERSION_INTEGER == 5006000
		triggered.at(clock) = ticks;
#else
		triggered.set(clock, ticks);
#endif
	};

	trigger(CLK, tx);
	trigger(RX_CLK, rx);
	Vsim_port___024root___eval_nba(model_->rootp);
	triggered.clear(); // version 5.032 leaves what it finds here for its next eval()
#else
	model_->tick ^= tx;
	model_->rx_tick ^= rx;
	model_->eval();
#endif
	tx_time_ += tx ? 1 + uint64_t{skip_} : 0;
	rx_time_ += rx;
}

void PortModel::list_sent(uint64_t word_time, WordList &sent) const
{
	struct line_word word;

	if (!transmits())
		return;
	memcpy(word.group, octets_of(std::as_const(model_->line_tx_data)), LINE_OCTETS);
	word.ctrl = model_->line_tx_ctrl;
	if (!line_word_is_idle(&word))
		*sent.add(word_time) = word;
	if (sent.loop_change == UINT64_MAX && sent.loops_first != model_->loopback)
		sent.loop_change = word_time;
}

void PortModel::clock(uint64_t word_time)
{
	const bool tx = stirs_tx(), rx = stirs_rx();

	if (tx)
		aim_tx(0);
	if (rx)
		aim_rx(word_time);
	if (tx || rx)
		tick(tx, rx);
}

void PortModel::transmit(uint64_t from, uint64_t to, bool leap, WordList &sent)
{
	sent.clear(model_->loopback);
	for (uint64_t now = from; now < to && transmits();) {
		const uint64_t still = leap ? std::min(still_words(), to - now - 1) : 0;
		const auto skip = static_cast<uint32_t>(std::min<uint64_t>(still, UINT32_MAX));

		list_sent(now, sent);
		if (stirs_tx()) {
			aim_tx(skip);
			tick(true, false);
		}
		now += 1 + uint64_t{skip};
	}
}

void PortModel::receive(uint64_t from, uint64_t to, const WordList &received)
{
	unsigned at = 0;

	for (uint64_t now = from; now < to; now++) {
		const struct line_word *const word = received.at(at, now);

		at += word != nullptr;
		put(word);
		if (stirs_rx()) {
			aim_rx(now);
			tick(false, true);
		} else if (at == received.count) {
			break;
		} else {
			now = std::max(now, received.entries[at].number - 1);
		}
	}
}
