/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a direction counts, at a moment; what a period adds to it; and adding many periods at once. */
#ifndef FPGAUGE_SIM_TWIN_TALLY_H
#define FPGAUGE_SIM_TWIN_TALLY_H

#include <stdint.h>

#include "sim/twin/receiver.h"
#include "sim/twin/sender.h"

/* The values of a moment; or what a period adds, and instead of a time 1 if it advances with the period, 0 if it does
 * not. Minima and maxima do not change when a period repeats. */
struct tally {
	uint64_t sent[TURNS_FLOWS];
	uint64_t bad_fcs_frames;
	uint64_t gap_bins[LINE_METER_BINS];
	struct line_meter sent_line, received_line;
	struct receiver_counts counts;
	struct stream streams[RECEIVER_STREAMS]; /* of the sender */
};

void tally_take(struct tally *tally, const struct sender *sender, const struct receiver *receiver);

/* Turns the values of an earlier moment into what has been added since. */
void tally_step(struct tally *step, const struct sender *sender, const struct receiver *receiver);

/* Adds it `periods` more times, over by_ot octet times. */
void tally_repeat(const struct tally *step, uint64_t periods, uint64_t by_ot, struct sender *sender,
                  struct receiver *receiver);

#endif
