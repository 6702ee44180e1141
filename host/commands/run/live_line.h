/* SPDX-License-Identifier: Apache-2.0 */
/* The live line as text. Pure. */
#ifndef FPGAUGE_COMMANDS_RUN_LIVE_LINE_H
#define FPGAUGE_COMMANDS_RUN_LIVE_LINE_H

#include "host/forecast/forecast.h"

/* Writes the line without control characters. sent_s: device time for which this trial has been sending; below 0:
 * unknown. */
void live_line(const struct bench_progress *now, struct time_left left, double sent_s, char *buffer, int size);

#endif
