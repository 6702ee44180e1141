/* SPDX-License-Identifier: Apache-2.0 */
/* The overload that a trial hides. A load that a device really sustains leaves latency unchanged. When latency grew, a
 * buffer was filling: what it held at the end, divided by the length of the trial, is the overload it hid. It includes
 * jitter. */
#ifndef FPGAUGE_BENCH_QUEUE_GROWTH_H
#define FPGAUGE_BENCH_QUEUE_GROWTH_H

#include "host/bench/session.h"

/* Returns the growth in frames a second, at the port where it is most; NAN: latency was not measured. */
double queue_growth_fps(const struct trial_result *trial);

/* Returns the growth as a share of what came to a port, where it is most: by so much of the load the load is too
 * high. */
double queue_growth_share(const struct trial_result *trial);

/* Reports queue_growth_fps, and flags what is above the resolution in a trial without loss. name: "throughput". */
void queue_growth_report(double growth_fps, double resolution_fps, const char *name, const struct trial_result *trial,
                         json_t *result);

#endif
