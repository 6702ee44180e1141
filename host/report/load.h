/* SPDX-License-Identifier: Apache-2.0 */
/* From a run file to the one object (docs/results.md) that every form of report is made from. */
#ifndef FPGAUGE_REPORT_LOAD_H
#define FPGAUGE_REPORT_LOAD_H

#include <jansson.h>

#include "host/base/error.h"
#include "host/store/store.h"

/* `schema` of the object. One of the oldest has the same keys, and is read as it is. */
enum { REPORT_SCHEMA = 2, REPORT_SCHEMA_OLDEST = 1 };

/* *report is the caller's. What the plan requires is held against the results here. */
int report_load(struct store *store, json_t **report, struct error *error);

/* Whether everything was measured, is valid and is as the plan requires: exit code 0 or 1. */
bool report_passes(const json_t *report);

#endif
