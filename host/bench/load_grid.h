/* SPDX-License-Identifier: Apache-2.0 */
/* Loads as points of a grid that has line rate at its top, exactly. */
#ifndef FPGAUGE_BENCH_LOAD_GRID_H
#define FPGAUGE_BENCH_LOAD_GRID_H

#include <stdint.h>

#include "host/base/quantity.h"
#include "host/base/rate.h"

/* Load number n (0 to top) is line x (whole - (top - n) x part) / whole: steps of part / whole of line rate, counted
 * from the top so that 100% is on the grid, down to the last that is above 0. */
struct load_grid {
	struct rate line;
	uint64_t part, whole;
	uint64_t top;
};

/* Steps of a percentage of line rate, or of frames a second. */
struct load_grid load_grid_of_steps(struct rate line, const struct quantity *resolution);

/* Points that are proportional to the load, as MLRsearch wants them: n is n / 10^9 of line rate. So fine that width
 * decides, so coarse that the pacer's 32-bit fractions of an octet offer every one of them exactly. */
struct load_grid load_grid_of_parts(struct rate line);

struct rate load_at(const struct load_grid *grid, uint64_t point);
double load_step_fps(const struct load_grid *grid);

#endif
