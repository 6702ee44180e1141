// SPDX-License-Identifier: Apache-2.0
// The clock of the core in one piece, and its waveform.
#include "sim/rtl/whole_core.h"

#include <algorithm>
#include <cstring>

namespace
{
constexpr uint64_t SKIP_LEAD_WORDS = 2; // see still_until()

// A vector over all ports as Verilator lays it out: 32-bit pieces, on a little-endian machine.
template <typename T> uint8_t *octets_of(T &vector)
{
	return reinterpret_cast<uint8_t *>(&vector);
}
} // namespace

WholeCore::WholeCore(VerilatedContext *context, Lines &lines)
    : context_(*context), lines_(lines), core_(std::make_unique<Vfpgauge_core>(context))
{
	core_->skip_words = 0;
}

WholeCore::~WholeCore()
{
	if (waveform_)
		waveform_->close();
	core_->final();
}

void WholeCore::draw_waveform(const char *path, uint64_t clock_ps)
{
	context_.traceEverOn(true);
	waveform_ = std::make_unique<VerilatedFstC>();
	core_->trace(waveform_.get(), 99);
	waveform_->open(path);
	clock_ps_ = clock_ps;
}

// Only from the end of the reset on, because time does not advance before that. At most once per time, because
// Verilator's writer prints a line on standard output for each dump that it drops.
void WholeCore::draw(uint64_t time_ps)
{
	if (waveform_ == nullptr || core_->rst || time_ps <= drawn_ps_)
		return;
	waveform_->dump(time_ps);
	drawn_ps_ = time_ps;
}

void WholeCore::list_sent(unsigned port)
{
	struct line_word word = {};

	sent_[port].clear(false); // a loopback is made inside
	memcpy(word.group, octets_of(core_->line_tx_data) + port * LINE_OCTETS, LINE_OCTETS);
	memcpy(&word.ctrl, octets_of(core_->line_tx_ctrl) + port * LINE_GROUPS, LINE_GROUPS);
	if (!line_word_is_idle(&word))
		*sent_[port].add(core_->word_time) = word;
}

void WholeCore::put(unsigned port, const struct line_word &word)
{
	memcpy(octets_of(core_->line_rx_data) + port * LINE_OCTETS, word.group, LINE_OCTETS);
	memcpy(octets_of(core_->line_rx_ctrl) + port * LINE_GROUPS, &word.ctrl, LINE_GROUPS);
}

// Takes the words of this clock from the ports through the lines.
void WholeCore::carry()
{
	const uint64_t now = core_->word_time;

	for (unsigned i = 0; i < PORTS; i++)
		list_sent(i);
	lines_.carry(now, now + 1, sent_, received_);
	lines_idle_ = true;
	for (unsigned i = 0; i < PORTS; i++) {
		const struct line_word *const word = received_[i].at(0, now);

		lines_idle_ = lines_idle_ && word == nullptr;
		put(i, word != nullptr ? *word : LINE_IDLE_WORD);
	}
}

// Falling edge: after it, everything that depends combinationally on the inputs of this clock is correct.
void WholeCore::fall()
{
	core_->clk = 0;
	core_->eval();
	draw(core_->word_time * clock_ps_ + clock_ps_ / 2);
}

void WholeCore::settle()
{
	carry();
	fall();
}

// Rising edge: the next clock begins.
void WholeCore::edge()
{
	core_->clk = 1;
	core_->eval();
	draw(core_->word_time * clock_ps_);
}

// A skip requested now takes effect one clock later: this word and the next pass one by one.
uint64_t WholeCore::still_until(uint64_t most) const
{
	if (!core_->idle || !lines_idle_)
		return core_->word_time;
	return std::min({most, lines_.next_word(), core_->word_time + SKIP_LEAD_WORDS + core_->idle_words});
}

void WholeCore::run_to(uint64_t target_word, bool leap)
{
	while (core_->word_time < target_word) {
		const uint64_t first = core_->word_time + SKIP_LEAD_WORDS;

		carry();
		const uint64_t until = leap ? still_until(target_word) : 0;

		core_->skip_words = static_cast<uint32_t>(until > first ? until - first : 0);
		fall();
		edge();
	}
	core_->skip_words = 0;
}
