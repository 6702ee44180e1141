/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the answer of an external tester (docs/exec-tester.md). The program is not trusted: a line that does not
 * answer the requested trial is an error that says why. */
#ifndef FPGAUGE_TRIAL_EXEC_ANSWER_H
#define FPGAUGE_TRIAL_EXEC_ANSWER_H

#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"
#include "host/trial/exec/process.h"
#include "host/trial/tester.h"

/* An answer as given. What is left out is COUNT_UNKNOWN or NAN; valid is true. */
struct exec_answer {
	uint64_t trial, offered_frames, received_frames;
	PORT_COUNTERS(COUNTER_MEMBER)
	uint64_t gap_min_octets, gap_max_octets;
	double duration_s, forwarding_rate_fps, gap_mean_octets;
	double latency_min_ns, latency_mean_ns, latency_max_ns;
	bool valid;
	char why_invalid[EXEC_QUOTE_SIZE]; /* quoted; "": not given */
};

/* Valid, and nothing else is known. */
struct exec_answer exec_answer_nothing_said(void);

/* Reads a line without its newline. 0 if every key is known and within its limits, the trial is the requested one, all
 * required keys are there, and no more frames came back than were sent. Else ERROR_DEVICE, which says what is wrong and
 * quotes the line. */
int exec_answer_read(const char *text, size_t length, uint64_t trial, enum trial_kind kind, struct exec_answer *answer,
                     struct error *error);

#endif
