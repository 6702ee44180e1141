/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how long something took that this process did, less what other programs took of the machine meanwhile. */
#ifndef FPGAUGE_FORECAST_PASSED_TIME_H
#define FPGAUGE_FORECAST_PASSED_TIME_H

struct passed_since {
	double wall_s, processor_s, starved_s;
};

/* passed_begin() and passed_s() are for the same thread. */
struct passed_since passed_begin(void);

/* Simulations compute. Other programs may take most of a few milliseconds of wall time, which says nothing about hours,
 * so processor time is what counts. A library that waits for another process uses little of that, so at least a part of
 * the wall time counts, less what other programs took of it. */
double passed_s(struct passed_since since);

#endif
