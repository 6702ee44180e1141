/* SPDX-License-Identifier: Apache-2.0 */
/* The gaps between bursts that a search may try, and what follows from a gap. Pure arithmetic, in octet times and
 * octets.
 *
 * Bursts of N frames take N L octet times at line rate, L for a frame with preamble and the minimum gap of 12. With a
 * gap of G octets between bursts one begins every
 *
 *     T(G) = N L + G - 12
 *
 * so the average load is N / T(G) frames an octet time, which is line rate at G = 12. */
#ifndef FPGAUGE_BENCH_RFC2544_BURST_GAPS_H
#define FPGAUGE_BENCH_RFC2544_BURST_GAPS_H

#include <stdint.h>

#include "host/base/rate.h"
#include "host/bench/rfc2544/bursty_traffic_keys.h"
#include "host/search/search.h"

/* The longest gap is that at which the average load is this part of line rate, unless the plan says otherwise. */
enum { LEAST_LOAD_PERCENT = 1 };

struct burst_gaps {
	uint64_t burst_frames;
	uint64_t burst_octets;      /* N L, of a mix rounded up */
	uint64_t least, most, step; /* gaps: least is 12; most is a whole number of steps above it */
};

struct burst_gaps burst_gaps(const struct bursty_traffic_settings *settings, uint32_t burst_frames, struct rate line,
                             uint64_t link_bps);

/* Searches look for the highest point that passes, and the smallest gap is the hardest: a point is 2 x most - gap. So
 * the first point is most, and twice that is beyond the last one. A search that begins there and doubles tries the
 * longest gap first, which settles a device for which none is enough, and then the minimum gap, which settles one that
 * holds line rate; only then does it bisect. */
struct search_config burst_gaps_search(const struct burst_gaps *gaps);
uint64_t burst_gap_at(const struct burst_gaps *gaps, uint64_t point);

/* Bursts that begin within a time, at least two: else there is no gap between them. */
uint64_t bursts_within(const struct burst_gaps *gaps, uint64_t gap_octets, uint64_t duration_ot);

/* N / T(G), as a share of line rate. */
struct rate burst_load(const struct burst_gaps *gaps, uint64_t gap_octets);

/* The smallest gap without loss, however many bursts there are, of a device with one queue of which is known the
 * throughput and the longest burst from idle at the minimum gap (UINT64_MAX: without end). 0: no gap is enough.
 *
 * Let the device serve a frame every S octet times, S > L (otherwise it never fills, and 12 is enough). Frame n of
 * burst k arrives at k T + n L. While bursts come every T >= N S or less often, the work of a burst, N S, is done
 * before the next one begins: if the device is idle when one burst begins, then also when the next one does, and so
 * each burst is like one from idle. It passes if, and only if, N is not more than the longest burst from idle; no gap
 * can change that. If bursts come every T < N S, the device is never idle: at the beginning of burst k, k (N S - T) is
 * still to be done. That grows beyond any buffer, and frames are lost. So the smallest T is N S, or
 *
 *     G = 12 + N (S - L), rounded up,
 *
 * at which the average load is the throughput. In a trial of K bursts the last one meets (K - 1) (N S - T) of work
 * left over, which is lost on a buffer that has room for it: a device that absorbs work of W octet times above a burst
 * passes with gaps shorter by up to W / (K - 1). Starts are rounded down to groups of 8 octets, so that a buffer which
 * a burst from idle fills to the last frame may need up to 7 octets more.
 *
 * throughput: as a share of line rate. */
uint64_t burst_least_gap(const struct burst_gaps *gaps, double throughput, uint64_t longest_burst_frames);

#endif
