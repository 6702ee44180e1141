/* SPDX-License-Identifier: Apache-2.0 */
/* Parses an answer line: JSON by jansson, one table row per key. check.c judges what the answer means. */
#include "host/trial/exec/answer.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/trial/exec/process.h"

/* Not even a trial of years at 400G counts this far; sums of a few such numbers cannot overflow. */
static const int64_t MAX_COUNT = INT64_C(1) << 60;

/* -- keys -------------------------------------------------------------------------------------------------------- */

enum value_kind { COUNT, SECONDS, NANOSECONDS, NUMBER, FLAG, TEXT };

struct answer_key {
	const char *name;
	enum value_kind kind;
	size_t offset;
};

#define KEY(kind, name)                                                                                                \
	{                                                                                                              \
#name, kind, offsetof(struct exec_answer, name)                                                        \
	}

#define COUNTER_KEY(name, ...) KEY(COUNT, name),
/* clang-format off */
static const struct answer_key KEYS[] = {
        KEY(COUNT, trial),
        KEY(COUNT, offered_frames),
        KEY(COUNT, received_frames),
        KEY(SECONDS, duration_s),
        KEY(FLAG, valid),
        KEY(TEXT, why_invalid),
        PORT_COUNTERS(COUNTER_KEY)
        KEY(NUMBER, forwarding_rate_fps),
        KEY(NANOSECONDS, latency_min_ns),
        KEY(NANOSECONDS, latency_mean_ns),
        KEY(NANOSECONDS, latency_max_ns),
        KEY(COUNT, gap_min_octets),
        KEY(NUMBER, gap_mean_octets),
        KEY(COUNT, gap_max_octets),
};
/* clang-format on */
enum { KEY_COUNT = sizeof(KEYS) / sizeof(KEYS[0]) };

/* The range of a number that is not a count. */
static const struct range {
	enum value_kind kind;
	double max;
	const char *must;
} RANGES[] = {
        {SECONDS, 1e9, "must be a number of seconds, 0 to 1e9"},
        /* Eleven days, longer than any frame is in flight; 10^17 octet times at 800G, far below 2^64. */
        {NANOSECONDS, 1e15, "must be a number of nanoseconds, 0 to 1e15"},
        {NUMBER, 1e18, "must be a number, 0 to 1e18"},
};

static const struct range *find_range(enum value_kind kind)
{
	for (size_t i = 0; i < sizeof(RANGES) / sizeof(RANGES[0]); i++) {
		if (RANGES[i].kind == kind)
			return &RANGES[i];
	}
	return NULL;
}

struct exec_answer exec_answer_nothing_said(void)
{
	struct exec_answer answer = {.valid = true};

	for (size_t i = 0; i < KEY_COUNT; i++) {
		char *field = (char *)&answer + KEYS[i].offset;

		if (KEYS[i].kind == COUNT)
			memcpy(field, &(uint64_t){COUNT_UNKNOWN}, sizeof(uint64_t));
		else if (find_range(KEYS[i].kind))
			memcpy(field, &(double){NAN}, sizeof(double));
	}
	return answer;
}

/* A whole number below MAX_COUNT; 2e6 is one too, because languages with only one kind of number write it so. */
static bool read_count(const json_t *value, uint64_t *count)
{
	double number = json_number_value(value);

	if (!json_is_number(value) || !(number >= 0 && number < (double)MAX_COUNT) || floor(number) != number)
		return false;
	*count = json_is_integer(value) ? (uint64_t)json_integer_value(value) : (uint64_t)number;
	return true;
}

static bool read_number(const json_t *value, double max, double *number)
{
	*number = json_number_value(value);
	return json_is_number(value) && *number >= 0 && *number <= max;
}

/* NULL, or what the value must be. null is the same as leaving the key out, except for required keys. */
static const char *read_value(const struct answer_key *key, const json_t *value, struct exec_answer *answer)
{
	char *field = (char *)answer + key->offset;
	uint64_t count;
	double number;
	bool flag = json_is_true(value);

	if (json_is_null(value))
		return NULL;
	switch (key->kind) {
	case COUNT:
		if (!read_count(value, &count))
			return "must be a whole number, 0 to 2^60";
		memcpy(field, &count, sizeof(count));
		return NULL;
	case SECONDS:
	case NANOSECONDS:
	case NUMBER:
		if (!read_number(value, find_range(key->kind)->max, &number))
			return find_range(key->kind)->must;
		memcpy(field, &number, sizeof(number));
		return NULL;
	case FLAG:
		if (!json_is_boolean(value))
			return "must be true or false";
		memcpy(field, &flag, sizeof(flag));
		return NULL;
	case TEXT:
		if (!json_is_string(value))
			return "must be text";
		exec_quote(json_string_value(value), json_string_length(value), answer->why_invalid);
		return NULL;
	}
	return "has no known kind";
}

/* -- answer ------------------------------------------------------------------------------------------------------ */

struct line {
	const char *text;
	size_t length;
};

static int complain(const struct line *line, struct error *error, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

static int complain(const struct line *line, struct error *error, const char *format, ...)
{
	char text[400], quote[EXEC_QUOTE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	return error_set(error, ERROR_DEVICE, "%s, in the answer %s", text,
	                 exec_quote(line->text, line->length, quote));
}

static int read_keys(const struct line *line, json_t *object, struct exec_answer *answer, struct error *error)
{
	const char *name;
	json_t *value;

	*answer = exec_answer_nothing_said();
	json_object_foreach(object, name, value)
	{
		const char *must;
		size_t i = 0;

		while (i < KEY_COUNT && strcmp(KEYS[i].name, name) != 0)
			i++;
		if (i == KEY_COUNT) {
			char quote[EXEC_QUOTE_SIZE];

			return complain(line, error, "unknown key %s", exec_quote(name, strlen(name), quote));
		}
		must = read_value(&KEYS[i], value, answer);
		if (must)
			return complain(line, error, "%s %s", name, must);
	}
	return 0;
}

static double known_or_nan(uint64_t count)
{
	return count == COUNT_UNKNOWN ? (double)NAN : (double)count;
}

/* True if all are unknown, or all known and in ascending order. */
static bool in_order(double min, double mean, double max)
{
	return (isnan(min) && isnan(mean) && isnan(max)) || (min <= mean && mean <= max);
}

/* Checks that required keys are there and that the values are possible. */
static int check_sense(const struct line *line, const struct exec_answer *answer, uint64_t trial, enum trial_kind kind,
                       struct error *error)
{
	if (answer->trial == COUNT_UNKNOWN)
		return complain(line, error, "trial must be given: %" PRIu64, trial);
	if (answer->trial != trial)
		return complain(line, error, "trial %" PRIu64 " answered, trial %" PRIu64 " asked", answer->trial,
		                trial);
	if (!answer->valid)
		return 0; /* an invalid trial's counts mean nothing */
	if (answer->offered_frames == COUNT_UNKNOWN)
		return complain(line, error, "offered_frames must be given");
	if (answer->received_frames == COUNT_UNKNOWN)
		return complain(line, error, "received_frames must be given");
	if (isnan(answer->duration_s) && kind == TRIAL_LOAD)
		return complain(line, error, "duration_s must be given");
	if (answer->received_frames > answer->offered_frames)
		return complain(line, error,
		                "received_frames = %" PRIu64 " is more than offered_frames = %" PRIu64
		                " (a duplicate is not counted as received)",
		                answer->received_frames, answer->offered_frames);
	if (!in_order(answer->latency_min_ns, answer->latency_mean_ns, answer->latency_max_ns))
		return complain(line, error,
		                "latency_min_ns, latency_mean_ns and latency_max_ns must be given together, in order");
	if (!in_order(known_or_nan(answer->gap_min_octets), answer->gap_mean_octets,
	              known_or_nan(answer->gap_max_octets)))
		return complain(line, error,
		                "gap_min_octets, gap_mean_octets and gap_max_octets must be given together, in order");
	/* The sum is stored in octets. */
	if (answer->gap_mean_octets * (double)answer->offered_frames > (double)MAX_COUNT)
		return complain(line, error,
		                "gap_mean_octets = %.9g after each of %" PRIu64
		                " frames must be at most 2^60 octets in all",
		                answer->gap_mean_octets, answer->offered_frames);
	return 0;
}

int exec_answer_read(const char *text, size_t length, uint64_t trial, enum trial_kind kind, struct exec_answer *answer,
                     struct error *error)
{
	const struct line line = {text, length};
	json_error_t why;
	json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
	int status;

	if (!object) {
		char quote[EXEC_QUOTE_SIZE];

		return complain(&line, error, "not JSON: %s", exec_quote(why.text, strlen(why.text), quote));
	}
	status = json_is_object(object) ? read_keys(&line, object, answer, error)
	                                : complain(&line, error, "not a JSON object");
	if (!status)
		status = check_sense(&line, answer, trial, kind, error);
	json_decref(object);
	return status;
}
