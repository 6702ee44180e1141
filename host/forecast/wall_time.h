/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how much wall time a plan takes, as far as that is known, and what makes it shorter. */
#ifndef FPGAUGE_FORECAST_WALL_TIME_H
#define FPGAUGE_FORECAST_WALL_TIME_H

#include "host/forecast/pace.h"

/* Wall seconds, one trial after the other. */
struct wall_time {
	double expected_s; /* NAN: not known, and why */
	double known_s;    /* the part of it that is known; the least, where the device decides */
	double at_pace_s;  /* by the pace of what was tried, whatever that says of it; NAN: nothing was */
	double least_s;    /* it cannot take less if all trials are valid; 0: no such bound is known */
	char why[320];     /* "of test 2, mlrsearch, the device decides ...": the first reason; empty: it is known */
};

struct wall_time wall_time_of_size(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets,
                                   uint64_t link_bps);
struct wall_time wall_time_of_test(const struct pace *pace, const struct plan_test *test, uint64_t link_bps);
struct wall_time wall_time_of_plan(const struct pace *pace, const struct plan *plan, uint64_t link_bps);

struct wall_time_text {
	char text[400];
};

/* "about 4:10:00 of wall time", "at least 1:02 of wall time", "not known: ...". */
struct wall_time_text wall_time_text(const struct wall_time *time);

/* Reads the plan of a setup again with more settings, just as when the user gives them. */
struct plan_reader {
	int (*read)(const void *user, const char *const *settings, size_t count, struct plan **plan,
	            struct error *error);
	const void *user;
};

/* Settings for --set that bring the plan down to a minute or so: "--set run[0].trial_duration=2ms", for every test that
 * takes longer. They are tried on the plan, and *shorter is what it takes then. False when there are none. */
bool wall_time_shorten(const struct plan_reader *reader, const struct setup *setup, const struct pace *pace,
                       char *settings, size_t size, struct wall_time *shorter);

#endif
