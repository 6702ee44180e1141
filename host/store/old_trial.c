/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of trials before they were documents. */
#include "host/store/old_trial.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "host/base/text.h"
#include "host/store/schema.h"
#include "host/store/store_check.h"

/* Old checksums were over octets in memory, which must still be laid out as they were then. */
_Static_assert(sizeof(struct histogram) == (size_t)8 * (4 + 64), "checksums of older files are over another histogram");

static size_t declare(const struct fields *fields, enum old_layout layout, char *text, size_t size, size_t length)
{
	static const char *const TYPES[] = {
	        [FIELD_U64] = "INTEGER",           [FIELD_U32] = "INTEGER NOT NULL", [FIELD_DOUBLE] = "REAL",
	        [FIELD_BOOL] = "INTEGER NOT NULL", [FIELD_TEXT] = "TEXT NOT NULL",   [FIELD_CHOICE] = "TEXT NOT NULL",
	        [FIELD_HISTOGRAM] = "TEXT",
	};

	for (size_t i = 0; i < fields->count; i++) {
		if (fields->field[i].since <= layout)
			length = text_add(text, size, length, ", %s %s", fields->field[i].name,
			                  TYPES[fields->field[i].type]);
	}
	return length;
}

const char *old_trial_table(enum old_layout layout, char *text, size_t size)
{
	size_t length = text_add(text, size, 0,
	                         "CREATE TABLE trial (number INTEGER PRIMARY KEY, session INTEGER NOT NULL, "
	                         "search INTEGER NOT NULL, point INTEGER NOT NULL, low INTEGER NOT NULL, "
	                         "high INTEGER NOT NULL, started TEXT NOT NULL, wall_s REAL NOT NULL, "
	                         "checksum INTEGER NOT NULL");

	length = declare(&REQUEST_FIELDS, layout, text, size, length);
	length = declare(&RESULT_FIELDS, layout, text, size, length);
	length = text_add(text, size, length, ")");
	return length < size ? text : NULL;
}

const char *old_port_table(enum old_layout layout, char *text, size_t size)
{
	size_t length =
	        text_add(text, size, 0, "CREATE TABLE trial_port (trial INTEGER NOT NULL, port INTEGER NOT NULL");

	length = declare(&PORT_FIELDS, layout, text, size, length);
	length = text_add(text, size, length, ", PRIMARY KEY (trial, port)) WITHOUT ROWID");
	return length < size ? text : NULL;
}

static size_t names(const struct fields *fields, enum old_layout layout, char *text, size_t size, size_t length)
{
	for (size_t i = 0; i < fields->count; i++) {
		if (fields->field[i].since <= layout)
			length = text_add(text, size, length, ", %s", fields->field[i].name);
	}
	return length;
}

int old_trials_open(struct store *store, enum old_layout layout, struct old_trials *trials, struct error *error)
{
	char sql[SCHEMA_SQL_SIZE];
	size_t length = text_add(sql, sizeof(sql), 0, "SELECT checksum");
	int status;

	*trials = (struct old_trials){.store = store, .layout = layout};
	length = names(&REQUEST_FIELDS, layout, sql, sizeof(sql), length);
	length = names(&RESULT_FIELDS, layout, sql, sizeof(sql), length);
	text_add(sql, sizeof(sql), length, " FROM trial WHERE number = ?");
	status = store_prepare(store, sql, &trials->trial, error);
	length = text_add(sql, sizeof(sql), 0, "SELECT port");
	length = names(&PORT_FIELDS, layout, sql, sizeof(sql), length);
	text_add(sql, sizeof(sql), length, " FROM trial_port WHERE trial = ? ORDER BY port");
	return status ? status : store_prepare(store, sql, &trials->port, error);
}

void old_trials_close(struct old_trials *trials)
{
	sqlite3_finalize(trials->trial);
	sqlite3_finalize(trials->port);
}

/* A number and the character after it. */
static const char *read_number(const char *text, uint64_t *value, char *behind)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	*behind = *end;
	return errno == 0 && end != text && *text != '-' && (*end == ',' || *end == ']') ? end + 1 : NULL;
}

static int read_histogram(struct histogram *histogram, const char *text)
{
	uint64_t *const heads[] = {&histogram->first, &histogram->width, &histogram->beyond};
	char behind = ',';

	*histogram = (struct histogram){0};
	if (!text)
		return 0;
	if (*text++ != '[')
		return -1;
	for (size_t i = 0; i < sizeof(heads) / sizeof(heads[0]) && text; i++)
		text = behind == ',' ? read_number(text, heads[i], &behind) : NULL;
	while (text && behind == ',' && histogram->bins < HISTOGRAM_BINS)
		text = read_number(text, &histogram->count[histogram->bins++], &behind);
	return text && behind == ']' && *text == '\0' && histogram->width != 0 ? 0 : -1;
}

/* SQLite would turn a text into a number, and anything into a text. */
static bool is_of_type(const struct field *field, int type)
{
	switch (field->type) {
	case FIELD_U64:
		return type == SQLITE_INTEGER || type == SQLITE_NULL;
	case FIELD_DOUBLE:
		return type == SQLITE_FLOAT || type == SQLITE_NULL;
	case FIELD_TEXT:
	case FIELD_CHOICE:
		return type == SQLITE_TEXT;
	case FIELD_HISTOGRAM:
		return type == SQLITE_TEXT || type == SQLITE_NULL;
	default:
		return type == SQLITE_INTEGER;
	}
}

/* NULL is a count or a number that was not known; integers above 2^63 - 1 were negative for SQLite. */
static int read_column(const struct field *field, void *base, sqlite3_stmt *statement, int at)
{
	int type = sqlite3_column_type(statement, at);
	const char *text = type == SQLITE_TEXT ? (const char *)sqlite3_column_text(statement, at) : NULL;

	if (!is_of_type(field, type))
		return -1;
	switch (field->type) {
	case FIELD_TEXT:
		return field_set_text(field, base, text);
	case FIELD_HISTOGRAM:
		return read_histogram((struct histogram *)(uintptr_t)field_at(field, base), text);
	case FIELD_CHOICE:
		return field_set_choice(field, base, text);
	case FIELD_DOUBLE:
		field_set_double(field, base, type == SQLITE_NULL ? (double)NAN : sqlite3_column_double(statement, at));
		return 0;
	default:
		return field_set_integer(
		        field, base, type == SQLITE_NULL ? UINT64_MAX : (uint64_t)sqlite3_column_int64(statement, at));
	}
}

/* Reads from result column *at on, and moves it past them. A count that the layout does not have was not known, but
 * nothing of a request is: what an older program could not ask for, it did not. A histogram that is all 0 was not
 * measured. */
static int read_columns(const struct fields *fields, enum old_layout layout, void *base, sqlite3_stmt *statement,
                        int *at)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];

		if (field->since <= layout && read_column(field, base, statement, (*at)++))
			return -1;
		if (field->since > layout && field->type == FIELD_U64 && fields != &REQUEST_FIELDS)
			field_set_integer(field, base, field->since == OLD_SPARSE ? 0 : UINT64_MAX);
	}
	return 0;
}

static uint32_t checksum(const struct fields *fields, enum old_layout layout, const void *base, uint32_t carried)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct field *field = &fields->field[i];
		const unsigned char *at = field_at(field, base);
		uint32_t direction;
		size_t size = field->type == FIELD_TEXT ? strlen((const char *)at) : field->size;

		if (field->since > layout)
			continue;
		/* There are many NANs; a checksum needs a single one. */
		if (field->type == FIELD_DOUBLE && isnan(field_double(field, base)))
			at = (const unsigned char *)"not a number";
		/* Directions were an enum in which bidirectional came first. */
		if (field->type == FIELD_CHOICE && size == sizeof(bool)) {
			direction = !field_integer(field, base);
			at = (const unsigned char *)&direction;
			size = sizeof(direction);
		}
		carried = (uint32_t)crc32(carried, at, (uInt)size);
	}
	return carried;
}

uint32_t old_trial_checksum(enum old_layout layout, const struct store_trial *trial)
{
	uint32_t carried = checksum(&REQUEST_FIELDS, layout, &trial->request, 0);

	carried = checksum(&RESULT_FIELDS, layout, &trial->result, carried);
	for (unsigned i = 0; i < trial->result.ports && i < TRIAL_MAX_PORTS; i++)
		carried = checksum(&PORT_FIELDS, layout, &trial->result.port[i], carried);
	return carried;
}

static int damaged(const struct store *store, int64_t number, struct error *error)
{
	return error_set_as(error, ERROR_STORE, ERROR_DAMAGED_FILE,
	                    "%s: the file is damaged: trial %" PRId64 " is not what was written", store->path, number);
}

static int read_ports(const struct old_trials *trials, int64_t number, struct trial_result *result, struct error *error)
{
	unsigned count = 0;
	int status = 0;

	sqlite3_bind_int64(trials->port, 1, number);
	while (status == 0 && sqlite3_step(trials->port) == SQLITE_ROW) {
		int at = 1;

		if (count >= result->ports || count >= TRIAL_MAX_PORTS ||
		    sqlite3_column_int64(trials->port, 0) != count ||
		    read_columns(&PORT_FIELDS, trials->layout, &result->port[count], trials->port, &at))
			status = damaged(trials->store, number, error);
		count++;
	}
	sqlite3_reset(trials->port);
	return status == 0 && count != result->ports ? damaged(trials->store, number, error) : status;
}

int old_trial_get(struct old_trials *trials, int64_t number, struct store_trial *trial, struct error *error)
{
	int64_t written = 0;
	int status = 0, at = 1;

	memset(trial, 0, sizeof(*trial));
	trial->request.shape = traffic_shape_plain(0); /* there was no other */
	sqlite3_bind_int64(trials->trial, 1, number);
	if (sqlite3_step(trials->trial) != SQLITE_ROW) {
		status = store_fail(trials->store, error, "trial %" PRId64 " cannot be read", number);
	} else {
		written = sqlite3_column_int64(trials->trial, 0);
		status = store_check_row(trials->store, trials->trial, "trial", "n", error);
		if (status == 0 &&
		    (read_columns(&REQUEST_FIELDS, trials->layout, &trial->request, trials->trial, &at) ||
		     read_columns(&RESULT_FIELDS, trials->layout, &trial->result, trials->trial, &at)))
			status = damaged(trials->store, number, error);
	}
	sqlite3_reset(trials->trial);
	if (status == 0)
		status = read_ports(trials, number, &trial->result, error);
	if (status == 0 && written != old_trial_checksum(trials->layout, trial))
		status = damaged(trials->store, number, error);
	return status;
}
