/* SPDX-License-Identifier: Apache-2.0 */
/* How much wall time a plan takes, and what makes it shorter. */
#ifndef FPGAUGE_FORECAST_WALL_TIME_H
#define FPGAUGE_FORECAST_WALL_TIME_H

#include "host/forecast/pace.h"

/* Wall seconds. expected: for a device that loses frames at line rate if this one did when it was measured, and a
 * search of usual length. most: INFINITY without a bound. All are NAN when they are not known. */
struct wall_time {
	double least_s, expected_s, most_s;
};

struct wall_time wall_time_of_test(const struct pace *pace, const struct plan_test *test, uint64_t link_bps);
struct wall_time wall_time_of_plan(const struct pace *pace, const struct plan *plan, uint64_t link_bps);

struct wall_time_text {
	char text[256];
};

/* "about 4:10:00 of wall time (3:24:00 to 37:24:00)", "about 4:10:00 of wall time (3:24:00 or more)". */
struct wall_time_text wall_time_text(struct wall_time time);

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
