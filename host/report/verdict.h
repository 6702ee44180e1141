/* SPDX-License-Identifier: Apache-2.0 */
/* Results against what the plan requires of them (docs/results.md, "Verdicts"). */
#ifndef FPGAUGE_REPORT_VERDICT_H
#define FPGAUGE_REPORT_VERDICT_H

#include <jansson.h>

#include "host/store/store.h"

/* Adds `requirements`, a list of {key, relation, limit, value, met}, and `verdict` to a result: "pass", "fail",
 * "invalid", "skipped"; both null if the plan requires nothing of it. */
void verdict_of_result(json_t *result, unsigned test_number, const struct store_run *run);

/* Adds `verdict` to the report: "pass" or "fail"; null if the plan requires nothing. */
void verdict_of_report(json_t *report, const struct store_run *run);

struct result_counts {
	size_t results, valid, invalid, skipped;
	size_t unfinished;     /* invalid ones that were merely stopped */
	size_t limits, missed; /* limits of the results that were tested */
};

struct result_counts verdict_counts(const json_t *results);

#endif
