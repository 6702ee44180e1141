/* SPDX-License-Identifier: Apache-2.0 */
/* Reset (RFC 2544 26.6, updated by RFC 6201): reset.c measures, reset_time.c says what one trial shows, reset_report.c
 * reports. */
#ifndef FPGAUGE_BENCH_RFC2544_RESET_H
#define FPGAUGE_BENCH_RFC2544_RESET_H

#include "host/bench/result.h"
#include "host/bench/rfc2544/reset_keys.h"

extern const struct benchmark RESET;
extern const struct result_description RESET_RESULTS;

enum reset_outcome {
	RESET_CAME_BACK,
	RESET_NO_LOSS,   /* forwarding was not interrupted */
	RESET_NEVER,     /* a port that must receive was silent at the end of the trial */
	RESET_ELSEWHERE, /* frames were lost, but the longest silence was over when the device was told to reset */
};

/* One trial; times of the hardware, in octet times. */
struct reset_time {
	enum reset_outcome outcome;
	uint64_t last_ot;  /* A: start of the last frame received before the longest silence of any port */
	uint64_t first_ot; /* B: start of the first one after it */
	uint64_t begun_ot; /* when the device was told to reset */
};

/* period_ot: between two frames of a port. */
struct reset_time reset_time_of(const struct trial_result *trial, double period_ot);

struct reset_measurements {
	double throughput_fps;
	struct rate load;
	double *values_s, *lost_frames, *by_loss_s, *stop_delays_s; /* trials that came back, or lost nothing */
	unsigned count;                                             /* length of each list */
	unsigned came_back, lossless, never, elsewhere;
	struct counter_sums sums;
};

json_t *reset_parameters(const struct session *session);
void reset_report(const struct session *session, const struct reset_measurements *measured, json_t *result);

/* Functions for struct plan_benchmark. */
int reset_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);
const char *const *reset_command(const struct plan_test *test);

#endif
