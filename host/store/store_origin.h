/* SPDX-License-Identifier: Apache-2.0 */
/* The origin of a run file: where it was made. */
#ifndef FPGAUGE_STORE_STORE_ORIGIN_H
#define FPGAUGE_STORE_STORE_ORIGIN_H

#include "host/store/database.h"

int store_origin_write(struct store *store, struct error *error);

#endif
