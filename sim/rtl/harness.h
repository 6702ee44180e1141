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

#include "sim/rtl/lines.h"
#include "verilated.h"
#if VM_TRACE_FST
#include "sim/rtl/whole_core.h"
using Core = WholeCore;
#elif defined(FPGAUGE_SIM_CARD)
#include "sim/rtl/card_core.h"
using Core = CardCore;
#else
#include "sim/rtl/parted_core.h"
using Core = PartedCore;
#endif

class Harness
{
      public:
	static constexpr unsigned PORTS = Lines::PORTS;

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
		return core_->word_time() * LINE_OCTETS;
	}

	// The same as in sim_abi.h.
	bool at_rest() const;
	void use_threads(unsigned threads);

	// False if it is not known: of interfaces of Linux nobody knows.
	bool truth(uint32_t frame_octets, struct fpgauge_sim_truth &truth);

	// The same as in sim_abi.h.
	enum fpgauge_sim_disturbance disturbance(char *text, size_t size);

	const std::string &error() const
	{
		return error_;
	}

      private:
	bool open_capture(const struct sim_options &options, const char *path);
	bool set_links(const struct sim_options &options, const struct sim_option_value *values); // needs a card
	bool open_waveform(const struct sim_options &options, const char *path);
	void reset();
	void destroy_core();
	void clock()
	{
		core_->settle();
		core_->edge();
	}
	void run_to(uint64_t target_word);
	bool is_due(uint64_t target_word);
	void catch_up();
	void keep_pace()
	{
		if (lines_.tap() != nullptr)
			catch_up();
	}
	void await_word()
	{
		while (lines_.tap() != nullptr && !is_due(core_->word_time()))
			continue;
	}
	bool check_address(uint32_t address);
	bool fail(const char *format, ...) __attribute__((format(printf, 2, 3)));
	bool check_failure();

	Lines lines_;
	VerilatedContext context_;
	std::unique_ptr<Core> core_;
	bool idle_skip_ = true;
	unsigned threads_ = 0;      // number that its settings say
	uint64_t link_dark_ot_ = 0; // time for a card, by a reset of the device under test
	std::string error_;
};

#endif
