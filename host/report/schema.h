/* SPDX-License-Identifier: Apache-2.0 */
/* The JSON Schema of results: a frame, results_frame.json, with what every result has, and every benchmark's metrics
 * (host/result/description.h). It is published as docs/results.schema.json, and reports are checked against it. */
#ifndef FPGAUGE_REPORT_SCHEMA_H
#define FPGAUGE_REPORT_SCHEMA_H

#include <jansson.h>
#include <stdio.h>

/* The schema; NULL when out of memory. json_decref() it. */
json_t *schema_of_report(void);

/* Prints it as it is published. Returns -1 when out of memory. */
int schema_print(FILE *out);

#endif
