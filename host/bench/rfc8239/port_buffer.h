/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers (RFC 8239 section 3.2): more is sent to an egress port than it forwards, until a frame is lost. There are two
 * estimates, which must agree:
 *
 *   by count    procedures 1 to 3: the frames that the port that oversubscribes can send until the first is lost, less
 *               that one. Procedure 4, where no port does alone: of the frames sent until the first loss, those that
 *               had not left the egress port by then;
 *   by latency  the maximum latency grows until the first loss, the point of inflection, and is constant from there on:
 *               what it is above the smallest, over the time that the egress port takes for a frame, is how many frames
 *               wait before one.
 *
 * Neither has the frame that is leaving: a queue that holds B frames, with that one, has B - 1 by both.
 *
 * Where two egress ports are congested at the same time, each has a search of its own, in which only what is lost for
 * it counts: they need not have room for the same.
 *
 * port_buffer.c has the rows, port_buffer_keys.c their keys, buffer_places.c the ports; buffer_search.c searches;
 * port_buffer_report.c and port_buffer_description.c are the result. */
#ifndef FPGAUGE_BENCH_RFC8239_PORT_BUFFER_H
#define FPGAUGE_BENCH_RFC8239_PORT_BUFFER_H

#include "host/bench/rfc8239/buffer_places.h"
#include "host/bench/rfc8239/port_buffer_keys.h"

/* One egress port at one place. */
struct port_buffer_case {
	const struct buffer_procedure *procedure;
	unsigned place;
	struct buffer_queue queue;
	unsigned count, limited;         /* repetitions; of them, those without loss up to max_frames */
	double *frames, *latency_frames; /* values of each repetition */
	double egress_fps;               /* rate of the last repetition, while the port was congested */
	double growing_ns; /* largest difference between maximum latencies of trials with loss, after the first */
};

struct port_buffer {
	const struct session *session;
	const struct buffer_procedure *procedure;
	unsigned repetitions;
	const char *list; /* key of the rows in the result */
	json_t *rows;
	bool has_least;
	double least_frames, least_latency_frames, most_frames;
	unsigned least_port;
	struct variation variation;
	unsigned disagreeing, limited;
	unsigned unknown, unknown_port; /* egress ports of which too few frames came, and the last of them */
};

/* Searches the buffers of all places of the procedure, and notes them. 0, SESSION_INVALID or a negative error. */
int buffer_search(struct port_buffer *measured, struct session *session, struct error *error);

void port_buffer_note(struct port_buffer *measured, const struct port_buffer_case *found);
void port_buffer_report(const struct port_buffer *measured, bool finished, json_t *result);

extern const struct result_description PORT_BUFFER_RESULTS, BUFFER_EFFICIENCY_RESULTS, PORT_PAIR_BUFFER_RESULTS,
        DEVICE_BUFFER_RESULTS;
extern const struct benchmark RFC8239_PORT_BUFFER, RFC8239_BUFFER_EFFICIENCY, RFC8239_PORT_PAIR_BUFFER,
        RFC8239_DEVICE_BUFFER;

#endif
