/* SPDX-License-Identifier: Apache-2.0 */
/* Results and their descriptions (host/result/description.h). Somebody else's result may come from a test that this
 * program does not know: it has no description. */
#ifndef FPGAUGE_REPORT_DESCRIBED_H
#define FPGAUGE_REPORT_DESCRIBED_H

#include <jansson.h>
#include <stdbool.h>

#include "host/result/description.h"

/* The description of this result; NULL: not known. Validity does not matter: what a result is called does not depend on
 * what happened. */
const struct result_description *described(const json_t *result);

/* The title of its description, or the name of its test. */
const char *described_title(const json_t *result);

/* The same for a test that has no result yet. */
const char *described_test_title(const char *test);

/* Serves a test that has no result yet: the description without conditions; NULL: not known. */
const struct result_description *described_test(const char *test);

/* A value by the key of a metric, including keys such as "counters.lost_frames"; NULL: missing. Borrowed. */
const json_t *described_value(const json_t *result, const char *key);

/* NAN where it is not a number. */
double described_number(const json_t *result, const char *key);

/* Returns whether the value is only a lower limit, since nothing above it was tried. */
bool described_is_at_least(const json_t *result, const char *key);

/* True if there are remarks that its reader must know. */
bool described_has_flags(const json_t *result);
/* The same of any of the `results` of a report, or of a point of a sweep. */
bool described_any_has_flags(const json_t *report);

/* "yes", "yes, see !" with remarks, "INVALID", "not finished". */
const char *described_valid(const json_t *result);

/* Adds the keys of a result and of its inner objects ("parameters.settle_s") to an object that keeps them in order of
 * first appearance, with the first value of each. Left out is what no cell has room for: lists of objects, and
 * requirements. */
void described_add_keys(json_t *keys, const json_t *result);

#endif
