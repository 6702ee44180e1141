/* SPDX-License-Identifier: Apache-2.0 */
#include "store_case.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char store_case_directory[64], store_case_path[96];

void store_case_enter(void)
{
	/* The folder is in memory where possible: there are thousands of commits, and what they must survive is not
	 * tested here. */
	snprintf(store_case_directory, sizeof(store_case_directory), "/dev/shm/fpgauge-store-XXXXXX");
	if (!mkdtemp(store_case_directory)) {
		snprintf(store_case_directory, sizeof(store_case_directory), "/tmp/fpgauge-store-XXXXXX");
		cr_assert_not_null(mkdtemp(store_case_directory));
	}
	snprintf(store_case_path, sizeof(store_case_path), "%s/run.db", store_case_directory);
}

void store_case_leave(void)
{
	unlink(store_case_path);
	cr_expect_eq(rmdir(store_case_directory), 0, "a file is left beside the run file");
}

const struct store_plan_file STORE_CASE_PLAN = {"lab.cfg", "/lab/lab.cfg", "device = ...\n"};

struct store *store_case_create(void)
{
	struct store_run run = {.tool = "fpgauge test",
	                        .plan_path = "lab.cfg",
	                        .files = &STORE_CASE_PLAN,
	                        .file_count = 1,
	                        .tester = "{\"backend\":\"test\"}",
	                        .link_bps = 100000000000};
	struct store *store;
	struct error error = {0};

	cr_assert_eq(store_create(store_case_path, &run, "", &store, &error), 0, "%s", error.text);
	cr_assert_eq(store_session_begin(store, "run", "fpgauge test", "{}", &error), 0, "%s", error.text);
	return store;
}

struct store *store_case_reopen(enum store_access access_kind)
{
	struct store *store;
	struct error error = {0};

	cr_assert_eq(store_open(store_case_path, access_kind, &store, &error), 0, "%s", error.text);
	if (access_kind == STORE_RESUME)
		cr_assert_eq(store_session_begin(store, "resume", "fpgauge test", "{}", &error), 0, "%s", error.text);
	return store;
}

static uint64_t random_state = 88172645463325252u;

uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Gives every counter its own value, including ones that only a broken device reports. */
static void fill_random(void *base, size_t size)
{
	static const uint64_t EDGES[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, INT64_MAX, (uint64_t)INT64_MAX + 1};
	unsigned char *octets = base;

	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t value = next_random() % 4 ? next_random() : EDGES[next_random() % 6];

		memcpy(octets + i, &value, 8);
	}
}

/* Fills a histogram as histogram_begin() leaves it: nothing beyond the bins in use, and no bins at all without a
 * width. */
void fill_histogram(struct histogram *histogram)
{
	const bool taken = next_random() % 4 != 0;

	fill_random(histogram, sizeof(*histogram));
	histogram->width |= 1;
	histogram->bins = next_random() % (HISTOGRAM_BINS + 1);
	memset(&histogram->count[histogram->bins], 0, (HISTOGRAM_BINS - histogram->bins) * sizeof(histogram->count[0]));
	if (!taken)
		*histogram = (struct histogram){.width = 0};
}

void fill_octaves(struct octaves *octaves)
{
	const bool taken = next_random() % 4 != 0;

	fill_random(octaves, sizeof(*octaves));
	octaves->first = next_random() % OCTAVE_BINS;
	octaves->bins = 1 + next_random() % (OCTAVE_BINS - octaves->first);
	memset(&octaves->count[octaves->bins], 0, (OCTAVE_BINS - octaves->bins) * sizeof(octaves->count[0]));
	if (octaves->offset == UINT64_MAX)
		octaves->offset = 0;
	if (!taken)
		*octaves = (struct octaves){.bins = 0};
}

/* Members of any value, except those of which some mean nothing. */
static void fill_shape(struct traffic_shape *shape)
{
	shape->pattern = next_random() % (TRAFFIC_SNAKE + 1);
	shape->bidirectional = next_random() % 2;
	shape->routed = next_random() % 2;
	shape->frame = next_random() % (TRAFFIC_ETHERNET + 1);
	shape->vlan = next_random() % 2 ? TRAFFIC_NO_VLAN : (unsigned)(next_random() % (TRAFFIC_MAX_VLAN + 1));
	shape->modifiers = next_random() % 4; /* there are two */
	memset(&shape->sizes, 0, sizeof(shape->sizes));
	for (uint64_t count = next_random() % 3 ? 0 : next_random() % (TRAFFIC_MAX_SIZES + 1); count > 0; count--)
		shape->sizes.octets[shape->sizes.count++] = (uint16_t)(64 + next_random() % 9153);
}

struct store_trial random_trial(void)
{
	struct store_trial trial = {.place = {.test_number = 1, .test = "throughput", .frame_octets = 64},
	                            .started = "2026-01-01T00:00:00.000Z",
	                            .wall_s = 0.125};
	struct trial_request *request = &trial.request;
	struct trial_result *result = &trial.result;

	fill_random(request, sizeof(*request));
	request->kind = next_random() % 2 ? TRIAL_LOAD : TRIAL_BURST;
	request->reset = next_random() % (TRIAL_RESET_COMMAND + 1);
	request->obeys_pause = next_random() % 2;
	if (next_random() % 2) /* few trials change their load */
		request->next_load_ot = 0;
	fill_shape(&request->shape);
	fill_random(result, sizeof(*result));
	result->valid = next_random() % 2;
	snprintf(result->why_invalid, sizeof(result->why_invalid), "port %u: it's \"so\"", (unsigned)next_random());
	result->gaps_unproven = next_random() % 2;
	result->ports = (unsigned)(next_random() % (TRIAL_MAX_PORTS + 1));
	result->intended_fps = next_random() % 2 ? (double)NAN : 1.0 / 3;
	result->forwarding_rate_fps = 148809523.80952382;
	result->duration_s = 1e-300;
	result->latency.mean_ot = INFINITY;
	for (unsigned i = 0; i < TRIAL_MAX_PORTS; i++) {
		result->port[i].sent = next_random() % 2;
		result->port[i].latency.mean_ot = (double)(next_random() >> 3) / 7;
		fill_histogram(&result->port[i].latency_histogram);
		fill_octaves(&result->port[i].latency_octaves);
		fill_histogram(&result->port[i].tx_gap_histogram);
		fill_histogram(&result->port[i].rx_gap_histogram);
	}
	result->flows = (unsigned)(next_random() % 64 ? next_random() % 4 : TRIAL_MAX_FLOWS);
	for (unsigned i = 0; i < TRIAL_MAX_FLOWS; i++)
		result->flow[i].latency.mean_ot = (double)(next_random() >> 3) / 7;
	result->connections = (unsigned)(next_random() % 4 ? 0 : next_random() % (TRIAL_MAX_CONNECTIONS + 1));
	return trial;
}
