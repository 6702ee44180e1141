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
struct format_text format_percent(double ratio);      /* 0.67204 -> "67.204%"; below 1 never "100.000%" */
struct format_text format_clock(double seconds);      /* "0:07", "1:02:45": time left; never less than it is */
struct format_text format_clock_down(double seconds); /* the same, never more than it is: a lower bound */
struct format_text format_octets(double octets);      /* "126.02 kB" is base 1000 */

/* The fewest digits that read back as the same number: "816.64", where %.17g has "816.63999999999999". */
struct format_text format_exact(double value);

/* One unit for a column of times, so that they can be compared by eye: that of the smallest, shown with five digits. */
struct format_time_unit {
	double seconds;
	const char *name;
	int places;
};

struct format_time_unit format_time_unit(double smallest_s); /* above 0; otherwise seconds without decimal places */
struct format_text format_time_in(double seconds, const struct format_time_unit *unit); /* "0.00 ns" is 0 */

#endif
