/* SPDX-License-Identifier: Apache-2.0 */
/* Errors are one printable line; numbers for people are rounded as people expect. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/error.h"
#include "host/base/format.h"
#include "host/base/text.h"
#include "tests/seed.h"

Test(error, returns_the_code_and_keeps_the_text)
{
	struct error error;

	cr_expect_eq(error_set(&error, ERROR_PLAN, "repetitions = %d: must be %d to %d", 0, 1, 10), ERROR_PLAN);
	cr_expect_eq(error.code, ERROR_PLAN);
	cr_expect_str_eq(error.text, "repetitions = 0: must be 1 to 10");
	error_prefix(&error, "%s:%d: ", "lab.cfg", 12);
	cr_expect_str_eq(error.text, "lab.cfg:12: repetitions = 0: must be 1 to 10");
}

Test(error, is_one_printable_line_whatever_goes_in)
{
	struct error error;

	error_set(&error, ERROR_PLAN, "a\nb\tc\033[31md\x7f");
	cr_expect_str_eq(error.text, "a\\x0ab\\x09c\\x1b[31md\\x7f");
	error_prefix(&error, "x\ny: ");
	cr_expect_str_eq(error.text, "x\\x0ay: a\\x0ab\\x09c\\x1b[31md\\x7f");
}

Test(error, shows_what_cannot_be_seen)
{
	static const char *const CASES[][2] = {
	        {"\xef\xbb\xbf"
	         "run",
	         "\\ufeffrun"},
	        {"10\xc2\xa0G", "10\\u00a0G"},
	        {"\xe2\x80\xae"
	         "a",
	         "\\u202ea"},
	        {"\xc2\x9b"
	         "31m",
	         "\\u009b31m"},
	        {"\xc3\xa4 \xe2\x82\xac", "\xc3\xa4 \xe2\x82\xac"},
	        {"\xf0\x9f\x98\x80", "\xf0\x9f\x98\x80"},
	};
	struct error error;

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		error_set(&error, ERROR_PLAN, "%s", CASES[i][0]);
		cr_expect_str_eq(error.text, CASES[i][1]);
		error_prefix(&error, "%s", "");
		cr_expect_str_eq(error.text, CASES[i][1]);
	}
}

Test(error, is_cut_to_fit)
{
	struct error error;
	char text[3000];

	memset(text, 'a', sizeof(text));
	text[sizeof(text) - 1] = 0;
	error_set(&error, ERROR_DEVICE, "%s", text);
	cr_expect_eq(strlen(error.text), sizeof(error.text) - 1);
	error_prefix(&error, "place: ");
	cr_expect_eq(strlen(error.text), sizeof(error.text) - 1);
	cr_expect_eq(strncmp(error.text, "place: aaa", 10), 0);
	error_prefix(&error, "%s", text);
	cr_expect_eq(strlen(error.text), sizeof(error.text) - 1);
}

/* Every value that four octets can have in each place, against the table of RFC 3629 section 4, as code points. */
static bool is_scalar(uint32_t point)
{
	return point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff);
}

static size_t encode(uint32_t point, char text[4])
{
	static const uint32_t LAST[] = {0x7f, 0x7ff, 0xffff, 0x10ffff};
	static const unsigned char LEAD[] = {0, 0xc0, 0xe0, 0xf0};
	size_t extra = 0;

	while (extra < 3 && point > LAST[extra])
		extra++;
	text[0] = (char)(LEAD[extra] | point >> 6 * extra);
	for (size_t i = 1; i <= extra; i++)
		text[i] = (char)(0x80 | (point >> 6 * (extra - i) & 0x3f));
	return extra + 1;
}

Test(text, has_every_character_of_unicode_and_no_other_sequence)
{
	char text[4];
	unsigned count[5] = {0};

	for (uint32_t point = 0; point <= 0x10ffff; point++) {
		size_t length = encode(point, text);

		cr_assert_eq(text_character(text, 4), is_scalar(point) ? length : 0, "U+%04X", point);
		if (length > 1)
			cr_assert_eq(text_character(text, length - 1), 0, "U+%04X without its end", point);
	}
	/* There are as many sequences of three octets as there are characters, so no others are accepted. */
	for (uint32_t octets = 0; octets < 1 << 24; octets++) {
		const char three[] = {(char)(octets >> 16), (char)(octets >> 8), (char)octets};

		count[text_character(three, 3)]++;
	}
	cr_expect_eq(count[1], 0x80 << 16);
	cr_expect_eq(count[2], (0x800 - 0x80) << 8);
	cr_expect_eq(count[3], 0x10000 - 0x800 - 0x800);
}

Test(text, is_cut_between_characters_and_bad_octets_are_replaced)
{
	char small[8];

	cr_expect_str_eq(text_copy(small, sizeof(small), "Ger\xc3\xa4t"), "Ger\xc3\xa4t");
	cr_expect_str_eq(text_copy(small, sizeof(small), "abcdef\xc3\xa4"), "abcdef");
	cr_expect_str_eq(text_copy(small, sizeof(small),
	                           "a\xff"
	                           "b"),
	                 "a\xef\xbf\xbd"
	                 "b");
	cr_expect_str_eq(text_copy(small, sizeof(small), "\xff\xff\xff"), "\xef\xbf\xbd\xef\xbf\xbd");
	cr_expect_str_eq(text_copy(small, sizeof(small), ""), "");
	for (size_t length = 0; length < 12; length++) {
		char buffer[13];

		memset(buffer, 'x', length);
		snprintf(buffer + length, sizeof(buffer) - length, "%s", "\xf0\x9f\x98\x80");
		text_repair(buffer, sizeof(buffer));
		cr_expect_eq(strlen(buffer), length <= 8 ? length + 4 : length, "%zu", length);
	}
}

Test(text, a_copy_of_any_length_is_whole)
{
	char text[2001];
	char *copy;

	memset(text, 0xff, sizeof(text));
	text[2000] = 0;
	copy = text_repaired(text);
	cr_expect_eq(strlen(copy), 6000);
	cr_expect_eq(text_check(copy, 6000), 6000);
	free(copy);
}

Test(error, is_utf8_wherever_it_is_cut)
{
	char text[2100];

	for (size_t shift = 0; shift < 4; shift++) {
		struct error error;

		memset(text, 'a', shift);
		for (size_t at = shift; at + 4 < sizeof(text); at += 4)
			memcpy(text + at, "\xf0\x9f\x98\x80", 5);
		error_set(&error, ERROR_PLAN, "%s", text);
		cr_expect_eq(text_check(error.text, strlen(error.text)), strlen(error.text));
		cr_expect_gt(strlen(error.text), sizeof(error.text) - 5);
		error_prefix(&error, "\xff: ");
		cr_expect_eq(text_check(error.text, strlen(error.text)), strlen(error.text));
		cr_expect_eq(strncmp(error.text, "\xef\xbf\xbd: ", 5), 0);
	}
}

Test(format, frame_rates)
{
	cr_expect_str_eq(format_fps(148809523.81).text, "148.81 Mfps");
	cr_expect_str_eq(format_fps(999.999).text, "1.00 kfps");
	cr_expect_str_eq(format_fps(812.7).text, "812.70 fps");
	cr_expect_str_eq(format_fps(0).text, "0.00 fps");
	cr_expect_str_eq(format_fps(1190476190).text, "1.19 Gfps");
}

Test(format, times)
{
	cr_expect_str_eq(format_time(60).text, "60.00 s");
	cr_expect_str_eq(format_time(0.001).text, "1.00 ms");
	cr_expect_str_eq(format_time(0.000024).text, "24.00 us");
	cr_expect_str_eq(format_time(85e-9).text, "85.00 ns");
	cr_expect_str_eq(format_time(8e-11).text, "0.08 ns");
	cr_expect_str_eq(format_time(0).text, "0 s");
	cr_expect_str_eq(format_time(0.9999999).text, "1.00 s");
}

static const char *in_unit_of(double smallest_s, double seconds)
{
	static struct format_text text;
	struct format_time_unit unit = format_time_unit(smallest_s);

	text = format_time_in(seconds, &unit);
	return text.text;
}

Test(format, times_of_a_column_have_the_unit_of_the_smallest_and_five_digits_of_it)
{
	cr_expect_str_eq(in_unit_of(800e-9, 800e-9), "800.00 ns");
	cr_expect_str_eq(in_unit_of(800e-9, 21e-6), "21000.00 ns");
	cr_expect_str_eq(in_unit_of(1.0034e-6, 1.0034e-6), "1.0034 us");
	cr_expect_str_eq(in_unit_of(1.0034e-6, 0), "0.0000 us");
	cr_expect_str_eq(in_unit_of(0.0123456, 0.0123456), "12.346 ms");
	cr_expect_str_eq(in_unit_of(60, 60), "60.000 s");
	cr_expect_str_eq(in_unit_of(123456, 1234567), "1234567 s");
	cr_expect_str_eq(in_unit_of(8e-11, 8e-11), "0.0800 ns");
	cr_expect_str_eq(in_unit_of(0.9999999e-6, 0.9999999e-6), "1.0000 us", "what rounds to 1 is 1");
	cr_expect_str_eq(in_unit_of(99.99999e-9, 99.99999e-9), "100.00 ns");
	cr_expect_str_eq(in_unit_of(INFINITY, 0), "0 s", "of nothing there is no smallest");
}

Test(format, exact_numbers_have_the_fewest_digits_that_read_back_the_same)
{
	uint64_t seed = test_seed(), state = seed;

	cr_expect_str_eq(format_exact(816.64).text, "816.64");
	cr_expect_str_eq(format_exact(0.1).text, "0.1");
	cr_expect_str_eq(format_exact(0.1 + 0.2).text, "0.30000000000000004");
	cr_expect_str_eq(format_exact(100000000).text, "100000000");
	cr_expect_str_eq(format_exact(148809523.80952382).text, "148809523.80952382");
	for (int i = 0; i < 100000; i++) {
		char shorter[400];
		double value;
		int digits = 0;

		state = state * 6364136223846793005 + 1442695040888963407;
		value = ldexp((double)(state >> 11), (int)(state % 200) - 150);
		cr_assert_eq(strtod(format_exact(value).text, NULL), value, "seed %llu", (unsigned long long)seed);
		for (const char *c = format_exact(value).text; *c && *c != 'e'; c++)
			digits += *c >= '0' && *c <= '9' && (digits || *c != '0');
		if (digits < 2 || strchr(format_exact(value).text, '.') == NULL)
			continue;
		snprintf(shorter, sizeof(shorter), "%.*g", digits - 1, value);
		cr_assert_neq(strtod(shorter, NULL), value, "seed %llu: %s is enough", (unsigned long long)seed,
		              shorter);
	}
}

Test(format, link_speeds_are_never_rounded)
{
	cr_expect_str_eq(format_bit_rate(100000000000).text, "100 Gb/s");
	cr_expect_str_eq(format_bit_rate(2500000000).text, "2.5 Gb/s");
	cr_expect_str_eq(format_bit_rate(10000000).text, "10 Mb/s");
	cr_expect_str_eq(format_bit_rate(99990000000).text, "99990 Mb/s");
	cr_expect_str_eq(format_bit_rate(1234567).text, "1234567 b/s");
	cr_expect_str_eq(format_bit_rate(0).text, "0 b/s");
}

Test(format, multiples_as_a_plan_writes_them)
{
	cr_expect_str_eq(format_multiple(100000000000).text, "100G");
	cr_expect_str_eq(format_multiple(2500000000).text, "2500M");
	cr_expect_str_eq(format_multiple(1500).text, "1500");
	cr_expect_str_eq(format_multiple(0).text, "0");
	cr_expect_str_eq(format_multiple(5000000000000000).text, "5000T");
}

Test(format, only_the_whole_is_a_hundred_percent)
{
	cr_expect_str_eq(format_percent(1).text, "100.000%");
	cr_expect_str_eq(format_percent(0.9999996).text, "99.999%");
	cr_expect_str_eq(format_percent(0.672).text, "67.200%");
	cr_expect_str_eq(format_percent(0).text, "0.000%");
}

Test(format, nothing_but_zero_is_shown_as_zero_and_zero_has_no_sign)
{
	cr_expect_str_eq(format_decimal(0, 2).text, "0.00");
	cr_expect_str_eq(format_decimal(-0.0, 2).text, "0.00");
	cr_expect_str_eq(format_decimal(0.004, 2).text, "0.004");
	cr_expect_str_eq(format_decimal(0.5, 0).text, "0.5", "a half to even would be 0");
	cr_expect_str_eq(format_decimal(-0.000123, 2).text, "-0.0001");
	cr_expect_str_eq(format_decimal(3e-20, 3).text, "3e-20");
	cr_expect_str_eq(format_decimal(148809523.8095, 1).text, "148809523.8");
	cr_expect_str_eq(format_percent(1 / 14880953.0).text, "0.000007%", "one frame of a second");
	cr_expect_str_eq(format_percent(1 - 1 / 14880953.0).text, "99.999%");
	cr_expect_str_eq(format_percent(1.0000001).text, "100.001%");
	cr_expect_str_eq(format_percent(-0.0).text, "0.000%");
	cr_expect_str_eq(format_fps(0.001).text, "0.001 fps");
	cr_expect_str_eq(format_time(-0.0).text, "0 s");
	cr_expect_str_eq(format_time(1e-15).text, "0.000001 ns");
	cr_expect_str_eq(format_time_in(-0.0, &(struct format_time_unit){1e-9, "ns", 2}).text, "0.00 ns");
	cr_expect_str_eq(format_change(0).text, "+0.00%");
	cr_expect_str_eq(format_change(-0.0).text, "+0.00%");
	cr_expect_str_eq(format_change(-0.0004).text, "-0.0004%");
	cr_expect_str_eq(format_change(-99.9999).text, "-99.99%");
	cr_expect_str_eq(format_change(-100).text, "-100.00%");
	cr_expect_str_eq(format_change(12.345).text, "+12.35%");
}

/* One ratio of two counts after another, most of them next to 0 and to 1. */
Test(format, a_percentage_says_none_and_all_only_of_none_and_all)
{
	for (unsigned i = 0; i < 100000; i++) {
		const double whole = pow(10, i % 12) + i, part = i % 3 == 0 ? 1 : i % 3 == 1 ? whole - 1 : i % 7;
		const double ratio = part / whole;
		const char *text = format_percent(ratio).text;

		cr_assert_eq(strtod(text, NULL) == 0, ratio == 0, "%s of %.0f", text, whole);
		cr_assert_eq(strtod(text, NULL) == 100, ratio == 1, "%s of %.0f", text, whole);
		cr_assert_leq(fabs(strtod(text, NULL) - 100 * ratio), ratio > 0.99999 && ratio < 1 ? 0.001 : 0.0005001);
	}
}

/* Text as jansson writes it: with 17 digits. */
Test(format, reals_of_json_become_the_shortest_that_say_the_same)
{
	char text[] = "{\"a\": [99.900000000000006, 53.0, 9.9999999999999995e-8, -0.0, 148809523.80952382, 17],"
	              "\"0.10000000000000001\": \"say \\\"0.10000000000000001\", \"b\": 52.999999999999993,"
	              "\"c\": 1.0e300, \"d\": -12, \"e\": 1e400}";

	format_json_reals(text);
	cr_expect_str_eq(text, "{\"a\": [99.9, 53.0, 1e-07, 0.0, 148809523.80952382, 17],"
	                       "\"0.10000000000000001\": \"say \\\"0.10000000000000001\", \"b\": 52.99999999999999,"
	                       "\"c\": 1e+300, \"d\": -12, \"e\": 1e400}");
}

Test(format, time_left)
{
	cr_expect_str_eq(format_clock(6.2).text, "0:07");
	cr_expect_str_eq(format_clock(3765).text, "1:02:45");
	cr_expect_str_eq(format_clock(-1).text, "0:00");
}

Test(array, keeps_what_was_added_while_it_grows)
{
	unsigned *numbers = NULL;

	for (unsigned i = 0; i < 1000; i++) {
		unsigned *added = array_add(&numbers, i, sizeof(*added));

		cr_assert_eq(added, &numbers[i]);
		*added = i * 7;
	}
	for (unsigned i = 0; i < 1000; i++)
		cr_assert_eq(numbers[i], i * 7);
	free(numbers);
}

Test(array, without_memory_stays_as_it_is)
{
	unsigned first = 5, *numbers = &first;

	cr_expect_null(array_add(&numbers, SIZE_MAX / 4 + 1, sizeof(*numbers)));
	cr_expect_eq(numbers, &first);
}

Test(text, that_is_put_together_is_cut_at_the_end_of_its_buffer_and_counts_on)
{
	char text[12] = "";
	size_t length = text_add(text, sizeof(text), 0, "%s", "one");

	length = text_add(text, sizeof(text), length, ", %s", "two");
	cr_expect_str_eq(text, "one, two");
	cr_expect_eq(length, 8);
	length = text_add(text, sizeof(text), length, ", %s", "three");
	cr_expect_str_eq(text, "one, two, t");
	cr_expect_eq(length, 15);
	cr_expect_eq(text_add(text, sizeof(text), length, "!"), 15, "nothing more fits");
	cr_expect_str_eq(text, "one, two, t");
}
