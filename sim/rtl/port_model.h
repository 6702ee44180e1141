// SPDX-License-Identifier: Apache-2.0
// One port as a Verilated model of its own (sim_port.v). All ports run the same code, and a port in which nothing moves
// is not evaluated at all.
//
// Between strobes and accesses, neither what a port sends nor what it counts of that depends on what it receives,
// unless it obeys pause frames. So its transmitter may run ahead of its receiver by a window of time: then the code of
// either is in the cache alone, what lies between the ports need not delay anything for ports to run in threads, and of
// a port that only sends or only receives half is asleep.
#ifndef FPGAUGE_SIM_RTL_PORT_MODEL_H
#define FPGAUGE_SIM_RTL_PORT_MODEL_H

#include <cstdint>
#include <memory>

#include "Vsim_port.h"
#include "sim/rtl/word_list.h"
#include "verilated.h"

// Values that the core drives into a port (core_control.v).
struct PortInputs {
	bool rst, start, stop, clear, snapshot;
	uint8_t run_id;
	bool bus_req, bus_write;
	uint16_t bus_offset;
	uint32_t bus_wdata;

	bool stir() const
	{
		return rst || start || stop || clear || snapshot || bus_req;
	}
	// An access has its offset and data looked at only in its clock.
	bool differ(const PortInputs &other) const;
};

class PortModel
{
      public:
	static constexpr unsigned WORD_TIME_BITS = 58; // hw/rtl/core/fpgauge_time.vh

	PortModel(VerilatedContext *context, unsigned port);
	~PortModel();

	const Vsim_port &outputs() const
	{
		return *model_;
	}

	// These calls are in step with the core. First what is driven into the port from the clock of word_time on; its
	// outputs then are those of that clock, and so is the word that it sends. Then the word that it gets in this
	// clock (null: an idle one), then the clock's end.
	void drive(const PortInputs &inputs, uint64_t word_time);
	void list_sent(uint64_t word_time, WordList &sent) const;
	void put(const struct line_word *word);
	void clock(uint64_t word_time);

	// These play a port on its own, with nothing driven into it: what it sends in [from, to), and then, what it
	// gets in the same time. leap: idle time is passed over.
	void transmit(uint64_t from, uint64_t to, bool leap, WordList &sent);
	void receive(uint64_t from, uint64_t to, const WordList &received);

	// How many words the transmitter may pass over from now on, because it sends nothing; UINT64_MAX: it will not
	// at all.
	uint64_t still_words() const;

	// Returns whether there is anything to do for it, of its own.
	bool transmits() const;
	bool receives() const;

	// Returns whether what it sends depends on what it gets, 16 clocks and more before.
	bool heeds() const;

	// Returns whether nothing is sent and nothing comes in. What is still in its pipelines then is gone with the
	// next register access.
	bool rests() const;

      private:
	void load();
	bool stirs_tx();
	bool stirs_rx();
	void aim_tx(uint32_t skip);
	void aim_rx(uint64_t word_time);
	void tick(bool tx, bool rx);

	std::unique_ptr<Vsim_port> model_;
	PortInputs inputs_ = {};
	uint64_t tx_time_ = 0, rx_time_ = 0;               // times that the model has: the next word of either half
	uint32_t skip_ = 0;                                // words to skip that it has been given
	bool line_idle_ = true;                            // the word of its line that it has been given is idle
	bool arriving_ = false;                            // a word that may begin a frame
	unsigned tx_calm_clocks_ = 0, rx_calm_clocks_ = 0; // clocks since something has stirred that half
	unsigned still_clocks_ = 0; // clocks since something has moved: a transmitter that waits for its next frame is
	                            // still
};

#endif
