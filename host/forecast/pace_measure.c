/* SPDX-License-Identifier: Apache-2.0 */
/* Makes ever longer trials at line rate until one takes long enough to stand out from the work around it. If a
 * simulation is fast, long trials are not extrapolated from short ones: a twin that jumps over what repeats itself does
 * so only after a while. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/bench/benchmark.h"
#include "host/forecast/pace.h"
#include "host/forecast/passed_time.h"
#include "host/trial/device/tester.h"

enum { MAX_STEPS = 24, GROWTH = 4, FIRST_FRAMES = 64 };
/* Several destinations let streams be drawn at random, but each is a table entry to write. */
enum { MOST_DESTINATIONS = 16 };

static const double FIRST_TRIAL_S = 16e-6; /* of device time */
/* Enough wall time for each pair of ports: 16 ports take 8 times as long to get to where a twin jumps. */
static const double ENOUGH_S = 0.01;
static const double ENOUGH_ALL_S = 0.5;       /* the same of all trials */
static const double WORTH = 10, DEEPEST = 32; /* times a trial; times ENOUGH_S */
static const double LONGEST_WAIT_S = 1;       /* of device time */
static const uint64_t DRAIN_NS = 100000;
static const double SLOW = 30; /* wall seconds per second of sending */

/* -- the instance -------------------------------------------------------------------------------------------------- */

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

/* -- measuring ----------------------------------------------------------------------------------------------------- */

struct measuring {
	struct tester *tester;
	struct device *device;
	double enough_s; /* of a trial */
	struct passed_since began;
	double most_s; /* of passed_s(), of all trials: after it, other sizes take the last one's pace, and are only
	                  glanced at */
};

/* The loads that are tried, in thousandths of line rate. A twin may jump at one, but have to play the other. */
static const uint64_t LOADS[] = {1000, 617};
enum { LOAD_COUNT = sizeof(LOADS) / sizeof(LOADS[0]) };

/* A test at a frame size, and a load. */
struct sample {
	const struct plan_test *test;
	uint32_t frame_octets;
	uint64_t thousandths;
};

/* Trials become longer, so the last one is the longest. */
static void look(struct glimpse *glimpse, const struct trial_result *result, double sending_s)
{
	glimpse->known = true;
	glimpse->passed = 1 - (double)result->lost_frames / (double)result->offered_frames;
	if (result->lost_frames)
		glimpse->lossy_after_s = fmin(glimpse->lossy_after_s, sending_s);
}

static int wall_of_trial(const struct measuring *measuring, const struct sample *sample, double sending_s,
                         double *wall_s, struct glimpse *glimpse, struct error *error)
{
	uint64_t link_bps = measuring->tester->info.link_bps;
	struct trial_request request = {
	        .kind = TRIAL_LOAD,
	        .shape = sample->test->shape,
	        .gap_octets = MIN_GAP_OCTETS,
	        .load = rate_scale(plan_max_rate(sample->test, sample->frame_octets, link_bps), sample->thousandths,
	                           1000),
	        .duration_ot = octet_times_from_ns((uint64_t)(sending_s * (double)NS_PER_S), link_bps),
	        .drain_ot = octet_times_from_ns(DRAIN_NS, link_bps),
	};
	struct trial_result result;
	struct passed_since since = passed_begin();
	int status;

	request.shape.frame_octets = sample->frame_octets;
	if (request.shape.addresses > MOST_DESTINATIONS)
		request.shape.addresses = MOST_DESTINATIONS;
	status = tester_run(measuring->tester, &request, &result, error);
	*wall_s = passed_s(since);
	if (status == 0 && result.offered_frames > 0)
		look(glimpse, &result, sending_s);
	return status;
}

/* The last trial stands out, and the longest of the plan takes little more than it if extrapolated, or too long to be
 * tried. A twin that has to play the beginning of a trial may jump over the rest: only a longer trial shows it. */
static bool is_enough(const struct measuring *measuring, const double *sending_s, const double *wall_s, size_t count,
                      double longest_s)
{
	const double last_s = wall_s[count - 1], per_s = last_s / sending_s[count - 1];

	if (last_s < measuring->enough_s)
		return false;
	return per_s > SLOW || per_s * longest_s < WORTH * last_s || last_s * GROWTH > measuring->enough_s * DEEPEST ||
	       passed_s(measuring->began) > measuring->most_s;
}

static int measure_load(const struct measuring *measuring, const struct sample *sample, struct pace_size *size,
                        struct error *error)
{
	uint64_t link_bps = measuring->tester->info.link_bps;
	double longest_s = benchmark_of(sample->test)->longest_trial_s(sample->test, sample->frame_octets, link_bps);
	double line_fps = rate_fps(plan_max_rate(sample->test, sample->frame_octets, link_bps));
	double sending_s[MAX_STEPS], wall_s[MAX_STEPS], next_s = fmax(FIRST_TRIAL_S, FIRST_FRAMES / line_fps);
	struct glimpse glimpse = {.lossy_after_s = INFINITY};
	size_t count = 0;
	/* The first trial of a size has headers to write, and finds nothing in the caches. */
	int status = wall_of_trial(measuring, sample, next_s, wall_s, &glimpse, error);

	while (status == 0 && count < MAX_STEPS) {
		sending_s[count] = fmin(next_s, longest_s);
		status = wall_of_trial(measuring, sample, sending_s[count], &wall_s[count], &glimpse, error);
		count++;
		if (next_s >= longest_s || (count > 1 && is_enough(measuring, sending_s, wall_s, count, longest_s)))
			break;
		next_s *= GROWTH;
	}
	/* The two longest trials tell what a second of sending takes: repeat them, and let the less disturbed ones
	 * count. */
	for (size_t i = count > 1 ? count - 2 : 0; status == 0 && i < count; i++) {
		double again_s;

		status = wall_of_trial(measuring, sample, sending_s[i], &again_s, &glimpse, error);
		wall_s[i] = fmin(wall_s[i], again_s);
	}
	if (status == 0) {
		*size = pace_through(sending_s, wall_s, count);
		size->tried_s = sending_s[count - 1];
		size->tried_wall_s = wall_s[count - 1];
	}
	size->glimpse = glimpse;
	return status;
}

static struct pace_size pace_size_of(const struct plan_test *test, uint32_t frame_octets)
{
	return (struct pace_size){.frame_octets = frame_octets,
	                          .bidirectional = test->shape.bidirectional,
	                          .pattern = test->shape.pattern,
	                          .modifiers = test->shape.modifiers};
}

static int measure_size(const struct measuring *measuring, const struct plan_test *test, uint32_t frame_octets,
                        struct pace_size *size, struct error *error)
{
	int status = 0;

	*size = pace_size_of(test, frame_octets);
	size->tried_s = INFINITY;
	/* The first of the loads is the line rate. */
	for (size_t i = 0; i < (benchmark_of(test)->line_rate_only ? 1 : LOAD_COUNT) && status == 0; i++) {
		struct sample sample = {test, frame_octets, LOADS[i]};
		struct pace_size one;

		status = measure_load(measuring, &sample, &one, error);
		if (status == 0) {
			if (i == 0)
				size->glimpse = one.glimpse;
			size->trial_s = fmax(size->trial_s, one.trial_s);
			size->sending_s = fmax(size->sending_s, one.sending_s);
			size->tried_s = fmin(size->tried_s, one.tried_s);
			size->tried_wall_s = fmax(size->tried_wall_s, one.tried_wall_s);
		}
		size->clock_by_clock = size->sending_s > SLOW;
		if (size->clock_by_clock)
			break;
	}
	return status;
}

/* Glances at a size when time is up: it gets the pace of the last size, and one trial tells only whether the device
 * loses frames. That trial is four times as long as the one that showed it at the last size, or as the shortest ones.
 */
static int glance_at_size(const struct measuring *measuring, const struct plan_test *test, uint32_t frame_octets,
                          const struct pace_size *last, struct pace_size *size, struct error *error)
{
	const uint64_t link_bps = measuring->tester->info.link_bps;
	const struct sample sample = {test, frame_octets, LOADS[0]};
	const double line_fps = rate_fps(plan_max_rate(test, frame_octets, link_bps));
	const double shortest_s = fmax(FIRST_TRIAL_S, FIRST_FRAMES / line_fps);
	const double longest_s = benchmark_of(test)->longest_trial_s(test, frame_octets, link_bps);
	const double seen_s = isfinite(last->glimpse.lossy_after_s) ? last->glimpse.lossy_after_s : shortest_s;
	double ignored_s;

	*size = pace_size_of(test, frame_octets);
	size->glanced = true;
	size->trial_s = last->trial_s;
	size->sending_s = last->sending_s;
	size->clock_by_clock = last->clock_by_clock;
	size->glimpse = (struct glimpse){.lossy_after_s = INFINITY};
	return wall_of_trial(measuring, &sample, fmin(GROWTH * seen_s, longest_s), &ignored_s, &size->glimpse, error);
}

/* The less disturbed of two waits. */
static int wall_of_wait(const struct measuring *measuring, double wait_s, double *wall_s, struct error *error)
{
	const uint64_t wait_ot =
	        octet_times_from_ns((uint64_t)(wait_s * (double)NS_PER_S), measuring->tester->info.link_bps);

	*wall_s = INFINITY;
	for (unsigned i = 0; i < 2; i++) {
		struct passed_since since = passed_begin();
		int status = device_wait(measuring->device, wait_ot, error);

		if (status)
			return status;
		*wall_s = fmin(*wall_s, passed_s(since));
	}
	return 0;
}

static int measure_waiting(const struct measuring *measuring, double *waiting_s, struct error *error)
{
	for (double wait_s = FIRST_TRIAL_S;; wait_s *= GROWTH) {
		double wall_s;
		int status = wall_of_wait(measuring, wait_s, &wall_s, error);

		if (status)
			return status;
		*waiting_s = wall_s / wait_s;
		if (wall_s >= measuring->enough_s || wait_s >= LONGEST_WAIT_S)
			return 0;
	}
}

static bool is_measured(const struct pace *pace, const struct plan_test *test, uint32_t frame_octets)
{
	const struct pace_size *size = pace_find(pace, test, frame_octets);

	return size && pace_is_of(size, test, frame_octets);
}

static int measure_test(const struct measuring *measuring, const struct plan_test *test, struct pace *pace,
                        struct error *error)
{
	int status = 0;

	for (size_t i = 0; i < test->frame_size_count && status == 0; i++) {
		const bool is_late = pace->size_count && passed_s(measuring->began) > measuring->most_s;
		struct pace_size *grown;

		if (is_measured(pace, test, test->frame_sizes[i]))
			continue;
		grown = realloc(pace->sizes, (pace->size_count + 1) * sizeof(*grown));
		if (!grown)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		pace->sizes = grown;
		grown += pace->size_count;
		status = is_late ? glance_at_size(measuring, test, test->frame_sizes[i], grown - 1, grown, error)
		                 : measure_size(measuring, test, test->frame_sizes[i], grown, error);
		pace->size_count += status == 0;
	}
	return status;
}

static int measure(const struct plan *plan, const _Atomic int *cancel, struct pace *pace, struct error *error)
{
	struct measuring measuring = {0};
	int status = open_instance(plan, &measuring.device, error);

	if (status == 0)
		status = device_tester_open(measuring.device, cancel, &measuring.tester, error);
	if (status == 0) {
		const unsigned pairs = measuring.tester->info.senders / 2;

		measuring.enough_s = ENOUGH_S * pairs;
		measuring.began = passed_begin();
		measuring.most_s = ENOUGH_ALL_S * pairs;
		status = measure_waiting(&measuring, &pace->waiting_s, error);
	}
	for (size_t i = 0; i < plan->test_count && status == 0; i++)
		status = measure_test(&measuring, &plan->tests[i], pace, error);
	tester_close(measuring.tester);
	device_close(measuring.device);
	return status;
}

/* One that keeps pace with real time takes as long as a card. */
static bool has_own_time(const struct setup *setup)
{
	char ignored[DEVICE_DISTURBANCE_SIZE];

	return device_disturbance(setup->device, ignored) == DEVICE_OWN_TIME;
}

void pace_measure(const struct setup *setup, const _Atomic int *cancel, struct pace *pace)
{
	struct error ignored = {0};

	*pace = (struct pace){.kind = PACE_ASKED};
	if (!setup->device)
		return;
	pace->kind = has_own_time(setup) ? PACE_MEASURED : PACE_DEVICE;
	if (pace->kind == PACE_MEASURED && measure(setup->plan, cancel, pace, &ignored))
		pace->kind = PACE_UNKNOWN;
}
