/* SPDX-License-Identifier: Apache-2.0 */
/* The option --tolerance. */
#ifndef FPGAUGE_CONSOLE_TOLERANCE_H
#define FPGAUGE_CONSOLE_TOLERANCE_H

#include "host/base/error.h"

/* text: "1%"; NULL: that. *ratio: 0 to 1. */
int tolerance_read(const char *text, double *ratio, struct error *error);

#endif
