/* SPDX-License-Identifier: Apache-2.0 */
/* A run file may be somebody else's: what it must not do, and which types its values have. */
#ifndef FPGAUGE_STORE_STORE_CHECK_H
#define FPGAUGE_STORE_STORE_CHECK_H

#include "host/store/database.h"

/* Called before anything is read: no trigger, view or function of the file will run, and no text is endless. */
int store_distrust(struct store *store, struct error *error);

/* Checks the types of a row, one letter per column: t text, r number, n whole number from 0; T, N: or NULL; - any. */
int store_check_row(const struct store *store, sqlite3_stmt *statement, const char *table, const char *types,
                    struct error *error);

/* A text of the row; NULL if it continues after a NUL: SQL would see what we do not. */
const char *store_whole_text(sqlite3_stmt *statement, int column);

#endif
