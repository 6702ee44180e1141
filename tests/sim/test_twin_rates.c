// SPDX-License-Identifier: Apache-2.0
/* The twin at rates without a common period, in trials too long to play every frame: looking often changes nothing.
 * Then the twin goes on in many pieces, each with other returns (sim/twin/skip/drift.h), and pieces as long as the
 * short ones are compared with playing every frame in tests/differential/test_drift.c. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/random.h"
#include "tests/sim/traffic.h"

enum { TRIALS = 8, SEED = 5, PIECES = 60, BINS = 1024, VALUES = 2 * FPGAUGE_COUNTER_COUNT + BINS };

static const uint64_t OCTETS_PER_S = 12500000000, DRAIN_OT = 20000000;

struct trial {
	uint64_t load_fps, service_fps, duration_ot;
};

static void draw_trial(struct random *random, struct trial *trial)
{
	trial->load_fps = random_between(random, 14000000, 148000000);
	trial->service_fps = random_between(random, 14000000, 148000000);
	if (random_chance(random, 40)) /* close */
		trial->service_fps = trial->load_fps + random_between(random, 0, 200000) - 100000;
	trial->duration_ot = OCTETS_PER_S * random_between(random, 2, 60);
}

static void read_all(struct device *device, uint64_t values[VALUES])
{
	traffic_snapshot(device);
	for (unsigned port = 0; port < 2; port++)
		for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
			*values++ = traffic_read64(device, FPGAUGE_COUNTER(port, i));
	for (unsigned bin = 0; bin < BINS; bin++) {
		traffic_write32(device, FPGAUGE_PORT_RX_HISTOGRAM_INDEX(1), bin);
		*values++ = traffic_read64(device, FPGAUGE_PORT_RX_HISTOGRAM_COUNT(1));
	}
}

/* Looks at random times, so many times all in all. */
static void play(const struct trial *trial, unsigned looks, uint64_t values[VALUES])
{
	const struct sent_traffic traffic = {.one_way = true,
	                                     .frame_octets = 64,
	                                     .duration_ot = trial->duration_ot,
	                                     .gap_octets = OCTETS_PER_S / trial->load_fps - 72,
	                                     .gap_numerator = (uint32_t)(OCTETS_PER_S % trial->load_fps),
	                                     .gap_denominator = (uint32_t)trial->load_fps};
	const char *options[] = {"dut.model=fifo", "dut.buffer_frames=777", NULL, NULL};
	uint64_t left_ot = trial->duration_ot + DRAIN_OT;
	struct random random = {SEED};
	struct device *device;
	char service[64];

	snprintf(service, sizeof(service), "dut.service_fps=%" PRIu64, trial->service_fps);
	options[2] = service;
	device = traffic_open(TWIN_LIBRARY, options);
	traffic_prepare(device, &traffic);
	traffic_start(device);
	for (unsigned left = looks; left > 1; left--) {
		const uint64_t wait_ot = random_between(&random, 0, left_ot / left) / 64 * 64;

		traffic_wait(device, wait_ot);
		traffic_snapshot(device);
		left_ot -= wait_ot;
	}
	traffic_wait(device, left_ot);
	read_all(device, values);
	device_close(device);
}

Test(twin_rates, looking_often_changes_nothing_in_a_minute_at_random_rates)
{
	static uint64_t whole[VALUES], pieces[VALUES];
	struct random random = {SEED};

	for (unsigned i = 0; i < TRIALS; i++) {
		struct trial trial;

		draw_trial(&random, &trial);
		play(&trial, 1, whole);
		play(&trial, PIECES, pieces);
		cr_expect(whole[FPGAUGE_COUNTER_TX_FRAMES] > trial.duration_ot / OCTETS_PER_S * 13999999);
		for (unsigned value = 0; value < VALUES; value++)
			cr_assert(whole[value] == pieces[value],
			          "seed %d trial %u (load %" PRIu64 ", service %" PRIu64 " fps): value %u is %" PRIu64
			          " in pieces, %" PRIu64 " in one",
			          SEED, i, trial.load_fps, trial.service_fps, value, pieces[value], whole[value]);
	}
}
