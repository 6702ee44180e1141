// SPDX-License-Identifier: Apache-2.0
// The Verilated core between an AXI4-Lite master and a DUT, whose ports are wired to those of the core.
//
// A register access takes as many clocks as in hardware. Otherwise time passes only in wait(); periods in which neither
// the core nor a model has anything to do are skipped in one jump, with exactly the same result.
#ifndef FPGAUGE_SIM_RTL_HARNESS_H
#define FPGAUGE_SIM_RTL_HARNESS_H

#include <cstdint>
#include <memory>
#include <string>

#include "Vfpgauge_core.h"
#include "sim/dut/device.h"
#include "sim/line/capture.h"
#include "sim/line/line_dut.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "verilated_fst_c.h"
#endif

class Harness
{
      public:
	static constexpr unsigned PORTS = FPGAUGE_SIM_PORTS;
	static constexpr uint64_t CLOCK_HZ = 195312500; // line words per second
	static constexpr uint64_t LINK_BPS = CLOCK_HZ * LINE_OCTETS * 8;

	Harness();
	~Harness();
	Harness(const Harness &) = delete;
	Harness &operator=(const Harness &) = delete;

	// Creates DUT, capture and waveform from the settings and resets the core. False with the option refused in
	// options.
	bool open(const struct sim_options &options);

	// False with error() set; time has passed nevertheless.
	bool read(uint32_t address, uint32_t &value);
	bool write(uint32_t address, uint32_t value);
	bool wait(uint64_t octet_times); // rounded up to whole words
	bool reset_dut();

	uint64_t now_ot() const
	{
		return core_->word_time * LINE_OCTETS;
	}

	void truth(uint32_t frame_octets, struct fpgauge_sim_truth &truth) const
	{
		const struct dut_load load = {frame_octets, 1, PORTS};

		dut_device_truth(dut_, &load, &truth);
	}

	const std::string &error() const
	{
		return error_;
	}

      private:
	bool open_capture(const struct sim_options &options, const char *path);
	bool open_waveform(const struct sim_options &options, const char *path);
	void reset();
	void destroy_core();
	bool step_lines();
	void capture(uint64_t word_number, const struct line_word *sent, const struct line_word *received);
	uint32_t skip_allowed(uint64_t target_word) const;
	// Only from the end of the reset on, because time does not advance before that. At most once per time, because
	// Verilator's writer prints a line on standard output for each dump that it drops.
	void draw([[maybe_unused]] uint64_t time_ps)
	{
#if VM_TRACE_FST
		if (waveform_ == nullptr || core_->rst || time_ps <= drawn_ps_)
			return;
		waveform_->dump(time_ps);
		drawn_ps_ = time_ps;
#endif
	}
	void settle();
	void edge();
	void clock()
	{
		settle();
		edge();
	}
	bool check_address(uint32_t address);
	bool fail(const char *format, ...) __attribute__((format(printf, 2, 3)));
	bool fail_lines();

	VerilatedContext context_;
	std::unique_ptr<Vfpgauge_core> core_;
	struct dut_device *dut_ = nullptr;
	struct line_dut lines_ = {};
	bool rx_idle_[PORTS] = {}; // what line_rx carries
	bool all_rx_idle_ = false;
	bool idle_skip_ = true;
	struct capture *capture_ = nullptr;
	std::string capture_path_;
	bool capture_failed_ = false;
	int capture_errno_ = 0;
	std::string error_;
#if VM_TRACE_FST
	std::unique_ptr<VerilatedFstC> waveform_;
	uint64_t drawn_ps_ = 0; // time of the last dump to the waveform
#endif
};

#endif
