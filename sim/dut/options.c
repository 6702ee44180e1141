// SPDX-License-Identifier: Apache-2.0
/* Settings from a table: reading, limits, suggestions. */
#include "sim/dut/options.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "host/base/uint128.h"

enum { NAME_MAX_OCTETS = 64, FARTHEST_SUGGESTION = 4 };

const struct fpgauge_sim_option *sim_options_find(const struct sim_options *options, const char *name)
{
	for (size_t i = 0; i < options->count; i++)
		if (strcmp(options->given[i].name, name) == 0)
			return &options->given[i];
	return NULL;
}

int sim_options_refuse(const struct sim_options *options, const char *name, const char *format, ...)
{
	const struct fpgauge_sim_option *given = name != NULL ? sim_options_find(options, name) : NULL;
	va_list arguments;

	*options->bad_option = given != NULL ? given->name : NULL;
	va_start(arguments, format);
	vsnprintf(options->error, options->error_size, format, arguments);
	va_end(arguments);
	return -1;
}

/* Exact comparison of value = numerator / denominator with an integer. */
static bool below(const struct quantity *value, uint64_t limit)
{
	return value->numerator < (uint128)limit * value->denominator;
}

static bool above(const struct quantity *value, uint64_t limit)
{
	return value->numerator > (uint128)limit * value->denominator;
}

static int read_share(const struct sim_options *options, const struct sim_option_rule *rule, const char *text,
                      struct quantity *share)
{
	const char *why = NULL;

	if (quantity_parse(text, share, &why) != 0)
		return sim_options_refuse(options, rule->name, "%s: %s: must be above 0%%, up to 100%%", text, why);
	if ((share->unit != QUANTITY_PLAIN && share->unit != QUANTITY_PERCENT) || share->numerator == 0 ||
	    above(share, 1))
		return sim_options_refuse(options, rule->name, "%s: must be above 0%%, up to 100%%", text);
	return 0;
}

/* A key whose name says nanoseconds takes a number of them, or a time with its unit, like all other keys of a plan.
 * What does not fit in 64 bits is far beyond any limit. */
static void nanoseconds_of_time(struct quantity *number)
{
	uint128 numerator = (uint128)number->numerator * 1000000000, whole = numerator;
	uint64_t a = number->denominator, b = (uint64_t)(numerator % number->denominator);

	while (b != 0) { /* the greatest common divisor */
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	whole /= a;
	number->unit = QUANTITY_PLAIN;
	number->numerator = whole > UINT64_MAX ? UINT64_MAX : (uint64_t)whole;
	number->denominator = whole > UINT64_MAX ? 1 : number->denominator / a;
}

static int read_number(const struct sim_options *options, const struct sim_option_rule *rule, const char *text,
                       struct quantity *number)
{
	const char *why = NULL;
	const char *unit = rule->unit != NULL ? rule->unit : "";

	if (quantity_parse(text, number, &why) != 0)
		return sim_options_refuse(options, rule->name, "%s: %s: must be %" PRIu64 " to %" PRIu64 "%s%s", text,
		                          why, rule->min, rule->max, *unit ? " " : "", unit);
	if (number->unit == QUANTITY_TIME && strcmp(unit, "ns") == 0)
		nanoseconds_of_time(number);
	if (rule->kind == SIM_OPTION_RATE && number->unit == QUANTITY_PERCENT) {
		/* A percentage is already a ratio, so a thousandth of a percent is 10^-5. */
		uint128 scaled = (uint128)number->numerator * 100000;

		if (scaled < (uint128)SIM_OPTION_MIN_MILLIPERCENT * number->denominator ||
		    scaled > (uint128)SIM_OPTION_MAX_MILLIPERCENT * number->denominator)
			return sim_options_refuse(options, rule->name, "%s: must be 0.001%% to 1000%% of the line rate",
			                          text);
		return 0;
	}
	if (number->unit != QUANTITY_PLAIN || below(number, rule->min) || above(number, rule->max))
		return sim_options_refuse(options, rule->name, "%s: must be %" PRIu64 " to %" PRIu64 "%s%s%s", text,
		                          rule->min, rule->max, *unit ? " " : "", unit,
		                          rule->kind == SIM_OPTION_RATE ? ", or percent of the line rate" : "");
	if (rule->kind == SIM_OPTION_INTEGER) {
		if (number->numerator % number->denominator != 0)
			return sim_options_refuse(options, rule->name,
			                          "%s: must be a whole number, %" PRIu64 " to %" PRIu64, text,
			                          rule->min, rule->max);
		number->numerator /= number->denominator;
		number->denominator = 1;
	}
	return 0;
}

static int read_time(const struct sim_options *options, const struct sim_option_rule *rule, const char *text,
                     struct quantity *number)
{
	const char *why = NULL;

	if (quantity_parse(text, number, &why) == 0 && number->unit == QUANTITY_TIME) {
		nanoseconds_of_time(number);
		if (!below(number, rule->min) && !above(number, rule->max))
			return 0;
	}
	return sim_options_refuse(options, rule->name,
	                          "%s: must be a time with its unit (\"2ms\"), %" PRIu64 " to %" PRIu64 " ns", text,
	                          rule->min, rule->max);
}

static int refuse_choice(const struct sim_options *options, const struct sim_option_rule *rule, const char *text)
{
	char list[128] = "";
	size_t used = 0;

	for (size_t i = 0; rule->choices[i] != NULL; i++) {
		int more = snprintf(list + used, sizeof(list) - used, "%s\"%s\"", i ? " or " : "", rule->choices[i]);

		if (more < 0 || (used += (size_t)more) >= sizeof(list))
			break;
	}
	return sim_options_refuse(options, rule->name, "\"%s\": must be %s", text, list);
}

static int read_one(const struct sim_options *options, const struct sim_option_rule *rule, const char *text,
                    struct sim_option_value *value)
{
	value->set = true;
	value->text = text;
	switch (rule->kind) {
	case SIM_OPTION_INTEGER:
	case SIM_OPTION_NUMBER:
	case SIM_OPTION_RATE:
		return read_number(options, rule, text, &value->number);
	case SIM_OPTION_TIME:
		return read_time(options, rule, text, &value->number);
	case SIM_OPTION_SHARE:
		return read_share(options, rule, text, &value->number);
	case SIM_OPTION_CHOICE:
		for (size_t i = 0; rule->choices[i] != NULL; i++)
			if (strcmp(rule->choices[i], text) == 0)
				return 0;
		return refuse_choice(options, rule, text);
	case SIM_OPTION_TEXT:
		return *text != '\0' ? 0 : sim_options_refuse(options, rule->name, "\"\": must not be empty");
	}
	return -1;
}

int sim_options_read(const struct sim_options *options, const struct sim_option_rule *rules, size_t count,
                     struct sim_option_value *values)
{
	for (size_t i = 0; i < count; i++) {
		const struct fpgauge_sim_option *given = sim_options_find(options, rules[i].name);
		const char *text = given != NULL ? given->value : rules[i].fallback;

		values[i] = (struct sim_option_value){.set = false};
		if (text != NULL && read_one(options, &rules[i], text, &values[i]) != 0)
			return -1;
	}
	return 0;
}

/* Letters to change, insert or delete to turn one name into the other (Levenshtein distance). */
static size_t distance(const char *a, const char *b)
{
	size_t row[NAME_MAX_OCTETS + 1];
	size_t length = strlen(b);

	if (length > NAME_MAX_OCTETS)
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		row[j] = j;
	for (size_t i = 1; a[i - 1] != '\0'; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= length; j++) {
			size_t best = diagonal + (a[i - 1] != b[j - 1]);

			if (row[j] + 1 < best)
				best = row[j] + 1;
			if (row[j - 1] + 1 < best)
				best = row[j - 1] + 1;
			diagonal = row[j];
			row[j] = best;
		}
	}
	return row[length];
}

static bool is_known(const char *name, const struct sim_option_rule *const *tables, const size_t *counts,
                     size_t table_count, const char **nearest)
{
	size_t least = FARTHEST_SUGGESTION;

	*nearest = NULL;
	for (size_t t = 0; t < table_count; t++) {
		for (size_t i = 0; i < counts[t]; i++) {
			size_t far = distance(name, tables[t][i].name);

			if (far == 0)
				return true;
			if (far < least) {
				least = far;
				*nearest = tables[t][i].name;
			}
		}
	}
	return false;
}

int sim_options_check_names(const struct sim_options *options, const struct sim_option_rule *const *tables,
                            const size_t *counts, size_t table_count)
{
	for (size_t i = 0; i < options->count; i++) {
		const char *name = options->given[i].name;
		const char *nearest = NULL;

		if (is_known(name, tables, counts, table_count, &nearest))
			continue;
		if (nearest != NULL)
			return sim_options_refuse(options, name, "%s: no such setting here; did you mean %s?",
			                          options->given[i].value, nearest);
		return sim_options_refuse(options, name, "%s: no such setting here", options->given[i].value);
	}
	return 0;
}
