/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how long trials must be to find out about a device of which everything is known: at each output one queue
 * with room for so many frames and a constant service. RFC 2544 section 24 asks for 60 s because nobody knows the
 * buffer of a real one: a trial of t seconds hides an overload of buffer / t (rfc9004/self_check.c). */
#ifndef FPGAUGE_BENCH_KNOWN_QUEUE_H
#define FPGAUGE_BENCH_KNOWN_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "host/bench/load_grid.h"

struct known_queue {
	double fps;             /* rate that each output can forward for ever, above 0; line rate if no more can come */
	uint64_t buffer_frames; /* 0: it has none */
	bool throughput_found;  /* throughput tests before this one find no load above fps */
};

/* The time that trials must last, and why, in a clause that follows "because": the longest of what need() was given. */
struct needed_trial {
	double seconds;
	char why[240];
};

void need(struct needed_trial *needed, double seconds, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* True if that load is one it forwards for ever. */
bool queue_forwards(const struct known_queue *queue, double load_fps);

/* The lowest load of the grid that it cannot forward for ever loses a frame. */
void need_overflow(const struct known_queue *queue, const struct load_grid *grid, struct needed_trial *needed);

/* The part of an overload that the buffer keeps is no part of the loss that counts. */
void need_loss(const struct known_queue *queue, struct rate line, struct needed_trial *needed);

/* The latency at a load is that of a queue that no longer fills, of enough frames for every percentile. */
void need_latency(const struct known_queue *queue, double load_fps, struct needed_trial *needed);

#endif
