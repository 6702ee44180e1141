/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps what the plan says about the run as a whole: who measured what and where. */
#ifndef FPGAUGE_STORE_STORE_INFO_H
#define FPGAUGE_STORE_STORE_INFO_H

#include "host/store/database.h"

int store_info_write(struct store *store, const struct store_run *run, struct error *error);
int store_info_read(struct store *store, struct error *error);
void store_info_free(struct store_run *run);

#endif
