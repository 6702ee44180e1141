/* SPDX-License-Identifier: Apache-2.0 */
/* An external tester that does not offer what it is asked for, within what the plan tolerates, in front of a queue. Its
 * answers are judged by host/trial as those of a program are. */
#ifndef FPGAUGE_TESTS_C_OFFERING_TESTER_H
#define FPGAUGE_TESTS_C_OFFERING_TESTER_H

#include "host/trial/exec/check.h"

struct offering_tester {
	struct tester tester; /* first */
	struct exec_terms terms;
	/* the device: frames a second that it forwards, and those it holds */
	double service_fps;
	uint64_t buffer_frames;
	/* the tester: what it offers of the rate that was intended, and for how long of the time; by how much both vary
	 * from trial to trial, up or down; the most frames a second that it can send */
	double fps, duration, fps_vary, duration_vary, most_fps;
	uint64_t random;
	/* records of what was asked of it */
	unsigned trials;
	double highest_fps; /* highest rate that was offered */
};

/* Begins a tester at 100G with one sender, which offers just what it is asked for. */
void offering_begin(struct offering_tester *offering, uint32_t frame_octets, double service_fps, uint64_t random);

/* Returns a number from 0 to below 1. */
double offering_random(struct offering_tester *offering);

#endif
