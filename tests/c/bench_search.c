/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what searches cost on simulated devices, for tools/bench search: trials, seconds of traffic, spread of the
 * results. One line per case: goals device searches trials traffic_s most_traffic_s mean_lower_fps stddev_lower_fps
 * regular; and a last one: step, trials before it, steps measured, microseconds per step. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "host/search/mlrsearch.h"
#include "search_device.h"

enum { CAPACITIES = 60, SEEDS = 40, MAX_SEARCHES = CAPACITIES, STEP_TRIALS = 1000 };

static const uint64_t LINE_FPS = 148809523, LOWEST_FPS = 9001; /* 100G at 64 octets */
static const double LEAST_FPS = 0.1e6, MOST_FPS = 140e6, NOISY_FPS = 12e6;

struct goal_set {
	const char *name;
	struct mlrsearch_goal goals[MLRSEARCH_MAX_GOALS];
	size_t count;
};

struct cost {
	unsigned searches, regular;
	double trials, traffic_s, most_traffic_s;
	double lower_fps[MAX_SEARCHES];
};

static struct search *begin(const struct goal_set *goals)
{
	const struct mlrsearch_config mlrsearch = {.goals = goals->goals, .goal_count = goals->count};
	const struct search_config config = {
	        .kind = SEARCH_MLRSEARCH, .low = LOWEST_FPS, .high = LINE_FPS, .step = 1, .mlrsearch = &mlrsearch};
	struct error error;
	struct search *search = search_create(&config, &error);

	if (search == NULL) {
		fprintf(stderr, "bench_search: %s\n", error.text);
		exit(1);
	}
	return search;
}

static void run(const struct goal_set *goals, struct search_device device, struct cost *cost)
{
	struct search *search = begin(goals);
	struct search_request request;
	struct search_result result;
	bool regular = true;
	double traffic_s;

	while (search_next(search, &request)) {
		struct search_observation observed = search_device_trial(&device, request.point, request.duration_ns);

		search_observe(search, &observed);
	}
	result = search_result(search);
	traffic_s = (double)result.traffic_ns / 1e9;
	for (size_t goal = 0; goal < goals->count; goal++)
		regular = regular && mlrsearch_result(search, goal).end == SEARCH_FOUND;
	cost->regular += regular;
	cost->trials += result.trials;
	cost->traffic_s += traffic_s;
	cost->most_traffic_s = fmax(cost->most_traffic_s, traffic_s);
	cost->lower_fps[cost->searches++] = (double)result.lower;
	search_free(search);
}

static void print_cost(const char *goals, const char *device, const struct cost *cost)
{
	double sum = 0, squares = 0, n = cost->searches;

	for (unsigned i = 0; i < cost->searches; i++)
		sum += cost->lower_fps[i];
	for (unsigned i = 0; i < cost->searches; i++)
		squares += (cost->lower_fps[i] - sum / n) * (cost->lower_fps[i] - sum / n);
	printf("%s %s %u %.3f %.3f %.3f %.1f %.1f %u\n", goals, device, cost->searches, cost->trials / n,
	       cost->traffic_s / n, cost->most_traffic_s, sum / n, sqrt(squares / (n - 1)), cost->regular);
}

static void measure_capacities(const struct goal_set *goals, const char *name, struct search_device device)
{
	struct cost cost = {0};

	for (unsigned i = 0; i < CAPACITIES; i++) {
		device.capacity_fps = LEAST_FPS * pow(MOST_FPS / LEAST_FPS, (double)i / (CAPACITIES - 1));
		run(goals, device, &cost);
	}
	print_cost(goals->name, name, &cost);
}

static void measure_noise(const struct goal_set *goals, const char *name, struct search_device device)
{
	struct cost cost = {0};

	device.capacity_fps = NOISY_FPS;
	for (device.seed = 0; device.seed < SEEDS; device.seed++)
		run(goals, device, &cost);
	print_cost(goals->name, name, &cost);
}

static void measure_all(const struct goal_set *goals)
{
	static const struct {
		const char *name;
		struct search_device device;
	} devices[] = {
	        {"hard", {.buffer_frames = 0}},
	        {"buffer", {.buffer_frames = 148809}},
	        {"droop70", {.overload = OVERLOAD_STEP, .droop = 0.7}},
	        {"droop10", {.overload = OVERLOAD_STEP, .droop = 0.1}},
	        {"gradual70", {.overload = OVERLOAD_GRADUAL, .droop = 0.7}},
	        {"gradual10", {.overload = OVERLOAD_GRADUAL, .droop = 0.1}},
	        {"noisy0.02", {.buffer_frames = 4096, .stalls_per_s = 0.02, .stall_s = 0.002}},
	        {"noisy0.3", {.buffer_frames = 4096, .stalls_per_s = 0.3, .stall_s = 0.002}},
	};

	for (size_t i = 0; i < sizeof(devices) / sizeof(*devices); i++) {
		struct search_device device = devices[i].device;

		device.line_fps = (double)LINE_FPS;
		(device.stalls_per_s > 0 ? measure_noise : measure_capacities)(goals, devices[i].name, device);
	}
}

static struct goal_set goal_set(const char *name, const char *preset, size_t count)
{
	struct goal_set set = {.name = name};
	size_t all = mlrsearch_preset(preset, set.goals);

	set.count = count < all ? count : all;
	return set;
}

/* The steps of a search after STEP_TRIALS trials: two goals that want 2001 s at every load, on a device that loses
 * frames more often the more it is offered. */
static void measure_step(void)
{
	const struct goal_set goals = {.name = "step",
	                               .goals = {{.exceed_ppm = 500000,
	                                          .width_ppm = 100,
	                                          .final_ns = 1000000000,
	                                          .sum_ns = 2001 * UINT64_C(1000000000),
	                                          .initial_ns = 1000000000},
	                                         {.loss_ppm = 5000,
	                                          .exceed_ppm = 500000,
	                                          .width_ppm = 100,
	                                          .final_ns = 1000000000,
	                                          .sum_ns = 2001 * UINT64_C(1000000000),
	                                          .initial_ns = 1000000000}},
	                               .count = 2};
	uint64_t seed = 1, steps = 0;
	struct search *search = begin(&goals);
	struct search_request request;
	struct timespec from, to;

	for (unsigned trials = 0; search_next(search, &request); trials++) {
		bool lossy = search_device_random(&seed) < (double)request.point / (double)LINE_FPS;

		if (trials == STEP_TRIALS)
			clock_gettime(CLOCK_MONOTONIC, &from);
		search_observe(search, &(struct search_observation){.expected_frames = request.point,
		                                                    .lost_frames = lossy ? request.point / 100 : 0});
		steps += trials >= STEP_TRIALS;
	}
	clock_gettime(CLOCK_MONOTONIC, &to);
	if (steps == 0) {
		fprintf(stderr, "bench_search: the search ended before %d trials\n", STEP_TRIALS);
		exit(1);
	}
	printf("step %d %lu %.3f\n", STEP_TRIALS, (unsigned long)steps,
	       ((double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) / 1e3) / (double)steps);
	search_free(search);
}

int main(void)
{
	const struct goal_set sets[] = {goal_set("ndrpdr", "ndrpdr", 2), goal_set("zero_loss", "ndrpdr", 1),
	                                goal_set("rfc2544", "rfc2544", 1), goal_set("tst009", "tst009", 1)};

	for (size_t i = 0; i < sizeof(sets) / sizeof(*sets); i++)
		measure_all(&sets[i]);
	measure_step();
	return 0;
}
