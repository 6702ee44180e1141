/* SPDX-License-Identifier: Apache-2.0 */
/* Microbursts (RFC 8239 section 4): k ports send a burst each to the N - k others, for every k from N - 1 down to 2.
 * All begin at the same time and take the receivers in the same turn, so that k frames at once are for the same port:
 * "two or more ingress ports MUST send bursts of packets destined for the same egress port". microburst.c has the keys
 * and searches the longest bursts; microburst_report.c and microburst_description.c are the result. */
#ifndef FPGAUGE_BENCH_RFC8239_MICROBURST_H
#define FPGAUGE_BENCH_RFC8239_MICROBURST_H

#include "host/bench/rfc8239/port_traffic.h"
#include "host/bench/rfc8239/rfc8239_common.h"

struct microburst_settings {
	struct rfc8239_settings common; /* first, for its keys */
	struct quantity max_burst, intensity;
	unsigned senders;   /* 0: every number of them */
	unsigned positions; /* how often all ports move on by one; 0: until each was first */
};

static inline const struct microburst_settings *microburst_settings(const struct plan_test *test)
{
	return test->settings;
}

/* One choice of ports. Frames are those of each sending port, one value a repetition. */
struct microburst_case {
	unsigned senders, receivers;
	struct port_plan plan;
	unsigned count;
	double *frames;
	unsigned limited; /* repetitions in which bursts of max_burst lost nothing */
};

/* Reports what is known of a case, and whether a burst was found in every repetition. */
struct microburst {
	const struct session *session;
	unsigned repetitions;
	double intensity; /* part of line rate */
	json_t *rows;
	bool has_least;
	double least_sum;           /* sum over all senders, mean of the repetitions; the smallest of all cases */
	struct variation variation; /* variation of that case */
	unsigned least_senders, least_receivers;
	unsigned missing; /* cases that must have an end, and had none up to max_burst */
};

void microburst_note(struct microburst *measured, const struct microburst_case *found);
void microburst_report(const struct microburst *measured, bool finished, json_t *result);

extern const struct result_description MICROBURST_RESULTS;
extern const struct benchmark RFC8239_MICROBURST;

#endif
