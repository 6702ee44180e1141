/* SPDX-License-Identifier: Apache-2.0 */
/* Changes by SQL, then octets. The tables are those of host/store/schema.c without what SQLite would hold a value to.
 */
#include "tests/fuzz/image.h"

#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "host/store/columns.h"
#include "host/store/schema.h"
#include "host/trial/tester.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_COLUMNS = 80, MOST_CHANGES = 64, SQL_SIZE = 4096 };

static struct table {
	const char *name, *row; /* row: ?2 as a condition */
	char columns[MOST_COLUMNS][40];
	size_t count;
} tables[] = {
        {.name = "run", .row = "one = 1"},
        {.name = "plan_file", .row = "number = ?2"},
        {.name = "plan_override", .row = "number = ?2"},
        {.name = "requirement", .row = "number = ?2"},
        {.name = "session", .row = "number = ?2"},
        {.name = "search", .row = "number = ?2"},
        {.name = "trial", .row = "number = ?2"},
        {.name = "trial_port", .row = "trial = ?2 / 2 AND port = ?2 % 2"},
        {.name = "result", .row = "position = ?2"},
        {.name = "event", .row = "number = ?2"},
};
enum { TABLES = sizeof(tables) / sizeof(tables[0]) };

static unsigned char *template;
static sqlite3_int64 template_size;

static void run(sqlite3 *database, const char *sql)
{
	char *why = NULL;

	FUZZ_EXPECT(sqlite3_exec(database, sql, NULL, NULL, &why) == SQLITE_OK, "%s: %s", sql, why);
}

static void read_columns(sqlite3 *database, struct table *table)
{
	sqlite3_stmt *statement = NULL;
	char sql[80];

	snprintf(sql, sizeof(sql), "SELECT name FROM pragma_table_info('%s')", table->name);
	FUZZ_EXPECT(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, "%s", sql);
	while (sqlite3_step(statement) == SQLITE_ROW && table->count < MOST_COLUMNS)
		snprintf(table->columns[table->count++], sizeof(table->columns[0]), "%s",
		         (const char *)sqlite3_column_text(statement, 0));
	sqlite3_finalize(statement);
	FUZZ_EXPECT(table->count > 0 && table->count < MOST_COLUMNS, "%s has %zu columns", table->name, table->count);
}

void image_begin(const char *path)
{
	sqlite3 *database = NULL;

	FUZZ_EXPECT(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK, "%s", path);
	run(database, "INSERT INTO plan_override (text) VALUES ('dut.model=wire')");
	run(database, "INSERT INTO requirement VALUES (1, 1, 64, 'throughput_fps', 1, 1e6)");
	for (size_t i = 0; i < TABLES; i++)
		read_columns(database, &tables[i]);
	run(database, "PRAGMA journal_mode = DELETE; PRAGMA page_size = 1024; VACUUM");
	template = sqlite3_serialize(database, "main", &template_size, 0);
	FUZZ_EXPECT(template, "out of memory");
	sqlite3_close(database);
}

/* -- rows ---------------------------------------------------------------------------------------------------------- */

/* By name, or by number: any number names one. */
static struct table *find_table(const json_t *value)
{
	for (size_t i = 0; i < TABLES; i++) {
		if (json_is_string(value) && !strcmp(tables[i].name, json_string_value(value)))
			return &tables[i];
	}
	return &tables[(uint64_t)json_integer_value(value) % TABLES];
}

static const char *find_column(const struct table *table, const json_t *value)
{
	for (size_t i = 0; i < table->count; i++) {
		if (json_is_string(value) && !strcmp(table->columns[i], json_string_value(value)))
			return table->columns[i];
	}
	return table->columns[(uint64_t)json_integer_value(value) % table->count];
}

static void bind(sqlite3_stmt *statement, int at, const json_t *value)
{
	char *text = NULL;

	if (json_is_integer(value))
		sqlite3_bind_int64(statement, at, json_integer_value(value));
	else if (json_is_real(value))
		sqlite3_bind_double(statement, at, json_real_value(value));
	else if (json_is_string(value)) /* as octets, so that a text may be no text */
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

/* A change that SQLite refuses, such as a key twice, is none. */
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

static void change_rows(sqlite3 *database, const json_t *changes)
{
	const json_t *list = json_object_get(changes, "set"), *change;
	char sql[200];
	size_t i;

	json_array_foreach(list, i, change)
	{
		const struct table *table = find_table(json_array_get(change, 0));

		if (i == MOST_CHANGES)
			break;
		snprintf(sql, sizeof(sql), "UPDATE %s SET %s = ?1 WHERE %s", table->name,
		         find_column(table, json_array_get(change, 2)), table->row);
		step(database, sql, json_array_get(change, 3), json_integer_value(json_array_get(change, 1)));
	}
	list = json_object_get(changes, "delete");
	json_array_foreach(list, i, change)
	{
		const struct table *table = find_table(json_array_get(change, 0));

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

/* As store_checksum_text(): up to a NUL. */
static void crc_function(sqlite3_context *context, int count, sqlite3_value **values)
{
	const unsigned char *text = sqlite3_value_text(values[0]);

	(void)count;
	if (text)
		sqlite3_result_int64(context, (sqlite3_int64)crc32(0, text, (uInt)strlen((const char *)text)));
}

/* False where a value does not fit: then no checksum does. */
static bool read_ports(sqlite3 *database, int64_t number, unsigned ports, uint32_t *checksum)
{
	static struct trial_port port;
	sqlite3_stmt *statement = NULL;
	char sql[SQL_SIZE];
	bool fits = true;

	schema_port_select(sql, sizeof(sql));
	FUZZ_EXPECT(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, "%s", sql);
	sqlite3_bind_int64(statement, 1, number);
	for (unsigned i = 0; i < ports && fits && sqlite3_step(statement) == SQLITE_ROW; i++) {
		memset(&port, 0, sizeof(port));
		fits = columns_read(&PORT_COLUMNS, &port, statement, 1) == 0;
		*checksum = columns_checksum(&PORT_COLUMNS, &port, *checksum);
	}
	sqlite3_finalize(statement);
	return fits;
}

static bool checksum_of(sqlite3 *database, int64_t number, uint32_t *checksum)
{
	static struct trial_request request;
	static struct trial_result result;
	sqlite3_stmt *statement = NULL;
	char sql[SQL_SIZE];
	bool fits = false;

	schema_trial_select(sql, sizeof(sql));
	FUZZ_EXPECT(sqlite3_prepare_v2(database, sql, -1, &statement, NULL) == SQLITE_OK, "%s", sql);
	sqlite3_bind_int64(statement, 1, number);
	memset(&request, 0, sizeof(request));
	memset(&result, 0, sizeof(result));
	if (sqlite3_step(statement) == SQLITE_ROW)
		fits = !columns_read(&REQUEST_COLUMNS, &request, statement, 3) &&
		       !columns_read(&RESULT_COLUMNS, &result, statement, 3 + (int)REQUEST_COLUMNS.count);
	sqlite3_finalize(statement);
	*checksum = columns_checksum(&REQUEST_COLUMNS, &request, 0);
	*checksum = columns_checksum(&RESULT_COLUMNS, &result, *checksum);
	return fits &&
	       read_ports(database, number, result.ports < TRIAL_MAX_PORTS ? result.ports : TRIAL_MAX_PORTS, checksum);
}

/* Of the trials that an input has changed. */
static void fix_checksums(sqlite3 *database, const json_t *changes)
{
	const json_t *list = json_object_get(changes, "set"), *change;
	size_t i;

	sqlite3_create_function(database, "crc", 1, SQLITE_UTF8, NULL, crc_function, NULL, NULL);
	run(database, "UPDATE result SET checksum = crc(document); UPDATE plan_file SET checksum = crc(text)");
	json_array_foreach(list, i, change)
	{
		const struct table *table = find_table(json_array_get(change, 0));
		json_int_t row = json_integer_value(json_array_get(change, 1));
		uint32_t checksum;
		char sql[100];

		row = !strcmp(table->name, "trial_port") ? row / 2 : row;
		if (i == MOST_CHANGES || strncmp(table->name, "trial", 5) != 0 ||
		    !checksum_of(database, row, &checksum))
			continue;
		snprintf(sql, sizeof(sql), "UPDATE trial SET checksum = %u WHERE number = ?2", checksum);
		step(database, sql, NULL, row);
	}
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
	unsigned char *copy = sqlite3_malloc64((sqlite3_uint64)template_size), *image;
	sqlite3 *database = NULL;
	sqlite3_int64 length = 0;

	FUZZ_EXPECT(copy && sqlite3_open(":memory:", &database) == SQLITE_OK, "out of memory");
	memcpy(copy, template, (size_t)template_size);
	FUZZ_EXPECT(sqlite3_deserialize(database, "main", copy, template_size, template_size,
	                                SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE) == SQLITE_OK,
	            "%s", sqlite3_errmsg(database));
	run(database, "BEGIN");
	change_rows(database, changes);
	if (!json_is_false(json_object_get(changes, "checksums")))
		fix_checksums(database, changes);
	run(database, "COMMIT");
	image = sqlite3_serialize(database, "main", &length, 0);
	sqlite3_close(database);
	FUZZ_EXPECT(image && length > 0, "out of memory");
	*size = (size_t)length;
	damage(changes, image, size);
	return image;
}
