/* SPDX-License-Identifier: Apache-2.0 */
/* Line rate (RFC 8239 section 2): the same trial again and again, at one load. line_rate.c has its keys and runs it;
 * line_rate_report.c and line_rate_description.c are the result. */
#ifndef FPGAUGE_BENCH_RFC8239_LINE_RATE_H
#define FPGAUGE_BENCH_RFC8239_LINE_RATE_H

#include "host/bench/rfc8239/rfc8239_common.h"

struct line_rate_settings {
	struct rfc8239_settings common; /* first, for its keys */
	struct quantity load;
	uint64_t trial_duration_ns;
};

static inline const struct line_rate_settings *line_rate_settings(const struct plan_test *test)
{
	return test->settings;
}

/* The knowledge of the repetitions so far. */
struct line_rate {
	const struct session *session;
	struct rate load;
	unsigned count;
	double *received_percent; /* percentage of each repetition */
	json_t *iterations;
	struct trial_result *worst; /* the one that lost most; of several, the first: session->kept */
	unsigned worst_number;      /* its repetition, from 1 */
};

void line_rate_note(struct line_rate *measured, const struct trial_result *trial);
void line_rate_report(const struct line_rate *measured, json_t *result);

extern const struct result_description LINE_RATE_RESULTS;
extern const struct benchmark RFC8239_LINE_RATE;

#endif
