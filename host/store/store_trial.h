/* SPDX-License-Identifier: Apache-2.0 */
/* Statements of trials, kept ready while a store is open. */
#ifndef FPGAUGE_STORE_STORE_TRIAL_H
#define FPGAUGE_STORE_STORE_TRIAL_H

#include "host/store/database.h"

int store_trials_prepare(struct store *store, struct error *error);
void store_trials_finalize(struct store *store);

#endif
