/* SPDX-License-Identifier: Apache-2.0 */
/* Settings that would make a plan shorter, as --set takes them: "run[0].trial_duration=2ms". */
#ifndef FPGAUGE_BENCH_SHORTER_H
#define FPGAUGE_BENCH_SHORTER_H

#include <stddef.h>

enum { SHORTER_MAX_SETTINGS = 128, SHORTER_SETTING_SIZE = 80 };

struct shorter {
	size_t test_index; /* index in the plan, from 0, of the test that the settings are for */
	char text[SHORTER_MAX_SETTINGS][SHORTER_SETTING_SIZE];
	size_t count;
};

/* A sending time made shorter, but not so short that it no longer says anything about a device. */
double shorter_time_s(double time_s, double factor);

/* Adds a time under a key of the test, rounded down to 1, 2 or 5 times a power of ten. Left out if there is no room. */
void shorter_add(struct shorter *settings, const char *key, double time_s);

#endif
