// SPDX-License-Identifier: Apache-2.0
// fpgauge_core as one Verilated model: slower than the core of parts (parted_core.h, which says what the calls do), but
// with waveforms, and what that one is compared with.
#ifndef FPGAUGE_SIM_RTL_WHOLE_CORE_H
#define FPGAUGE_SIM_RTL_WHOLE_CORE_H

#include <cstdint>
#include <memory>

#include "Vfpgauge_core.h"
#include "sim/rtl/lines.h"
#include "sim/rtl/word_list.h"
#include "verilated.h"
#include "verilated_fst_c.h"

class WholeCore
{
      public:
	static constexpr unsigned PORTS = FPGAUGE_SIM_PORTS;

	WholeCore(VerilatedContext *context, Lines &lines);
	~WholeCore();

	// Draws all signals from here on. The file must not be there yet, or be empty.
	void draw_waveform(const char *path, uint64_t clock_ps);

	Vfpgauge_core &bus()
	{
		return *core_;
	}
	void reset(bool on)
	{
		core_->rst = on;
	}
	uint64_t word_time() const
	{
		return core_->word_time;
	}
	void use_threads(unsigned) // one model, one thread
	{
	}
	bool rests() const // it draws a waveform, which only one process can
	{
		return false;
	}
	void settle();
	void edge();
	void run_to(uint64_t target_word, bool leap);
	uint64_t still_until(uint64_t most) const;

      private:
	void list_sent(unsigned port);
	void put(unsigned port, const struct line_word &word);
	void carry();
	void fall();
	void draw(uint64_t time_ps);

	VerilatedContext &context_;
	Lines &lines_;
	std::unique_ptr<Vfpgauge_core> core_;
	std::unique_ptr<VerilatedFstC> waveform_;
	uint64_t clock_ps_ = 0;
	uint64_t drawn_ps_ = 0; // time of the last dump to the waveform
	WordList sent_[PORTS], received_[PORTS];
	bool lines_idle_ = false; // all of them, to the core
};

#endif
