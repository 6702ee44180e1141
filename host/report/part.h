/* SPDX-License-Identifier: Apache-2.0 */
/* The results of a report, grouped by the tests of the plan. Every form of report groups by this and by nothing else:
 * two tests of one kind may differ in any parameter, so no parameter tells them apart reliably. */
#ifndef FPGAUGE_REPORT_PART_H
#define FPGAUGE_REPORT_PART_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

/* Results of one test of the plan, in their order. Borrowed. */
struct part {
	const json_t *const *results;
	size_t count;
	unsigned test_number; /* 0 where the results have none */
	const char *test;     /* "-" where the results have none */
};

/* A result of a size that was tested, or the first: not all parameters of a size that was left out are known. */
const json_t *part_tested(const struct part *part);

/* Returns whether any of the results is of traffic with modifiers. */
bool part_has_modifiers(const struct part *part);

/* Calls `each` for the results of every set of modifiers, in order of first appearance; for a part without, once. */
int part_each_modifier(const struct part *part, void (*each)(void *user, const struct part *part), void *user);

/* Calls `each` for every test of the plan that has a result, in order of first appearance. Each result without a number
 * is a part of its own. Returns -1 when out of memory, before the first call. */
int parts_each(const json_t *report, void (*each)(void *user, const struct part *part), void *user);

#endif
