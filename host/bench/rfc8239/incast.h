/* SPDX-License-Identifier: Apache-2.0 */
/* TCP incast (RFC 8239 section 6): ports with TCP connections and ports with a microburst of UDP all send to one egress
 * port, which acknowledges. The port variations of section 6.2, from 0: one stateless port and 1, 2 ... N - 2 stateful
 * ones; then one stateful port and 2 ... N - 2 stateless ones. The port behind the last of them receives, so that it
 * "varies as well". A port sends either kind, not a mix (section 6.2: "MAY").
 *
 * incast_keys.c has the keys; incast_ports.c says who sends what to whom; incast_load.c which segments are too short;
 * incast.c runs the trials; incast_report.c and
 * incast_description.c are the result. */
#ifndef FPGAUGE_BENCH_RFC8239_INCAST_H
#define FPGAUGE_BENCH_RFC8239_INCAST_H

#include "host/bench/rfc8239/incast_keys.h"
#include "host/bench/rfc8239/port_traffic.h"
#include "host/bench/rfc8239/rfc8239_common.h"

enum { INCAST_LEAST_PORTS = 3 };

/* One variation at one place: bit p of a mask is port p. */
struct incast_ports {
	unsigned stateful, stateless; /* masks */
	unsigned egress;              /* port */
};

/* The number of variations with so many ports; variation `number`, from 0, with all ports moved on by `position`. */
unsigned incast_variations(const struct incast_settings *settings, unsigned ports);
struct incast_ports incast_ports(const struct incast_settings *settings, unsigned ports, unsigned number,
                                 unsigned position);
unsigned incast_positions(const struct incast_settings *settings, unsigned ports);

/* Checks that the variations can be had with these ports: ERROR_PLAN with what would be possible. */
int incast_check_ports(const struct incast_settings *settings, unsigned ports, struct error *error);

/* ERROR_PLAN if a port cannot take segments at line rate; a caution if that depends on the device under test. */
int incast_check_device(const struct plan_test *test, const struct device_identity *device, char *caution, size_t size,
                        struct error *error);

/* Builds the traffic of a variation. *traffic is to be freed if this returns 0. */
int incast_traffic(const struct session *session, const struct incast_ports *ports, const struct trial_tcp *tcp,
                   struct traffic *traffic, struct error *error);

/* The measurements with one variation at one place, a value a repetition. */
struct incast_case {
	struct incast_ports ports;
	unsigned number; /* number of the iteration, from 1 */
	unsigned count;
	uint64_t link_bps;
	double *goodput_gbps, *latency_mean_ns;
	double least_gbps, most_gbps; /* goodput of a single connection, in any repetition */
	struct latency_stats latency; /* latency over all repetitions */
	uint64_t segments, again_segments, lost_segments;
	uint64_t offered_frames, lost_frames; /* stateless */
};

/* The iteration whose repetitions are furthest apart; number 0: none has several. */
struct incast_varied {
	unsigned number;
	struct variation variation;
};

struct incast {
	const struct session *session;
	unsigned repetitions;
	double max_goodput_gbps; /* goodput of the egress port's line, with segments of mss octets */
	json_t *iterations, *latencies;
	bool has_least;
	double least_gbps; /* the least goodput of all iterations, as a mean of the repetitions */
	struct incast_ports least;
	unsigned least_number;      /* number of that iteration */
	struct variation variation; /* variation of its goodput */
	struct incast_varied goodput, latency;
	double most_latency_ns;
	uint64_t again_segments, lost_frames;
};

/* Returns what a connection could have at most: the line's rate less all that is not of the stream. */
double incast_max_goodput_gbps(uint64_t link_bps, unsigned mss, unsigned header_octets);

void incast_note(struct incast_case *own, const struct trial_result *trial); /* the next repetition */
void incast_note_case(struct incast *measured, const struct incast_case *found);
void incast_report(const struct incast *measured, bool finished, json_t *result);

extern const struct result_description INCAST_RESULTS;
extern const struct benchmark RFC8239_INCAST;

#endif
