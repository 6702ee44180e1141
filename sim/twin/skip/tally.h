/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that a sender, a receiver and a direction count, at a moment; what a period adds to it; and adding many
 * periods at once. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_TALLY_H
#define FPGAUGE_SIM_TWIN_SKIP_TALLY_H

#include <stdint.h>

#include "sim/twin/play/receiver.h"
#include "sim/twin/play/sender.h"

/* The values of a moment; or what a period adds, and instead of a time 1 if it advances with the period, 0 if it does
 * not. Minima and maxima do not change when a period repeats. */
struct tally_sent {
	uint64_t sent[TURNS_FLOWS];
	uint64_t bad_fcs_frames;
	uint64_t gap_bins[LINE_METER_BINS];
	struct line_meter line;
};

struct tally_received {
	uint64_t gap_bins[LINE_METER_BINS];
	struct line_meter line;
	struct receiver_counts counts;
};

struct tally {
	struct tally_sent sent;
	struct tally_received received;
	struct stream streams[RECEIVER_STREAMS]; /* the sender's streams */
};

/* Each kind: the values of now; what has been added since, in their place; and adding it `periods` more times, over
 * by_ot octet times. */
void tally_take_sent(struct tally_sent *tally, const struct sender *sender);
void tally_step_sent(struct tally_sent *step, const struct sender *sender);
void tally_repeat_sent(const struct tally_sent *step, uint64_t periods, uint64_t by_ot, struct sender *sender);
void tally_take_received(struct tally_received *tally, const struct receiver *receiver);
void tally_step_received(struct tally_received *step, const struct receiver *receiver);
void tally_repeat_received(const struct tally_received *step, uint64_t periods, uint64_t by_ot,
                           struct receiver *receiver);
void tally_step_streams(struct stream *steps, const struct stream *now, size_t count);
void tally_repeat_streams(const struct stream *steps, uint64_t periods, struct stream *streams, size_t count);

void tally_take(struct tally *tally, const struct sender *sender, const struct receiver *receiver);

/* Turns the values of an earlier moment into what has been added since. */
void tally_step(struct tally *step, const struct sender *sender, const struct receiver *receiver);

/* Adds it `periods` more times, over by_ot octet times. */
void tally_repeat(const struct tally *step, uint64_t periods, uint64_t by_ot, struct sender *sender,
                  struct receiver *receiver);

#endif
