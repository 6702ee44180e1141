/* SPDX-License-Identifier: Apache-2.0 */
/* The algorithm of RFC 2889 5.7.3, with two corrections: as printed, HIGH := MAX is a failed value that was never
 * tried, so the maximum itself cannot be found, and where the loop ends N may be a value that was never tried either.
 * Here a bound is a number of addresses that was tried: the search begins at the initial number, doubles it until an
 * iteration fails or the maximum passes, and bisects until a number passes and the next one fails. */
#include "host/bench/rfc2889/address_caching.h"

#include <math.h>

#include "host/bench/rfc2889/address_caching_keys.h"
#include "host/bench/rfc2889/learning_trial.h"
#include "host/plan/key_slices.h"

static int iterate(struct learning *learning, struct error *error)
{
	const uint64_t learning_fps = address_caching_settings(learning->session->test)->learning_fps;
	struct search_request wanted;
	int status = 0;

	while (status == 0 && search_next(learning->search, &wanted))
		status = learning_iterate(
		        learning, &(struct learning_point){.addresses = wanted.point, .learning_fps = learning_fps},
		        error);
	return status;
}

static int search(struct learning *learning, struct error *error)
{
	const struct address_caching_settings *settings = learning->session->test->settings;
	int status;

	learning->config = (struct search_config){.kind = SEARCH_BINARY,
	                                          .low = 1,
	                                          .high = settings->max_addresses,
	                                          .step = 1,
	                                          .first = settings->initial_addresses};
	learning->search = search_create(&learning->config, error);
	if (!learning->search)
		return error->code;
	status = learning_measure_ageing(learning, error);
	return status ? status : iterate(learning, error);
}

/* Reports the addresses behind the learning port, and that of the test port. */
static void report_addresses(const struct learning *learning, const struct search_result *found, json_t *result)
{
	if (found && found->has_lower) {
		result_count(result, "addresses", found->lower + 1);
		result_count(result, "learning_port_addresses", found->lower);
	} else if (found && !learning->taught_unknown) {
		result_count(result, "addresses", 1);
		result_count(result, "learning_port_addresses", 0);
	} else {
		result_number(result, "addresses", NAN);
		result_number(result, "learning_port_addresses", NAN);
	}
	if (found && !found->has_upper)
		result_flag(result,
		            "all of max_addresses = %u were learned: the capacity is that or more, and a larger "
		            "max_addresses "
		            "would find it",
		            address_caching_settings(learning->session->test)->max_addresses);
	if (found && !found->has_lower)
		result_flag(result, "not even one address beside that of the test port was learned");
}

static json_t *parameters(const struct session *session)
{
	const struct address_caching_settings *settings = session->test->settings;
	json_t *object = learning_parameters(session);

	result_number(object, "learning_rate_fps", (double)settings->learning_fps);
	result_count(object, "initial_addresses", settings->initial_addresses);
	result_count(object, "max_addresses", settings->max_addresses);
	return object;
}

static int run(struct session *session, struct error *error)
{
	static const struct learning_test TEST = {
	        .parameters = parameters, .search = search, .report = report_addresses};

	return learning_run(session, &TEST, error);
}

const struct benchmark RFC2889_ADDRESS_CACHING = {
        .plan = {.keys = {.name = "rfc2889.address_caching",
                          .slices = SLICES(&KEYS_TEST, &LEARNING_KEYS, &ADDRESS_CACHING_KEYS)},
                 .settings_size = sizeof(struct address_caching_settings),
                 .why_no_search = "its search is that of RFC 2889 section 5.7.3",
                 .why_unmixed = "its frames are counted one by one (RFC 2889 section 5.7.3)",
                 .pattern = &LEARNING_PATTERN,
                 .refused_modifiers = ~UINT32_C(0),
                 .why_refused = "other addresses would be learned, too (RFC 2889 section 5.7.3)",
                 .finish = address_caching_finish,
                 .results = (const struct result_description *const[]){&ADDRESS_CACHING_RESULTS, NULL}},
        .title = "Address caching capacity",
        .clause = "RFC 2889 5.7",
        .point_key = "offered_addresses",
        .point_unit = "addresses",
        .run = run,
        .traffic = learning_ports,
        .check = address_caching_check,
        .extent = address_caching_extent,
        .longest_trial_s = address_caching_trial_s,
        .shorten = address_caching_shorten,
};
