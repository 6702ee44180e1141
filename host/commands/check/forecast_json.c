/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/check/forecast_json.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/forecast/device_time.h"
#include "host/forecast/wall_time.h"
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

static json_t *wall_time_json(const struct wall_time *time)
{
	json_t *why = isnan(time->expected_s) ? json_string(time->why) : json_null();

	return json_pack("{s:o, s:o, s:o}", "expected_s", number(time->expected_s), "least_s",
	                 number(time->least_s > 0 ? time->least_s : (double)NAN), "not_known", why);
}

static json_t *device_time_json(const struct extent *extent)
{
	return json_pack("{s:o, s:o, s:o}", "least_s", number(effort_device_s(&extent->least)), "most_s",
	                 number(effort_device_s(&extent->most)), "most_trials", number(extent->most.trials));
}

/* *sum: the device time of all. */
static json_t *tests_json(const struct setup *setup, const struct pace *pace, struct extent *sum)
{
	const struct plan *plan = setup->plan;
	const uint64_t link_bps = setup->tester->info.link_bps;
	json_t *tests = json_array();

	for (size_t i = 0; i < plan->test_count; i++) {
		const struct extent extent = device_time_of_test(&plan->tests[i], link_bps);
		const struct wall_time time = wall_time_of_test(pace, &plan->tests[i], link_bps);

		effort_add(&sum->least, &extent.least);
		effort_add(&sum->most, &extent.most);
		json_add(tests, json_pack("{s:s, s:o, s:o}", "test", plan_test_name(&plan->tests[i]), "device_time",
		                          device_time_json(&extent), "wall_time", wall_time_json(&time)));
	}
	return tests;
}

int check_json_write(const char *path, const struct setup *setup, const struct pace *pace, struct error *error)
{
	const struct wall_time time = wall_time_of_plan(pace, setup->plan, setup->tester->info.link_bps);
	struct extent extent = {0};
	json_t *tests = tests_json(setup, pace, &extent);
	json_t *root = json_pack("{s:i, s:s, s:s, s:o, s:o, s:o}", "schema", 2, "tool", "fpgauge " FPGAUGE_VERSION,
	                         "according_to", ACCORDING_TO[pace->kind], "device_time", device_time_json(&extent),
	                         "wall_time", wall_time_json(&time), "tests", tests);
	int status = root ? report_json(root, path, error) : error_set(error, ERROR_INTERNAL, "out of memory");

	json_decref(root);
	return status;
}
