/* SPDX-License-Identifier: Apache-2.0 */
/* Words for modifiers, and for what became of frames that are no test frames. */
#ifndef FPGAUGE_REPORT_MODIFIERS_H
#define FPGAUGE_REPORT_MODIFIERS_H

#include "host/report/part.h"

/* A line for each modifier of any result of a part, in the order of the table of modifiers. */
void modifiers_each(const struct part *part, void (*each)(void *user, const char *name, const char *words), void *user);

enum { MODIFIERS_TEXT = 480 };

/* "398 broadcast frames sent, ..."; false: the result has none. */
bool modifiers_broadcast(const json_t *result, char text[MODIFIERS_TEXT]);

#endif
