/* SPDX-License-Identifier: Apache-2.0 */
/* The host's clocks, and times as text. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"

static void expect_rfc3339(int64_t seconds, long ns, bool milliseconds, const char *expected)
{
	char text[CLOCK_TEXT_SIZE];

	clock_rfc3339((struct timespec){.tv_sec = seconds, .tv_nsec = ns}, milliseconds, text);
	cr_expect_str_eq(text, expected);
}

/* Expected values checked with `date -u -d @SECONDS`. */
Test(clock, a_time_is_written_as_in_rfc_3339_in_utc_wherever_the_host_is)
{
	setenv("TZ", "America/St_Johns", 1);
	tzset();
	expect_rfc3339(0, 0, false, "1970-01-01T00:00:00Z");
	expect_rfc3339(951826554, 0, false, "2000-02-29T12:15:54Z"); /* a leap day */
	expect_rfc3339(1795254300, 125000000, true, "2026-11-21T09:45:00.125Z");
	expect_rfc3339(4102444799, 999999999, true, "2099-12-31T23:59:59.999Z"); /* not rounded up into the next year */
	expect_rfc3339(4102444799, 999999999, false, "2099-12-31T23:59:59Z");
	expect_rfc3339(1, 7000000, true, "1970-01-01T00:00:01.007Z");
}

Test(clock, the_name_of_a_file_has_local_time)
{
	const struct timespec time = {.tv_sec = 1795254300};
	char text[CLOCK_TEXT_SIZE];

	setenv("TZ", "XXX-5:30", 1); /* POSIX: east of Greenwich, without a time zone file */
	tzset();
	clock_file_stamp(time, text);
	cr_expect_str_eq(text, "20261121-151500");
	setenv("TZ", "UTC0", 1);
	tzset();
	clock_file_stamp(time, text);
	cr_expect_str_eq(text, "20261121-094500");
}

Test(clock, now_is_the_time_of_day)
{
	char before[CLOCK_TEXT_SIZE], now[CLOCK_TEXT_SIZE], after[CLOCK_TEXT_SIZE];

	clock_rfc3339((struct timespec){.tv_sec = time(NULL) - 1}, true, before);
	clock_rfc3339_now(now, true);
	clock_rfc3339((struct timespec){.tv_sec = time(NULL) + 2}, true, after);
	cr_expect(strcmp(before, now) < 0 && strcmp(now, after) < 0, "%s, %s, %s", before, now, after);
}

/* A clock read between two readings of another lies between the two, whatever the scheduler does. */
Test(clock, every_unit_is_of_the_monotonic_clock_and_it_does_not_go_back)
{
	for (unsigned i = 0; i < 1000; i++) {
		struct timespec system, time;
		int64_t first_ns, last_ns, ms;
		double s;

		clock_gettime(CLOCK_MONOTONIC, &system);
		first_ns = clock_ns();
		cr_assert((int64_t)system.tv_sec * 1000000000 + system.tv_nsec <= first_ns);
		ms = clock_ms();
		s = clock_s();
		time = clock_timespec();
		last_ns = clock_ns();
		clock_gettime(CLOCK_MONOTONIC, &system);
		cr_assert(last_ns <= (int64_t)system.tv_sec * 1000000000 + system.tv_nsec);
		cr_assert(first_ns / 1000000 <= ms && ms <= last_ns / 1000000);
		/* 53 bits hold 104 days in nanoseconds: allow for more. */
		cr_assert((double)first_ns - 1000 <= s * 1e9 && s * 1e9 <= (double)last_ns + 1000);
		cr_assert((int64_t)time.tv_sec * 1000000000 + time.tv_nsec <= last_ns);
	}
}

Test(clock, a_sleep_lasts_as_long_as_asked)
{
	enum { SLEEP_NS = 3000000 };
	double raw_s = clock_raw_s();
	int64_t began_ns = clock_ns();

	clock_sleep_ns(SLEEP_NS);
	cr_expect_geq(clock_ns() - began_ns, SLEEP_NS);
	cr_expect_geq(clock_raw_s() - raw_s, SLEEP_NS * 1e-9 * 0.999); /* NTP slews by 500 ppm at most */
	began_ns = clock_ns();
	clock_sleep_ns(1000000000 + SLEEP_NS);
	cr_expect_geq(clock_ns() - began_ns, 1000000000 + SLEEP_NS);
	clock_sleep_ns(0);
	clock_sleep_ns(-1);
	clock_sleep_ns(INT64_MIN);
}

Test(clock, who_sleeps_uses_no_processor)
{
	double began_s = clock_processor_s(), used_s;
	volatile unsigned work = 0;

	clock_sleep_ns(300000000);
	used_s = clock_processor_s() - began_s;
	cr_expect(used_s >= 0 && used_s < 0.15, "%g", used_s);
	while (clock_processor_s() - began_s < used_s + 0.01)
		work++;
	cr_expect_gt(work, 0);
}

Test(clock, a_sleep_ends_when_there_is_something_to_read_and_otherwise_when_it_is_over)
{
	const int64_t an_hour_ns = INT64_C(3600000000000), before_ns = clock_ns();
	int quiet[2], full[2];

	cr_assert(pipe(quiet) == 0 && pipe(full) == 0 && write(full[1], "x", 1) == 1);
	clock_sleep_until_input((int[]){quiet[0], full[0]}, 2, an_hour_ns);
	cr_expect_lt(clock_ns() - before_ns, an_hour_ns);
	clock_sleep_until_input(quiet, 1, 3000000);
	cr_expect_geq(clock_ns() - before_ns, 3000000);
	clock_sleep_until_input(quiet, 1, 0); /* does not wait */
	clock_sleep_until_input(quiet, 1, -an_hour_ns);
}
