/* SPDX-License-Identifier: Apache-2.0 */
/* The inside of a search, private to host/search. A kind of search is one row of operations and a line in
 * search_create(); its state begins with struct search. */
#ifndef FPGAUGE_SEARCH_STEPPER_H
#define FPGAUGE_SEARCH_STEPPER_H

#include <stdlib.h>
#include <string.h>

#include "host/search/search.h"

struct search_ops {
	/* Chooses the next trial, or sets search->end. Called once after create and once after every observe. */
	void (*plan)(struct search *search, struct search_request *request);
	/* effective_ns is set; 0 or ERROR_INTERNAL */
	int (*observe)(struct search *search, const struct search_observation *observed);
	void (*bounds)(const struct search *search, struct search_result *result);
	unsigned (*trials_estimate)(const struct search *search);
	struct search *(*copy)(const struct search *search); /* NULL: out of memory */
	void (*destroy)(struct search *search);              /* frees the state and what it holds */
};

struct search {
	const struct search_ops *ops;
	struct search_config config;
	uint64_t last_index; /* last one of the grid; the first index is 0 */
	struct search_request request;
	unsigned trials;
	uint64_t traffic_ns;
	enum search_end end;
};

/* A copy of a state without pointers; NULL: out of memory. */
static inline struct search *stepper_copy(const struct search *search, size_t size)
{
	struct search *copy = malloc(size);

	if (copy)
		memcpy(copy, search, size);
	return copy;
}

/* grid.c: the grid point at low + index x step; the last one is high. */
uint64_t grid_point(const struct search *search, uint64_t index);
uint64_t grid_index_below(const struct search *search, uint64_t point); /* last grid point <= point; >= low */

/* Allocate and fill the state; search_create() fills the base. NULL with error set. */
struct search *binary_create(const struct search_config *config, struct error *error);
struct search *mlrsearch_create(const struct search_config *config, struct error *error);
struct search *descent_create(struct error *error); /* all it needs is in the base */

#endif
