/* SPDX-License-Identifier: Apache-2.0 */
/* Congestion control (RFC 2889 5.5): whether congestion of one port takes frames from another, and whether the device
 * holds senders back. congestion_traffic.c has who sends what, congestion_control_report.c the verdicts,
 * congestion_control_description.c what is reported. */
#ifndef FPGAUGE_BENCH_RFC2889_CONGESTION_CONTROL_H
#define FPGAUGE_BENCH_RFC2889_CONGESTION_CONTROL_H

#include <jansson.h>

#include "host/bench/benchmark.h"
#include "host/bench/rfc2889/rfc2889_common.h"

/* The ports of a group of four, from the first one. */
enum congestion_port {
	CONGESTION_FIRST_SOURCE,  /* sends to both receivers in turn, beginning with the uncongested one */
	CONGESTION_SECOND_SOURCE, /* sends to the congested one only */
	CONGESTION_UNCONGESTED,
	CONGESTION_CONGESTED,
	CONGESTION_GROUP
};

struct congestion_control_settings {
	struct rfc2889_settings rfc2889;
	bool obey_pause; /* a third trial, if the device sends pause frames to sources */
};

/* NULL: not made. */
struct congestion_trials {
	const struct trial_result *relieved; /* trial of the first sources alone */
	const struct trial_result *all;
	const struct trial_result *obeyed; /* trial of all sources, which obey pause frames */
};

extern const struct result_description CONGESTION_CONTROL_RESULTS;
extern const struct benchmark RFC2889_CONGESTION_CONTROL;

/* Keeps what the groups send, of the traffic of a mesh between four ports or more. Ports that make no group are idle.
 * Fits struct benchmark. */
int congestion_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error);

/* The second sources send nothing: nothing is congested. */
void congestion_traffic_relieve(struct traffic *traffic);

/* Pause frames that sources received. */
uint64_t congestion_pauses(const struct trial_result *trial);

/* The findings of the trials. */
void congestion_report(const struct session *session, const struct trial_request *request,
                       const struct congestion_trials *trials, json_t *result);

#endif
