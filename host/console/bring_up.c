/* SPDX-License-Identifier: Apache-2.0 */
/* Brings plan and device together. Everything that can be wrong before the first trial is found here. */
#include "host/console/bring_up.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "host/base/fork.h"
#include "host/base/format.h"
#include "host/base/text.h"
#include "host/bench/bench.h"
#include "host/console/calibration.h"
#include "host/console/calibration_ways.h"
#include "host/console/device_name.h"
#include "host/trial/device/side_by_side.h"
#include "host/trial/device/tester.h"
#include "host/trial/exec/tester.h"
#include "host/trial/traffic.h"

/* A card says its rate in whole hertz of its clock, so the rate of a plan is met when none comes nearer. */
static int check_link(const struct plan *plan, const struct device_identity *identity, struct error *error)
{
	const uint64_t nearest_bps = (uint64_t)identity->groups * 64 / 2;

	if (!plan->link_bps ||
	    (plan->link_bps <= identity->link_bps + nearest_bps && plan->link_bps + nearest_bps >= identity->link_bps))
		return 0;
	return error_set(error, ERROR_PLAN, "%s: link.speed = \"%s\": must be \"%s\", the speed of %s",
	                 plan_option_place(plan, "link.speed"), format_multiple(plan->link_bps).text,
	                 format_multiple(identity->link_bps).text, identity->name);
}

/* The driver names setting and value; only here is it known where they come from. */
static int open_device(const struct plan *plan, struct device **device, struct error *error)
{
	const char *bad_option = NULL;
	int result = device_open(&plan->device, device, &bad_option, error);

	if (result == ERROR_PLAN || result == ERROR_DEVICE)
		error_prefix(error, "%s: ", plan_option_place(plan, bad_option ? bad_option : "device.library"));
	return result ? result : check_link(plan, device_identity(*device), error);
}

static int refuse_ports(const struct plan *plan, const struct plan_test *test, const struct device_identity *identity,
                        struct error *error)
{
	const struct plan_pattern *own = test->benchmark->pattern;
	const unsigned least = bench_least_ports(test);
	char how[64] = "", clause[64] = "";

	if (!strcmp(plan->device.backend, "sim"))
		snprintf(how, sizeof(how), ": write ports = %u in device = { ... }", least);
	if (own)
		snprintf(clause, sizeof(clause), " (%s)", own->clause);
	return error_set(error, ERROR_PLAN, "%s:%u: test = \"%s\": needs %u ports%s, and %s has %u%s", plan->path,
	                 test->line, plan_test_name(test), least, clause, identity->name, identity->ports, how);
}

static bool lacks_tcp(const struct plan_test *test, const struct device_identity *identity)
{
	return test->benchmark->needs_tcp && identity->tcp_connections == 0;
}

int bring_up_leave_out(struct plan *plan, const struct device_identity *identity, struct error *error)
{
	int status = 0;

	for (size_t i = 0; i < plan->test_count && status == 0;) {
		const struct plan_test *test = &plan->tests[i];
		char why[256];

		if (!test->if_possible || !lacks_tcp(test, identity)) {
			i++;
			continue;
		}
		snprintf(why, sizeof(why), "it needs TCP connections (%s), and %s has none", test->benchmark->needs_tcp,
		         identity->name);
		status = plan_leave_out(plan, i, why, error);
	}
	if (status == 0 && plan->left_out && plan->test_count == 0)
		return error_set(error, ERROR_PLAN, "%s: no test is left: %s", plan->path, plan->left_out);
	return status;
}

/* Checks that the device can send what a test asks for, at each of its frame sizes, with each set of modifiers. */
static int check_traffic(const struct plan *plan, const struct plan_test *test, const struct device_identity *identity,
                         struct error *error)
{
	const char *beyond = bench_cannot_send(test, identity->sends);
	char caution[BENCHMARK_CAUTION];
	int status = 0;

	if (bench_least_ports(test) > identity->ports)
		return refuse_ports(plan, test, identity, error);
	if (beyond)
		return error_set(error, ERROR_PLAN, "%s:%u: test = \"%s\": sends %s, which the MAC of %s cannot",
		                 plan->path, test->line, plan_test_name(test), beyond, identity->name);
	if (lacks_tcp(test, identity))
		return error_set(
		        error, ERROR_PLAN,
		        "%s:%u: test = \"%s\": needs TCP connections (%s), and %s has none (tcp_connections = 0): "
		        "library = \"twin\" has them unless tcp = false, \"rtl2-tcp\" and its like by how they are "
		        "built (docs/tcp.md); with if_possible = true in the test, it is left out",
		        plan->path, test->line, plan_test_name(test), test->benchmark->needs_tcp, identity->name);
	status = benchmark_check_device(test, identity, caution, error);
	for (size_t i = 0; i < plan_runs(test) * test->frame_size_count && status == 0; i++) {
		struct traffic_shape shape = test->shape;
		struct traffic traffic;

		shape.frame_octets = test->frame_sizes[i % test->frame_size_count];
		shape.modifiers = plan_modifiers(test, (unsigned)(i / test->frame_size_count));
		status = trial_traffic_of_shape(&shape, identity, &traffic, error);
		if (status)
			break;
		status = bench_traffic(test, &traffic, error);
		if (status == 0)
			status = trial_traffic_check(&traffic, identity, error);
		traffic_free(&traffic);
	}
	if (status == ERROR_PLAN)
		error_prefix(error, "%s:%u: ", plan->path, test->line);
	return status;
}

/* The ports that neither send nor receive, a bit each. A benchmark with traffic of its own changes it in its course. */
static unsigned idle_ports(const struct plan_test *test, const struct device_identity *identity)
{
	struct traffic_shape shape = test->shape;
	unsigned idle = (1u << identity->ports) - 1;
	struct traffic traffic;
	struct error ignored = {0};

	shape.frame_octets = test->frame_sizes[0];
	if (benchmark_of(test)->traffic || trial_traffic_of_shape(&shape, identity, &traffic, &ignored))
		return 0;
	for (unsigned port = 0; port < traffic.ports; port++) {
		if (traffic_sends(&traffic, port))
			idle &= ~(1u << port);
		for (unsigned i = 0; i < traffic.port[port].flows; i++)
			idle &= ~(unsigned)traffic.port[port].flow[i].arrives;
	}
	traffic_free(&traffic);
	return idle;
}

const char *bring_up_caution(const struct plan_test *test, const struct device_identity *identity, char *buffer,
                             size_t size)
{
	const unsigned idle = idle_ports(test, identity);
	char own[BENCHMARK_CAUTION];
	struct error ignored = {0}; /* bring_up() would have refused it */
	size_t length = 0;
	const char *separator = "leaves ports idle: ";

	buffer[0] = '\0';
	for (unsigned port = 0; port < identity->ports; port++) {
		if (idle >> port & 1) {
			length = text_add(buffer, size, length, "%s%u", separator, port);
			separator = ", ";
		}
	}
	if (!benchmark_check_device(test, identity, own, &ignored) && *own)
		text_add(buffer, size, length, "%s%s", length ? "; " : "", own);
	return buffer;
}

static int check_device(const struct plan *plan, const struct device_identity *identity, struct error *error)
{
	int status = 0;

	for (size_t i = 0; i < plan->test_count && status == 0; i++)
		status = check_traffic(plan, &plan->tests[i], identity, error);
	return status;
}

/* Takes the plan's word for what the program is: there is no register map to check it against. */
static int start_program(const struct plan *plan, const _Atomic int *cancel, struct tester **tester,
                         struct error *error)
{
	const struct quantity *tolerance = &plan->exec.offered_tolerance;
	const struct exec_tester_config config = {.command = plan->exec.command,
	                                          .timeout_ns = plan->exec.timeout_ns,
	                                          .link_bps = plan->link_bps,
	                                          .senders = plan->exec.senders,
	                                          .tolerance = {tolerance->numerator, tolerance->denominator}};
	int result = exec_tester_open(&config, cancel, tester, error);

	if (result == ERROR_DEVICE)
		error_prefix(error, "%s: device.command: ", plan_option_place(plan, "device.command"));
	return result;
}

static int make_tester(struct setup *setup, const _Atomic int *cancel, struct error *error)
{
	int result;

	if (setup->plan->exec.command)
		return start_program(setup->plan, cancel, &setup->tester, error);
	result = open_device(setup->plan, &setup->device, error);
	if (!result)
		result = bring_up_leave_out(setup->plan, device_identity(setup->device), error);
	if (!result)
		result = check_device(setup->plan, device_identity(setup->device), error);
	return result ? result : device_tester_open(setup->device, cancel, &setup->tester, error);
}

int bring_up_plan(struct setup *setup, const _Atomic int *cancel, struct error *error)
{
	int result = make_tester(setup, cancel, error);

	if (!result)
		result = bench_check(setup->plan, setup->tester->info.link_bps, error);
	if (result)
		tear_down(setup);
	return result;
}

int bring_up_calibration(struct setup *setup, json_t *record, struct error *error)
{
	struct latency_ways ways;
	int result;

	setup->calibration = record;
	if (!record)
		return 0;
	result = calibration_ways(record, &ways, error);
	if (!result) /* the record may be in a file of somebody else, and of other ways */
		result = calibration_ways_check(setup->plan, device_identity(setup->device), &ways, "calibration",
		                                error);
	if (!result)
		device_tester_calibrate(setup->tester, &ways);
	return result;
}

static int choose_calibration(struct setup *setup, struct error *error)
{
	json_t *record;
	int result = calibration_choose(setup->plan, device_identity(setup->device), &record, error);

	if (!result)
		result = bring_up_calibration(setup, record, error);
	if (result)
		tear_down(setup);
	return result;
}

int bring_up_calibrated(struct setup *setup, enum device_use use, const _Atomic int *cancel, struct error *error)
{
	int result;

	setup->plan->device.use = use;
	result = bring_up_plan(setup, cancel, error);
	return result || !setup->device ? result : choose_calibration(setup, error);
}

int bring_up(const struct plan_options *options, enum device_use use, const _Atomic int *cancel, struct setup *setup,
             struct error *error)
{
	int result;

	*setup = (struct setup){0};
	result = plan_source_read(options, options->device.overrides.texts, options->device.overrides.count,
	                          &setup->plan, error);
	if (result) {
		tear_down(setup);
		return result;
	}
	return bring_up_calibrated(setup, use, cancel, error);
}

unsigned bring_up_jobs(unsigned jobs, const struct setup *setup)
{
	const unsigned processors = fork_processors();

	if (!setup->device || strcmp(setup->plan->device.backend, "sim") != 0)
		return 1;
	if (jobs)
		return jobs;
	return processors > SIDE_BY_SIDE_MOST_JOBS ? SIDE_BY_SIDE_MOST_JOBS : processors;
}

int bring_up_side_by_side(unsigned jobs, const _Atomic int *cancel, struct setup *setup, struct error *error)
{
	const struct side_by_side_config config = {
	        .jobs = bring_up_jobs(jobs, setup), .also_short = jobs != 0, .cancel = cancel};
	struct tester *tester;
	int result;

	if (config.jobs < 2)
		return 0;
	result = side_by_side_open(&config, setup->tester, setup->device, &tester, error);
	if (result == 0)
		setup->tester = tester;
	return result;
}

int bring_up_device(const struct device_options *options, enum device_use use, struct setup *setup, struct error *error)
{
	char name[DEVICE_NAME_SIZE];
	int result;

	*setup = (struct setup){0};
	result = plan_of_device(device_name_in_full(options->device, name), options->overrides.texts,
	                        options->overrides.count, &setup->plan, error);
	if (!result) {
		setup->plan->device.use = use;
		result = open_device(setup->plan, &setup->device, error);
	}
	if (result)
		tear_down(setup);
	return result;
}

void tear_down(struct setup *setup)
{
	tester_close(setup->tester);
	device_close(setup->device);
	plan_free(setup->plan);
	json_decref(setup->calibration);
	*setup = (struct setup){0};
}
