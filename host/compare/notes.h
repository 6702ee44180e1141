/* SPDX-License-Identifier: Apache-2.0 */
/* Notes that a reader of a comparison needs beside its values, appended to its list. */
#ifndef FPGAUGE_COMPARE_NOTES_H
#define FPGAUGE_COMPARE_NOTES_H

#include <jansson.h>

#include "host/result/metric.h"

/* name: "BASE" or "NEW", whose results of one measurement these are; metric: their answer. */
void notes_invalid(json_t *notes, const char *name, const json_t *results, const struct metric *metric);

/* Notes the results of NEW that BASE has not. */
void notes_new(json_t *notes, const json_t *bases, const json_t *news);

/* Notes the differences of the reports themselves: link, device, tool, incomplete. */
void notes_setup(json_t *notes, const json_t *base, const json_t *new);

#endif
