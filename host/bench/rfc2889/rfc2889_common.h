/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that the tests of RFC 2889 share: their keys, and the rates of RFC 2285 from what each port counted.
 * Rates of a device are those of all its ports together, because the offered load of a device is the aggregate of
 * all ports (appendix B.1); intended loads are a share of line rate at each sending port (5.1.2). */
#ifndef FPGAUGE_BENCH_RFC2889_RFC2889_COMMON_H
#define FPGAUGE_BENCH_RFC2889_RFC2889_COMMON_H

#include <jansson.h>

#include "host/bench/benchmark.h"
#include "host/bench/session.h"
#include "host/plan/plan_keys.h"
#include "host/traffic/traffic.h"

/* The first member of the settings of each test. */
struct rfc2889_settings {
	uint64_t trial_duration_ns; /* recommended: 30 s */
};

extern const struct key_slice RFC2889_KEYS;

/* Refuses an external program, for finish(): it reports the sums of all ports; these tests need the counts of each. */
int rfc2889_refuse_program(const struct plan *plan, const struct plan_test *test, const struct node *group,
                           struct error *error);

/* Leaves the traffic just as the pattern says, for struct benchmark. session.traffic is then known. */
int rfc2889_pattern_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error);

/* Frames a second that a port received, each of them once, from the first to the last (RFC 2285 3.6.1). pause_s: how
 * much longer than between two frames of a burst it is from the last one to the next burst, when all of them arrive as
 * they were sent; 0: they are no bursts. NAN with fewer than two frames. */
double rfc2889_port_forwarding_fps(const struct session *session, const struct trial_port *port, double pause_s);

/* Frames a second that a port sent, by its counter and its clock: its Oload (RFC 2285 3.5.2). Of bursts, those before
 * the last over the time until that one begins. NAN with fewer than two frames, or bursts. */
double rfc2889_port_offered_fps(const struct session *session, const struct trial_request *request,
                                const struct trial_port *port);

/* The same over all ports. */
double rfc2889_forwarding_fps(const struct session *session, const struct trial_request *request,
                              const struct trial_result *trial);
/* The rate of the port where it is lowest, of those at which frames must arrive. */
double rfc2889_lowest_forwarding_fps(const struct session *session, const struct trial_request *request,
                                     const struct trial_result *trial);
double rfc2889_offered_fps(const struct session *session, const struct trial_request *request,
                           const struct trial_result *trial);

/* Test frames at ports where they must not arrive (RFC 2285 3.8.3), over all ports. */
uint64_t rfc2889_flood_frames(const struct trial_result *trial);

/* Returns the time from the first port that begins to send to the last one, in ns; NAN if none sent. */
double rfc2889_start_spread_ns(const struct session *session, const struct trial_result *trial);

/* 100 x lost / frames that must have arrived; NAN without any. */
double rfc2889_loss_percent(const struct trial_result *trial);

/* Shares of line rate of traffic whose flows interleave, if all its senders send at line rate: what they offer (the
 * maximum offered load, RFC 2285 3.5.3), and what the receiving ports can be sent at most. */
struct rfc2889_shares {
	double offered, receivable;
	bool copied; /* frames must arrive at several ports */
};
struct rfc2889_shares rfc2889_shares(const struct traffic *traffic);

/* Sets `matrix`: what each port sent to each other one and what of it arrived. Empty if the trial is NULL, or has more
 * flows than a trial keeps. */
void rfc2889_matrix(json_t *result, const struct trial_result *trial);
extern const struct metric_slice RFC2889_MATRIX_METRICS;
/* `ports` of the trial at the maximum offered load. */
extern const struct result_listing RFC2889_PORT_ROWS;
extern const struct result_listing RFC2889_MATRIX_ROWS;

/* The parameter that all tests have: half duplex does not exist at these speeds (5.1.2), and one clock starts all ports
 * (5.1.3). */
#define RFC2889_PARAMETERS                                                                                             \
	{                                                                                                              \
		"Ports", "{ports}, full duplex; half duplex does not exist at these speeds. One clock starts all",     \
		        false                                                                                          \
	}

#endif
