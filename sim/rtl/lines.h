// SPDX-License-Identifier: Apache-2.0
// The lines that the ports are wired to: a model of a device under test, one in Verilog, or interfaces of Linux in real
// time; and a capture of it.
#ifndef FPGAUGE_SIM_RTL_LINES_H
#define FPGAUGE_SIM_RTL_LINES_H

#include <cstdint>
#include <memory>
#include <string>

#include "sim/dut/device.h"
#include "sim/line/capture.h"
#include "sim/line/line_dut.h"
#include "sim/rtl/word_list.h"
#include "sim/tap/tap_line.h"
#include "sim/verilog/verilog_line.h"

class Lines
{
      public:
	static constexpr unsigned PORTS = FPGAUGE_SIM_PORTS;

	Lines() = default;
	~Lines();
	Lines(const Lines &) = delete;
	Lines &operator=(const Lines &) = delete;

	// Makes what dut.model names; rules are those of other settings. False with the option refused in options.
	bool open(const struct sim_options &options, const struct sim_option_rule *rules, size_t count);
	// False, with errno: the file cannot be made.
	bool open_capture(const char *path);

	// Takes the words that the ports send in [from, to) to where they are wired, and gives what comes from there in
	// the same time. Windows follow one another; in one of more than WordList::ROOM words nothing is sent, and
	// nothing comes before its last one.
	void carry(uint64_t from, uint64_t to, const WordList sent[PORTS], WordList received[PORTS]);

	// Returns whether it may be another thread each time. A user's logic, and Linux, stay in that of the caller.
	bool any_thread_may_carry() const
	{
		return device_ != nullptr;
	}

	// The first word in which something may come if nothing more is sent; 0: at once, UINT64_MAX: never.
	uint64_t next_word() const
	{
		return tap_       ? tap_line_next(tap_.get())
		       : verilog_ ? verilog_line_next(verilog_)
		                  : line_dut_next(&lines_);
	}

	// Null: simulated time is its own.
	struct tap_line *tap()
	{
		return tap_.get();
	}
	uint64_t link_bps() const
	{
		return link_bps_; // rate in simulated time
	}

	// False if it is not known: of interfaces of Linux, or of Verilog, nobody knows.
	bool truth(uint32_t frame_octets, struct fpgauge_sim_truth &truth) const;
	// Returns whether nothing is on the lines or in the device, which is as new. Never where something outside sees
	// them.
	bool at_rest(uint64_t now_ot) const;
	bool reset_device(uint64_t now_ot); // false: it has no reset

	// Returns what went wrong for good; nothing if all is well.
	std::string failure() const;

      private:
	bool open_device(const struct sim_options &options, const struct sim_option_rule *rules, size_t count);
	bool open_taps(const struct sim_options &options, const struct sim_option_rule *rules, size_t count);
	bool open_verilog(const struct sim_options &options, const struct sim_option_rule *rules, size_t count);
	void put(unsigned port, uint64_t number, const struct line_word *word);
	bool take(unsigned port, uint64_t number, struct line_word *word);
	void capture(uint64_t number, const struct line_word *const sent[], const struct line_word *const received[]);
	uint64_t following(uint64_t number, uint64_t to, const WordList sent[], const unsigned at[]) const;

	struct dut_device *device_ = nullptr;
	struct line_dut lines_ = {};
	std::unique_ptr<struct tap_line> tap_;   // instead of a device
	struct verilog_line *verilog_ = nullptr; // likewise
	uint64_t link_bps_ = 0;
	struct capture *capture_ = nullptr;
	std::string capture_path_;
	int capture_errno_ = 0; // not 0: it has failed
};

#endif
