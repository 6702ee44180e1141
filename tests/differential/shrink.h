/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts a script that shows a difference down to a few operations that still show one. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_SHRINK_H
#define FPGAUGE_TESTS_DIFFERENTIAL_SHRINK_H

#include "tests/differential/play.h"

/* Plays at most most_plays candidates. script and outcome become those of the smallest one found. */
void shrink(const struct pair *pair, struct script *script, struct outcome *outcome, unsigned most_plays);

#endif
