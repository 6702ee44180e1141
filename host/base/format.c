/* SPDX-License-Identifier: Apache-2.0 */
/* Formatting of numbers for people. */
#include "host/base/format.h"

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct scale {
	double factor;
	const char *unit;
};

/* Decimal places that a small value may take. */
enum { MOST_PLACES = 12 };

static bool is_shown_as_zero(const struct format_text *number)
{
	return !strpbrk(number->text, "123456789");
}

struct format_text format_decimal(double value, int places)
{
	struct format_text out;

	if (fabs(value) >= 1e15 || !isfinite(value)) {
		snprintf(out.text, sizeof(out.text), "%.*g", places, value);
		return out;
	}
	snprintf(out.text, sizeof(out.text), "%.*f", places, fabs(value) > 0 ? value : 0);
	if (value == 0 || !is_shown_as_zero(&out))
		return out;
	places = (int)-floor(log10(fabs(value)));
	snprintf(out.text, sizeof(out.text), places <= MOST_PLACES ? "%.*f" : "%.*g",
	         places <= MOST_PLACES ? places : 1, value);
	return out;
}

static struct format_text with_unit(struct format_text number, const char *unit)
{
	struct format_text out;

	snprintf(out.text, sizeof(out.text), "%.50s %s", number.text, unit);
	return out;
}

/* The largest scale that leaves at least 1 before the point after rounding to two places: 999.999 k is 1.00 M. The
 * smallest takes everything else. */
static struct format_text scaled(double value, const struct scale *scales, size_t count)
{
	size_t i = 0;

	while (i + 1 < count && round(fabs(value) / scales[i].factor * 100) < 100)
		i++;
	return with_unit(format_decimal(value / scales[i].factor, 2), scales[i].unit);
}

static const struct scale TIMES[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
enum { TIME_COUNT = sizeof(TIMES) / sizeof(TIMES[0]) };

struct format_text format_fps(double fps)
{
	static const struct scale SCALES[] = {{1e9, "Gfps"}, {1e6, "Mfps"}, {1e3, "kfps"}, {1, "fps"}};

	return scaled(fps, SCALES, sizeof(SCALES) / sizeof(SCALES[0]));
}

struct format_text format_time(double seconds)
{
	if (seconds == 0)
		return (struct format_text){"0 s"};
	return scaled(seconds, TIMES, TIME_COUNT);
}

struct format_text format_octets(double octets)
{
	static const struct scale SCALES[] = {{1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}, {1, "B"}};

	return scaled(octets, SCALES, sizeof(SCALES) / sizeof(SCALES[0]));
}

struct format_text format_bit_rate(uint64_t bps)
{
	static const struct {
		uint64_t factor;
		const char *unit;
	} SCALES[] = {{1000000000, "Gb/s"}, {1000000, "Mb/s"}, {1000, "kb/s"}, {1, "b/s"}};
	struct format_text out;

	for (size_t i = 0; i < sizeof(SCALES) / sizeof(SCALES[0]); i++) {
		uint64_t tenth = SCALES[i].factor > 10 ? SCALES[i].factor / 10 : 1;

		/* A link speed is never rounded: 2.5G keeps its point, 99.99G falls through to Mb/s. */
		if (bps < SCALES[i].factor || bps % tenth != 0)
			continue;
		if (bps % SCALES[i].factor == 0)
			snprintf(out.text, sizeof(out.text), "%" PRIu64 " %s", bps / SCALES[i].factor, SCALES[i].unit);
		else
			snprintf(out.text, sizeof(out.text), "%" PRIu64 ".%" PRIu64 " %s", bps / SCALES[i].factor,
			         bps % SCALES[i].factor / tenth, SCALES[i].unit);
		return out;
	}
	return (struct format_text){"0 b/s"};
}

struct format_text format_multiple(uint64_t value)
{
	static const char *const MULTIPLIERS[] = {"", "k", "M", "G", "T"};
	struct format_text out;
	size_t power = 0;

	while (value && power + 1 < sizeof(MULTIPLIERS) / sizeof(MULTIPLIERS[0]) && value % 1000 == 0) {
		value /= 1000;
		power++;
	}
	snprintf(out.text, sizeof(out.text), "%" PRIu64 "%s", value, MULTIPLIERS[power]);
	return out;
}

struct format_text format_percent(double ratio)
{
	struct format_text out;

	snprintf(out.text, sizeof(out.text), "%.60s%%", format_percentage(ratio * 100).text);
	return out;
}

struct format_text format_percentage(double percent)
{
	/* "100.000%" is a statement (no loss at line rate) that 99.9996% must not make. */
	if (percent < 100 && percent > 99.999)
		percent = 99.999;
	else if (percent > 100 && percent < 100.001)
		percent = 100.001;
	return format_decimal(percent, 3);
}

struct format_text format_change(double percent)
{
	struct format_text out;

	if (percent > -100 && percent < -99.99)
		percent = -99.99;
	snprintf(out.text, sizeof(out.text), "%s%.60s%%", percent < 0 ? "" : "+", format_decimal(percent, 2).text);
	return out;
}

static struct format_text clock_text(double seconds)
{
	struct format_text out;
	const uint64_t whole = seconds > 0 ? (uint64_t)fmin(seconds, 1e15) : 0;

	if (whole >= 3600)
		snprintf(out.text, sizeof(out.text), "%" PRIu64 ":%02u:%02u", whole / 3600, (unsigned)(whole / 60 % 60),
		         (unsigned)(whole % 60));
	else
		snprintf(out.text, sizeof(out.text), "%u:%02u", (unsigned)(whole / 60), (unsigned)(whole % 60));
	return out;
}

struct format_text format_clock(double seconds)
{
	return clock_text(ceil(seconds));
}

struct format_text format_clock_down(double seconds)
{
	return clock_text(floor(seconds));
}

struct format_text format_exact(double value)
{
	struct format_text out;

	/* 15 digits are enough for every decimal that a person wrote, and %g drops trailing zeros */
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(out.text, sizeof(out.text), "%.*g", digits, value);
		if (strtod(out.text, NULL) == value)
			break;
	}
	return out;
}

/* Shortens a number from its first character on. Returns what follows it, and puts the shorter text at *to. */
static const char *shorten(const char *from, char **to)
{
	const char *end = from + strspn(from, "+-.0123456789eE");
	const bool real = strcspn(from, ".eE") < (size_t)(end - from);
	const double value = real ? strtod(from, NULL) : 0;
	struct format_text shorter = format_exact(fabs(value) > 0 ? value : 0);
	size_t length;

	if (real && isfinite(value) && !strpbrk(shorter.text, ".e"))
		strcat(shorter.text, ".0"); /* a real stays one */
	length = strlen(shorter.text);
	if (!real || !isfinite(value) || length > (size_t)(end - from))
		memmove(*to, from, length = (size_t)(end - from));
	else
		memcpy(*to, shorter.text, length);
	*to += length;
	return end;
}

void format_json_reals(char *json)
{
	const char *from = json;
	char *to = json;
	bool quoted = false;

	while (*from) {
		if (!quoted && (*from == '-' || (*from >= '0' && *from <= '9'))) {
			from = shorten(from, &to);
			continue;
		}
		quoted ^= *from == '"';
		if (quoted && *from == '\\')
			*to++ = *from++;
		*to++ = *from++;
	}
	*to = 0;
}

struct format_time_unit format_time_unit(double smallest_s)
{
	struct format_time_unit unit = {1, "s", 0};
	size_t i = 0;

	if (!isfinite(smallest_s) || smallest_s <= 0)
		return unit;
	while (i + 1 < TIME_COUNT && smallest_s < TIMES[i].factor * 0.999995) /* a time that rounds to 1 is 1 */
		i++;
	unit.seconds = TIMES[i].factor;
	unit.name = TIMES[i].unit;
	unit.places = 4;
	for (double rest = smallest_s / unit.seconds; rest >= 9.99995 && unit.places > 0; rest /= 10)
		unit.places--;
	return unit;
}

struct format_text format_time_in(double seconds, const struct format_time_unit *unit)
{
	return with_unit(format_decimal(seconds / unit->seconds, unit->places), unit->name);
}
