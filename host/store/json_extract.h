/* SPDX-License-Identifier: Apache-2.0 */
/* json_extract() for tables that are not trusted, and for columns that nobody reads. */
#ifndef FPGAUGE_STORE_JSON_EXTRACT_H
#define FPGAUGE_STORE_JSON_EXTRACT_H

#include <sqlite3.h>
#include <stdbool.h>

/* A table with generated columns is of no use without the functions in them, and where the schema of a file is not
 * trusted (SQLITE_DBCONFIG_TRUSTED_SCHEMA) only those that are marked as harmless may stand there. json_extract() is,
 * but SQLite 3.40 has no mark on it. This puts SQLite's own under its name again, with the mark.
 *
 * While *unused is true, it returns NULL: SQLite computes all virtual columns of a row that is inserted, though it
 * stores none of them. *unused lives as long as the connection. Returns SQLITE_OK, or not. */
int json_extract_trust(sqlite3 *database, const bool *unused);

#endif
