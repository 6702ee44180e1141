/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers as people read them: "148.81 Mfps", "1.00 ms", "100 Gb/s". For reports and the live line; never parsed back,
 * except for format_exact(). The text lives in the returned value, so format_time(x).text can be a printf argument. */
#ifndef FPGAUGE_BASE_FORMAT_H
#define FPGAUGE_BASE_FORMAT_H

#include <stdint.h>

struct format_text {
	char text[64];
};

struct format_text format_fps(double fps);            /* "148.81 Mfps", "950.00 fps" */
struct format_text format_time(double seconds);       /* "60.00 s", "1.00 ms", "24.00 us", "850.00 ns", "0 s" */
struct format_text format_bit_rate(uint64_t bps);     /* "100 Gb/s", "2.5 Gb/s", exact */
struct format_text format_multiple(uint64_t value);   /* "10G", "2500M", as a plan writes it; exact */
struct format_text format_percent(double ratio);      /* 0.67204 -> "67.204%" */
struct format_text format_change(double percent);     /* "+1.25%"; a loss of less than all never "-100.00%" */
struct format_text format_clock(double seconds);      /* "0:07", "1:02:45": time left; never less than it is */
struct format_text format_clock_down(double seconds); /* the same, never more than it is: a lower bound */
struct format_text format_octets(double octets);      /* "126.02 kB" is base 1000 */

/* Shows that many decimal places, and as many more as a value that is not 0 takes to be shown as more than 0; from
 * 10^12 of them on "3e-20". No sign of 0. Above 10^15 a double has no decimal places left to show. All of this file
 * go by it, and every number with decimal places in a report. */
struct format_text format_decimal(double value, int places);

/* "67.204", without the sign: for a column of percentages. Only 100 is "100.000"; next to it are "99.999" and
 * "100.001". */
struct format_text format_percentage(double percent);

/* The fewest digits that read back as the same number: "816.64", where %.17g has "816.63999999999999". */
struct format_text format_exact(double value);

/* Gives every real number in a JSON text the fewest digits that read back as the same, in place: 99.9, where jansson
 * writes 99.900000000000006. */
void format_json_reals(char *json);

/* One unit for a column of times, so that they can be compared by eye: that of the smallest, shown with five digits. */
struct format_time_unit {
	double seconds;
	const char *name;
	int places;
};

struct format_time_unit format_time_unit(double smallest_s); /* 0 or below: seconds without decimal places */
struct format_text format_time_in(double seconds, const struct format_time_unit *unit); /* "0.00 ns" is 0 */

#endif
