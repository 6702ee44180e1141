/* SPDX-License-Identifier: Apache-2.0 */
/* Changes a good file, first by SQL, then by octets. */
#include "tests/fuzz/image.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "host/store/json_extract.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_COLUMNS = 80, MOST_CHANGES = 64 };

static const struct table {
	const char *name, *row; /* row: ?2 as a condition */
} TABLES[] = {
        {"run", "one = 1"},
        {"plan_file", "number = ?2"},
        {"plan_override", "number = ?2"},
        {"requirement", "number = ?2"},
        {"session", "number = ?2"},
        {"search", "number = ?2"},
        {"trial", "number = ?2"},
        {"result", "position = ?2"},
        {"event", "number = ?2"},
        {"origin", "one = 1"},
        {"info", "number = ?2"},
};
enum { TABLE_COUNT = sizeof(TABLES) / sizeof(TABLES[0]) };

/* A good file. */
static struct {
	unsigned char *image;
	sqlite3_int64 size;
	struct {
		char name[MOST_COLUMNS][40];
		size_t count;
	} columns[TABLE_COUNT];
} good;

static void run(sqlite3 *database, const char *sql)
{
	char *why = NULL;

	FUZZ_EXPECT(sqlite3_exec(database, sql, NULL, NULL, &why) == SQLITE_OK, "%s: %s", sql, why);
}

static void read_columns(sqlite3 *database, size_t table)
{
	sqlite3_stmt *statement = NULL;
	size_t *count = &good.columns[table].count;
	char sql[80];

	snprintf(sql, sizeof(sql), "SELECT name FROM pragma_table_info('%s')", TABLES[table].name);
	FUZZ_EXPECT(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, "%s", sql);
	while (sqlite3_step(statement) == SQLITE_ROW && *count < MOST_COLUMNS)
		snprintf(good.columns[table].name[(*count)++], sizeof(good.columns[table].name[0]), "%s",
		         (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	FUZZ_EXPECT(*count > 0 && *count < MOST_COLUMNS, "%s has %zu columns", TABLES[table].name, *count);
}

void image_begin(const char *path)
{
	sqlite3 *database = NULL;

	FUZZ_EXPECT(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK, "%s", path);
	run(database, "INSERT INTO plan_override (text) VALUES ('dut.model=wire')");
	run(database, "INSERT INTO requirement VALUES (1, 1, 64, 'throughput_fps', 1, 1e6)");
	run(database, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM");
	for (size_t i = 0; i < TABLE_COUNT; i++)
		read_columns(database, i);
	good.image = sqlite3_serialize(database, "main", &good.size, 0);
	FUZZ_EXPECT(good.image, "out of memory");
	sqlite3_close(database);
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

/* Finds a table by name or by number; any number is valid. */
static size_t find_table(const json_t *value)
{
	for (size_t i = 0; i < TABLE_COUNT; i++) {
		if (json_is_string(value) && !strcmp(TABLES[i].name, json_string_value(value)))
			return i;
	}
	return (uint64_t)json_integer_value(value) % TABLE_COUNT;
}

static const char *find_column(size_t table, const json_t *value)
{
	size_t count = good.columns[table].count;

	for (size_t i = 0; i < count; i++) {
		if (json_is_string(value) && !strcmp(good.columns[table].name[i], json_string_value(value)))
			return good.columns[table].name[i];
	}
	return good.columns[table].name[(uint64_t)json_integer_value(value) % count];
}

static void bind(sqlite3_stmt *statement, int at, const json_t *value)
{
	char *text = NULL;

	if (json_is_integer(value))
		sqlite3_bind_int64(statement, at, json_integer_value(value));
	else if (json_is_real(value))
		sqlite3_bind_double(statement, at, json_real_value(value));
	else if (json_is_string(value)) /* the octets are bound, so that a text may be invalid */
		sqlite3_bind_text(statement, at, json_string_value(value), (int)json_string_length(value),
		                  SQLITE_TRANSIENT);
	else if (json_is_boolean(value))
		sqlite3_bind_blob(statement, at, "\xff\xc3", json_is_true(value) ? 2 : 1, SQLITE_STATIC);
	else if (!json_is_null(value))
		text = json_dumps(value, JSON_COMPACT | JSON_PRESERVE_ORDER);
	if (text)
		sqlite3_bind_text(statement, at, text, -1, SQLITE_TRANSIENT);
	free(text);
}

/* A change that SQLite refuses, such as a duplicate key, has no effect. */
static void step(sqlite3 *database, const char *sql, const json_t *value, json_int_t row)
{
	sqlite3_stmt *statement = NULL;

	FUZZ_EXPECT(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, "%s: %s", sql,
	            sqlite3_errmsg(database));
	if (value)
		bind(statement, 1, value);
	sqlite3_bind_int64(statement, 2, row);
	sqlite3_step(statement);
	sqlite3_finalize(statement);
}

/* [trial, 0 result or 1 request, "$.path", value]; without a value the key is removed. */
static void change_document(sqlite3 *database, const json_t *change)
{
	const char *column = json_integer_value(json_array_get(change, 1)) % 2 ? "request" : "result";
	const char *path = json_string_value(json_array_get(change, 2));
	const json_t *value = json_array_get(change, 3);
	char *text = value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY) : NULL;
	sqlite3_stmt *statement = NULL;
	char sql[120];

	snprintf(sql, sizeof(sql),
	         value ? "UPDATE trial SET %s = json_set(%s, ?2, json(?3)) WHERE number = ?1"
	               : "UPDATE trial SET %s = json_remove(%s, ?2) WHERE number = ?1",
	         column, column);
	if (path && sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK) {
		sqlite3_bind_int64(statement, 1, json_integer_value(json_array_get(change, 0)));
		sqlite3_bind_text(statement, 2, path, -1, SQLITE_STATIC);
		sqlite3_bind_text(statement, 3, text, -1, SQLITE_STATIC);
		sqlite3_step(statement); /* an invalid path changes nothing */
		sqlite3_finalize(statement);
	}
	free(text);
}

/* SQLite computes generated columns when a row is written, and would refuse a document that is not JSON. */
static bool columns_unused;

static void change_rows(sqlite3 *database, const json_t *changes)
{
	const json_t *list = json_object_get(changes, "set"), *change;
	char sql[200];
	size_t i;

	columns_unused = true;
	json_array_foreach(list, i, change)
	{
		size_t table = find_table(json_array_get(change, 0));

		if (i == MOST_CHANGES)
			break;
		snprintf(sql, sizeof(sql), "UPDATE %s SET %s = ?1 WHERE %s", TABLES[table].name,
		         find_column(table, json_array_get(change, 2)), TABLES[table].row);
		step(database, sql, json_array_get(change, 3), json_integer_value(json_array_get(change, 1)));
	}
	columns_unused = false;
	list = json_object_get(changes, "document");
	json_array_foreach(list, i, change)
	{
		if (i < MOST_CHANGES)
			change_document(database, change);
	}
	list = json_object_get(changes, "delete");
	json_array_foreach(list, i, change)
	{
		const struct table *table = &TABLES[find_table(json_array_get(change, 0))];

		if (i == MOST_CHANGES)
			break;
		snprintf(sql, sizeof(sql), "DELETE FROM %s WHERE %s", table->name, table->row);
		step(database, sql, NULL, json_integer_value(json_array_get(change, 1)));
	}
	list = json_object_get(changes, "results");
	json_array_foreach(list, i, change)
	{
		if (i == MOST_CHANGES)
			break;
		step(database,
		     "INSERT OR REPLACE INTO result SELECT ?2, json_extract(?1, '$.test_number'), "
		     "json_extract(?1, '$.test'), 'x', json_extract(?1, '$.frame_octets'), json_extract(?1, '$.valid') "
		     "IS 1, NULL, 'x', ?1, 0 "
		     "WHERE json_valid(?1)",
		     change, (json_int_t)i);
	}
}

/* -- checksums ----------------------------------------------------------------------------------------------------- */

/* Ends at a NUL, like store_checksum_text(). */
static void crc_function(sqlite3_context *context, int count, sqlite3_value **values)
{
	const unsigned char *text = sqlite3_value_text(values[0]);

	(void)count;
	if (text)
		sqlite3_result_int64(context, (sqlite3_int64)crc32(0, text, (uInt)strlen((const char *)text)));
}

static void fix_checksums(sqlite3 *database)
{
	sqlite3_create_function(database, "crc", 1, SQLITE_UTF8, NULL, crc_function, NULL, NULL);
	run(database, "UPDATE result SET checksum = crc(document); UPDATE plan_file SET checksum = crc(text)");
	columns_unused = true;
	run(database, "UPDATE trial SET checksum = crc(request || result)");
}

/* -- octets -------------------------------------------------------------------------------------------------------- */

static void damage(const json_t *changes, unsigned char *image, size_t *size)
{
	const json_t *list = json_object_get(changes, "damage"), *change;
	const json_t *cut = json_object_get(changes, "cut");
	size_t i;

	json_array_foreach(list, i, change)
	{
		uint64_t at = (uint64_t)json_integer_value(json_array_get(change, 0)) % *size;

		image[at] = (unsigned char)json_integer_value(json_array_get(change, 1));
	}
	if (json_is_integer(cut))
		*size = (uint64_t)json_integer_value(cut) % *size;
}

unsigned char *image_make(const json_t *changes, size_t *size)
{
	unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)good.size), *image;
	sqlite3 *database = NULL;
	sqlite3_int64 length = 0;

	FUZZ_EXPECT(copy && sqlite3_open(":memory:", &database) == SQLITE_OK, "out of memory");
	memcpy(copy, good.image, (size_t)good.size);
	FUZZ_EXPECT(sqlite3_deserialize(database, "main", copy, good.size, good.size,
	                                SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK,
	            "%s", sqlite3_errmsg(database));
	columns_unused = false;
	FUZZ_EXPECT(json_extract_trust(database, &columns_unused) == SQLITE_OK, "out of memory");
	run(database, "BEGIN");
	change_rows(database, changes);
	if (!json_is_false(json_object_get(changes, "checksums")))
		fix_checksums(database);
	run(database, "COMMIT");
	image = sqlite3_serialize(database, "main", &length, 0);
	sqlite3_close(database);
	FUZZ_EXPECT(image && length > 0, "out of memory");
	*size = (size_t)length;
	damage(changes, image, size);
	return image;
}
