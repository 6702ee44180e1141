/* SPDX-License-Identifier: Apache-2.0 */
/* What parts that were tried say of one that was not. Pure. */
#ifndef FPGAUGE_FORECAST_REHEARSAL_LIKENESS_H
#define FPGAUGE_FORECAST_REHEARSAL_LIKENESS_H

#include "host/forecast/rehearsal.h"

/* Whether it was tried, and the model says something of it. */
bool likeness_is_known(const struct rehearsal_part *part);

/* How many times what the model says a part takes. Sizes of its test with the same modifiers say it: between two that
 * were tried, it is nearer to the nearer one. Without any, it is to the part without modifiers as others with these
 * modifiers are to theirs, at the same frame size if possible. Else as all of its test were off, or as all. 1: nothing
 * was tried. */
double likeness_off(const struct rehearsal *rehearsal, const struct rehearsal_part *part);

/* By what share of the estimate that is often off, as tools/bench forecast shows. */
double likeness_doubt(const struct rehearsal *rehearsal, const struct rehearsal_part *part);

#endif
