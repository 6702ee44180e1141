/* SPDX-License-Identifier: Apache-2.0 */
/* A run file may be somebody else's: what it may not do, and of what types its values are. */
#ifndef FPGAUGE_STORE_STORE_CHECK_H
#define FPGAUGE_STORE_STORE_CHECK_H

#include "host/store/database.h"

/* Before anything is read: no trigger, view or function of the file runs, and no text is endless. */
int store_distrust(struct store *store, struct error *error);

/* The types of a row, one letter a column: text t, number r, whole number from 0 n; T and N may be NULL; - any. */
int store_check_row(const struct store *store, sqlite3_stmt *statement, const char *table, const char *types,
                    struct error *error);

#endif
