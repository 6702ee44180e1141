/* SPDX-License-Identifier: Apache-2.0 */
/* One metric over the accepted runs that a new run is compared with: their level, and how far single runs are from it.
 * Numbers only. */
#ifndef FPGAUGE_COMPARE_HISTORY_H
#define FPGAUGE_COMPARE_HISTORY_H

#include "host/compare/judge.h"

/* The last HISTORY_MOST runs count. Fewer than HISTORY_LEAST say little of the spread, and a drift would pass for it.
 */
enum { HISTORY_MOST = 10, HISTORY_LEAST = 6 };

/* runs: what each run says of the metric, oldest first, those that have it; 1 to HISTORY_MOST. The level is the better
 * one of both halves of the runs, so that a device that gets worse little by little is held against what it was. The
 * spread is that of differences from run to run (von Neumann, Annals of Mathematical Statistics 12, 1941, pages 153 to
 * 162), which a slow drift hardly widens. Fewer than HISTORY_LEAST: the best of them, as it is. */
struct evidence history_base(const struct evidence *runs, size_t count, const struct metric *metric);

/* Evidence of a measurement from the last of the runs, reports, oldest first; newest: the results of the last one that
 * are of it; result: the first of them. *known: there are enough to know the spread. */
struct evidence history_of(const json_t *runs, const json_t *result, const json_t *newest, const struct metric *metric,
                           bool *known);

/* The change from history_base() of at least HISTORY_LEAST runs to a new one. */
struct change history_change(const struct evidence *base, const struct evidence *new);

#endif
