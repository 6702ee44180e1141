/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that are lists: each checks the node against its key, and stores the elements. ERROR_PLAN. */
#ifndef FPGAUGE_PLAN_PLAN_LISTS_H
#define FPGAUGE_PLAN_PLAN_LISTS_H

#include "host/plan/plan_keys.h"

int plan_store_sizes(const struct setting *setting);
int plan_store_counts(const struct setting *setting);
int plan_store_mix(const struct setting *setting); /* a text is a mix too */
int plan_store_modifiers(const struct setting *setting);
int plan_store_words(const struct setting *setting); /* the texts still belong to the tree */

/* Copies a value to where its key keeps it; returns 0. */
int plan_store_as_is(const struct setting *setting, const void *value);

#endif
