/* SPDX-License-Identifier: Apache-2.0 */
/* Maps moments of a simulation to moments of the clock on the wall. Pure: times of the clock are arguments. */
#ifndef FPGAUGE_SIM_TAP_REAL_TIME_H
#define FPGAUGE_SIM_TAP_REAL_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Both clocks stood so at the same moment; from there on both run, without drift. */
struct real_time {
	uint64_t link_bps;
	int64_t origin_ns; /* reading of clock_ns() */
	uint64_t origin_ot;
};

/* The octet time that has been reached at a time of the clock, which is not before the origin; rounded down. */
uint64_t real_time_ot(const struct real_time *time, int64_t now_ns);

/* The first nanosecond at which an octet time has been reached, which is not before the origin. */
int64_t real_time_ns(const struct real_time *time, uint64_t ot);

/* The length of a period in nanoseconds, rounded down. */
int64_t real_time_span_ns(const struct real_time *time, uint64_t octet_times);

/* The octet times of a period, rounded down. */
uint64_t real_time_span_ot(const struct real_time *time, int64_t ns);

#ifdef __cplusplus
}
#endif

#endif
