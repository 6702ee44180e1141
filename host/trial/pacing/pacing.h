/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a trial request into the settings of the pacer: a gap as a whole number and a fraction of octets, the number
 * of frames that will leave, and their rate. Pure arithmetic. */
#ifndef FPGAUGE_TRIAL_PACING_PACING_H
#define FPGAUGE_TRIAL_PACING_PACING_H

#include <stdbool.h>
#include <stdint.h>

#include "host/base/error.h"
#include "host/trial/tester.h"

/* The ideal starts of two frames are exactly the first one's octets + 8 + gap_octets + numerator / denominator octet
 * times apart. */
struct pacing_gap {
	uint64_t gap_octets;
	uint32_t numerator, denominator; /* numerator < denominator */
};

struct pacing {
	uint64_t gap_octets;
	uint32_t numerator, denominator;        /* numerator < denominator */
	struct pacing_gap own[TRIAL_MAX_PORTS]; /* gaps of ports with a share of the load; denominator 0: as above */
	uint64_t next_ot;                       /* when the gap changes, after the start; 0: it does not */
	struct pacing_gap next;           /* the gap it changes to, from the first frame on that starts then or later */
	uint64_t before[TRIAL_MAX_PORTS]; /* frames of each port before that one */
	uint64_t next_start_ot[TRIAL_MAX_PORTS]; /* and its start, from that of the port's first frame */
	uint64_t frames[TRIAL_MAX_PORTS]; /* exact for a burst, by the clock for a load; 0 for a port that does not send
	                                   */
	uint64_t stop_frames;             /* 0: no limit */
	uint64_t burst_frames;            /* several bursts: frames of each; 0: there are not several */
	uint64_t burst_gap_octets;        /* gap from the last frame of one burst to the first of the next */
	uint64_t duration_ot;             /* 0: no limit */
	uint64_t tag_after_ot;            /* 0: no frame is tagged */
	bool obeys_pause;                 /* pause frames put off what is left of this */
	uint64_t sending_ot; /* time from the first start to the end of the last frame of all ports and its gap */
	double fps; /* the actual rate, which may be slightly below the requested one; of several bursts, on average */
};

/* The gap of a load is the octet times of a frame period - 8 - the average length of frames, as an exact fraction; if
 * its denominator does not fit in 32 bits, the nearest fraction above it that does, so that the rate is never above the
 * requested one. ERROR_INTERNAL if the request is out of range: above line rate, no frame, too slow or too long for the
 * device. */
int pacing_of_request(const struct trial_request *request, uint64_t link_bps, struct pacing *pacing,
                      struct error *error);

#endif
