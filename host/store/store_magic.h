/* SPDX-License-Identifier: Apache-2.0 */
/* Recognises a file that is not a run file. */
#ifndef FPGAUGE_STORE_STORE_MAGIC_H
#define FPGAUGE_STORE_STORE_MAGIC_H

#include "host/store/database.h"

/* ERROR_STORE for a file that does not begin like a database: a text, a picture. */
int store_check_magic(const struct store *store, struct error *error);

#endif
