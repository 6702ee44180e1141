/* SPDX-License-Identifier: Apache-2.0 */
/* Grids of loads: exact fractions of line rate. */
#include "host/bench/load_grid.h"

#include "host/base/ratio.h"

enum { PARTS = 1000000000 };

struct load_grid load_grid_of_steps(struct rate line, const struct quantity *resolution)
{
	struct load_grid grid = {.line = line, .part = resolution->numerator, .whole = resolution->denominator};

	if (resolution->unit != QUANTITY_PERCENT) {
		struct rate ratio = rate_scale((struct rate){resolution->numerator, resolution->denominator},
		                               line.denominator, line.numerator);
		grid.part = ratio.numerator;
		grid.whole = ratio.denominator;
	}
	grid.top = grid.part && grid.whole ? (grid.whole - 1) / grid.part : 0;
	return grid;
}

struct load_grid load_grid_of_parts(struct rate line)
{
	return (struct load_grid){.line = line, .part = 1, .whole = PARTS, .top = PARTS};
}

struct rate load_at(const struct load_grid *grid, uint64_t point)
{
	return rate_scale(grid->line, grid->whole - (grid->top - point) * grid->part, grid->whole);
}

struct rate load_if(const struct load_grid *grid, bool known, uint64_t point)
{
	return known ? load_at(grid, point) : (struct rate){0, 0};
}

double load_percent(const struct load_grid *grid, uint64_t point)
{
	return ratio_percent(grid->whole - (grid->top - point) * grid->part, grid->whole);
}

double load_step_percent(const struct load_grid *grid)
{
	return ratio_percent(grid->part, grid->whole);
}

double load_step_fps(const struct load_grid *grid)
{
	return rate_fps(rate_scale(grid->line, grid->part, grid->whole));
}
