/* SPDX-License-Identifier: Apache-2.0 */
/* Complete MLRsearch runs on models of devices: whatever the device does, an oracle checks what a result claims against
 * the trials, and on devices without noise it is checked against the device itself. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/search/mlrsearch.h"
#include "mlrsearch_oracle.h"
#include "search_device.h"

enum { RANDOM_DEVICES = 10000, TOO_MANY_TRIALS = 5000 };

static const uint64_t LINE_FPS = 148809523;

static uint64_t pick(uint64_t *seed, uint64_t below)
{
	return (uint64_t)(search_device_random(seed) * (double)below);
}

static struct search *begun(const struct search_config *config)
{
	struct error error;
	struct search *search = search_create(config, &error);

	cr_assert_not_null(search, "%s", error.text);
	return search;
}

/* A search with a preset, from 9001 frames per second to 100G line rate at 64 octets. */
static struct search *preset(const char *name, size_t max_goals)
{
	struct mlrsearch_goal goals[MLRSEARCH_MAX_GOALS];
	size_t count = mlrsearch_preset(name, goals);
	const struct mlrsearch_config mlrsearch = {.goals = goals, .goal_count = count < max_goals ? count : max_goals};

	return begun(&(struct search_config){
	        .kind = SEARCH_MLRSEARCH, .low = 9001, .high = LINE_FPS, .step = 1, .mlrsearch = &mlrsearch});
}

static void run(struct search *search, struct search_device *device)
{
	struct search_request request;

	for (unsigned trials = 0; search_next(search, &request); trials++) {
		struct search_observation observed = search_device_trial(device, request.point, request.duration_ns);

		cr_assert_lt(trials, (unsigned)TOO_MANY_TRIALS, "no end: %lu for %lu ns", (unsigned long)request.point,
		             (unsigned long)request.duration_ns);
		cr_assert_eq(search_observe(search, &observed), 0);
	}
}

/* Relevant bounds, found by looking at every load tried. */
struct bounds {
	uint64_t lower, upper; /* 0: none */
};

static struct bounds oracle_bounds(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials,
                                   size_t count)
{
	struct bounds bounds = {0};

	for (size_t i = 0; i < count; i++)
		if ((bounds.upper == 0 || trials[i].point < bounds.upper) &&
		    oracle_class(goal, trials, count, trials[i].point) == MLRSEARCH_UPPER)
			bounds.upper = trials[i].point;
	for (size_t i = 0; i < count; i++)
		if (trials[i].point > bounds.lower && (bounds.upper == 0 || trials[i].point < bounds.upper) &&
		    oracle_class(goal, trials, count, trials[i].point) == MLRSEARCH_LOWER)
			bounds.lower = trials[i].point;
	return bounds;
}

static void check_throughput(const struct search *search, size_t goal, const struct mlrsearch_goal_result *result)
{
	size_t count;
	const struct mlrsearch_trial *trials = mlrsearch_trials(search, &count);
	struct fraction got = {.numerator = result->lower, .denominator = result->quantile_expected_frames};

	got.numerator *= result->quantile_expected_frames - result->quantile_lost_frames;
	cr_assert_eq(fraction_compare(got, oracle_conditional_throughput(mlrsearch_goal(search, goal), trials, count,
	                                                                 result->lower)),
	             0);
}

/* Checks what the result of a goal claims against all trials. */
static void check_goal(const struct search *search, const struct search_config *config, size_t goal, unsigned number)
{
	const struct mlrsearch_goal *wanted = mlrsearch_goal(search, goal);
	struct mlrsearch_goal_result result = mlrsearch_result(search, goal);
	size_t count;
	const struct mlrsearch_trial *trials = mlrsearch_trials(search, &count);
	struct bounds bounds = oracle_bounds(wanted, trials, count);

	cr_assert_eq(result.has_lower ? result.lower : 0, bounds.lower, "device %u goal %zu", number, goal);
	cr_assert_eq(result.has_upper ? result.upper : 0, bounds.upper, "device %u goal %zu", number, goal);
	if (result.has_lower)
		check_throughput(search, goal, &result);
	switch (result.end) {
	case SEARCH_FOUND:
		cr_assert(bounds.lower && bounds.upper);
		cr_assert_leq((bounds.upper - bounds.lower) * MLRSEARCH_PPM, bounds.upper * wanted->width_ppm,
		              "device %u goal %zu: %lu to %lu", number, goal, (unsigned long)bounds.lower,
		              (unsigned long)bounds.upper);
		break;
	case SEARCH_NO_UPPER:
		cr_assert_eq(bounds.upper, 0);
		cr_assert_eq(bounds.lower, config->high);
		break;
	case SEARCH_NO_LOWER:
		cr_assert_eq(bounds.lower, 0);
		cr_assert_eq(bounds.upper, config->low);
		break;
	case SEARCH_GRID_TOO_WIDE:
		cr_assert(bounds.lower && bounds.upper);
		cr_assert_gt((bounds.upper - bounds.lower) * MLRSEARCH_PPM, bounds.upper * wanted->width_ppm);
		cr_assert(bounds.upper - bounds.lower <= config->step, "neighbours on the grid");
		break;
	default:
		cr_assert_fail("device %u goal %zu: %s", number, goal, search_end_text(result.end));
	}
}

/* Checks the bounds of a device that always behaves the same: they are where it passes and fails full-length trials. */
static void check_truth(const struct search *search, size_t goal, struct search_device device)
{
	const struct mlrsearch_goal *wanted = mlrsearch_goal(search, goal);
	struct mlrsearch_goal_result result = mlrsearch_result(search, goal);
	uint64_t points[] = {result.lower, result.upper};
	bool known[] = {result.has_lower, result.has_upper};

	for (unsigned i = 0; i < 2; i++) {
		struct search_observation observed;
		struct mlrsearch_trial trial;

		if (!known[i])
			continue;
		observed = search_device_trial(&device, points[i], wanted->final_ns);
		trial = (struct mlrsearch_trial){.lost_frames = observed.lost_frames,
		                                 .expected_frames = observed.expected_frames};
		cr_assert_eq(mlrsearch_is_high_loss(wanted, &trial), i == 1, "%lu of %.0f", (unsigned long)points[i],
		             device.capacity_fps);
	}
}

/* Trials of one goal count for others although they last longer, where final durations differ (RFC 9971 4.6.1). */
static bool one_final_duration(const struct mlrsearch_config *mlrsearch)
{
	for (size_t i = 1; i < mlrsearch->goal_count; i++)
		if (mlrsearch->goals[i].final_ns != mlrsearch->goals[0].final_ns)
			return false;
	return true;
}

static void check_requests(const struct search *search, const struct search_config *config)
{
	size_t count;
	const struct mlrsearch_trial *trials = mlrsearch_trials(search, &count);
	uint64_t shortest = UINT64_MAX, longest = 0;

	for (size_t i = 0; i < mlrsearch_goal_count(search); i++) {
		const struct mlrsearch_goal *goal = mlrsearch_goal(search, i);

		shortest = goal->initial_ns < shortest ? goal->initial_ns : shortest;
		longest = goal->final_ns > longest ? goal->final_ns : longest;
	}
	for (size_t i = 0; i < count; i++) {
		uint64_t point = trials[i].point;

		cr_assert(point >= config->low && point <= config->high);
		cr_assert((point - config->low) % config->step == 0 || point == config->high);
		cr_assert(trials[i].duration_ns >= shortest && trials[i].duration_ns <= longest);
	}
}

/* Devices of every kind, and mixtures; also capacities beyond both ends of the grid. */
static struct search_device random_device(uint64_t *seed)
{
	struct search_device device = {.line_fps = (double)LINE_FPS,
	                               .capacity_fps = 2e3 * pow(2e8 / 2e3, search_device_random(seed)),
	                               .overload = (enum overload_kind)pick(seed, 3),
	                               .droop = 0.05 + 0.95 * search_device_random(seed),
	                               .seed = pick(seed, UINT32_MAX)};

	if (pick(seed, 2))
		device.buffer_frames = exp(log(1e6) * search_device_random(seed));
	if (pick(seed, 2)) {
		device.stalls_per_s = 0.01 * pow(100, search_device_random(seed));
		device.stall_s = 0.0001 * pow(100, search_device_random(seed));
	}
	return device;
}

static struct mlrsearch_goal random_goal(uint64_t *seed)
{
	static const uint32_t losses_ppm[] = {0, 0, 0, 1, 5000, 200000},
	                      exceeds_ppm[] = {0, 0, 500000, 500000, 200000, 900000},
	                      widths_ppm[] = {5000, 5000, 20000, 1000, 300};
	static const uint64_t finals_s[] = {1, 1, 10, 60};
	struct mlrsearch_goal goal = {.loss_ppm = losses_ppm[pick(seed, 6)],
	                              .exceed_ppm = exceeds_ppm[pick(seed, 6)],
	                              .width_ppm = widths_ppm[pick(seed, 5)],
	                              .final_ns = finals_s[pick(seed, 4)] * NS_PER_S};

	goal.sum_ns = goal.final_ns * (1 + pick(seed, 3)) - (pick(seed, 4) == 0 ? NS_PER_S / 2 : 0);
	goal.initial_ns = pick(seed, 2) ? NS_PER_S : goal.final_ns;
	return goal;
}

static size_t random_goals(uint64_t *seed, struct mlrsearch_goal *goals)
{
	static const char *const names[] = {"rfc2544", "tst009", "ndrpdr"};
	uint64_t kind = pick(seed, 6);
	size_t count = 1 + pick(seed, 3);

	if (kind < 3)
		return mlrsearch_preset(names[kind], goals);
	for (size_t i = 0; i < count; i++)
		goals[i] = random_goal(seed);
	return count;
}

Test(mlrsearch, every_result_on_random_devices_is_what_the_trials_say)
{
	uint64_t seed = 9971;
	unsigned found = 0;

	for (unsigned number = 0; number < RANDOM_DEVICES; number++) {
		static const uint64_t steps[] = {1, 1, 1000, 1000003};
		struct mlrsearch_goal goals[MLRSEARCH_MAX_GOALS];
		const struct mlrsearch_config mlrsearch = {.goals = goals, .goal_count = random_goals(&seed, goals)};
		const struct search_config config = {.kind = SEARCH_MLRSEARCH,
		                                     .low = 9001,
		                                     .high = LINE_FPS,
		                                     .step = steps[pick(&seed, 4)],
		                                     .mlrsearch = &mlrsearch};
		struct search_device device = random_device(&seed), same = device;
		struct search *search = begun(&config);

		run(search, &device);
		check_requests(search, &config);
		for (size_t goal = 0; goal < mlrsearch.goal_count; goal++) {
			check_goal(search, &config, goal, number);
			if (device.stalls_per_s == 0 && one_final_duration(&mlrsearch))
				check_truth(search, goal, same);
			found += mlrsearch_result(search, goal).end == SEARCH_FOUND;
		}
		search_free(search);
	}
	cr_assert_gt(found, RANDOM_DEVICES / 2u, "regular results: %u", found);
}

/* The minimum that proves it is 61 s: 60 s without loss just below, 1 s with loss just above. */
Test(mlrsearch, rfc2544_on_a_hard_limit_takes_four_trials)
{
	const uint64_t durations_s[] = {1, 1, 4, 60};
	struct search_device device = {.line_fps = (double)LINE_FPS, .capacity_fps = 12e6};
	struct search *search = preset("rfc2544", 1);
	const struct mlrsearch_trial *trials;
	struct mlrsearch_goal_result result;
	size_t count;

	run(search, &device);
	trials = mlrsearch_trials(search, &count);
	cr_assert_eq(count, 4);
	for (unsigned i = 0; i < 4; i++)
		cr_assert_eq(trials[i].duration_ns, durations_s[i] * NS_PER_S, "trial %u", i);
	cr_assert_eq(trials[0].point, LINE_FPS);
	result = mlrsearch_result(search, 0);
	cr_assert_eq(result.end, SEARCH_FOUND);
	cr_assert_leq(result.lower, 12000000);
	cr_assert_gt(result.upper, 12000000);
	cr_assert_eq(result.quantile_lost_frames, 0, "throughput is the lower bound (RFC 9971 4.10.2)");
	cr_assert_eq(result.lower_sums.full_low_ns, 60 * NS_PER_S);
	cr_assert_eq(search_result(search).traffic_ns, 66 * NS_PER_S);
	search_free(search);
}

Test(mlrsearch, two_goals_share_the_load_between_them)
{
	struct search_device device = {.line_fps = (double)LINE_FPS, .capacity_fps = 12e6};
	struct search *search = preset("ndrpdr", 2);
	struct mlrsearch_goal_result ndr, pdr;

	run(search, &device);
	ndr = mlrsearch_result(search, 0);
	pdr = mlrsearch_result(search, 1);
	cr_assert_eq(ndr.end, SEARCH_FOUND);
	cr_assert_eq(pdr.end, SEARCH_FOUND);
	cr_assert_eq(ndr.upper, pdr.lower, "too much loss for the one goal, little enough for the other");
	cr_assert_eq(search_result(search).trials, 1 + 3 * 11, "11 s of 21 decide, at three loads");
	search_free(search);
}

Test(mlrsearch, the_same_loads_are_found_whatever_noise_does)
{
	uint64_t lower = 0;

	for (uint64_t seed = 0; seed < 100; seed++) {
		struct search_device device = {.line_fps = (double)LINE_FPS,
		                               .capacity_fps = 12e6,
		                               .buffer_frames = 4096,
		                               .stalls_per_s = 0.3,
		                               .stall_s = 0.002,
		                               .seed = seed};
		struct search *search = preset("ndrpdr", 2);

		run(search, &device);
		if (lower == 0)
			lower = mlrsearch_result(search, 0).lower;
		cr_assert_eq(mlrsearch_result(search, 0).lower, lower, "seed %lu", (unsigned long)seed);
		search_free(search);
	}
}

Test(mlrsearch, a_device_faster_than_the_line_has_no_upper_bound)
{
	struct search_device device = {.line_fps = (double)LINE_FPS, .capacity_fps = 2e8};
	struct search *search = preset("rfc2544", 1);
	struct mlrsearch_goal_result result;

	run(search, &device);
	result = mlrsearch_result(search, 0);
	cr_assert_eq(result.end, SEARCH_NO_UPPER);
	cr_assert_eq(search_result(search).end, SEARCH_NO_UPPER);
	cr_assert_not(result.has_upper);
	cr_assert_eq(result.lower, LINE_FPS);
	cr_assert_eq(search_result(search).traffic_ns, 65 * NS_PER_S);
	search_free(search);
}

Test(mlrsearch, a_device_that_forwards_nothing_has_no_lower_bound)
{
	struct search_device device = {.line_fps = (double)LINE_FPS, .capacity_fps = 0};
	struct search *search = preset("rfc2544", 1);

	run(search, &device);
	cr_assert_eq(mlrsearch_result(search, 0).end, SEARCH_NO_LOWER);
	cr_assert_not(mlrsearch_result(search, 0).has_lower);
	cr_assert_eq(mlrsearch_result(search, 0).upper, 9001);
	cr_assert_leq(search_result(search).trials, 20);
	search_free(search);
}

static struct search_config limited(const struct mlrsearch_config *mlrsearch, unsigned trials, uint64_t traffic_ns)
{
	return (struct search_config){.kind = SEARCH_MLRSEARCH,
	                              .low = 9001,
	                              .high = LINE_FPS,
	                              .step = 1,
	                              .mlrsearch = mlrsearch,
	                              .trials_limit = trials,
	                              .traffic_limit_ns = traffic_ns};
}

Test(mlrsearch, a_limit_makes_an_irregular_result_that_says_which)
{
	struct mlrsearch_goal goals[MLRSEARCH_MAX_GOALS];
	const struct mlrsearch_config mlrsearch = {.goals = goals, .goal_count = mlrsearch_preset("rfc2544", goals)};
	struct search_device device = {.line_fps = (double)LINE_FPS, .capacity_fps = 12e6};
	struct search_config config = limited(&mlrsearch, 3, 0);
	struct search *search = begun(&config);

	run(search, &device);
	cr_assert_eq(search_result(search).end, SEARCH_TRIALS_LIMIT);
	cr_assert_eq(mlrsearch_result(search, 0).end, SEARCH_TRIALS_LIMIT);
	cr_assert_eq(search_result(search).trials, 3);
	cr_assert(mlrsearch_result(search, 0).has_upper, "what is known is reported");
	search_free(search);

	config = limited(&mlrsearch, 0, 65 * NS_PER_S);
	search = begun(&config);
	run(search, &device);
	cr_assert_eq(mlrsearch_result(search, 0).end, SEARCH_TRAFFIC_LIMIT);
	cr_assert_eq(search_result(search).traffic_ns, 6 * NS_PER_S, "the full-length trial would have passed 65 s");
	search_free(search);

	config = limited(&mlrsearch, 4, 66 * NS_PER_S);
	search = begun(&config);
	run(search, &device);
	cr_assert_eq(mlrsearch_result(search, 0).end, SEARCH_FOUND, "a limit that is just reached does no harm");
	search_free(search);
}

Test(mlrsearch, a_warm_up_trial_leaves_no_trace)
{
	struct mlrsearch_goal goals[MLRSEARCH_MAX_GOALS];
	const struct mlrsearch_config mlrsearch = {
	        .goals = goals, .goal_count = mlrsearch_preset("ndrpdr", goals), .warm_up_ns = 5 * NS_PER_S};
	const struct search_config config = limited(&mlrsearch, 0, 0);
	struct search *search = begun(&config);
	struct search_request request;
	size_t count;

	cr_assert(search_next(search, &request));
	cr_assert(request.warm_up);
	cr_assert_eq(request.point, LINE_FPS);
	cr_assert_eq(request.duration_ns, 5 * NS_PER_S);
	search_observe(search, &(struct search_observation){.expected_frames = 1, .lost_frames = 1});
	cr_assert_eq(search_result(search).trials, 0);
	cr_assert_eq(search_result(search).traffic_ns, 0);
	mlrsearch_trials(search, &count);
	cr_assert_eq(count, 0);
	cr_assert_eq(mlrsearch_class_of(search, 0, LINE_FPS), MLRSEARCH_UNDECIDED);
	cr_assert(search_next(search, &request));
	cr_assert_not(request.warm_up);
	search_free(search);
}

/* A burst has no duration of its own: 1 ns each, so that sums of durations count trials. */
Test(mlrsearch, searches_burst_lengths_as_well)
{
	const struct mlrsearch_goal goal = {
	        .exceed_ppm = 500000, .width_ppm = 1000, .final_ns = 1, .sum_ns = 5, .initial_ns = 1};
	const struct mlrsearch_config mlrsearch = {.goals = &goal, .goal_count = 1};
	const struct search_config config = {
	        .kind = SEARCH_MLRSEARCH, .low = 1, .high = 4464285, .step = 1, .mlrsearch = &mlrsearch};
	const uint64_t longest_burst = 26000;
	struct search *search = begun(&config);
	struct search_request request;

	while (search_next(search, &request)) {
		uint64_t lost = request.point > longest_burst ? (request.point - longest_burst) / 3 + 1 : 0;

		cr_assert_eq(request.duration_ns, 1);
		search_observe(search,
		               &(struct search_observation){.expected_frames = request.point, .lost_frames = lost});
	}
	cr_assert_eq(search_result(search).end, SEARCH_FOUND);
	cr_assert_leq(search_result(search).lower, longest_burst);
	cr_assert_gt(search_result(search).upper, longest_burst);
	cr_assert_leq((search_result(search).upper - search_result(search).lower) * 1000, search_result(search).upper);
	search_free(search);
}

Test(mlrsearch, refuses_what_makes_no_search)
{
	struct mlrsearch_goal goal;
	struct mlrsearch_config mlrsearch = {.goals = &goal, .goal_count = 1};
	struct search_config config = {
	        .kind = SEARCH_MLRSEARCH, .low = 1, .high = LINE_FPS, .step = 1, .mlrsearch = &mlrsearch};
	struct error error;

	mlrsearch_preset("rfc2544", &goal);
	config.low = 0;
	cr_assert_null(search_create(&config, &error));
	cr_assert_str_eq(error.text, "search: low = 0: must be above 0 for MLRsearch");
	config.low = 1;
	goal.width_ppm = 1;
	config.high = UINT64_C(1) << 62;
	cr_assert_null(search_create(&config, &error));
	cr_assert_not_null(strstr(error.text, "goal width = 1 ppm: must be wider"), "%s", error.text);
	goal.exceed_ppm = 1000000;
	cr_assert_null(search_create(&config, &error));
	cr_assert_not_null(strstr(error.text, "goal 1: goal exceed ratio = 1000000 ppm"), "%s", error.text);
	mlrsearch.goal_count = 0;
	cr_assert_null(search_create(&config, &error));
	cr_assert_str_eq(error.text, "search: 0 goals: must be 1 to 16");
	config.mlrsearch = NULL;
	cr_assert_null(search_create(&config, &error));
	cr_assert_eq(error.code, ERROR_PLAN);
}
