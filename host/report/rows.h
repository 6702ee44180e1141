/* SPDX-License-Identifier: Apache-2.0 */
/* Lists in results as tables: what ports or flows counted. */
#ifndef FPGAUGE_REPORT_ROWS_H
#define FPGAUGE_REPORT_ROWS_H

#include <stdbool.h>
#include <stdio.h>

#include "host/base/format.h"
#include "host/report/part.h"
#include "host/result/description.h"

/* Returns whether there is a table of the list of this result. */
bool rows_are_shown(const struct result_listing *rows, const json_t *result);

/* Names the result of a row: "64", "64, goal 2". */
struct format_text rows_head(const json_t *result);

/* A list of numbers: "1 2 3". */
struct format_text rows_numbers(const json_t *list);

/* A text with few possible values. */
struct format_text rows_word(const json_t *text);

/* A table of the lists of all results that have one, of each the worst rows; nothing without any. */
void rows_print(const struct result_listing *rows, const struct part *part, FILE *out);

#endif
