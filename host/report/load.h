/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a run file into the one object (docs/results.md) that every form of report is made from. */
#ifndef FPGAUGE_REPORT_LOAD_H
#define FPGAUGE_REPORT_LOAD_H

#include <jansson.h>

#include "host/base/error.h"
#include "host/store/store.h"

/* `schema` of the object. */
enum { REPORT_SCHEMA = 2 };

/* *report is the caller's. The results are checked here against what the plan requires. */
int report_load(struct store *store, json_t **report, struct error *error);

/* The same, except that results which are not what the schema says are left out of the report, whose `incomplete` says
 * so: it is 0 then too, *left_out is how many they are, and *error why the first of them is. */
int report_load_most(struct store *store, json_t **report, size_t *left_out, struct error *error);

/* Returns whether everything was measured, is valid and meets what the plan requires: exit code 0 or 1. */
bool report_passes(const json_t *report);

/* Returns whether the heading of a report lists a setting. Why a duration was chosen stands beside the duration. */
bool report_shows_setting(const char *setting);

#endif
