/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers (RFC 8239 section 3.2, procedures 1 and 2): one port sends at line rate to an egress port, another a little
 * more to the same one (1%). There are two estimates, which must agree:
 *
 *   by count    the frames that the second port can send until the first is lost, less that one;
 *   by latency  the maximum latency grows until the first loss, the point of inflection, and is constant from there on:
 *               what it is above the smallest, over the time that the egress port takes for a frame, is how many frames
 *               wait before one.
 *
 * Neither has the frame that is leaving: a queue that holds B frames, with that one, has B - 1 by both.
 *
 * The text has slips: procedure 2 ends with "ingress port N-2 sending line rate to egress port N-1, while port N is
 * sending ... to egress port N", which must be N-1, as in the iterations before it; and it stops two ports short of
 * all. Here every port is the egress port once, the ingress port is the one before it, and the third one the one after
 * it.
 *
 * port_buffer.c has the keys and searches; port_buffer_report.c and port_buffer_description.c are the result. */
#ifndef FPGAUGE_BENCH_RFC8239_PORT_BUFFER_H
#define FPGAUGE_BENCH_RFC8239_PORT_BUFFER_H

#include "host/bench/rfc8239/port_traffic.h"
#include "host/bench/rfc8239/rfc8239_common.h"

struct port_buffer_settings {
	struct rfc8239_settings common; /* first, for its keys */
	struct quantity oversubscription;
	uint64_t max_frames;
	unsigned positions; /* how many egress ports; 0: all */
};

static inline const struct port_buffer_settings *port_buffer_settings(const struct plan_test *test)
{
	return test->settings;
}

/* One egress port. */
struct port_buffer_case {
	unsigned ingress, egress, extra; /* extra: the port that oversubscribes */
	unsigned count, limited;         /* repetitions; of them, those without loss up to max_frames */
	double *frames, *latency_frames; /* of each */
	double egress_fps;               /* of the last one, while the port was congested */
	double growing_ns; /* largest difference between maximum latencies of trials with loss, after the first */
};

/* The maximum latencies of a search. */
struct inflection {
	uint64_t low_ot, high_ot; /* of trials with loss */
	bool any;
	unsigned egress;
};

struct port_buffer {
	const struct session *session;
	unsigned repetitions;
	json_t *rows;
	bool has_least;
	double least_frames, least_latency_frames, most_frames;
	unsigned least_port;
	struct variation variation;
	unsigned missing, disagreeing, limited;
};

double port_buffer_from_latency(const struct session *session, const struct trial_result *lossy, unsigned egress,
                                double *egress_fps);
void port_buffer_note(struct port_buffer *measured, const struct port_buffer_case *found);
void port_buffer_report(const struct port_buffer *measured, bool finished, json_t *result);

extern const struct metric_slice PORT_BUFFER_METRICS;
extern const struct result_line PORT_BUFFER_PARAMETERS[];
extern const struct result_listing PORT_BUFFER_ROWS;
extern const struct result_description PORT_BUFFER_RESULTS, BUFFER_EFFICIENCY_RESULTS;
extern const struct benchmark RFC8239_PORT_BUFFER, RFC8239_BUFFER_EFFICIENCY;

#endif
