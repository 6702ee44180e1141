/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two reports: what changed, whether that can be chance, and whether it is for the worse. */
#ifndef FPGAUGE_COMPARE_COMPARE_H
#define FPGAUGE_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

#include "host/base/error.h"

/* The comparison as an object (docs/results.md, "Comparisons"): every result of `base` against those of `new` that
 * measured the same thing, asked for in the same way. tolerance: a change for the worse is accepted up to this ratio.
 * NULL when out of memory. */
json_t *compare_reports(const json_t *base, const json_t *new, double tolerance);

/* The same with several runs of one plan in place of one: a list of reports, oldest first, of which the last ones count
 * (history.h). What is compared is what the newest has. */
json_t *compare_history(const json_t *runs, const json_t *new, double tolerance);

/* True if something was compared, and nothing is worse, unclear, missing, invalid or asked for differently. */
bool compare_passes(const json_t *comparison);

/* True if nothing fails, but a value is worse by what may be chance. */
bool compare_is_unclear(const json_t *comparison);

void compare_table(const json_t *comparison, FILE *out);

/* Writes a file for a CI server: one case per value (docs/junit.xsd). new: the report that was compared. */
int compare_junit(const json_t *comparison, const json_t *new, const char *path, struct error *error);
int compare_junit_check(const char *path, struct error *error);

/* Writes a file for the comment on a merge request: the verdict, and the values that are not the same. */
int compare_markdown(const json_t *comparison, const char *path, struct error *error);
int compare_markdown_check(const char *path, struct error *error);

/* True if a value of the comparison makes it fail. */
bool compare_row_fails(const json_t *row);

/* True if two runs are of the same plan: the same tester and link; `info` names the same device under test, where both
 * name one; every result of each was asked for in the same way in the other. An incomplete `new` counts with the
 * results that it has. Else `why` says why not. */
bool compare_is_same_plan(const json_t *base, const json_t *new, char *why, size_t size);

/* True if a run can be the baseline of another one: complete, every result valid and within the limits of its plan, and
 * of the same plan. Else, why it cannot be. */
bool compare_is_baseline(const json_t *base, const json_t *new, char *why, size_t size);

#endif
