/* SPDX-License-Identifier: Apache-2.0 */
/* Random settings of a port. Weights keep a trial cheap in simulated RTL (a few thousand words) and rich in events. */
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum { PREAMBLE_OCTETS = 8, MIN_GAP_OCTETS = 11, MAX_FRAMES = 1200 };

uint64_t draw_frame_octets(struct generator *g)
{
	switch (between(g, 0, 9)) {
	case 0:
	case 1:
	case 2:
		return 64;
	case 3:
		return between(g, 54, 63); /* runts, on purpose */
	case 4:
	case 5:
	case 6:
		return between(g, 64, 140);
	case 7:
		return between(g, 64, 640);
	case 8:
		return between(g, 500, 1600);
	default:
		return between(g, 1500, 9216);
	}
}

static uint64_t gap_octets(struct generator *g)
{
	switch (between(g, 0, 7)) {
	case 0:
	case 1:
	case 2:
		return 12;
	case 3:
		return MIN_GAP_OCTETS;
	case 4:
		return MIN_GAP_OCTETS + random_spread(&g->random, 30000);
	case 5:
		return MIN_GAP_OCTETS + random_spread(&g->random, 3000);
	default:
		return between(g, MIN_GAP_OCTETS, 120);
	}
}

static void draw_fraction(struct generator *g, struct gap *gap)
{
	gap->numerator = 0;
	gap->denominator = 1;
	if (chance(g, 40))
		return;
	gap->denominator = 1 + random_spread(&g->random, UINT32_MAX - 1);
	gap->numerator = random_bits(&g->random) % gap->denominator;
	if (chance(g, 20)) /* the next whole octet is as close as it can be */
		gap->numerator = gap->denominator - 1;
}

/* 1 to most, often close to most. */
static uint64_t up_to(struct generator *g, uint64_t most)
{
	return chance(g, 60) ? between(g, 1, most) : 1 + random_spread(&g->random, most - 1);
}

/* A trial ends by a count, by a time, by both, or only by the stop strobe. Returns how long it may take. */
static uint64_t draw_end(struct generator *g, struct sender *sender, uint64_t octets)
{
	const uint64_t period = PREAMBLE_OCTETS + octets + sender->gap[0].octets;
	uint64_t frames = g->scale * (uint64_t)SENDING_BUDGET_OT / (octets + 20) + 1;
	const unsigned how = (unsigned)between(g, 0, 9);

	if (frames > g->scale * (uint64_t)MAX_FRAMES)
		frames = g->scale * (uint64_t)MAX_FRAMES;
	if (frames * period > g->scale * (uint64_t)SPREAD_BUDGET_OT)
		frames = g->scale * (uint64_t)SPREAD_BUDGET_OT / period + 1;
	sender->stop_frames = sender->duration_ot = 0;
	if (how < 7)
		sender->stop_frames = up_to(g, frames);
	if (how >= 5 && how < 9)
		sender->duration_ot = up_to(g, frames * period);
	sender->ends = how < 9;
	return frames * period;
}

/* Phases mostly come one after the other in the time of the trial. Their gaps are short, for the trial to stay so. */
static void draw_phases(struct generator *g, struct sender *sender, uint64_t most_ot)
{
	sender->phases = chance(g, 70) ? 0 : chance(g, 60) ? 1 : between(g, 1, PHASES);
	for (uint64_t i = 1; i <= PHASES; i++) {
		const uint64_t step_ot = random_spread(&g->random, 2 * most_ot / (sender->phases + 1));

		sender->phase_ot[i] = chance(g, 90) ? sender->phase_ot[i - 1] + step_ot : between(g, 0, most_ot);
		sender->gap[i].octets = chance(g, 30)   ? sender->gap[0].octets
		                        : chance(g, 80) ? between(g, MIN_GAP_OCTETS, 200)
		                                        : MIN_GAP_OCTETS + random_spread(&g->random, 2000);
		draw_fraction(g, &sender->gap[i]);
	}
}

void draw_sender(struct generator *g, struct sender *sender)
{
	uint64_t octets, most_ot;

	*sender = (struct sender){.enable = true};
	sender->frame_octets = draw_frame_octets(g);
	sender->gap[0].octets = gap_octets(g);
	draw_fraction(g, &sender->gap[0]);
	sender->burst_frames = chance(g, 60) ? 0 : 1 + random_spread(&g->random, 50);
	sender->burst_gap_octets = MIN_GAP_OCTETS + random_spread(&g->random, chance(g, 80) ? 2000 : 100000);
	octets = draw_flows(g, sender);
	most_ot = draw_end(g, sender, octets);
	draw_phases(g, sender, most_ot);
	if (chance(g, 25))
		sender->start_offset_ot = random_spread(&g->random, chance(g, 80) ? 20000 : most_ot);
	sender->tags = chance(g, 40);
	draw_rules(g, sender, most_ot);
}

static void write_tags(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];
	const uint64_t period = PREAMBLE_OCTETS + sender->frame_octets + sender->gap[0].octets;

	write32(g, FPGAUGE_PORT_TX_TAG_ENABLE(port), sender->tags);
	if (!sender->tags)
		return;
	write64(g, FPGAUGE_PORT_TX_TAG_FIRST(port), random_spread(&g->random, 20 * period));
	write64(g, FPGAUGE_PORT_TX_TAG_INTERVAL(port), chance(g, 20) ? 0 : random_spread(&g->random, 10 * period));
}

static void write_phases(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];

	write32(g, FPGAUGE_PORT_TX_PHASES(port), sender->phases);
	for (uint64_t i = 1; i <= sender->phases; i++) {
		write32(g, FPGAUGE_PORT_TX_PHASE_INDEX(port), i);
		write64(g, FPGAUGE_PORT_TX_PHASE_TIME(port), sender->phase_ot[i]);
		write64(g, FPGAUGE_PORT_TX_PHASE_GAP_OCTETS(port), sender->gap[i].octets);
		write32(g, FPGAUGE_PORT_TX_PHASE_GAP_NUMERATOR(port), sender->gap[i].numerator);
		write32(g, FPGAUGE_PORT_TX_PHASE_GAP_DENOMINATOR(port), sender->gap[i].denominator);
	}
}

void write_sender(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];

	write32(g, FPGAUGE_PORT_TX_ENABLE(port), sender->enable);
	write32(g, FPGAUGE_PORT_TX_FRAME_OCTETS(port), sender->frame_octets);
	write64(g, FPGAUGE_PORT_TX_GAP_OCTETS(port), sender->gap[0].octets);
	write32(g, FPGAUGE_PORT_TX_GAP_NUMERATOR(port), sender->gap[0].numerator);
	write32(g, FPGAUGE_PORT_TX_GAP_DENOMINATOR(port), sender->gap[0].denominator);
	write32(g, FPGAUGE_PORT_TX_BURST_FRAMES(port), sender->burst_frames);
	write64(g, FPGAUGE_PORT_TX_BURST_GAP_OCTETS(port), sender->burst_gap_octets);
	write64(g, FPGAUGE_PORT_TX_STOP_FRAMES(port), sender->stop_frames);
	write64(g, FPGAUGE_PORT_TX_DURATION(port), sender->duration_ot);
	write64(g, FPGAUGE_PORT_TX_START_OFFSET(port), sender->start_offset_ot);
	write32(g, FPGAUGE_PORT_TX_BAD_FCS_EVERY(port), chance(g, 70) ? 0 : 1 + random_spread(&g->random, 30));
	/* The twin knows only the pause frames of a device between all ports, which a port in loopback is not behind.
	 */
	if (g->switches || g->routers)
		write32(g, FPGAUGE_PORT_TX_OBEY_PAUSE(port), chance(g, 60) && !g->looped[port]);
	write_tags(g, port);
	write_flows(g, port);
	if (g->still) {
		write_flow_tables(g, port);
		write_phases(g, port);
		write_rule_table(g, port);
	}
	write_rules(g, port);
	if (!g->switches && (g->still || !g->mails))
		write_contents(g, port);
	else if (g->still && g->routers)
		write_packets(g, port);
	else if (g->still)
		write_addresses(g, port);
}
