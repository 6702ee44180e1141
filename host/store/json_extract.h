/* SPDX-License-Identifier: Apache-2.0 */
/* json_extract() for tables that are not trusted, and for columns that nobody reads. */
#ifndef FPGAUGE_STORE_JSON_EXTRACT_H
#define FPGAUGE_STORE_JSON_EXTRACT_H

#include <sqlite3.h>
#include <stdbool.h>

/* A table with generated columns is useless without the functions in them, and if the schema of a file is not trusted
 * (SQLITE_DBCONFIG_TRUSTED_SCHEMA), only functions marked as harmless may be used there. json_extract() is harmless,
 * but SQLite 3.40 does not mark it so. This registers SQLite's own function again under its name, with the mark.
 *
 * While *unused is true, it returns NULL: SQLite computes all virtual columns of a row that is inserted, though it
 * stores none of them. *unused must live as long as the connection. Returns SQLITE_OK or an error of SQLite. */
int json_extract_trust(sqlite3 *database, const bool *unused);

#endif
