/* SPDX-License-Identifier: Apache-2.0 */
/* Values out of result objects, as text. What is null, missing or of another type is "-", never 0. */
#ifndef FPGAUGE_REPORT_VALUE_H
#define FPGAUGE_REPORT_VALUE_H

#include <jansson.h>
#include <stdbool.h>

#include "host/base/format.h"

bool value_known(const json_t *object, const char *key);         /* a number */
double value_number(const json_t *object, const char *key);      /* NAN where not known */
const char *value_string(const json_t *object, const char *key); /* "-" where not known */
bool value_true(const json_t *object, const char *key);

/* A number with that many places behind the point; an integer without any. */
struct format_text value_text(const json_t *object, const char *key, int places);

/* A time key in seconds (scale 1) or nanoseconds (1e-9): "1.00 ms". */
struct format_text value_time(const json_t *object, const char *key, double scale);

/* A rate key: "148.81 Mfps". */
struct format_text value_rate(const json_t *object, const char *key);

/* A ratio key in percent, of line rate: "67.200%". */
struct format_text value_percent(const json_t *object, const char *key);

#endif
