/* SPDX-License-Identifier: Apache-2.0 */
/* Values from result objects, as text. What is null, missing or of another type is "-", never 0. */
#ifndef FPGAUGE_REPORT_VALUE_H
#define FPGAUGE_REPORT_VALUE_H

#include <jansson.h>
#include <stdbool.h>

#include "host/base/format.h"

bool value_ends_in(const char *key, const char *unit);           /* "_fps" */
bool value_known(const json_t *object, const char *key);         /* a number */
double value_number(const json_t *object, const char *key);      /* NAN where not known */
const char *value_string(const json_t *object, const char *key); /* "-" where not known */

/* The commit of the program that made a report; "" if it does not say. */
const char *value_commit(const json_t *report);
/* A copy whose texts contain nothing that a terminal would take for more than text; NULL when out of memory. */
json_t *value_printable(const json_t *value);

bool value_true(const json_t *object, const char *key);

/* A number with that many decimal places; an integer without any. */
struct format_text value_text(const json_t *object, const char *key, int places);

/* Names the frames of a result: "64 octets", or its mix, "imix", cut to fit; with modifiers "64 octets, broadcast".
 * Without a unit, for a column of sizes: "64". */
struct format_text value_frames(const json_t *result);
struct format_text value_size(const json_t *result);

/* ", broadcast"; "" if its traffic had no modifier. Only letters, digits, + and _: it may go to gnuplot. */
struct format_text value_modifier(const json_t *result);

/* The same for a column of sizes, with the modifiers: "64, broadcast". */
struct format_text value_place(const json_t *result);

/* ", goal 2"; "" if the result is of no goal. */
struct format_text value_goal(const json_t *result);

/* "at least" or "at most": what a requirement of the plan asks for. */
const char *value_relation(const json_t *requirement);

/* The word for a result that is not valid: "INVALID", or "not finished" where it was merely stopped. */
const char *value_not_valid(const json_t *result);

/* "met", "NOT MET", "INVALID" or "not tested": how a result meets a requirement. */
const char *value_met(const json_t *result, const json_t *requirement);

/* A number with every digit it has, and no more: it reads back as the same number. */
struct format_text value_digits(const json_t *value);

/* A time key in seconds (scale 1) or nanoseconds (1e-9): "1.00 ms". */
struct format_text value_time(const json_t *object, const char *key, double scale);

/* Finds the unit of a column: the smaller of `smallest` (INFINITY to begin with) and a key, if that is above 0. */
double value_smaller(double smallest, const json_t *object, const char *key);

/* A rate key: "148.81 Mfps". */
struct format_text value_rate(const json_t *object, const char *key);

/* A ratio key in percent, of line rate: "67.200%". */
struct format_text value_percent(const json_t *object, const char *key);

#endif
