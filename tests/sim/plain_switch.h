/* SPDX-License-Identifier: Apache-2.0 */
/* A switch as docs/dut-models.md describes it, written down as plainly as possible: lists, searched from end to end. It
 * is slow, and shares no code with sim/dut. */
#ifndef FPGAUGE_TESTS_SIM_PLAIN_SWITCH_H
#define FPGAUGE_TESTS_SIM_PLAIN_SWITCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { PLAIN_SWITCH_PORTS = 16, PLAIN_SWITCH_FRAMES = 1024, PLAIN_SWITCH_OUT = 16384, PLAIN_SWITCH_ADDRESSES = 1024 };

struct plain_switch {
	unsigned ports;
	uint64_t table_addresses, ageing_ot;
	uint64_t learning_fps, broadcast_fps; /* 0: no limit; the link has 10^11 bits per second */
	uint64_t buffer;
	bool shared;
	uint64_t alpha_thousandths; /* 0: complete sharing */
	uint64_t cell_octets;       /* 0: in frames */
	bool cut_through, head_of_line_blocking, back_pressure;
	uint64_t latency_ot, gap_octets;
	bool forwards_fcs, forwards_short, forwards_long;
};

struct plain_switch_frame {
	unsigned port; /* where it comes in, or leaves */
	uint64_t start_ot;
	/* A frame that leaves has number and port where it came in; a pause frame its quanta, and how many ports. */
	uint64_t id, from;
	uint64_t octets;
	bool bad_fcs;
	uint8_t destination[6], source[6];
};

/* Counts of events, by which a test sees that it tested them. */
struct plain_switch_counts {
	uint64_t errors, flooded, known, own_port, learned, moved, aged, table_full, learner_busy, too_many_broadcasts,
	        lost, threshold, blocked, held, renewed, let_go;
};

/* Fills out with what leaves, port after port, in the order of starts. in: all frames, at each port in the order of
 * starts. Adds to counts. */
size_t plain_switch_play(const struct plain_switch *settings, const struct plain_switch_frame *in, size_t count,
                         struct plain_switch_frame *out, struct plain_switch_counts *counts);

#endif
