/* SPDX-License-Identifier: Apache-2.0 */
/* Head-of-line blocking (RFC 8239 section 5). A group is four ports in a row: the first sends in turn to the third, the
 * free one, and to the fourth, the congested one, to which the second sends at line rate. What the first port sends to
 * a free port, which gets half of line rate at most, must not be lost.
 *
 * Procedure 1 has two groups. Procedure 2 has as many as there are ports for, and "the traffic from the ingress port is
 * split across four egress ports", of which a group has but two: here the others are those of the next group, so that
 * each free port gets a quarter of line rate from two groups. Both are repeated with all ports moved on by one, until
 * each port was the first.
 *
 * head_of_line_blocking.c has the keys and runs the trials; _report.c and _description.c are the result. */
#ifndef FPGAUGE_BENCH_RFC8239_HEAD_OF_LINE_BLOCKING_H
#define FPGAUGE_BENCH_RFC8239_HEAD_OF_LINE_BLOCKING_H

#include "host/bench/rfc8239/port_traffic.h"
#include "host/bench/rfc8239/rfc8239_common.h"

enum { GROUP_PORTS = 4, MOST_GROUPS = TRAFFIC_MAX_PORTS / GROUP_PORTS };

struct holb_settings {
	struct rfc8239_settings common; /* first, for its keys */
	bool all_groups;                /* procedure 2 */
	uint64_t trial_duration_ns;
};

static inline const struct holb_settings *holb_settings(const struct plan_test *test)
{
	return test->settings;
}

/* Frames of the first port of a group. */
struct holb_counts {
	uint64_t offered, lost;                     /* frames to free ports, over all repetitions */
	uint64_t congested_offered, congested_lost; /* frames to congested ports, from both ingress ports */
	double *loss_percent;                       /* loss to free ports in each repetition */
};

struct holb {
	const struct session *session;
	unsigned ports, groups, repetitions;
	unsigned position, count; /* position of the trials that are running; its repetitions so far */
	struct holb_counts group[MOST_GROUPS];
	double *worst_percent; /* worst of all positions and groups, in each repetition */
	uint64_t lost, offered;
	bool flows_missing;   /* a trial had more flows than are kept */
	unsigned uncongested; /* rows without loss at congested ports */
	json_t *rows;
};

/* The plan of ports for the place on the device where port `position` is the first of all. */
struct port_plan holb_plan(unsigned ports, unsigned groups, bool all_groups, unsigned position);

void holb_note(struct holb *measured, const struct trial_result *trial);
void holb_note_position(struct holb *measured); /* its repetitions are done */
void holb_report(const struct holb *measured, bool finished, json_t *result);

extern const struct result_description HOLB_RESULTS;
extern const struct benchmark RFC8239_HEAD_OF_LINE_BLOCKING;

#endif
