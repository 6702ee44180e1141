/* SPDX-License-Identifier: Apache-2.0 */
/* Results beside their descriptions (host/result/description.h). A result of somebody else may be of a test that this
 * program does not know: it has no description. */
#ifndef FPGAUGE_REPORT_DESCRIBED_H
#define FPGAUGE_REPORT_DESCRIBED_H

#include <jansson.h>

#include "host/result/description.h"

/* Of what this result is; NULL: not known. Valid or not: what a result is called does not depend on what happened. */
const struct result_description *described(const json_t *result);

/* The title of its description, or the name of its test. */
const char *described_title(const json_t *result);

/* The same of a test that has no result yet. */
const char *described_test_title(const char *test);

/* Of a test that has no result yet: the description that is for all; NULL: not known. */
const struct result_description *described_test(const char *test);

/* A value by the key of a metric, "counters.lost_frames" too; NULL: missing. Borrowed. */
const json_t *described_value(const json_t *result, const char *key);

/* NAN where it is not a number. */
double described_number(const json_t *result, const char *key);

#endif
