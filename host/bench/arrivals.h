/* SPDX-License-Identifier: Apache-2.0 */
/* Tells what arrived in all trials of a result: zero is a measurement, nothing is none. Where no test frame arrived
 * at all, the result is not known; where those of a port did not arrive, or all came to another port, its words say
 * so. */
#ifndef FPGAUGE_BENCH_ARRIVALS_H
#define FPGAUGE_BENCH_ARRIVALS_H

#include <jansson.h>

#include "host/trial/tester.h"

struct session;

struct arrivals {
	unsigned trials;       /* valid ones, and those with TCP connections, in which frames had to arrive */
	uint64_t right_frames; /* frames that arrived where they had to, late ones and duplicates too */
	uint64_t bad_frames;   /* frames that arrived with a wrong FCS or another payload */
	bool late;             /* frames of an earlier trial came in one: nothing is said of cables */
	uint32_t sent, sent_right, sent_stray; /* bit p: port p sent; some arrived where they had to; at others */
	uint32_t awaited, reached, strayed_to; /* bit p: frames had to arrive at port p; some did; stray ones did */
};

void arrivals_note(struct arrivals *arrivals, const struct trial_request *request, const struct trial_result *trial);

/* Makes a result for which nothing arrived INVALID, with "not known: ...", what it calls measured null, and its flags
 * none; names ports of which nothing arrived in a flag. */
void arrivals_report(const struct session *session, json_t *result);

#endif
