/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the tables of a file against those that this program makes. */
#ifndef FPGAUGE_STORE_LAYOUT_H
#define FPGAUGE_STORE_LAYOUT_H

#include "host/store/database.h"

/* The file must have every column of every table that `sql` makes, with the same type and constraints; it may have more
 * tables and columns. sql: statements that make the tables. */
int layout_check(struct store *store, const char *const *sql, size_t count, struct error *error);

#endif
