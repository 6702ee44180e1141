/* SPDX-License-Identifier: Apache-2.0 */
/* Frame rates and octet times, exactly. A rate is a fraction, because no Ethernet line rate is an integer (100G at 64
 * octets: 148809523.8 frames per second); comparisons and sums are done in integers. */
#ifndef FPGAUGE_BASE_RATE_H
#define FPGAUGE_BASE_RATE_H

#include <stdbool.h>
#include <stdint.h>

/* Octets that a frame takes up on the line besides its own: preamble and start 8, minimum average gap 12 (802.3). */
enum { PREAMBLE_OCTETS = 8, MIN_GAP_OCTETS = 12, LINE_OVERHEAD_OCTETS = PREAMBLE_OCTETS + MIN_GAP_OCTETS };

/* A literal, so that it is exact in integers and in floating point alike. */
#define NS_PER_S UINT64_C(1000000000)

/* Frame sizes that a plan may ask for, destination MAC to FCS. */
enum { MIN_FRAME_OCTETS = 64, MAX_FRAME_OCTETS = 9216 };

/* numerator / denominator frames per second; denominator > 0. */
struct rate {
	uint64_t numerator;
	uint64_t denominator;
};

/* Maximum theoretical frame rate of a link (RFC 5180 A.1): link_bps / (8 x (frame + 20)). Reduced fraction. */
struct rate rate_max_theoretical(uint64_t link_bps, uint32_t frame_octets);

/* rate x numerator / denominator, reduced: exact if both sides of that fraction fit 64 bits. If not, a fraction that
 * does, with a relative error below 2^-62 from 2^-63 to 2^63 and the nearest one beyond. 0 / 1 if a product is 0. */
struct rate rate_scale(struct rate rate, uint64_t numerator, uint64_t denominator);

/* Exactly that number, of less than 2^63 and in steps of 2^-63; NAN gives 0 / 0, which is not known. */
struct rate rate_of(double fps);

/* a + b, in the same way; 0 / 0, which is not known, added to anything is not known. */
struct rate rate_add(struct rate a, struct rate b);

/* Nearest doubles; NAN of the rate 0 / 0, which is not known. */
double rate_fps(struct rate rate);
double rate_ratio(struct rate part, struct rate whole);
double rate_percent(struct rate part, struct rate whole); /* 100 x part / whole */

int rate_compare(struct rate a, struct rate b); /* <0, 0, >0; exact */

/* Octet times of a link from nanoseconds, and back: nearest doubles. One octet time is 8 / link_bps s. */
uint64_t octet_times_from_ns(uint64_t ns, uint64_t link_bps); /* rounded up */
double seconds_from_octet_times(uint64_t octet_times, uint64_t link_bps);
double ns_from_octet_times(uint64_t octet_times, uint64_t link_bps);

/* Nanoseconds of a mean of `count` whole octet times, rounded once; any other value below 2^43 octet times, such as the
 * middle of two, is as exact if it has no more bits than these. */
double ns_from_mean(double octet_times, uint64_t count, uint64_t link_bps);

/* Two clocks of Ethernet may differ by this much (IEEE 802.3), so no two testers agree on line rate to less. */
#define RATE_CLOCK_TOLERANCE 1e-4

/* Frames a second that each of so many senders offered, from the frames that were counted and the seconds that were
 * measured: the intended rate, unless it makes a difference of more than a frame of each sender. At most that of the
 * line, and just that if it was intended and no more is missing than clocks may differ. */
double rate_offered_fps(double intended_fps, double line_fps, unsigned senders, uint64_t frames, double seconds);

#endif
