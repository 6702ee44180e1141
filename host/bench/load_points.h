/* SPDX-License-Identifier: Apache-2.0 */
/* Search points that are loads of a grid. */
#ifndef FPGAUGE_BENCH_LOAD_POINTS_H
#define FPGAUGE_BENCH_LOAD_POINTS_H

#include "host/bench/load_grid.h"
#include "host/bench/session.h"

/* A trial at a point sends that load for as long as the search asks. The grid must outlive the search. */
struct search_points load_points(struct load_grid *grid);

/* Frames a second of a point where a trial had such a load: exactly those of the grid, unless others were offered. */
struct rate load_offered(const struct load_grid *grid, uint64_t point, const struct trial_load *load);

#endif
