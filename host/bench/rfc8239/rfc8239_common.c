/* SPDX-License-Identifier: Apache-2.0 */
/* Keys, repeatability and parameters that the tests of RFC 8239 share. */
#include "host/bench/rfc8239/rfc8239_common.h"

#include <math.h>

#include "host/base/json_write.h"
#include "host/base/statistics.h"
#include "host/bench/result.h"
#include "host/plan/key_slices.h"
#include "host/plan/plan_benchmark.h"

#define SETTINGS struct rfc8239_settings

enum {
	MOST_STDDEV_PERCENT = 10, /* RFC 8239 section 1.2 */
	TIMESTAMP_STEP_OCTETS = 8 /* frames begin on groups of so many */
};

static const struct plan_key KEYS[] = {
        {.name = "repetitions",
         .value = COUNT(repetitions),
         .ranges = {{"1", "1000"}},
         .unit = "repetitions",
         .default_text = "3",
         .doc = "N, how often everything is measured, to report how far results vary (RFC 8239 section 1.2)."},
        {.name = "physical_layer",
         .value = TEXT(physical_layer),
         .doc = "What is between tester and device, for the report: line cards, transceivers, type and length of "
                "cables, "
                "software of the device (RFC 8238 section 4); default: the report says that it is not described."},
};
const struct key_slice RFC8239_KEYS = {OWN_SLICE(KEYS)};

int rfc8239_refuse_program(const struct plan *plan, struct plan_test *test, const struct node *group,
                           struct error *error)
{
	if (!plan->exec.command)
		return 0;
	return plan_complain(error, node_child(group, "test"), "test",
	                     "must not be \"%s\" with backend = \"exec\": an external program reports the sums of all "
	                     "ports, and RFC 8239 asks for what was received at each",
	                     plan_test_name(test));
}

/* NAN: unknown. */
static double percentage(double before, double now)
{
	if (before == now)
		return 0;
	return before != 0 ? 100 * (now - before) / before : (double)NAN;
}

static double relative_stddev(const double *values, size_t count)
{
	const struct sample sample = sample_of(values, count);

	if (sample.stddev == 0)
		return 0;
	return 100 * sample.stddev / sample.mean;
}

struct variation variation_of(const double *values, size_t count)
{
	struct variation all = {NAN, NAN, NAN, count < 2 ? (double)NAN : relative_stddev(values, count)};
	double sum = 0;
	unsigned known = 0;

	for (size_t i = 1; i < count; i++) {
		const double varies = percentage(values[i - 1], values[i]);

		if (isnan(varies))
			continue;
		all.min = fmin(all.min, varies);
		all.max = fmax(all.max, varies);
		sum += varies;
		known++;
	}
	if (known)
		all.mean = sum / known;
	return all;
}

void variation_report(const struct variation *variation, json_t *object)
{
	json_t *percent = json_object();

	result_number(percent, "min", variation->min);
	result_number(percent, "mean", variation->mean);
	result_number(percent, "max", variation->max);
	json_put(object, "variation_percent", percent);
	result_number(object, "relative_stddev_percent", variation->relative_stddev);
}

void variation_flag(const struct variation *variation, const char *what, json_t *result)
{
	if (variation->relative_stddev >= MOST_STDDEV_PERCENT)
		result_flag(result,
		            "%s varies: its relative standard deviation is %.3g%%, and should be below %d%% (RFC 8239 "
		            "section 1.2); more repetitions tell more",
		            what, variation->relative_stddev, MOST_STDDEV_PERCENT);
}

json_t *rfc8239_parameters(const struct session *session)
{
	const struct rfc8239_settings *settings = rfc8239_settings(session->test);
	json_t *object = result_parameters(session);

	result_count(object, "ports", session->context->tester->info.device->ports);
	result_count(object, "repetitions", settings->repetitions);
	json_put(object, "physical_layer",
	         json_string(settings->physical_layer ? settings->physical_layer
	                                              : "not described (the key physical_layer does)"));
	result_number(object, "timestamp_step_ns", session_ns(session, TIMESTAMP_STEP_OCTETS));
	return object;
}

static const struct metric VARIATION[] = {
        {"variation_percent", "Variation", METRIC_OBJECT, .definition = "variation",
         .meaning = "percentage of variation from each repetition to the next, 100 (x2 - x1) / x1 (RFC 8239 section "
                    "3.3), of the value that answers the test: smallest, mean and largest, as `min`, `mean`, `max`. "
                    "Null with one repetition"},
        {"variation_percent.min", "PV min", METRIC_PERCENT, .places = 3, .meaning = "smallest"},
        {"variation_percent.mean", "PV mean", METRIC_PERCENT, .places = 3, .meaning = "mean"},
        {"variation_percent.max", "PV max", METRIC_PERCENT, .places = 3, .meaning = "largest"},
        {"relative_stddev_percent", "Rel. StdDev", METRIC_PERCENT, .places = 3, .better = BETTER_LESS, .derived = true,
         .meaning = "sample standard deviation (N - 1) of the same over its mean (RFC 8239 section 1.2: below 10%); "
                    "null with one repetition"},
};
const struct metric_slice VARIATION_METRICS = METRIC_SLICE(VARIATION);
