/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithm of address_caching.c with the number of addresses fixed and the rate varied (RFC 2889 5.8.3). */
#include "host/bench/rfc2889/learning_rate.h"

#include <math.h>

#include "host/bench/rfc2889/learning_rate_keys.h"
#include "host/bench/rfc2889/learning_trial.h"
#include "host/plan/key_slices.h"

static int iterate(struct learning *learning, struct error *error)
{
	const unsigned addresses = learning_rate_settings(learning->session->test)->addresses;
	struct search_request wanted;
	int status = 0;

	while (status == 0 && search_next(learning->search, &wanted))
		status = learning_iterate(
		        learning, &(struct learning_point){.addresses = addresses, .learning_fps = wanted.point},
		        error);
	return status;
}

static int search(struct learning *learning, struct error *error)
{
	const struct learning_rate_settings *settings = learning->session->test->settings;
	int status;

	learning->config = (struct search_config){.kind = SEARCH_BINARY,
	                                          .low = settings->min_fps,
	                                          .high = settings->max_fps,
	                                          .step = settings->step_fps,
	                                          .first = settings->initial_fps};
	learning->search = search_create(&learning->config, error);
	if (!learning->search)
		return error->code;
	status = learning_measure_ageing(learning, error);
	return status ? status : iterate(learning, error);
}

static void report_rate(const struct learning *learning, const struct search_result *found, json_t *result)
{
	const struct learning_rate_settings *settings = learning->session->test->settings;
	const bool lower = found && found->has_lower, upper = found && found->has_upper;

	result_number(result, "learning_rate_fps", lower ? (double)found->lower : (double)NAN);
	result_number(result, "failed_rate_fps", upper ? (double)found->upper : (double)NAN);
	if (found && !upper)
		result_flag(result,
		            "all addresses were learned at max_rate = %.9g a second: the rate is that or more, and a "
		            "larger "
		            "max_rate would find it",
		            (double)settings->max_fps);
	if (found && !lower)
		result_flag(
		        result,
		        "not all of %u addresses were learned even at min_rate = %.9g a second: they may be more than "
		        "the device can hold, which rfc2889.address_caching finds, or the rate is lower",
		        settings->addresses, (double)settings->min_fps);
}

static json_t *parameters(const struct session *session)
{
	const struct learning_rate_settings *settings = session->test->settings;
	json_t *object = learning_parameters(session);

	result_count(object, "addresses", settings->addresses);
	result_number(object, "initial_rate_fps", (double)settings->initial_fps);
	result_number(object, "min_rate_fps", (double)settings->min_fps);
	result_number(object, "max_rate_fps", (double)settings->max_fps);
	result_number(object, "rate_step_fps", (double)settings->step_fps);
	return object;
}

static int run(struct session *session, struct error *error)
{
	static const struct learning_test TEST = {.parameters = parameters, .search = search, .report = report_rate};

	return learning_run(session, &TEST, error);
}

const struct benchmark RFC2889_LEARNING_RATE = {
        .plan = {.keys = {.name = "rfc2889.learning_rate",
                          .slices = SLICES(&KEYS_TEST, &LEARNING_KEYS, &LEARNING_RATE_KEYS)},
                 .settings_size = sizeof(struct learning_rate_settings),
                 .why_no_search = "its search is that of RFC 2889 section 5.8.3",
                 .why_unmixed = "its frames are counted one by one (RFC 2889 section 5.8.3)",
                 .pattern = &LEARNING_PATTERN,
                 .refused_modifiers = ~UINT32_C(0),
                 .why_refused = "other addresses would be learned, too (RFC 2889 section 5.8.3)",
                 .finish = learning_rate_finish,
                 .results = (const struct result_description *const[]){&LEARNING_RATE_RESULTS, NULL}},
        .title = "Address learning rate",
        .clause = "RFC 2889 5.8",
        .point_key = "learning_rate_fps",
        .point_unit = "fps",
        .run = run,
        .traffic = learning_ports,
        .check = learning_rate_check,
        .extent = learning_rate_extent,
        .longest_trial_s = learning_rate_trial_s,
        .shorten = learning_rate_shorten,
};
