/* SPDX-License-Identifier: Apache-2.0 */
/* Parser for numbers with units. Integer arithmetic only: "0.1%" is 1/1000, not its nearest double. */
#include "host/base/quantity.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "host/base/ratio.h"

/* value = mantissa x 10^exponent */
struct decimal {
	uint64_t mantissa;
	int exponent;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *skip_spaces(const char *text)
{
	while (*text == ' ' || *text == '\t')
		text++;
	return text;
}

/* Appends a digit. False when it does not fit; the caller holds back trailing zeros of a fraction. */
static bool push_digit(struct decimal *decimal, unsigned digit)
{
	if (decimal->mantissa > (UINT64_MAX - digit) / 10)
		return false;
	decimal->mantissa = decimal->mantissa * 10 + digit;
	return true;
}

/* Digits after the point. Zeros count only when another digit follows, so "1.000000000000000000000" is 1. */
static bool parse_fraction(const char **text, struct decimal *decimal, bool *any)
{
	unsigned zeros = 0;

	for (; is_digit(**text); (*text)++) {
		unsigned digit = (unsigned)(**text - '0');

		*any = true;
		if (digit == 0) {
			zeros++;
			continue;
		}
		for (; zeros > 0; zeros--, decimal->exponent--) {
			if (!push_digit(decimal, 0))
				return false;
		}
		if (!push_digit(decimal, digit))
			return false;
		decimal->exponent--;
	}
	return true;
}

/* libconfig's floats may have an exponent, "1e8"; a letter e without a digit after it is no exponent. */
static bool parse_exponent(const char **text, struct decimal *decimal)
{
	const char *c = *text;
	bool negative;
	int value = 0;

	if (*c != 'e' && *c != 'E')
		return true;
	c++;
	negative = *c == '-';
	if (*c == '-' || *c == '+')
		c++;
	if (!is_digit(*c))
		return true;
	for (; is_digit(*c); c++) {
		value = value * 10 + (*c - '0');
		if (value > 1000)
			return false;
	}
	decimal->exponent += negative ? -value : value;
	*text = c;
	return true;
}

static const char *parse_decimal(const char **text, struct decimal *decimal)
{
	bool any = false;

	if (**text == '-')
		return "negative";
	if (**text == '+')
		(*text)++;
	for (; is_digit(**text); (*text)++) {
		any = true;
		if (!push_digit(decimal, (unsigned)(**text - '0')))
			return "too large";
	}
	if (**text == '.') {
		(*text)++;
		if (!parse_fraction(text, decimal, &any))
			return "too precise";
	}
	if (!any)
		return "not a number";
	return parse_exponent(text, decimal) ? NULL : "too large";
}

/* One suffix: which unit it is and the power of ten it stands for. The whole rest of the text must match. */
static const struct {
	const char *name;
	enum quantity_unit unit;
	int exponent;
} SUFFIXES[] = {
        {"", QUANTITY_PLAIN, 0},           {"k", QUANTITY_PLAIN, 3},         {"M", QUANTITY_PLAIN, 6},
        {"G", QUANTITY_PLAIN, 9},          {"T", QUANTITY_PLAIN, 12},        {"%", QUANTITY_PERCENT, -2},
        {"s", QUANTITY_TIME, 0},           {"ms", QUANTITY_TIME, -3},        {"us", QUANTITY_TIME, -6},
        {"ns", QUANTITY_TIME, -9},         {"frame", QUANTITY_FRAMES, 0},    {"frames", QUANTITY_FRAMES, 0},
        {"k frames", QUANTITY_FRAMES, 3},  {"M frames", QUANTITY_FRAMES, 6}, {"G frames", QUANTITY_FRAMES, 9},
        {"T frames", QUANTITY_FRAMES, 12},
};

/* "Gbps", "mpps", "kbit/s": a multiplier or none, and the unit. */
static bool find_rate(const char *suffix, size_t length, enum quantity_unit *unit, int *exponent)
{
	static const struct {
		const char *name;
		enum quantity_unit unit;
	} RATES[] = {{"fps", QUANTITY_FRAME_RATE},      {"pps", QUANTITY_FRAME_RATE},
	             {"frames/s", QUANTITY_FRAME_RATE}, {"packets/s", QUANTITY_FRAME_RATE},
	             {"bps", QUANTITY_BIT_RATE},        {"bit/s", QUANTITY_BIT_RATE},
	             {"b/s", QUANTITY_BIT_RATE}};
	static const char MULTIPLIERS[] = "kmgt";

	if (memchr(suffix, 'B', length)) /* GB/s */
		return false;
	for (size_t i = 0; i < sizeof(RATES) / sizeof(RATES[0]); i++) {
		const size_t unit_length = strlen(RATES[i].name), before = length - unit_length;
		const bool has_one = before == 1 || (before == 2 && suffix[1] == ' ');
		const char *multiplier = has_one ? strchr(MULTIPLIERS, tolower((unsigned char)*suffix)) : NULL;

		if (length < unit_length || strncasecmp(suffix + before, RATES[i].name, unit_length) != 0 ||
		    (before > 0 && !multiplier))
			continue;
		*unit = RATES[i].unit;
		*exponent = multiplier ? 3 * (int)(multiplier - MULTIPLIERS + 1) : 0;
		return true;
	}
	return false;
}

static bool find_suffix(const char *suffix, size_t length, enum quantity_unit *unit, int *exponent)
{
	for (size_t i = 0; i < sizeof(SUFFIXES) / sizeof(SUFFIXES[0]); i++) {
		if (strlen(SUFFIXES[i].name) != length || strncmp(SUFFIXES[i].name, suffix, length) != 0)
			continue;
		*unit = SUFFIXES[i].unit;
		*exponent = SUFFIXES[i].exponent;
		return true;
	}
	return find_rate(suffix, length, unit, exponent);
}

static const char *make_fraction(struct decimal decimal, struct quantity *quantity)
{
	uint64_t divisor;

	quantity->numerator = decimal.mantissa;
	quantity->denominator = 1;
	if (decimal.mantissa == 0)
		return NULL;
	/* 1e-3 written as 1000e-6 must not fail for lack of room. */
	while (decimal.exponent < 0 && quantity->numerator % 10 == 0) {
		quantity->numerator /= 10;
		decimal.exponent++;
	}
	for (; decimal.exponent > 0; decimal.exponent--) {
		if (quantity->numerator > UINT64_MAX / 10)
			return "too large";
		quantity->numerator *= 10;
	}
	for (; decimal.exponent < 0; decimal.exponent++) {
		if (quantity->denominator > UINT64_MAX / 10)
			return "too precise";
		quantity->denominator *= 10;
	}
	divisor = (uint64_t)greatest_common_divisor(quantity->numerator, quantity->denominator);
	quantity->numerator /= divisor;
	quantity->denominator /= divisor;
	return NULL;
}

static int parse(const char *text, struct quantity *quantity, const char **why)
{
	struct decimal decimal = {0, 0};
	const char *suffix;
	size_t length;
	int exponent;

	text = skip_spaces(text);
	*why = parse_decimal(&text, &decimal);
	if (*why)
		return -1;
	suffix = skip_spaces(text);
	for (length = strlen(suffix); length > 0 && (suffix[length - 1] == ' ' || suffix[length - 1] == '\t');)
		length--;
	if (!find_suffix(suffix, length, &quantity->unit, &exponent)) {
		*why = QUANTITY_UNKNOWN_UNIT;
		return -1;
	}
	decimal.exponent += exponent;
	*why = make_fraction(decimal, quantity);
	return *why ? -1 : 0;
}

int quantity_parse(const char *text, struct quantity *quantity, const char **why)
{
	struct quantity result;

	if (parse(text, &result, why))
		return -1;
	*quantity = result;
	return 0;
}

double quantity_number(const struct quantity *quantity)
{
	return ratio_nearest(quantity->numerator, quantity->denominator);
}
