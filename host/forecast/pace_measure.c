/* SPDX-License-Identifier: Apache-2.0 */
/* Makes ever longer trials of each traffic of a plan until one takes long enough to stand out from the work around it,
 * and longer ones where those of the plan are much longer: a twin jumps over what repeats only after a while. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/clock.h"
#include "host/bench/benchmark.h"
#include "host/forecast/pace.h"
#include "host/trial/device/tester.h"

enum { GROWTH = 4, FIRST_FRAMES = 64 };
/* Several destinations let streams be drawn at random, but each is a table entry to write. */
enum { MOST_DESTINATIONS = 16 };

static const double FIRST_TRIAL_S = 16e-6; /* of device time */
/* Enough wall time for each pair of ports: 16 ports take 8 times as long to get to where a twin jumps. */
static const double ENOUGH_S = 0.01;
static const double ENOUGH_ALL_S = 1;         /* the same of all trials: then what is left is not known */
static const double WORTH = 10, DEEPEST = 32; /* times a trial; times ENOUGH_S */
static const double LONGEST_WAIT_S = 1;       /* of device time */
static const uint64_t DRAIN_NS = 100000;

/* The loads that are tried, in thousandths of line rate, which is the first. A twin may jump at one, but have to play
 * the other. */
static const uint64_t LOADS[] = {1000, 617};
enum { LOAD_COUNT = sizeof(LOADS) / sizeof(LOADS[0]) };

/* Options for files that the run's own instance writes. */
static bool writes_file(const char *option)
{
	return !strcmp(option, "device.waveform") || !strcmp(option, "device.capture") ||
	       !strncmp(option, "dut.waveform", strlen("dut.waveform"));
}

/* Another instance of the simulation, that writes none of the files that the run's own does. */
static int open_instance(const struct plan *plan, struct device **device, struct error *error)
{
	struct device_config config = plan->device;
	struct device_option *options = calloc(config.option_count + 1, sizeof(*options));
	const char *bad_option;
	int status;

	*device = NULL;
	if (!options)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	config.option_count = 0;
	for (size_t i = 0; i < plan->device.option_count; i++) {
		if (!writes_file(plan->device.options[i].name))
			options[config.option_count++] = plan->device.options[i];
	}
	config.options = options;
	config.use = DEVICE_DRIVE; /* nobody else uses this instance, even if the plan's is only looked at */
	status = device_open(&config, device, &bad_option, error);
	free(options);
	return status;
}

struct began {
	double wall_s, processor_s;
};

static struct began begin(void)
{
	return (struct began){clock_s(), clock_processor_s()};
}

/* Processor time, as other programs may take most of a few milliseconds of wall time, which says nothing about hours;
 * but no more than wall time, where threads compute at the same time. */
static double passed_s(struct began began)
{
	return fmin(clock_processor_s() - began.processor_s, clock_s() - began.wall_s);
}

struct measuring {
	struct tester *tester;
	struct device *device;
	unsigned pairs; /* half of the ports */
	struct began began;
	const struct plan_test *test; /* the test that size is measured for */
	struct pace_size *size;
	struct trial_result *result; /* the last trial's */
};

static bool is_late(const struct measuring *measuring)
{
	return passed_s(measuring->began) > ENOUGH_ALL_S * measuring->pairs;
}

/* The less disturbed of two trials. The first of a size has headers to write, and finds nothing in the caches. */
static int wall_of_trial(const struct measuring *measuring, struct rate load, struct pace_trial *trial, bool *lossy,
                         struct error *error)
{
	const uint64_t link_bps = measuring->tester->info.link_bps;
	struct trial_request request = {
	        .kind = TRIAL_LOAD,
	        .shape = measuring->test->shape,
	        .gap_octets = MIN_GAP_OCTETS,
	        .load = load,
	        .duration_ot = octet_times_from_ns((uint64_t)(trial->sending_s * (double)NS_PER_S), link_bps),
	        .drain_ot = octet_times_from_ns(DRAIN_NS, link_bps),
	};

	request.shape.frame_octets = measuring->size->frame_octets;
	if (request.shape.addresses > MOST_DESTINATIONS)
		request.shape.addresses = MOST_DESTINATIONS;
	trial->wall_s = INFINITY;
	for (unsigned i = 0; i < 2; i++) {
		const struct began began = begin();

		if (tester_run(measuring->tester, &request, measuring->result, error))
			return error->code;
		trial->wall_s = fmin(trial->wall_s, passed_s(began));
		*lossy = measuring->result->lost_frames > 0;
	}
	return 0;
}

/* The last trial stands out, and the longest of the plan takes little more than it if extrapolated, or too long to be
 * tried. A twin that has to play the beginning of a trial may jump over the rest: only a longer trial shows it. */
static bool is_enough(const struct measuring *measuring, const struct pace_trial *trial, double longest_s)
{
	const double enough_s = ENOUGH_S * measuring->pairs, per_s = trial->wall_s / trial->sending_s;

	return is_late(measuring) || (trial->wall_s >= enough_s &&
	                              (per_s > PACE_CLOCK_BY_CLOCK_S || per_s * longest_s < WORTH * trial->wall_s ||
	                               trial->wall_s * GROWTH > enough_s * DEEPEST));
}

/* Takes the slower of what was measured before and of this load. */
static int measure_load(const struct measuring *measuring, size_t which, struct error *error)
{
	const uint64_t link_bps = measuring->tester->info.link_bps;
	struct pace_size *size = measuring->size, line;
	const double longest_s =
	        benchmark_of(measuring->test)->longest_trial_s(measuring->test, size->frame_octets, link_bps);
	const struct rate line_rate = plan_max_rate(measuring->test, size->frame_octets, link_bps);
	double next_s = fmax(FIRST_TRIAL_S, FIRST_FRAMES / rate_fps(line_rate));
	struct pace_trial shorter, longer = {0};

	do {
		bool lossy = false;

		shorter = longer;
		longer.sending_s = fmin(next_s, longest_s);
		if (wall_of_trial(measuring, rate_scale(line_rate, LOADS[which], 1000), &longer, &lossy, error))
			return error->code;
		if (lossy && which == 0)
			size->lossy_after_s = fmin(size->lossy_after_s, longer.sending_s);
		next_s *= GROWTH;
	} while (longer.sending_s < longest_s && (shorter.sending_s == 0 || !is_enough(measuring, &longer, longest_s)));
	line = pace_through(shorter, longer);
	size->trial_s = fmax(size->trial_s, line.trial_s);
	size->sending_s = fmax(size->sending_s, line.sending_s);
	size->tried_s = fmin(size->tried_s, longer.sending_s);
	return 0;
}

/* Time without frames costs next to nothing where a simulation skips it, but one may be told not to, or have a user's
 * Verilog between its ports. */
static int measure_waiting(const struct measuring *measuring, double *waiting_s, struct error *error)
{
	double wait_s = FIRST_TRIAL_S, wall_s = 0;

	for (; wall_s < ENOUGH_S && wait_s < LONGEST_WAIT_S; wait_s *= GROWTH) {
		const uint64_t wait_ot =
		        octet_times_from_ns((uint64_t)(wait_s * (double)NS_PER_S), measuring->tester->info.link_bps);
		const struct began began = begin();

		if (device_wait(measuring->device, wait_ot, error))
			return error->code;
		wall_s = passed_s(began);
		*waiting_s = wall_s / wait_s;
	}
	return 0;
}

static int measure_size(struct measuring *measuring, const struct plan_test *test, uint32_t frame_octets,
                        struct pace_size *size, struct error *error)
{
	const size_t loads = benchmark_of(test)->line_rate_only ? 1 : LOAD_COUNT;

	*size = (struct pace_size){.frame_octets = frame_octets,
	                           .bidirectional = test->shape.bidirectional,
	                           .pattern = test->shape.pattern,
	                           .modifiers = test->shape.modifiers,
	                           .tried_s = INFINITY,
	                           .lossy_after_s = INFINITY};
	measuring->test = test;
	measuring->size = size;
	for (size_t i = 0; i < loads && size->sending_s < PACE_CLOCK_BY_CLOCK_S; i++) {
		if (measure_load(measuring, i, error))
			return error->code;
	}
	return measure_waiting(measuring, &size->waiting_s, error);
}

static int measure_test(struct measuring *measuring, const struct plan_test *test, struct pace *pace,
                        struct error *error)
{
	for (size_t i = 0; i < test->frame_size_count && !is_late(measuring); i++) {
		const struct pace_size *known = pace_find(pace, test, test->frame_sizes[i]);
		struct pace_size *size;

		if (known && pace_is_of(known, test, test->frame_sizes[i]))
			continue;
		size = array_add(&pace->sizes, pace->size_count, sizeof(*size));
		if (!size)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		if (measure_size(measuring, test, test->frame_sizes[i], size, error))
			return error->code;
		pace->size_count++;
	}
	return 0;
}

static int measure(const struct plan *plan, const _Atomic int *cancel, struct pace *pace, struct error *error)
{
	struct measuring measuring = {.began = begin(), .result = malloc(sizeof(*measuring.result))};
	int status = measuring.result ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");

	if (status == 0)
		status = open_instance(plan, &measuring.device, error);
	if (status == 0)
		status = device_tester_open(measuring.device, cancel, &measuring.tester, error);
	if (status == 0)
		measuring.pairs = measuring.tester->info.senders / 2;
	for (size_t i = 0; i < plan->test_count && status == 0; i++)
		status = measure_test(&measuring, &plan->tests[i], pace, error);
	tester_close(measuring.tester);
	device_close(measuring.device);
	free(measuring.result);
	return status;
}

/* A simulation that keeps pace with real time takes as long as a card. */
void pace_measure(const struct setup *setup, const _Atomic int *cancel, struct pace *pace)
{
	char ignored_text[DEVICE_DISTURBANCE_SIZE];
	struct error ignored = {0};

	*pace = (struct pace){.kind = PACE_ASKED};
	if (!setup->device)
		return;
	pace->kind = device_disturbance(setup->device, ignored_text) == DEVICE_OWN_TIME ? PACE_MEASURED : PACE_DEVICE;
	if (pace->kind == PACE_MEASURED && measure(setup->plan, cancel, pace, &ignored))
		pace->kind = PACE_UNKNOWN;
}
