/* SPDX-License-Identifier: Apache-2.0 */
/* The twin against itself with every frame played, where draws hit few frames: between two of them it jumps, so that it
 * has to leave a period for each hit and to find back. Random faults in front of other models or alone, loads of short
 * and long periods, unexpected and broken frames, a device that goes dark. FPGAUGE_LONG=1 takes more of them. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/play.h"
#include "tests/differential/random.h"

enum { TRIALS = 300, LONG_TRIALS = 20000, SEED = 600000, FRAMES = 60000 };

static void write32(struct script *script, uint32_t address, uint64_t value)
{
	script_op(script, OP_WRITE, address, value & UINT32_MAX, 0);
}

static void write64(struct script *script, uint32_t address, uint64_t value)
{
	write32(script, address, value);
	write32(script, address + 4, value >> 32);
}

/* One in 300 to one in 100,000 frames, in a third of the cases of two kinds; every Nth now and then. */
static void draw_faults(struct random *random, struct script *script)
{
	static const char *const kinds[] = {"drop", "duplicate", "reorder", "corrupt", "delay", "alter"};
	const uint64_t first = random_between(random, 0, 5), second = random_between(random, 0, 17);

	for (uint64_t i = 0; i < 6; i++) {
		char name[40];

		if (i != first && i != second)
			continue;
		if (i != first && random_chance(random, 30)) {
			snprintf(name, sizeof(name), "dut.%s_every", kinds[i]);
			script_option(script, name, "%" PRIu64, random_between(random, 2, 3000));
			continue;
		}
		snprintf(name, sizeof(name), "dut.%s_probability", kinds[i]);
		script_option(script, name, "0.%05" PRIu64,
		              random_between(random, 1, random_chance(random, 50) ? 30 : 300));
		if (i == 2 && random_chance(random, 50))
			script_option(script, "dut.reorder_frames", "%" PRIu64, random_between(random, 1, 100));
		if (i == 4 && random_chance(random, 50))
			script_option(script, "dut.delay_ns", "%" PRIu64, random_between(random, 1, 5000));
	}
	script_option(script, "dut.seed", "%" PRIu64, random_between(random, 1, 1000000));
}

static void draw_device(struct random *random, struct script *script)
{
	static const char *const chains[] = {"faults", "faults, fifo", "faults, wire", "fifo, faults", "wire, faults"};
	const uint64_t chain = random_chance(random, 50) ? 0 : random_between(random, 1, 4);
	const bool dark = random_chance(random, 15);

	script_option(script, "dut.model", "%s%s", chains[chain], dark ? ", reset" : "");
	if (dark) {
		script_option(script, "dut.dark_at_ns", "%" PRIu64, random_between(random, 0, 600000));
		script_option(script, "dut.dark_for_ns", "%" PRIu64, random_between(random, 20000, 200000));
	}
	draw_faults(random, script);
	if (chain == 1 || chain == 3) {
		script_option(script, "dut.buffer_frames", "%" PRIu64, random_between(random, 1, 60));
		if (random_chance(random, 70))
			script_option(script, "dut.service_fps", "%" PRIu64 "M", random_between(random, 50, 150));
	}
}

static void write_load(struct random *random, struct script *script, uint64_t octets, uint64_t *trial_ot)
{
	static const uint64_t flags[] = {0, 0, 0, 0, 0, 1, 2, 3, 4, 5};
	const uint64_t gap_octets = random_chance(random, 40) ? 12 : random_between(random, 12, 200);
	const uint64_t flows = random_chance(random, 70) ? 1 : random_between(random, 2, 5);

	write32(script, FPGAUGE_PORT_TX_ENABLE(0), 1);
	write32(script, FPGAUGE_PORT_TX_FRAME_OCTETS(0), octets);
	write64(script, FPGAUGE_PORT_TX_GAP_OCTETS(0), gap_octets);
	write32(script, FPGAUGE_PORT_TX_GAP_NUMERATOR(0), random_chance(random, 60) ? 0 : 1);
	write32(script, FPGAUGE_PORT_TX_GAP_DENOMINATOR(0),
	        random_between(random, 2, random_chance(random, 50) ? 5 : 300));
	write32(script, FPGAUGE_PORT_TX_FLOWS(0), flows);
	for (uint64_t flow = 0; flow < flows; flow++) {
		write32(script, FPGAUGE_PORT_TX_FLOW_INDEX(0), flow);
		write32(script, FPGAUGE_PORT_TX_FLOW_FLAGS(0), flags[random_between(random, 0, 9)]);
	}
	*trial_ot = FRAMES * (8 + octets + gap_octets);
	write64(script, FPGAUGE_PORT_TX_DURATION(0), *trial_ot);
	write32(script, FPGAUGE_PORT_TX_TAG_ENABLE(0), random_chance(random, 20));
	write64(script, FPGAUGE_PORT_TX_TAG_FIRST(0), random_between(random, 0, *trial_ot));
	write64(script, FPGAUGE_PORT_TX_TAG_INTERVAL(0), random_between(random, 0, *trial_ot));
}

static void look(struct script *script)
{
	write32(script, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
	script_op(script, OP_COUNTERS, 0, 0, 0);
	for (unsigned flow = 0; flow < 5; flow++)
		script_op(script, OP_STREAM, 0, flow, 0);
}

static void generate(uint64_t seed, struct script *script)
{
	struct random random = {seed};
	const uint64_t octets = random_chance(&random, 50) ? 64 : random_between(&random, 64, 300);
	uint64_t trial_ot;

	*script = (struct script){0};
	draw_device(&random, script);
	script_op(script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, 200);
	write32(script, FPGAUGE_PORT_RX_EXPECTED(1), random_chance(&random, 80) ? UINT32_MAX : 1);
	write32(script, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(1), 9216);
	if (random_chance(&random, 50))
		write32(script, FPGAUGE_PORT_RX_PAYLOAD_OFFSET(1), 42);
	write_load(&random, script, octets, &trial_ot);
	write32(script, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	for (uint64_t looks = random_spread(&random, 3); looks > 0; looks--) {
		script_op(script, OP_WAIT, random_between(&random, 0, trial_ot / 2), 0, 0);
		look(script);
	}
	script_op(script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_SENDING, trial_ot / 3 + 1000, 10);
	script_op(script, OP_WAIT, 2000000, 0, 0);
	look(script);
	script_op(script, OP_GAPS, 0, 0, 1024);
	script_op(script, OP_ARRIVED, 1, 0, 1024);
	script_op(script, OP_REGISTERS, 0, 0, 0);
	script_op(script, OP_HISTOGRAM, 0, 0, 0);
}

Test(faults, playing_every_frame_with_random_faults_gives_the_same_answers)
{
	const uint64_t trials = getenv("FPGAUGE_LONG") != NULL ? LONG_TRIALS : TRIALS;
	uint64_t frames = 0, hit = 0;
	char why[512] = "";
	struct pair pair;

	cr_assert(side_load(&pair.side[0], TWIN_LIBRARY, "device.jumps=false", why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], TWIN_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	for (uint64_t i = 0; i < trials; i++) {
		struct outcome outcome;
		struct script script;

		generate(SEED + i, &script);
		play(&pair, &script, &outcome);
		if (outcome.different || outcome.refused)
			script_print(stderr, &script, outcome.op, outcome.what);
		script_release(&script);
		cr_assert(!outcome.different && !outcome.refused, "seed %" PRIu64 ": %s", SEED + i, outcome.what);
		frames += outcome.counted[FPGAUGE_COUNTER_TX_FRAMES];
		hit += outcome.counted[FPGAUGE_COUNTER_RX_LOST_FRAMES] != 0 ||
		       outcome.counted[FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES] != 0;
	}
	fprintf(stderr, "seed %d: %" PRIu64 " trials, %" PRIu64 " frames, %" PRIu64 " with loss or corruption\n", SEED,
	        trials, frames, hit);
	cr_expect(frames > trials * 40000 && hit > trials / 3);
}
