/* SPDX-License-Identifier: Apache-2.0 */
#include "host/cli/check_json.h"

#include <math.h>

#include "host/report/report.h"

static const char *const ACCORDING_TO[] = {[PACE_UNKNOWN] = "nothing",
                                           [PACE_DEVICE] = "device_time",
                                           [PACE_MEASURED] = "measured",
                                           [PACE_ASKED] = "asked_time"};

/* null: not known, or without a bound. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *wall_time_json(struct wall_time time)
{
	return json_pack("{s:o, s:o, s:o}", "expected_s", number(time.expected_s), "least_s", number(time.least_s),
	                 "most_s", number(time.most_s));
}

static json_t *tests_json(const struct setup *setup, const struct pace *pace, const struct rehearsal *rehearsal)
{
	const struct plan *plan = setup->plan;
	json_t *tests = json_array();
	int trials;

	for (size_t i = 0; i < plan->test_count; i++) {
		struct wall_time time = wall_time_of_test(pace, &plan->tests[i], setup->tester->info.link_bps);

		rehearsal_of_test(rehearsal, i, &time);
		trials = rehearsal_trials(rehearsal, i);
		json_array_append_new(tests, json_pack("{s:s, s:o, s:o}", "test", plan_test_name(&plan->tests[i]),
		                                       "trials", trials >= 0 ? json_integer(trials) : json_null(),
		                                       "wall_time", wall_time_json(time)));
	}
	return tests;
}

int check_json_write(const char *path, const struct setup *setup, const struct pace *pace,
                     const struct rehearsal *rehearsal, struct error *error)
{
	struct wall_time time = wall_time_of_plan(pace, setup->plan, setup->tester->info.link_bps);
	json_t *root;
	int status;

	rehearsal_of_plan(rehearsal, &time);
	root = json_pack("{s:i, s:s, s:s, s:o, s:o, s:I, s:I, s:I}", "schema", 1, "tool", "fpgauge " FPGAUGE_VERSION,
	                 "according_to", ACCORDING_TO[pace->kind], "wall_time", wall_time_json(time), "tests",
	                 tests_json(setup, pace, rehearsal), "parts", (json_int_t)rehearsal->count, "parts_tried",
	                 (json_int_t)rehearsal->tried, "parts_whole", (json_int_t)rehearsal->whole);
	status = root ? report_json(root, path, error) : error_set(error, ERROR_INTERNAL, "out of memory");
	json_decref(root);
	return status;
}
