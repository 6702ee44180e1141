/* SPDX-License-Identifier: Apache-2.0 */
/* Runs all tests of a plan in order, each at all its frame sizes, with each of its sets of modifiers. */
#include "host/bench/bench.h"

#include <stdlib.h>

#include "host/bench/filter_check.h"
#include "host/bench/session.h"
#include "host/traffic/pattern.h"
#include "host/traffic/protocols/rip.h"
#include "host/traffic/traffic.h"

static int check_test(const struct plan_test *test, uint64_t link_bps, struct error *error)
{
	const struct benchmark *benchmark = benchmark_of(test);
	int status = 0;

	for (size_t i = 0; !status && benchmark->check && i < test->frame_size_count; i++)
		status = benchmark->check(test, test->frame_sizes[i], link_bps, error);
	return status;
}

int bench_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	const struct benchmark *benchmark = benchmark_of(test);

	if (!benchmark->traffic)
		return 0;
	if (test->shape.routed)
		return error_set(error, ERROR_PLAN,
		                 "traffic.routed = true: must be false for test = \"%s\": it is for bridges (%s)",
		                 benchmark_name(benchmark), benchmark->clause);
	if (test->shape.modifiers)
		return error_set(
		        error, ERROR_PLAN,
		        "modifiers: cannot be used with test = \"%s\": %s has none; they are of RFC 2544 section 11",
		        benchmark_name(benchmark), benchmark->clause);
	return benchmark->traffic(test, traffic, error);
}

/* Routes that are told of before a trial must last to its end. */
static int check_routing(const struct plan_test *test, uint64_t link_bps, struct error *error)
{
	const struct benchmark *benchmark = benchmark_of(test);
	struct traffic_shape shape = test->shape;
	bool is_learned = false;

	for (unsigned run = 0; run < plan_runs(test); run++) {
		shape.modifiers = plan_modifiers(test, run);
		is_learned |= traffic_is_learned(&shape);
	}
	for (size_t i = 0; is_learned && benchmark->longest_trial_s && i < test->frame_size_count; i++) {
		const double trial_s = benchmark->longest_trial_s(test, test->frame_sizes[i], link_bps);
		const double seconds = trial_s + extent_seconds(shape.routing_wait_ns);

		if (seconds > RIP_TIMEOUT_S)
			return error_set(error, ERROR_PLAN,
			                 "modifier routing: trials of %.9g s after traffic.routing_wait of %.9g s: "
			                 "together at most %d s, for which a router keeps what it was told before "
			                 "them (RFC 1058 section 3.3)",
			                 trial_s, seconds - trial_s, RIP_TIMEOUT_S);
	}
	return 0;
}

unsigned bench_least_ports(const struct plan_test *test)
{
	const unsigned least = pattern_least_ports(test->shape.pattern);
	const struct plan_pattern *own = test->benchmark->pattern;

	return own && own->least_ports > least ? own->least_ports : least;
}

const char *bench_cannot_send(const struct plan_test *test, uint32_t sends)
{
	return test->benchmark->cannot_send ? test->benchmark->cannot_send(test, sends) : NULL;
}

int bench_check(const struct plan *plan, uint64_t link_bps, struct error *error)
{
	int status = 0;

	for (size_t i = 0; !status && i < plan->test_count; i++) {
		status = check_test(&plan->tests[i], link_bps, error);
		if (status == 0)
			status = check_routing(&plan->tests[i], link_bps, error);
		if (status == ERROR_PLAN)
			error_prefix(error, "%s:%u: ", plan->path, plan->tests[i].line);
	}
	return status;
}

static int run_size(struct bench_context *context, const struct plan *plan, size_t test_index, unsigned run,
                    uint32_t frame_octets, struct error *error)
{
	const struct benchmark *benchmark = benchmark_of(&plan->tests[test_index]);
	struct session session = session_begin(context, benchmark, plan, test_index, frame_octets);
	const size_t before = json_array_size(context->results);
	struct filter_evidence filters = {0};
	struct traffic traffic = {0};
	struct trial_result *results = calloc(2, sizeof(*results));
	int status = results ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");

	session.trial = results;
	session.kept = results + 1;
	session_modify(&session, run);
	if (status == 0 && benchmark->traffic)
		status = session_make_traffic(&session, &traffic, error);
	if (status == 0)
		status = filter_check(&session, &filters, error);
	if (status == 0)
		status = benchmark->run(&session, error);
	if (status == 0)
		status = filter_check(&session, &filters, error);
	traffic_free(&traffic);
	free(results);
	if (status == 0)
		for (size_t i = before; i < json_array_size(context->results); i++)
			filter_check_report(&session, &filters, json_array_get(context->results, i));
	if (status == 0 && context->done)
		status = context->done(context->user, context->results, error);
	return status;
}

/* RFC 2544 section 11: all of it first without a modifying condition, then repeated under each. */
static int run_test(struct bench_context *context, const struct plan *plan, size_t test_index, struct error *error)
{
	const struct plan_test *test = &plan->tests[test_index];
	int status = 0;

	for (unsigned run = 0; run < plan_runs(test); run++)
		for (size_t i = 0; i < test->frame_size_count && status == 0; i++)
			status = run_size(context, plan, test_index, run, test->frame_sizes[i], error);
	return status;
}

int bench_run(struct bench_context *context, const struct plan *plan, struct error *error)
{
	int status = 0;

	for (size_t i = 0; i < plan->test_count && status == 0; i++)
		status = run_test(context, plan, i, error);
	return status;
}
