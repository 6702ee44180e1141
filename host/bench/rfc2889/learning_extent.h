/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how long tests of an address table take. */
#ifndef FPGAUGE_BENCH_RFC2889_LEARNING_EXTENT_H
#define FPGAUGE_BENCH_RFC2889_LEARNING_EXTENT_H

#include "host/bench/extent.h"
#include "host/bench/rfc2889/learning_keys.h"

/* The search doubles from a first point, then bisects: points from 1 to `points`, of which `first` is the first.
 * longest_s: how long the learning port may send in an iteration; shortest_s: at least. */
struct learning_search {
	double first, points;
	double shortest_s, longest_s;
	double addresses; /* at most */
};

struct extent learning_extent(const struct plan_test *test, const struct learning_search *search);

/* The longest that a trial sends. */
double learning_longest_s(const struct plan_test *test, double longest_s);

#endif
