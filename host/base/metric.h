/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers of a result that can be held against a limit or against another run: their unit, and which way is the
 * better one. `require` of a plan and `fpgauge compare` both read this table. */
#ifndef FPGAUGE_BASE_METRIC_H
#define FPGAUGE_BASE_METRIC_H

#include <stdbool.h>
#include <stddef.h>

enum metric_unit {
	METRIC_FPS,
	METRIC_PERCENT,
	METRIC_S,
	METRIC_NS,
	METRIC_FRAMES,
	METRIC_OCTETS,
};

struct metric {
	const char *key;   /* of the result */
	const char *tests; /* that have it, apart by blanks */
	enum metric_unit unit;
	bool more_is_better;
	bool main; /* the answer of the test: what compare judges by */
};

extern const struct metric METRICS[];
extern const size_t METRIC_COUNT;

bool metric_is_of(const struct metric *metric, const char *test);

/* The metric of a test by its key, or NULL. */
const struct metric *metric_find(const char *test, const char *key);

#endif
