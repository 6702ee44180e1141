/* SPDX-License-Identifier: Apache-2.0 */
/* Sees at the line that test frames are missing: what comes out of the device is decoded, and a stream whose numbers
 * have a gap has lost a frame. Not for counting, which the receivers do, but for knowing when. */
#ifndef FPGAUGE_SIM_VERILOG_LOSS_WATCH_H
#define FPGAUGE_SIM_VERILOG_LOSS_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/line/line.h"
#include "sim/line/line_decoder.h"

enum { LOSS_WATCH_STREAMS = 4096 }; /* 4 bits of source port, 8 of flow */

/* Watches one port. */
struct loss_watch {
	struct line_decoder decoder;
	bool seen;   /* frames of this run */
	uint8_t run; /* numbers begin at 0 again with each */
	bool lost;
	uint64_t next[LOSS_WATCH_STREAMS]; /* next number of each stream that was seen; else all ones */
	uint8_t octets[LINE_MAX_FRAME_OCTETS + LINE_OCTETS];
};

void loss_watch_init(struct loss_watch *watch);

/* The word that leaves the device at this port; NULL: it is idle. Says whether a frame has been lost so far. */
bool loss_watch_word(struct loss_watch *watch, uint64_t number, const struct line_word *word);

#endif
