/* SPDX-License-Identifier: Apache-2.0 */
/* Notes what makes a trial invalid, for those who judge one (check.h). */
#ifndef FPGAUGE_TRIAL_JUDGING_VERDICT_H
#define FPGAUGE_TRIAL_JUDGING_VERDICT_H

#include "host/trial/tester.h"

/* Keeps the first reason: later ones are often its consequence. */
void trial_invalid(struct trial_result *result, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
