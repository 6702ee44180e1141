/* SPDX-License-Identifier: Apache-2.0 */
/* The rows that come before the first trial: plan, limits, device. */
#ifndef FPGAUGE_STORE_STORE_RUN_H
#define FPGAUGE_STORE_STORE_RUN_H

#include "host/store/database.h"

int store_run_write(struct store *store, const struct store_run *run, struct error *error);
int store_run_read(struct store *store, struct error *error);
void store_run_free(struct store_run *run);

#endif
