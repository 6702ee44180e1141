/* SPDX-License-Identifier: Apache-2.0 */
/* Random rates into a random fifo, for trials that the twin goes through without playing every frame: loads around the
 * service and far from it, of one flow or several in turns. */
#include "tests/differential/generate_drift.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/random.h"

enum { MOST_FLOWS = 6 };

struct load {
	uint64_t octets, gap_octets, gap_numerator, gap_denominator, duration_ot, stop_frames, burst_frames,
	        burst_gap_octets;
};

static void write32(struct script *script, uint32_t address, uint64_t value)
{
	script_op(script, OP_WRITE, address, value & UINT32_MAX, 0);
}

static void write64(struct script *script, uint32_t address, uint64_t value)
{
	write32(script, address, value);
	write32(script, address + 4, value >> 32);
}

static uint64_t draw_octets(struct random *random)
{
	switch (random_between(random, 0, 4)) {
	case 0:
		return random_between(random, 64, 1518);
	case 1:
		return random_between(random, 1500, 9216);
	default:
		return random_between(random, 0, 1) ? 64 : random_between(random, 64, 130);
	}
}

/* A load of this many parts in 10^9 of the service, or of any other. */
static void draw_load(struct random *random, double service_ot, struct load *load)
{
	static const unsigned denominators[] = {1, 2, 32, 1000, 999983, 1000000000, 4294967291u};
	const uint64_t least = 8 + load->octets + 12;
	double period_ot = service_ot;

	switch (random_between(random, 0, 5)) {
	case 0: /* line rate */
		period_ot = (double)least;
		break;
	case 1: /* close */
		period_ot *= 1 + ((double)random_between(random, 0, 2000) - 1000) * 1e-5;
		break;
	case 2: /* very close */
		period_ot *= 1 + ((double)random_between(random, 0, 2000) - 1000) * 1e-7;
		break;
	case 3: /* a higher rate */
		period_ot *= (double)random_between(random, 300, 1000) * 1e-3;
		break;
	default:
		period_ot *= (double)random_between(random, 700, 1300) * 1e-3;
	}
	if (random_chance(random, 20)) /* nearly a number of groups: a slow drift, over many of them */
		period_ot = 8 * ceil(period_ot / 8) + ((double)random_between(random, 0, 2000) - 1000) * 1e-5;
	if (period_ot < (double)least)
		period_ot = (double)least;
	load->gap_octets = (uint64_t)period_ot - 8 - load->octets;
	load->gap_denominator = random_between(random, 0, 1) ? denominators[random_between(random, 0, 6)]
	                                                     : random_between(random, 1, UINT32_MAX);
	load->gap_numerator = (uint64_t)((period_ot - (double)(uint64_t)period_ot) * (double)load->gap_denominator);
}

/* Returns the service time of a frame. */
static double draw_fifo(struct random *random, uint64_t octets, struct script *script)
{
	const double line_fps = 12.5e9 / (double)(octets + 20);
	uint64_t fps = (uint64_t)(line_fps * (double)random_between(random, 250, 1050) * 1e-3);

	/* Hardly longer than a number of groups: the longest silence comes late. */
	if (random_chance(random, 15))
		fps = (uint64_t)(12.5e9 / (8 * ceil(12.5e9 / (double)fps / 8)) *
		                 (1 - 1e-6 * (double)random_between(random, 1, 100)));

	script_option(script, "dut.model", "fifo");
	if (random_chance(random, 80))
		script_option(script, "dut.buffer_frames", "%" PRIu64,
		              random_chance(random, 70) ? random_between(random, 1, 60)
		                                        : random_between(random, 50, 2000));
	else
		script_option(script, "dut.buffer_octets", "%" PRIu64, random_between(random, 9300, 300000));
	if (random_chance(random, 70))
		script_option(script, "dut.latency_ns", "%" PRIu64, random_spread(random, 20000));
	if (random_chance(random, 80)) {
		script_option(script, "dut.service_fps", "%" PRIu64, fps);
		return 12.5e9 / (double)fps;
	}
	if (random_chance(random, 50)) {
		const uint64_t bps = fps * (octets + 20) * 8 / 1000000;

		script_option(script, "dut.overhead_octets", "20");
		script_option(script, "dut.service_bps", "%" PRIu64 "M", bps);
		return (double)(octets + 20) * 8 * 12500 / (double)bps;
	}
	script_option(script, "dut.service_fps", "%" PRIu64 ".%02" PRIu64, fps, random_between(random, 0, 99));
	return 12.5e9 / (double)fps;
}

static void write_load(struct script *script, unsigned port, const struct load *load)
{
	write32(script, FPGAUGE_PORT_TX_ENABLE(port), 1);
	write32(script, FPGAUGE_PORT_TX_FRAME_OCTETS(port), load->octets);
	write64(script, FPGAUGE_PORT_TX_GAP_OCTETS(port), load->gap_octets);
	write32(script, FPGAUGE_PORT_TX_GAP_NUMERATOR(port), load->gap_numerator);
	write32(script, FPGAUGE_PORT_TX_GAP_DENOMINATOR(port), load->gap_denominator);
	write32(script, FPGAUGE_PORT_TX_BURST_FRAMES(port), load->burst_frames);
	write64(script, FPGAUGE_PORT_TX_BURST_GAP_OCTETS(port), load->burst_gap_octets);
	write64(script, FPGAUGE_PORT_TX_STOP_FRAMES(port), load->stop_frames);
	write64(script, FPGAUGE_PORT_TX_DURATION(port), load->duration_ot);
	write32(script, FPGAUGE_PORT_TX_FLOWS(port), 1);
}

/* A few flows in turns that repeat soon: in order, by a table, or every n-th frame of another one; which is what the
 * modifier "broadcast" does, with every 100th. */
static void write_turns(struct random *random, struct script *script, unsigned port)
{
	const bool table = random_chance(random, 30), every = !table || random_chance(random, 30);
	const uint64_t flows = random_chance(random, 50) ? 1 : random_between(random, 2, MOST_FLOWS - 1);
	const uint64_t turns = random_between(random, 1, 12);

	write32(script, FPGAUGE_PORT_TX_FLOWS(port), flows);
	write32(script, FPGAUGE_PORT_TX_ORDER(port), table ? 2 : 0);
	write32(script, FPGAUGE_PORT_TX_TURNS(port), turns);
	for (uint64_t i = 0; i < turns && table; i++) {
		write32(script, FPGAUGE_PORT_TX_TURN_INDEX(port), i);
		write32(script, FPGAUGE_PORT_TX_TURN_FLOW(port), random_between(random, 0, MOST_FLOWS - 1));
	}
	write32(script, FPGAUGE_PORT_TX_EVERY_FLOW(port), random_between(random, 0, MOST_FLOWS - 1));
	write32(script, FPGAUGE_PORT_TX_EVERY(port),
	        !every                      ? 0
	        : random_chance(random, 40) ? 100
	                                    : 1 + random_spread(random, 200));
}

static void write_receiver(struct random *random, struct script *script, unsigned port)
{
	write32(script, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * 8 * (port ^ 1), random_chance(random, 95) ? 255 : 254);
	write32(script, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), 9216);
	write32(script, FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(port), random_between(random, 0, 60));
	write64(script, FPGAUGE_PORT_RX_HISTOGRAM_BASE(port), 8 * random_spread(random, 4000));
	write32(script, FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(port), random_between(random, 0, 12));
}

static void look(struct script *script)
{
	write32(script, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
	script_op(script, OP_COUNTERS, 0, 0, 0);
	script_op(script, OP_STREAM, 0, 0, 0);
	for (uint32_t flow = 0; flow < MOST_FLOWS; flow++)
		script_op(script, OP_STREAM, 1, flow, 0);
}

static void draw_tags(struct random *random, struct script *script, uint64_t trial_ot)
{
	const bool tags = random_chance(random, 25);

	write32(script, FPGAUGE_PORT_TX_TAG_ENABLE(0), tags);
	write64(script, FPGAUGE_PORT_TX_TAG_FIRST(0), random_between(random, 0, trial_ot));
	write64(script, FPGAUGE_PORT_TX_TAG_INTERVAL(0), random_between(random, 0, trial_ot / 2));
}

/* Bursts at a smaller gap than the service, with an average that is around it. A round of them is short, so that a
 * trial has many. */
static void draw_bursts(struct random *random, const struct drift_recipe *recipe, double service_ot, struct load *load)
{
	const uint64_t least = 8 + load->octets + 12,
	               gap = random_chance(random, 70) ? 12 : random_between(random, 12, 30);
	double period_ot;

	load->burst_frames = 1 + random_spread(random, recipe->quick ? 6 : random_chance(random, 80) ? 16 : 100);
	load->gap_octets = gap;
	load->gap_numerator = random_chance(random, 3);
	load->gap_denominator = random_between(random, 2, 1000);
	period_ot = (double)load->burst_frames * service_ot *
	            (random_chance(random, 25)   ? 1 + ((double)random_between(random, 0, 2000) - 1000) * 1e-5
	             : random_chance(random, 70) ? (double)random_between(random, 600, 1000) * 1e-3
	                                         : (double)random_between(random, 1000, 1300) * 1e-3);
	period_ot -= (double)((load->burst_frames - 1) * (least + gap - 12) + 8 + load->octets);
	load->burst_gap_octets = period_ot > 12 ? (uint64_t)period_ot : 12;
}

static void draw_trial(struct random *random, const struct drift_recipe *recipe, double service_ot, struct load *load,
                       struct script *script)
{
	uint64_t frames = random_between(random, 20000, recipe->quick ? 40000 : 100000), trial_ot;

	if (recipe->bursts) {
		frames *= recipe->quick ? 3 : 12;
		draw_bursts(random, recipe, service_ot, load);
		trial_ot = frames * (8 + load->octets + load->gap_octets) +
		           frames / load->burst_frames * load->burst_gap_octets;
	} else {
		draw_load(random, service_ot, load);
		trial_ot = frames * (8 + load->octets + load->gap_octets);
	}
	load->duration_ot = random_chance(random, 70) ? trial_ot : 0;
	load->stop_frames = load->duration_ot == 0 || random_chance(random, 20) ? frames : 0;
	write_load(script, 0, load);
	if (recipe->turns && (!recipe->bursts || random_chance(random, 40)))
		write_turns(random, script, 0);
	draw_tags(random, script, trial_ot);
	write32(script, FPGAUGE_PORT_TX_ENABLE(1), 0);
	if (random_chance(random, 10))
		write_load(script, 1, load);
	write32(script, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	for (uint64_t i = random_spread(random, 4); i > 0; i--) {
		script_op(script, OP_WAIT, random_between(random, 0, trial_ot / 2), 0, 0);
		if (random_chance(random, 80))
			look(script);
		else if (random_chance(random, 20))
			write32(script, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
	}
	/* a wait after which nobody looks may be played later */
	for (uint64_t i = random_chance(random, 25) ? random_between(random, 1, 60) : 0; i > 0; i--)
		script_op(script, OP_WAIT, random_spread(random, trial_ot / 20), 0, 0);
	script_op(script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_SENDING, trial_ot / 3 + 1000, 10);
	if (random_chance(random, 50))
		script_op(script, OP_WAIT, random_spread(random, 20000000), 0, 0);
	look(script);
}

void generate_drift(uint64_t seed, const struct drift_recipe *recipe, struct script *script)
{
	struct random random = {seed};
	struct load load = {.octets = recipe->quick ? random_between(&random, 64, 130) : draw_octets(&random)};
	double service_ot;

	*script = (struct script){0};
	service_ot = draw_fifo(&random, load.octets, script);
	script_op(script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, 200);
	for (unsigned port = 0; port < 2; port++)
		write_receiver(&random, script, port);
	for (uint64_t trials = random_between(&random, 1, 10) / 9 + 1; trials > 0; trials--)
		draw_trial(&random, recipe, service_ot, &load, script);
	script_op(script, OP_WAIT, 40000000, 0, 0);
	look(script);
	script_op(script, OP_GAPS, 0, 0, 1024);
	script_op(script, OP_ARRIVED, 1, 0, 1024);
	script_op(script, OP_REGISTERS, 0, 0, 0);
	script_op(script, OP_HISTOGRAM, 0, 0, 0);
}

/* A load this much above the service, until the end of sending. */
static void slow_trial(struct script *script, uint64_t octets, double service_ot, double above, uint64_t frames)
{
	const double period_ot = service_ot / (1 + above);
	struct load load = {.octets = octets, .gap_octets = (uint64_t)period_ot - 8 - octets, .stop_frames = frames};

	load.gap_denominator = 1000000;
	load.gap_numerator = (uint64_t)((period_ot - (double)(uint64_t)period_ot) * 1000000);
	write_load(script, 0, &load);
	write32(script, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	script_op(script, OP_WAIT, (uint64_t)((double)frames * period_ot), 0, 0);
	script_op(script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_SENDING, 100000, 10);
}

void generate_drift_slow(uint64_t seed, struct script *script)
{
	struct random random = {seed};
	const uint64_t octets = random_chance(&random, 50) ? 64 : random_between(&random, 64, 1518);
	const uint64_t fps =
	        12500000000 / (octets + 20) * random_between(&random, 50, 95) / 100 + random_between(&random, 0, 99);
	const uint64_t buffer = random_between(&random, 100, 1000), fills = random_between(&random, 200000, 600000);
	const double service_ot = 12.5e9 / (double)fps, above = (double)buffer / (double)fills;

	*script = (struct script){0};
	script_option(script, "dut.model", "fifo");
	script_option(script, "dut.buffer_frames", "%" PRIu64, buffer);
	script_option(script, "dut.service_fps", "%" PRIu64, fps);
	script_op(script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, 200);
	for (unsigned port = 0; port < 2; port++)
		write_receiver(&random, script, port);
	slow_trial(script, octets, service_ot, above, fills * random_between(&random, 8, 14) / 10);
	if (random_chance(&random, 50))
		look(script);
	slow_trial(script, octets, service_ot, -above, fills * random_between(&random, 5, 14) / 10);
	look(script);
	script_op(script, OP_WAIT, 40000000, 0, 0);
	look(script);
	script_op(script, OP_REGISTERS, 0, 0, 0);
	script_op(script, OP_HISTOGRAM, 0, 0, 0);
}
