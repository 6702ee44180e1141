/* SPDX-License-Identifier: Apache-2.0 */
/* Words for modifiers, and for what became of frames that are no test frames. */
#ifndef FPGAUGE_REPORT_MODIFIERS_H
#define FPGAUGE_REPORT_MODIFIERS_H

#include "host/report/part.h"

/* A line for each modifier of any result of a part, in the order of the table of modifiers. */
void modifiers_each(const struct part *part, void (*each)(void *user, const char *name, const char *words), void *user);

enum { MODIFIERS_TEXT = 480 };

/* Says what became of frames that a modifier of the result added: "398 broadcast frames sent, ...". `remark` counts
 * from 0 to MODIFIERS_REMARKS - 1; false: there is nothing to say of these. */
enum { MODIFIERS_REMARKS = 4 };
bool modifiers_remark(const json_t *result, unsigned remark, char text[MODIFIERS_TEXT]);

#endif
