/* SPDX-License-Identifier: Apache-2.0 */
/* A tester with a FIFO behind it, in exact arithmetic: of N frames at spacing A into a buffer of B frames, served one
 * every S, max(0, N - B - floor((N - 1) A / S)) are lost. No registers, no time: thousands of trials per second. */
#ifndef FPGAUGE_TESTS_C_FIFO_TESTER_H
#define FPGAUGE_TESTS_C_FIFO_TESTER_H

#include "host/trial/tester.h"

struct fifo_tester {
	struct tester tester; /* first */
	/* the device: service is service_n / service_d of line rate at every frame size; at line rate it is a wire */
	uint64_t buffer_frames;
	uint64_t service_n, service_d;
	uint64_t latency_ot;
	/* noise: one trial in noise_one_in loses one more frame; 0: none */
	unsigned noise_one_in;
	uint64_t random;
	/* faults of the tester */
	unsigned invalid_trials; /* this many trials from now on are invalid */
	unsigned invalid_every;  /* and every trial whose number this divides; 0: none */
	unsigned cancel_after;   /* trials; 0: never */
	bool no_truth;
	double false_rate_fps; /* the forwarding rate that it reports; 0: the true one */
	/* records of what was asked of it */
	unsigned trials;
	struct trial_request last, longest_burst;
};

void fifo_begin(struct fifo_tester *fifo, uint64_t buffer_frames, uint64_t service_n, uint64_t service_d);
uint64_t fifo_lost(uint64_t frames, uint64_t buffer_frames, struct rate arrival, struct rate service);
uint64_t fifo_lost_of_bursts(const struct fifo_tester *fifo,
                             const struct trial_request *request); /* a sending port, frame by frame */
uint64_t fifo_longest_burst(const struct fifo_tester *fifo, uint32_t frame_octets);

#endif
