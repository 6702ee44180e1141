/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a file against those that this program makes. */
#ifndef FPGAUGE_STORE_LAYOUT_H
#define FPGAUGE_STORE_LAYOUT_H

#include "host/store/database.h"

/* Has every column of every table that `sql` makes, of the same type and constraints; more tables and columns may be
 * there. sql: statements that make the tables. */
int layout_check(struct store *store, const char *const *sql, size_t count, struct error *error);

#endif
