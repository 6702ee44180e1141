/* SPDX-License-Identifier: Apache-2.0 */
/* Characters according to the table of RFC 3629 section 4. */
#include "host/base/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char REPLACEMENT[] = "\xef\xbf\xbd"; /* U+FFFD */
enum { REPLACEMENT_OCTETS = sizeof(REPLACEMENT) - 1, LONGEST = 4 };

/* The length that the first octet promises; 0: it starts no character. */
static size_t promised(unsigned char first)
{
	return first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0;
}

/* Only for the second octet does the allowed range depend on the first. */
static int second_fits(unsigned char first, unsigned char second)
{
	return (second & 0xc0) == 0x80 && !(first == 0xe0 && second < 0xa0) && !(first == 0xed && second > 0x9f) &&
	       !(first == 0xf0 && second < 0x90) && !(first == 0xf4 && second > 0x8f);
}

size_t text_character(const char *text, size_t left)
{
	const unsigned char *octets = (const unsigned char *)text;
	size_t length = left ? promised(octets[0]) : 0;

	if (length > left || (length > 1 && !second_fits(octets[0], octets[1])))
		return 0;
	for (size_t i = 2; i < length; i++) {
		if ((octets[i] & 0xc0) != 0x80)
			return 0;
	}
	return length;
}

size_t text_check(const char *text, size_t length)
{
	size_t at = 0, step = 1;

	while (at < length && step) {
		step = text_character(text + at, length - at);
		at += step;
	}
	return at;
}

/* The length without an incomplete character at the end. */
static size_t without_torn(const char *text, size_t length)
{
	for (size_t back = 1; back < LONGEST && back <= length; back++) {
		unsigned char octet = (unsigned char)text[length - back];

		if ((octet & 0xc0) == 0x80)
			continue;
		return promised(octet) > back ? length - back : length;
	}
	return length;
}

/* Appends to what is already there; a character that does not fit is left out entirely. Returns the new length. */
static size_t append_repaired(char *to, size_t size, size_t used, const char *from, size_t length)
{
	for (size_t at = 0; at < length;) {
		size_t step = text_character(from + at, length - at);
		size_t octets = step ? step : REPLACEMENT_OCTETS;

		if (used + octets >= size)
			break;
		memcpy(to + used, step ? from + at : REPLACEMENT, octets);
		used += octets;
		at += step ? step : 1;
	}
	to[used] = '\0';
	return used;
}

char *text_repair(char *text, size_t size)
{
	size_t length = strlen(text), bad;
	char *rest;

	if (length + 1 == size)
		length = without_torn(text, length);
	text[length] = '\0';
	bad = text_check(text, length);
	if (bad == length)
		return text;
	rest = strdup(text + bad);
	if (rest)
		append_repaired(text, size, bad, rest, length - bad);
	else
		text[bad] = '\0'; /* the beginning at least is kept */
	free(rest);
	return text;
}

char *text_copy(char *to, size_t size, const char *from)
{
	append_repaired(to, size, 0, from, strlen(from));
	return to;
}

char *text_repaired(const char *text)
{
	size_t length = strlen(text), size = REPLACEMENT_OCTETS * length + 1;
	char *copy = malloc(size);

	return copy ? text_copy(copy, size, text) : NULL;
}

/* The code point of a character of two or three octets; 0 for any other, of which none is invisible. */
static unsigned point_of(const unsigned char *octets, size_t length)
{
	return length == 2   ? (octets[0] & 0x1fu) << 6 | (octets[1] & 0x3fu)
	       : length == 3 ? (octets[0] & 0xfu) << 12 | (octets[1] & 0x3fu) << 6 | (octets[2] & 0x3fu)
	                     : 0;
}

/* Controls of the second half of Latin-1, blanks that are not the usual one, marks of direction, joiners. */
static bool is_invisible(unsigned point)
{
	static const unsigned RANGES[][2] = {{0x80, 0xa0},     {0xad, 0xad},     {0x61c, 0x61c},   {0x2000, 0x200f},
	                                     {0x2028, 0x202f}, {0x205f, 0x206f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}};

	for (size_t i = 0; i < sizeof(RANGES) / sizeof(RANGES[0]); i++)
		if (point >= RANGES[i][0] && point <= RANGES[i][1])
			return true;
	return false;
}

char *text_visible(char *to, size_t size, const char *from)
{
	size_t used = 0, length;

	for (size_t left = strlen(from); (length = text_character(from, left)) > 0; from += length, left -= length) {
		const unsigned char first = (unsigned char)*from;
		const unsigned point = point_of((const unsigned char *)from, length);
		char shown[8];

		if (first < 0x20 || first == 0x7f)
			snprintf(shown, sizeof(shown), "\\x%02x", first);
		else if (is_invisible(point))
			snprintf(shown, sizeof(shown), "\\u%04x", point);
		else
			snprintf(shown, sizeof(shown), "%.*s", (int)length, from);
		if (used + strlen(shown) >= size)
			break;
		memcpy(to + used, shown, strlen(shown));
		used += strlen(shown);
	}
	to[used] = '\0';
	return to;
}

size_t text_add(char *buffer, size_t size, size_t length, const char *format, ...)
{
	va_list arguments;
	int more;

	if (length >= size)
		return length;
	va_start(arguments, format);
	more = vsnprintf(buffer + length, size - length, format, arguments);
	va_end(arguments);
	return more < 0 ? length : length + (size_t)more;
}
