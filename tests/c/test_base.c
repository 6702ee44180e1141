/* SPDX-License-Identifier: Apache-2.0 */
/* Errors are one printable line; numbers for people are rounded as people expect. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/base/error.h"
#include "host/base/format.h"

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
	cr_expect_str_eq(error.text, "a?b?c?[31md?");
	error_prefix(&error, "x\ny: ");
	cr_expect_str_eq(error.text, "x?y: a?b?c?[31md?");
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

Test(format, time_left)
{
	cr_expect_str_eq(format_clock(6.2).text, "0:07");
	cr_expect_str_eq(format_clock(3765).text, "1:02:45");
	cr_expect_str_eq(format_clock(-1).text, "0:00");
}
