/* SPDX-License-Identifier: Apache-2.0 */
/* Columns of a table and members of a struct, one row for both: CREATE TABLE, INSERT, SELECT, comparison and checksum
 * are all made from it, so that no counter can be written and not read back. */
#ifndef FPGAUGE_STORE_COLUMNS_H
#define FPGAUGE_STORE_COLUMNS_H

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

enum column_type {
	COLUMN_U64,       /* UINT64_MAX, which means not known, is NULL; others above 2^63 - 1 SQLite sees negative */
	COLUMN_U32,       /* uint32_t or unsigned */
	COLUMN_DOUBLE,    /* NULL is NAN */
	COLUMN_BOOL,      /* 0, 1 */
	COLUMN_TEXT,      /* a char array */
	COLUMN_CHOICE,    /* an enum, by name */
	COLUMN_HISTOGRAM, /* struct histogram: [first, width, beyond, counts ...]; NULL: nobody measured */
};

struct column {
	const char *name;
	enum column_type type;
	size_t offset, size;
	const char *choices[3];
};

struct columns {
	const struct column *column;
	size_t count;
};

extern const struct columns REQUEST_COLUMNS; /* of struct trial_request */
extern const struct columns RESULT_COLUMNS;  /* of struct trial_result, but for its ports */
extern const struct columns PORT_COLUMNS;    /* of struct trial_port */

/* ", name INTEGER NOT NULL, ..." */
size_t columns_declare(const struct columns *columns, char *text, size_t size, size_t length);
/* ", name, ..." */
size_t columns_names(const struct columns *columns, char *text, size_t size, size_t length);
/* ", ?, ..." */
size_t columns_marks(const struct columns *columns, char *text, size_t size, size_t length);

/* Binds from parameter `first`; reads from result column `first`. columns_read() returns 0, or -1 for a value that the
 * member cannot hold. */
int columns_bind(const struct columns *columns, const void *base, sqlite3_stmt *statement, int first);
int columns_read(const struct columns *columns, void *base, sqlite3_stmt *statement, int first);

/* The first column in which two structs differ, NULL when there is none; and its value as text. */
const struct column *columns_difference(const struct columns *columns, const void *a, const void *b);
const char *column_show(const struct column *column, const void *base, char *text, size_t size);

/* CRC-32 over all values, carried on. A text counts up to its end. */
uint32_t columns_checksum(const struct columns *columns, const void *base, uint32_t checksum);

/* vsnprintf behind what is there; a length beyond size means it did not fit. */
size_t text_append(char *text, size_t size, size_t length, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

#endif
