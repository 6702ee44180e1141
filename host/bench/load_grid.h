/* SPDX-License-Identifier: Apache-2.0 */
/* Loads as points of a grid whose top is exactly line rate. */
#ifndef FPGAUGE_BENCH_LOAD_GRID_H
#define FPGAUGE_BENCH_LOAD_GRID_H

#include <stdbool.h>
#include <stdint.h>

#include "host/base/quantity.h"
#include "host/base/rate.h"

/* Load number n (0 to top) is line x (whole - (top - n) x part) / whole: steps of part / whole of line rate, counted
 * from the top so that 100% is on the grid, down to the last one above 0. */
struct load_grid {
	struct rate line;
	uint64_t part, whole;
	uint64_t top;
};

/* Steps given as a percentage of line rate or in frames per second. */
struct load_grid load_grid_of_steps(struct rate line, const struct quantity *resolution);

/* Points proportional to the load, as MLRsearch needs them: n is n / 10^9 of line rate. Fine enough that width decides,
 * coarse enough that the pacer's 32-bit fractions of an octet can offer every one of them exactly. */
struct load_grid load_grid_of_parts(struct rate line);

struct rate load_at(const struct load_grid *grid, uint64_t point);
struct rate load_if(const struct load_grid *grid, bool known, uint64_t point); /* 0 / 0 if it is not known */
double load_percent(const struct load_grid *grid, uint64_t point);             /* percent of line rate */
double load_step_percent(const struct load_grid *grid);
double load_step_fps(const struct load_grid *grid);

#endif
