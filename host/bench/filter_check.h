/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that a device has the filters that a result is said to be of (RFC 2544 section 11.4). The addresses that
 * they block "SHOULD not be any that are represented in the test data stream", so their frames are not sent in it,
 * but in trials of their own, before the first trial at a frame size and after the last. */
#ifndef FPGAUGE_BENCH_FILTER_CHECK_H
#define FPGAUGE_BENCH_FILTER_CHECK_H

#include "host/bench/session.h"

/* The evidence of one such trial, or several. */
struct filter_evidence {
	uint64_t sent_frames, arrived_frames;            /* frames that must be blocked */
	uint64_t stream_sent_frames, stream_lost_frames; /* frames between them that must not be */
	bool missing;                                    /* a trial could not be made */
	char why_missing[512];
};

/* Runs one more trial for the filters of a session; nothing without filters. 0, or a negative error. */
int filter_check(const struct session *session, struct filter_evidence *evidence, struct error *error);

/* Writes them into a result; it is invalid if the device does not have these filters. */
void filter_check_report(const struct session *session, const struct filter_evidence *evidence, json_t *result);

#endif
