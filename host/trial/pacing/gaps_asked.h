/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps that a sending port must have had, for the judgement of a trial. Pure. */
#ifndef FPGAUGE_TRIAL_PACING_GAPS_ASKED_H
#define FPGAUGE_TRIAL_PACING_GAPS_ASKED_H

#include <stdbool.h>
#include <stdint.h>

#include "host/trial/pacing/frames.h"

/* The gaps that a port must have. */
struct gaps_asked {
	uint128 sum, denominator; /* sum of all gaps, in units of 1 / denominator octets */
	uint128 off;          /* bound on their error, in such units: starts are ideal starts rounded down to a group */
	uint64_t least, most; /* limits of a single gap, without that rounding */
	bool both;            /* there are gaps of either length, and none between them */
};

/* Returns the gaps of a port that sent one frame more than there are gaps, so many of them answers of the host. */
struct gaps_asked gaps_asked(const struct pacing *pacing, unsigned port, uint64_t gaps, uint64_t host_frames);

/* True if the request is for several bursts, and the gaps within them are so much shorter than those between them
 * that the gaps measured at the line, each of which may be off by 7 octets, can be told apart. */
bool gaps_within_bursts(const struct trial_request *request);

#endif
