/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a trial, and what is done with columns in general. */
#include "host/store/columns.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "host/trial/tester.h"

#define COLUMN(type, kind, name)                                                                                       \
	{                                                                                                              \
#name, kind, offsetof(struct type, name), sizeof(((struct type *)NULL)->name),                         \
		{                                                                                                      \
			0                                                                                              \
		}                                                                                                      \
	}
#define MEMBER(type, kind, name, member)                                                                               \
	{                                                                                                              \
		name, kind, offsetof(struct type, member), sizeof(((struct type *)NULL)->member),                      \
		{                                                                                                      \
			0                                                                                              \
		}                                                                                                      \
	}
#define COLUMNS(list)                                                                                                  \
	{                                                                                                              \
		list, sizeof(list) / sizeof((list)[0])                                                                 \
	}

/* A member that is added without a column would be lost on resume: add the column, raise the schema's version unless
 * it is new in this release, and set the size here. */
_Static_assert(sizeof(struct trial_request) == 72, "struct trial_request has changed: see REQUEST");
_Static_assert(sizeof(struct trial_port) == 1336, "struct trial_port has changed: see PORT");
_Static_assert(offsetof(struct trial_result, port) == 432, "struct trial_result has changed: see RESULT");

static const struct column REQUEST[] = {
        {"kind",
         COLUMN_CHOICE,
         offsetof(struct trial_request, kind),
         sizeof(enum trial_kind),
         {[TRIAL_LOAD] = "load", [TRIAL_BURST] = "burst"}},
        COLUMN(trial_request, COLUMN_U32, frame_octets),
        {"direction",
         COLUMN_CHOICE,
         offsetof(struct trial_request, direction),
         sizeof(enum trial_direction),
         {[TRIAL_BIDIRECTIONAL] = "bidirectional", [TRIAL_UNIDIRECTIONAL] = "unidirectional"}},
        COLUMN(trial_request, COLUMN_U32, destinations),
        COLUMN(trial_request, COLUMN_U32, gap_octets),
        MEMBER(trial_request, COLUMN_U64, "load_fps_numerator", load.numerator),
        MEMBER(trial_request, COLUMN_U64, "load_fps_denominator", load.denominator),
        COLUMN(trial_request, COLUMN_U64, duration_ot),
        COLUMN(trial_request, COLUMN_U64, burst_frames),
        COLUMN(trial_request, COLUMN_U64, drain_ot),
        COLUMN(trial_request, COLUMN_U64, settle_ot),
};

#define GAPS(type, prefix)                                                                                             \
	MEMBER(type, COLUMN_U64, #prefix "s", prefix.gaps),                                                            \
	        MEMBER(type, COLUMN_U64, #prefix "_min_octets", prefix.min_octets),                                    \
	        MEMBER(type, COLUMN_U64, #prefix "_max_octets", prefix.max_octets),                                    \
	        MEMBER(type, COLUMN_U64, #prefix "_sum_octets", prefix.sum_octets)
#define LATENCY(type)                                                                                                  \
	MEMBER(type, COLUMN_U64, "latency_frames", latency.frames),                                                    \
	        MEMBER(type, COLUMN_U64, "latency_min_ot", latency.min_ot),                                            \
	        MEMBER(type, COLUMN_U64, "latency_max_ot", latency.max_ot),                                            \
	        MEMBER(type, COLUMN_DOUBLE, "latency_mean_ot", latency.mean_ot)

static const struct column RESULT[] = {
        COLUMN(trial_result, COLUMN_BOOL, valid),
        COLUMN(trial_result, COLUMN_TEXT, why_invalid),
        COLUMN(trial_result, COLUMN_U64, intended_frames),
        COLUMN(trial_result, COLUMN_DOUBLE, intended_fps),
        COLUMN(trial_result, COLUMN_U64, offered_frames),
        COLUMN(trial_result, COLUMN_U64, received_frames),
        COLUMN(trial_result, COLUMN_U64, lost_frames),
        COLUMN(trial_result, COLUMN_U64, duplicated_frames),
        COLUMN(trial_result, COLUMN_U64, reordered_frames),
        COLUMN(trial_result, COLUMN_U64, late_frames),
        GAPS(trial_result, tx_gap),
        COLUMN(trial_result, COLUMN_BOOL, gaps_unproven),
        LATENCY(trial_result),
        COLUMN(trial_result, COLUMN_DOUBLE, forwarding_rate_fps),
        COLUMN(trial_result, COLUMN_DOUBLE, duration_s),
        COLUMN(trial_result, COLUMN_U64, truncated_ot),
        COLUMN(trial_result, COLUMN_U32, ports),
};

static const struct column PORT[] = {
        COLUMN(trial_port, COLUMN_BOOL, sent),
        COLUMN(trial_port, COLUMN_U64, offered_frames),
        COLUMN(trial_port, COLUMN_U64, tx_first_ot),
        COLUMN(trial_port, COLUMN_U64, tx_last_ot),
        GAPS(trial_port, tx_gap),
        COLUMN(trial_port, COLUMN_U64, received_frames),
        COLUMN(trial_port, COLUMN_U64, duplicated_frames),
        COLUMN(trial_port, COLUMN_U64, reordered_frames),
        COLUMN(trial_port, COLUMN_U64, late_frames),
        COLUMN(trial_port, COLUMN_U64, sequence_gaps),
        COLUMN(trial_port, COLUMN_U64, bad_frames),
        COLUMN(trial_port, COLUMN_U64, bad_fcs_frames),
        COLUMN(trial_port, COLUMN_U64, foreign_frames),
        COLUMN(trial_port, COLUMN_U64, other_run_frames),
        COLUMN(trial_port, COLUMN_U64, wrong_port_frames),
        COLUMN(trial_port, COLUMN_U64, wrong_length_frames),
        COLUMN(trial_port, COLUMN_U64, rx_first_ot),
        COLUMN(trial_port, COLUMN_U64, rx_last_ot),
        COLUMN(trial_port, COLUMN_U64, last_loss_ot),
        COLUMN(trial_port, COLUMN_U64, silence_max_ot),
        GAPS(trial_port, rx_gap),
        LATENCY(trial_port),
        COLUMN(trial_port, COLUMN_HISTOGRAM, latency_histogram),
        COLUMN(trial_port, COLUMN_HISTOGRAM, tx_gap_histogram),
};

const struct columns REQUEST_COLUMNS = COLUMNS(REQUEST);
const struct columns RESULT_COLUMNS = COLUMNS(RESULT);
const struct columns PORT_COLUMNS = COLUMNS(PORT);

size_t text_append(char *text, size_t size, size_t length, const char *format, ...)
{
	va_list arguments;
	int more;

	if (length >= size)
		return length;
	va_start(arguments, format);
	more = vsnprintf(text + length, size - length, format, arguments);
	va_end(arguments);
	return more < 0 ? size : length + (size_t)more;
}

size_t columns_declare(const struct columns *columns, char *text, size_t size, size_t length)
{
	static const char *const TYPES[] = {
	        [COLUMN_U64] = "INTEGER",        [COLUMN_U32] = "INTEGER NOT NULL",
	        [COLUMN_DOUBLE] = "REAL",        [COLUMN_BOOL] = "INTEGER NOT NULL",
	        [COLUMN_TEXT] = "TEXT NOT NULL", [COLUMN_CHOICE] = "TEXT NOT NULL",
	        [COLUMN_HISTOGRAM] = "TEXT",
	};

	for (size_t i = 0; i < columns->count; i++)
		length = text_append(text, size, length, ",\n  %s %s", columns->column[i].name,
		                     TYPES[columns->column[i].type]);
	return length;
}

size_t columns_names(const struct columns *columns, char *text, size_t size, size_t length)
{
	for (size_t i = 0; i < columns->count; i++)
		length = text_append(text, size, length, ", %s", columns->column[i].name);
	return length;
}

size_t columns_marks(const struct columns *columns, char *text, size_t size, size_t length)
{
	for (size_t i = 0; i < columns->count; i++)
		length = text_append(text, size, length, ", ?");
	return length;
}

/* Every member that is no text and no double, as 64 bits. */
static uint64_t integer_of(const struct column *column, const void *base)
{
	const unsigned char *field = (const unsigned char *)base + column->offset;
	uint64_t wide;
	uint32_t narrow;
	bool flag;

	if (column->type == COLUMN_U64) {
		memcpy(&wide, field, sizeof(wide));
		return wide;
	}
	if (column->type == COLUMN_BOOL) {
		memcpy(&flag, field, sizeof(flag));
		return flag;
	}
	memcpy(&narrow, field, sizeof(narrow)); /* an enum is as wide as an unsigned */
	return narrow;
}

static double double_of(const struct column *column, const void *base)
{
	double value;

	memcpy(&value, (const unsigned char *)base + column->offset, sizeof(value));
	return value;
}

static const void *field_of(const struct column *column, const void *base)
{
	return (const unsigned char *)base + column->offset;
}

static const char *text_of(const struct column *column, const void *base)
{
	return (const char *)base + column->offset;
}

enum { HISTOGRAM_TEXT = (HISTOGRAM_BINS + 3) * 21 + 3 }; /* 20 digits and a comma each */

/* Flat, so that json_each() of SQLite and a loop of ours read it alike. */
static const char *histogram_text(const struct histogram *histogram, char *text, size_t size)
{
	size_t length = text_append(text, size, 0, "[%" PRIu64 ",%" PRIu64 ",%" PRIu64, histogram->first,
	                            histogram->width, histogram->beyond);

	for (uint64_t i = 0; i < histogram->bins && i < HISTOGRAM_BINS; i++)
		length = text_append(text, size, length, ",%" PRIu64, histogram->count[i]);
	text_append(text, size, length, "]");
	return text;
}

static int bind_histogram(const struct histogram *histogram, sqlite3_stmt *statement, int at)
{
	char text[HISTOGRAM_TEXT];

	if (histogram->width == 0)
		return sqlite3_bind_null(statement, at);
	return sqlite3_bind_text(statement, at, histogram_text(histogram, text, sizeof(text)), -1, SQLITE_TRANSIENT);
}

/* A number and what stands behind it. */
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

static const char *choice_of(const struct column *column, const void *base)
{
	uint64_t value = integer_of(column, base);

	return value < sizeof(column->choices) / sizeof(column->choices[0]) && column->choices[value]
	               ? column->choices[value]
	               : "?";
}

int columns_bind(const struct columns *columns, const void *base, sqlite3_stmt *statement, int first)
{
	int status = SQLITE_OK;

	for (size_t i = 0; i < columns->count && status == SQLITE_OK; i++) {
		const struct column *column = &columns->column[i];
		int at = first + (int)i;

		if (column->type == COLUMN_TEXT)
			status = sqlite3_bind_text(statement, at, text_of(column, base), -1, SQLITE_STATIC);
		else if (column->type == COLUMN_CHOICE)
			status = sqlite3_bind_text(statement, at, choice_of(column, base), -1, SQLITE_STATIC);
		else if (column->type == COLUMN_HISTOGRAM)
			status = bind_histogram((const struct histogram *)field_of(column, base), statement, at);
		else if (column->type == COLUMN_U64 && integer_of(column, base) == UINT64_MAX)
			status = sqlite3_bind_null(statement, at);
		else if (column->type == COLUMN_DOUBLE) /* SQLite takes NAN for NULL */
			status = sqlite3_bind_double(statement, at, double_of(column, base));
		else
			status = sqlite3_bind_int64(statement, at, (sqlite3_int64)integer_of(column, base));
	}
	return status;
}

static int store_integer(const struct column *column, void *base, uint64_t value)
{
	unsigned char *field = (unsigned char *)base + column->offset;
	uint32_t narrow = (uint32_t)value;
	bool flag = value != 0;

	if (column->type == COLUMN_U64)
		memcpy(field, &value, sizeof(value));
	else if (column->type == COLUMN_BOOL)
		memcpy(field, &flag, sizeof(flag));
	else
		memcpy(field, &narrow, sizeof(narrow));
	return column->type == COLUMN_U64 || (column->type == COLUMN_BOOL ? value <= 1 : value <= UINT32_MAX) ? 0 : -1;
}

static int read_choice(const struct column *column, void *base, const char *text)
{
	for (size_t i = 0; text && i < sizeof(column->choices) / sizeof(column->choices[0]); i++) {
		if (column->choices[i] && !strcmp(column->choices[i], text))
			return store_integer(column, base, i);
	}
	return -1;
}

/* SQLite would make a number of a text, and a text of anything. */
static bool is_of_type(const struct column *column, int type)
{
	switch (column->type) {
	case COLUMN_U64:
		return type == SQLITE_INTEGER || type == SQLITE_NULL;
	case COLUMN_DOUBLE:
		return type == SQLITE_FLOAT || type == SQLITE_NULL;
	case COLUMN_TEXT:
	case COLUMN_CHOICE:
		return type == SQLITE_TEXT;
	case COLUMN_HISTOGRAM:
		return type == SQLITE_TEXT || type == SQLITE_NULL;
	default:
		return type == SQLITE_INTEGER;
	}
}

static int read_column(const struct column *column, void *base, sqlite3_stmt *statement, int at)
{
	unsigned char *field = (unsigned char *)base + column->offset;
	const char *text;
	double value;

	if (!is_of_type(column, sqlite3_column_type(statement, at)))
		return -1;
	switch (column->type) {
	case COLUMN_TEXT:
		text = (const char *)sqlite3_column_text(statement, at);
		if (!text || strlen(text) >= column->size)
			return -1;
		memcpy(field, text, strlen(text) + 1);
		return 0;
	case COLUMN_HISTOGRAM:
		return read_histogram((struct histogram *)(void *)field,
		                      (const char *)sqlite3_column_text(statement, at));
	case COLUMN_CHOICE:
		return read_choice(column, base, (const char *)sqlite3_column_text(statement, at));
	case COLUMN_DOUBLE:
		value = sqlite3_column_type(statement, at) == SQLITE_NULL ? (double)NAN
		                                                          : sqlite3_column_double(statement, at);
		memcpy(field, &value, sizeof(value));
		return 0;
	default:
		if (column->type == COLUMN_U64 && sqlite3_column_type(statement, at) == SQLITE_NULL)
			return store_integer(column, base, UINT64_MAX);
		return store_integer(column, base, (uint64_t)sqlite3_column_int64(statement, at));
	}
}

int columns_read(const struct columns *columns, void *base, sqlite3_stmt *statement, int first)
{
	for (size_t i = 0; i < columns->count; i++) {
		if (read_column(&columns->column[i], base, statement, first + (int)i))
			return -1;
	}
	return 0;
}

const char *column_show(const struct column *column, const void *base, char *text, size_t size)
{
	if (column->type == COLUMN_TEXT)
		snprintf(text, size, "\"%s\"", text_of(column, base));
	else if (column->type == COLUMN_CHOICE)
		snprintf(text, size, "%s", choice_of(column, base));
	else if (column->type == COLUMN_DOUBLE)
		snprintf(text, size, "%.17g", double_of(column, base));
	else if (column->type == COLUMN_HISTOGRAM)
		histogram_text((const struct histogram *)field_of(column, base), text, size);
	else
		snprintf(text, size, "%" PRIu64, integer_of(column, base));
	return text;
}

const struct column *columns_difference(const struct columns *columns, const void *a, const void *b)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];
		bool same;

		if (column->type == COLUMN_TEXT)
			same = !strcmp(text_of(column, a), text_of(column, b));
		else
			same = !memcmp((const unsigned char *)a + column->offset,
			               (const unsigned char *)b + column->offset, column->size);
		if (!same)
			return column;
	}
	return NULL;
}

uint32_t columns_checksum(const struct columns *columns, const void *base, uint32_t checksum)
{
	for (size_t i = 0; i < columns->count; i++) {
		const struct column *column = &columns->column[i];
		const unsigned char *field = (const unsigned char *)base + column->offset;
		size_t size = column->type == COLUMN_TEXT ? strlen((const char *)field) : column->size;

		/* There are many NANs; the file has one. */
		if (column->type == COLUMN_DOUBLE && isnan(double_of(column, base)))
			field = (const unsigned char *)"not a number";
		checksum = (uint32_t)crc32(checksum, field, (uInt)size);
	}
	return checksum;
}
