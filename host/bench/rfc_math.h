/* SPDX-License-Identifier: Apache-2.0 */
/* The formulas of the RFCs and the statistics around them: pure arithmetic, each with its source. Rates are in frames
 * per second per port, times in seconds, buffers and bursts in frames per port. A value that does not exist is NAN. */
#ifndef FPGAUGE_BENCH_RFC_MATH_H
#define FPGAUGE_BENCH_RFC_MATH_H

#include <stddef.h>
#include <stdint.h>

#include "host/base/statistics.h"

/* RFC 9004 6.4: statistics of N values. stddev is that of a sample (N - 1), since N searches are a sample of what the
 * DUT does; NAN for N = 1. confidence95: where the mean of infinitely many searches lies with 95% confidence, by
 * Student's t. */
struct sample_statistics {
	double average, stddev;
	uint64_t min, max;
	double confidence95_low, confidence95_high;
};

struct sample_statistics sample_statistics(const uint64_t *values, size_t count);

/* RFC 9004 6.4: average / max rate. The burst in units of time. */
double implied_buffer_s(double average_frames, double max_fps);

/* RFC 9004 6.4: implied - implied x throughput / max rate. What was forwarded during the burst is not in the buffer. */
double corrected_buffer_s(double implied_s, double throughput_fps, double max_fps);

/* RFC 9004 section 7: corrected x max rate / actual rate. */
double actual_buffer_s(double corrected_s, double max_fps, double actual_fps);

/* RFC 9004 section 4 item 4: max rate - throughput; how fast a buffer fills at line rate. */
double filling_rate_fps(double max_fps, double throughput_fps);

/* Buffer from the growth of latency over a burst without loss, as occupied when its last frame arrives.
 *
 * Frames arrive every A at a server that takes S > A per frame. Frame k (from 0) leaves at (k + 1) S, so its latency is
 * S + k (S - A) plus a constant: it grows by (N - 1)(S - A) from first to last. By the time the last one arrives,
 * floor((N - 1) A / S) frames have been served, so N - floor((N - 1) A / S) are in the buffer, including the one in
 * service and the last one; that is 1 + (N - 1)(1 - A / S), or up to one frame more. Hence
 *
 *     buffer = 1 + growth / S,  at most one frame low, with S from the spacing of the same frames as received.
 *
 * Independent of the throughput and of the burst length; it assumes one queue with a constant rate instead. growth_ot:
 * largest minus smallest latency; received_ot: from the first to the last of the received frames. */
double latency_buffer_frames(uint64_t growth_ot, uint64_t received_frames, uint64_t received_ot);

/* Bounds on the error of the corrected buffer time for a FIFO, and on the overload that hides in the throughput it is
 * based on. */
struct buffer_bound_input {
	double average_frames, step_frames;
	double max_fps, throughput_fps;
	double resolution_fps;   /* resolution of the throughput search */
	double trial_duration_s; /* length of its final trial; NAN when the rate is not from such a trial */
};

struct buffer_bound {
	double hidden_overload_fps; /* throughput may exceed the true one by this much; NAN without trial_duration_s */
	double settling_trial_s; /* a final trial of this length brings it down to the resolution: buffer / resolution,
	                            plus a little for the error of C in that trial */
	double error_frames;     /* |corrected x max rate - buffer| is at most this */
};

/* Let M = max rate, T0 = true service rate, rho = T0 / M, N = longest burst of a FIFO of B frames:
 *
 *   1. From N - floor((N - 1) rho) = B:  B - N (1 - rho) lies in [rho, 1 + rho).
 *   2. The search knows N to its step s:  the average lies in (N - s, N].
 *   3. A trial of t seconds at load L loses nothing while (L - T0) t <= B, so a throughput T found with resolution r
 *      lies in (T0 - r, T0 + B / t]:  B / t is the hidden overload.
 *
 * The corrected buffer C = average x (1 - T / M) is then off by at most 1 + rho + (s - 1)(1 - rho) + N max(r, B/t) / M.
 * B itself is known only through C; solving B <= C + 1 + rho + (s - 1)(1 - rho) + (N / M)(B / t) for B gives the
 * largest buffer that fits what was measured; it is at most N, all the frames that were ever in the device. */
struct buffer_bound corrected_buffer_bound(const struct buffer_bound_input *input);

#endif
