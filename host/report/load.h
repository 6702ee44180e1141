/* SPDX-License-Identifier: Apache-2.0 */
/* From a run file to the one object (docs/results.md) that every form of report is made from. */
#ifndef FPGAUGE_REPORT_LOAD_H
#define FPGAUGE_REPORT_LOAD_H

#include <jansson.h>

#include "host/base/error.h"
#include "host/store/store.h"

enum { REPORT_SCHEMA = 1 }; /* `schema` of the object */

/* *report is the caller's. What the plan requires is held against the results here. */
int report_load(struct store *store, json_t **report, struct error *error);

/* Whether everything was measured, is valid and is as the plan requires: exit code 0 or 1. */
bool report_passes(const json_t *report);

#endif
