/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the tables of a file against those that this program makes. */
#ifndef FPGAUGE_STORE_LAYOUT_H
#define FPGAUGE_STORE_LAYOUT_H

#include "host/store/database.h"

/* The file must have every column of every table of the schema, with the same type and constraints; it may have more
 * tables and columns. */
int layout_check(struct store *store, struct error *error);

#endif
