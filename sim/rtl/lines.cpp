// SPDX-License-Identifier: Apache-2.0
// The words of all ports on their way through what they are wired to.
#include "sim/rtl/lines.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "sim/dut/link.h"
#include "sim/tap/tap_settings.h"

Lines::~Lines()
{
	capture_close(capture_);
	if (tap_)
		tap_line_release(tap_.get());
	verilog_line_destroy(verilog_);
	line_dut_release(&lines_);
	dut_device_destroy(device_);
}

// -- opening ------------------------------------------------------------------------------------------------------

bool Lines::open(const struct sim_options &options, const struct sim_option_rule *rules, size_t count)
{
	if (tap_is_asked_for(&options))
		return open_taps(options, rules, count);
	if (verilog_is_asked_for(&options))
		return open_verilog(options, rules, count);
	return open_device(options, rules, count);
}

bool Lines::open_device(const struct sim_options &options, const struct sim_option_rule *rules, size_t count)
{
	if (dut_link_read(&options, DUT_LINK_DEFAULT, DUT_LINK_MOST_BPS, &link_bps_) != 0 ||
	    dut_device_create(&options, rules, count, link_bps_, PORTS, &device_) != 0)
		return false;
	if (line_dut_init(&lines_, device_) != 0)
		sim_options_refuse(&options, nullptr, "out of memory");
	return lines_.ports != 0;
}

// The logic does not know how long its clock is; here one word takes as long as at the rate of the link.
bool Lines::open_taps(const struct sim_options &options, const struct sim_option_rule *rules, size_t count)
{
	struct tap_settings settings;
	auto tap = std::make_unique<struct tap_line>();

	if (tap_settings_open(&options, rules, count, PORTS, &settings) != 0)
		return false;
	if (tap_line_start(tap.get(), &settings, PORTS) != 0) {
		sim_options_refuse(&options, nullptr, "out of memory");
		return false;
	}
	tap_ = std::move(tap);
	link_bps_ = settings.link_bps;
	return true;
}

bool Lines::open_verilog(const struct sim_options &options, const struct sim_option_rule *rules, size_t count)
{
	struct verilog_settings settings;

	if (verilog_settings_open(&options, rules, count, PORTS, &settings) != 0)
		return false;
	verilog_ = verilog_line_create(&settings);
	if (verilog_ == nullptr)
		sim_options_refuse(&options, nullptr, "out of memory");
	link_bps_ = settings.link_bps;
	return verilog_ != nullptr;
}

bool Lines::open_capture(const char *path)
{
	capture_path_ = path;
	capture_ = capture_create(path, PORTS, link_bps_);
	return capture_ != nullptr;
}

// -- the way ------------------------------------------------------------------------------------------------------

void Lines::put(unsigned port, uint64_t number, const struct line_word *word)
{
	if (tap_)
		word != nullptr ? tap_line_put(tap_.get(), port, number, word)
		                : tap_line_put_idle(tap_.get(), port, number);
	else if (verilog_ != nullptr && word != nullptr)
		verilog_line_put(verilog_, port, word);
	else if (verilog_ == nullptr)
		word != nullptr ? line_dut_put(&lines_, port, number, word) : line_dut_put_idle(&lines_, port, number);
}

bool Lines::take(unsigned port, uint64_t number, struct line_word *word)
{
	if (verilog_ != nullptr)
		return verilog_line_take(verilog_, port, word);
	return tap_ ? tap_line_take(tap_.get(), port, number, word) : line_dut_take(&lines_, port, number, word);
}

// The word after this one in which anything may happen.
uint64_t Lines::following(uint64_t number, uint64_t to, const WordList sent[], const unsigned at[]) const
{
	uint64_t least = to;

	for (unsigned i = 0; i < PORTS; i++)
		if (at[i] < sent[i].count)
			least = std::min(least, sent[i].entries[at[i]].number);
	if (least > number + 1) // mostly somebody sends, and the device need not be asked
		least = std::min(least, next_word());
	return std::max(number + 1, least);
}

void Lines::carry(uint64_t from, uint64_t to, const WordList sent[PORTS], WordList received[PORTS])
{
	unsigned at[PORTS] = {};

	for (unsigned i = 0; i < PORTS; i++)
		received[i].count = 0;
	for (uint64_t number = from; number < to; number = following(number, to, sent, at)) {
		const struct line_word *out[PORTS], *in[PORTS];
		struct line_word taken[PORTS];

		for (unsigned i = 0; i < PORTS; i++) {
			const struct line_word *const word = sent[i].at(at[i], number);

			at[i] += word != nullptr;
			out[i] = sent[i].loops_at(number) ? nullptr : word;
			if (word != nullptr && out[i] == nullptr)
				*received[i].add(number) = *word;
			put(i, number, out[i]);
		}
		if (verilog_ != nullptr)
			verilog_line_pass(verilog_, number);
		else if (!tap_)
			line_dut_pass(&lines_, number);
		for (unsigned i = 0; i < PORTS; i++) {
			in[i] = take(i, number, &taken[i]) ? &taken[i] : nullptr;
			if (in[i] != nullptr && !sent[i].loops_at(number))
				*received[i].add(number) = *in[i];
		}
		if (capture_ != nullptr)
			capture(number, out, in);
	}
}

// Lines are in the order of pairs of ports: a sender, and who it is wired to.
void Lines::capture(uint64_t number, const struct line_word *const sent[], const struct line_word *const received[])
{
	for (unsigned i = 0; i < PORTS && capture_errno_ == 0; i++) {
		const unsigned to = i ^ 1;

		if (capture_word(capture_, i, false, number, sent[i] != nullptr ? sent[i] : &LINE_IDLE_WORD) == 0 &&
		    (to >= PORTS || received[to] == nullptr ||
		     capture_word(capture_, to, true, number, received[to]) == 0))
			continue;
		capture_errno_ = errno != 0 ? errno : EIO;
	}
}

// -- the rest -----------------------------------------------------------------------------------------------------

bool Lines::truth(uint32_t frame_octets, struct fpgauge_sim_truth &truth) const
{
	const struct dut_load load = {frame_octets, 1, PORTS};

	if (device_ != nullptr)
		dut_device_truth(device_, &load, &truth);
	return device_ != nullptr;
}

bool Lines::at_rest(uint64_t now_ot) const
{
	return device_ != nullptr && capture_ == nullptr && line_dut_at_rest(&lines_, now_ot);
}

bool Lines::reset_device(uint64_t now_ot)
{
	return device_ != nullptr && line_dut_reset(&lines_, now_ot + DUT_RESET_LEAD_OT);
}

std::string Lines::failure() const
{
	if (lines_.failed)
		return "out of memory for the frames in the DUT";
	if (tap_ && tap_->failure[0] != '\0')
		return tap_->failure;
	if (verilog_ != nullptr && verilog_line_failure(verilog_)[0] != '\0')
		return verilog_line_failure(verilog_);
	if (capture_errno_ != 0)
		return "device.capture: " + capture_path_ + ": " + strerror(capture_errno_);
	return "";
}
