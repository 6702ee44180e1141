/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which results measured the same thing, and which were asked for differently. */
#ifndef FPGAUGE_COMPARE_MATCH_H
#define FPGAUGE_COMPARE_MATCH_H

#include <jansson.h>
#include <stdbool.h>

/* True if everything that was asked for is the same: test, size, goal and all parameters. Only such results are values
 * of one measurement. A parameter that only one of them has (another version of fpgauge) is no difference, except those
 * that every version leaves out where the plan does not ask for them. */
bool match_same(const json_t *a, const json_t *b);

/* A result of a list that measured the same thing as `result`, NULL when there is none. Borrowed. */
const json_t *match_find(const json_t *results, const json_t *result);

/* All results of a list that measured the same thing as `result`, in a new list; empty if `result` is NULL. */
json_t *match_all(const json_t *results, const json_t *result);

/* The result that `news` has instead of `base`, which it lacks: of the same test, size and goal, but asked for
 * differently, and matching nothing in `bases`. Of several, it is the one with the same test number in its plan. NULL
 * when there is none. Borrowed. */
const json_t *match_changed(const json_t *bases, const json_t *news, const json_t *base);

/* The parameters that are not the same, a list of {key, base, new}. NULL when out of memory. */
json_t *match_differences(const json_t *base, const json_t *new);

/* Appends a note to a list unless the list has it already. Takes over the reference. */
void match_note(json_t *notes, json_t *note);

/* Appends a note to a list of texts for each parameter that only one of them has. */
void match_note_unsaid(json_t *notes, const json_t *base, const json_t *new);

#endif
