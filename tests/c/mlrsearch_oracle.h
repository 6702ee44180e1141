/* SPDX-License-Identifier: Apache-2.0 */
/* A second implementation of RFC 9971 sections 6.1 and 6.2, slow and obvious: every quantity that the text names is one
 * exact fraction, every step of the text one line. It shares nothing with host/search but the records of trials and
 * goals. */
#ifndef FPGAUGE_TESTS_MLRSEARCH_ORACLE_H
#define FPGAUGE_TESTS_MLRSEARCH_ORACLE_H

#include "host/base/uint128.h"
#include "host/search/mlrsearch.h"

/* numerator / denominator in lowest terms, denominator > 0. */
struct fraction {
	int128 numerator;
	int128 denominator;
};

int fraction_compare(struct fraction a, struct fraction b); /* <0, 0, >0 */

/* Looks only at those of all trials that are at the point. Trial Loss Ratio is lost / expected; loads are points. */
enum mlrsearch_class oracle_class(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials, size_t count,
                                  uint64_t point);
struct fraction oracle_conditional_throughput(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials,
                                              size_t count, uint64_t point);

#endif
