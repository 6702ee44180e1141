/* SPDX-License-Identifier: Apache-2.0 */
/* A load is offered as bursts with gaps between them (RFC 2889 appendix A), and for a time or for a number of frames
 * (appendix B). Pure arithmetic, in octet times.
 *
 * Bursts of N frames, each of which takes L octet times with its preamble and the minimum gap of 12, last N L - 12 from
 * the first octet to the last (TXTIME). At a load of u, a part of line rate, one begins every N L / u, so between two
 * of them are
 *
 *     IBG = (1 / u - 1) N L + 12,
 *
 * which is appendix A.1 in octets: 12 is its IFG. The example of appendix A has N = 24 and L = 84, and gives a TXTIME
 * of 1603.2 us at 10 Mb/s, 2004 octets, as here. Its IBG, 1612.8 us or 2016 octets, is not what A.1 gives for its load
 * of 100%, which is 12 octets, nor for 50%, which is 2028: it is (1 / u - 1) N L at 50%, without the IFG. */
#ifndef FPGAUGE_BENCH_OFFERED_LOAD_H
#define FPGAUGE_BENCH_OFFERED_LOAD_H

#include <stdint.h>

#include "host/base/rate.h"

struct burst_load {
	uint64_t burst_frames;
	uint64_t tx_octets;  /* TXTIME */
	uint64_t gap_octets; /* IBG, rounded up: the load is at most what was asked for */
};

/* line: frames a second at line rate; load: of these, on average, at most line. */
struct burst_load burst_load_of(uint64_t burst_frames, struct rate line, struct rate load, uint64_t link_bps);

/* Returns the octets from the beginning of a burst to that of the next. */
uint64_t burst_period_octets(const struct burst_load *bursts);

/* #OFBURSTS of appendix A.2: those that begin within a time, so that the last one may end after it. */
uint64_t bursts_of_duration(const struct burst_load *bursts, uint64_t duration_ot);

/* Frames of a port in a frame-based trial (appendix B.1): its load times the duration, rounded down, at least 1. */
uint64_t frames_of_duration(struct rate load, uint64_t duration_ns);

/* The time within which exactly so many frames of a constant load begin, on groups of 8 octets. */
uint64_t duration_of_frames(uint64_t frames, struct rate load, uint64_t link_bps);

#endif
