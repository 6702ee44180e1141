/* SPDX-License-Identifier: Apache-2.0 */
/* System recovery (RFC 2544 26.5): system_recovery.c measures, recovery_time.c says when one trial had recovered,
 * system_recovery_report.c reports. */
#ifndef FPGAUGE_BENCH_RFC2544_SYSTEM_RECOVERY_H
#define FPGAUGE_BENCH_RFC2544_SYSTEM_RECOVERY_H

#include "host/bench/result.h"
#include "host/bench/rfc2544/system_recovery_keys.h"

extern const struct benchmark SYSTEM_RECOVERY;
extern const struct result_description SYSTEM_RECOVERY_RESULTS;

enum { OVERLOAD_PERCENT = 110, RECOVERY_PERCENT = 50 };

enum recovery_outcome {
	RECOVERED,
	RECOVERY_NO_LOSS, /* nothing was lost, so there was no overload to recover from */
	RECOVERY_NEVER,   /* frames were still lost when the trial ended */
};

/* One trial. Timestamps are times of the hardware, in octet times. */
struct recovery {
	enum recovery_outcome outcome;
	uint64_t change_ot;    /* A: start of the first frame at the lower rate, of the first port that sent one */
	uint64_t last_loss_ot; /* B: start of the received frame that followed the last loss, of the last port; 0: none
	                        */
};

/* period_ot: between two frames of a port at the lower rate. */
struct recovery recovery_of(const struct trial_result *trial, double period_ot);

/* B - A; 0 if the last frame was lost before the rate changed. */
uint64_t recovery_ot(const struct recovery *recovery);

struct recovery_measurements {
	double throughput_fps;
	struct rate overload, reduced;
	bool capped; /* the overload is the maximum rate */
	double *values_s;
	unsigned recovered, lossless, never;
	struct counter_sums sums;
};

json_t *system_recovery_parameters(const struct session *session);
void system_recovery_report(const struct session *session, const struct recovery_measurements *measured,
                            json_t *result);

/* Function for struct plan_benchmark. */
int system_recovery_finish(const struct plan *plan, struct plan_test *test, const struct node *group,
                           struct error *error);

#endif
