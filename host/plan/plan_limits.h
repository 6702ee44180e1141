/* SPDX-License-Identifier: Apache-2.0 */
/* The values that a key takes: whether a value is among them, and the complaint about one that is not. */
#ifndef FPGAUGE_PLAN_PLAN_LIMITS_H
#define FPGAUGE_PLAN_PLAN_LIMITS_H

#include "host/plan/plan_keys.h"

/* A text that a key with choices may have; NULL after the last. */
const char *plan_key_choice(const struct plan_key *key, const struct key_family *family, size_t index);

/* True when a range of the key has this unit, and the value is in it. *known: there is such a range. */
bool plan_in_range(const struct plan_key *key, const struct quantity *quantity, bool *known);

/* Says what the key takes, and why this value is wrong where that adds something (else NULL). ERROR_PLAN. */
int plan_refuse(const struct setting *setting, const char *why);

#endif
