/* SPDX-License-Identifier: Apache-2.0 */
/* Turns calculated times into times that people would write. */
#include "host/bench/shorter.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>

/* The shortest sending time that still says something about a device. */
static const double SHORTEST_S = 100e-6;

struct time_text {
	char text[32];
};

double shorter_time_s(double time_s, double factor)
{
	return fmax(time_s * factor, SHORTEST_S);
}

/* Rounded down to 1, 2 or 5 times a power of ten: "2ms". */
static struct time_text round_time(double seconds)
{
	static const char *const UNITS[] = {"ns", "us", "ms", "s"};
	static const uint64_t STEPS[] = {5, 2, 1};
	uint64_t ns = (uint64_t)(seconds * 1e9 * (1 + 1e-9)), decade = 1, value = 1;
	struct time_text text;
	size_t unit = 0;

	while (decade <= ns / 10)
		decade *= 10;
	for (size_t i = 0; i < sizeof(STEPS) / sizeof(STEPS[0]); i++) {
		value = STEPS[i] * decade;
		if (value <= ns)
			break;
	}
	while (unit + 1 < sizeof(UNITS) / sizeof(UNITS[0]) && value % 1000 == 0) {
		value /= 1000;
		unit++;
	}
	snprintf(text.text, sizeof(text.text), "%" PRIu64 "%s", value, UNITS[unit]);
	return text;
}

void shorter_add(struct shorter *settings, const char *key, double time_s)
{
	if (settings->count == SHORTER_MAX_SETTINGS)
		return;
	snprintf(settings->text[settings->count++], SHORTER_SETTING_SIZE, "run[%zu].%s=%s", settings->test_index, key,
	         round_time(time_s).text);
}
