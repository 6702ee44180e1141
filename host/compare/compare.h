/* SPDX-License-Identifier: Apache-2.0 */
/* Compares two reports: what changed, whether that can be chance, and whether it is for the worse. */
#ifndef FPGAUGE_COMPARE_COMPARE_H
#define FPGAUGE_COMPARE_COMPARE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The comparison as an object (docs/results.md, "Comparisons"): every result of `base` against those of `new` that
 * measured the same thing, asked for in the same way. tolerance: a change for the worse is accepted up to this ratio.
 * NULL when out of memory. */
json_t *compare_reports(const json_t *base, const json_t *new, double tolerance);

/* Something was compared, and nothing is worse, missing, invalid or asked for differently. */
bool compare_passes(const json_t *comparison);

void compare_table(const json_t *comparison, FILE *out);

#endif
