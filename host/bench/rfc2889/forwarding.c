/* SPDX-License-Identifier: Apache-2.0 */
/* The procedure of the tests of forwarding: which loads are offered, in which order. */
#include "host/bench/rfc2889/forwarding.h"

#include "host/base/json_write.h"
#include "host/bench/result.h"

static int search(struct forwarding *forwarding, uint64_t high, uint64_t duration_ns, struct findings *found,
                  struct error *error)
{
	const struct search_points points = forwarding_search_points(forwarding);
	struct search_config config = {
	        .low = forwarding->range.low, .high = high, .step = 1, .duration_ns = duration_ns};

	session_search_limits(forwarding->session, &config);
	return search_loop(forwarding->session, &config, &points, found, error);
}

/* A search, if the plan wants so with shorter trials, and then trials of full length from there downwards (RFC 2544
 * section 24). */
static int find_throughput(struct forwarding *forwarding, struct error *error)
{
	const struct forwarding_settings *settings = forwarding_settings(forwarding->session->test);
	struct findings *found = &forwarding->found, full;
	int status = search(forwarding, forwarding->range.high, settings->search_trial_duration_ns, found, error);

	if (status || !found->bounds.has_lower ||
	    settings->search_trial_duration_ns >= settings->common.trial_duration_ns)
		return status;
	status = search(forwarding, found->bounds.lower, settings->common.trial_duration_ns, &full, error);
	if (!full.bounds.has_upper) {
		full.bounds.has_upper = found->bounds.has_upper;
		full.bounds.upper = found->bounds.upper;
	}
	findings_free(found);
	*found = full;
	return status;
}

/* RFC 2889 section 5.6.3.1, of which the trials at the throughput and at the maximum offered load are done: if both
 * are the same load, there is none between. */
static int step_up(struct forwarding *forwarding, struct error *error)
{
	const struct session *session = forwarding->session;
	const uint64_t wanted = forwarding_parts(&forwarding_settings(session->test)->step, session->max_rate);
	const uint64_t step = wanted ? wanted : 1;
	const struct search_result *bounds = &forwarding->found.bounds;
	uint64_t parts = bounds->has_lower ? forwarding_parts_of_point(forwarding, bounds->lower) : 0;
	int status = 0;

	while (status == 0 && parts < forwarding->most_parts && step < forwarding->most_parts - parts)
		status = forwarding_try(forwarding, parts += step, error);
	return status;
}

static int measure(struct forwarding *forwarding, struct error *error)
{
	const struct session *session = forwarding->session;
	const struct quantity *intended = &forwarding_settings(session->test)->intended_load;
	int status = find_throughput(forwarding, error);

	if (status == 0 && intended->numerator)
		status = forwarding_try(forwarding, forwarding_parts(intended, session->max_rate), error);
	if (status == 0)
		status = forwarding_try(forwarding, forwarding->most_parts, error);
	return status ? status : step_up(forwarding, error);
}

int forwarding_run_with(struct session *session,
                        void (*report_more)(const struct forwarding *forwarding, json_t *result), struct error *error)
{
	json_t *result = result_begin(session, session->benchmark->clause);
	struct forwarding forwarding;
	int status, finished;

	forwarding_begin(session, &forwarding);
	json_put(result, "parameters", forwarding_parameters(&forwarding));
	status = measure(&forwarding, error);
	forwarding_report(&forwarding, status == 0, result);
	report_more(&forwarding, result);
	if (status)
		result_invalid(result, "ended after %u loads: %s", (unsigned)forwarding.load_count,
		               status == SESSION_INVALID ? session->why_invalid : error->text);
	forwarding_end(&forwarding);
	finished = result_finish(session, result, error);
	return status < 0 ? status : finished;
}

static void report_matrix(const struct forwarding *forwarding, json_t *result)
{
	rfc2889_matrix(result, forwarding->mol);
}

int forwarding_run(struct session *session, struct error *error)
{
	return forwarding_run_with(session, report_matrix, error);
}
