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

static void draw_fraction(struct generator *g, struct sender *sender)
{
	sender->numerator = 0;
	sender->denominator = 1;
	if (chance(g, 40))
		return;
	sender->denominator = 1 + random_spread(&g->random, UINT32_MAX - 1);
	sender->numerator = random_bits(&g->random) % sender->denominator;
	if (chance(g, 20)) /* as close to the next whole octet as possible */
		sender->numerator = sender->denominator - 1;
}

/* 1 to most, often close to most. */
static uint64_t up_to(struct generator *g, uint64_t most)
{
	return chance(g, 60) ? between(g, 1, most) : 1 + random_spread(&g->random, most - 1);
}

/* A trial ends by a count, by a time, by both, or only by the stop strobe. */
static void draw_end(struct generator *g, struct sender *sender)
{
	const uint64_t period = PREAMBLE_OCTETS + sender->frame_octets + sender->gap_octets;
	uint64_t frames = g->scale * (uint64_t)SENDING_BUDGET_OT / (sender->frame_octets + 20) + 1;
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
}

void draw_sender(struct generator *g, struct sender *sender)
{
	sender->enable = true;
	sender->frame_octets = draw_frame_octets(g);
	sender->gap_octets = gap_octets(g);
	draw_fraction(g, sender);
	sender->burst_frames = chance(g, 60) ? 0 : 1 + random_spread(&g->random, 50);
	sender->burst_gap_octets = MIN_GAP_OCTETS + random_spread(&g->random, chance(g, 80) ? 2000 : 100000);
	draw_end(g, sender);
	sender->destinations = chance(g, 50)   ? 1
	                       : chance(g, 80) ? between(g, 1, 20)
	                       : chance(g, 50) ? between(g, 1, 256)
	                                       : 256;
	sender->tags = chance(g, 40);
}

/* Which destination belongs to which port. Entries that are not written belong to port 0. */
static void write_destinations(struct generator *g, unsigned port)
{
	const uint64_t most = g->sender[port].destinations;
	const uint64_t written = most <= 20 || chance(g, 20) ? most : 20;

	if (chance(g, 10) && most > 1)
		return;
	for (uint64_t i = 0; i < written; i++) {
		write32(g, FPGAUGE_PORT_TX_DESTINATION_INDEX(port), i);
		write32(g, FPGAUGE_PORT_TX_DESTINATION_PORT(port),
		        chance(g, 96) ? (g->looped[port] ? port : port ^ 1) : between(g, 0, 15));
		if (chance(g, 3))
			write32(g, FPGAUGE_PORT_TX_HEADER(port) + 4 * (uint32_t)between(g, 0, 15),
			        random_bits(&g->random));
	}
}

static void write_tags(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];
	const uint64_t period = PREAMBLE_OCTETS + sender->frame_octets + sender->gap_octets;

	write32(g, FPGAUGE_PORT_TX_TAG_ENABLE(port), sender->tags);
	if (!sender->tags)
		return;
	write64(g, FPGAUGE_PORT_TX_TAG_FIRST(port), random_spread(&g->random, 20 * period));
	write64(g, FPGAUGE_PORT_TX_TAG_INTERVAL(port), chance(g, 20) ? 0 : random_spread(&g->random, 10 * period));
}

void write_sender(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];

	write32(g, FPGAUGE_PORT_TX_ENABLE(port), sender->enable);
	write32(g, FPGAUGE_PORT_TX_FRAME_OCTETS(port), sender->frame_octets);
	write64(g, FPGAUGE_PORT_TX_GAP_OCTETS(port), sender->gap_octets);
	write32(g, FPGAUGE_PORT_TX_GAP_NUMERATOR(port), sender->numerator);
	write32(g, FPGAUGE_PORT_TX_GAP_DENOMINATOR(port), sender->denominator);
	write32(g, FPGAUGE_PORT_TX_BURST_FRAMES(port), sender->burst_frames);
	write64(g, FPGAUGE_PORT_TX_BURST_GAP_OCTETS(port), sender->burst_gap_octets);
	write64(g, FPGAUGE_PORT_TX_STOP_FRAMES(port), sender->stop_frames);
	write64(g, FPGAUGE_PORT_TX_DURATION(port), sender->duration_ot);
	write32(g, FPGAUGE_PORT_TX_DESTINATIONS(port), sender->destinations);
	write32(g, FPGAUGE_PORT_TX_RANDOM(port), chance(g, 40));
	write32(g, FPGAUGE_PORT_TX_SEED(port), random_spread(&g->random, UINT32_MAX));
	write32(g, FPGAUGE_PORT_TX_PAYLOAD_OFFSET(port), between(g, 0, 255));
	write32(g, FPGAUGE_PORT_TX_BAD_FCS_EVERY(port), chance(g, 70) ? 0 : 1 + random_spread(&g->random, 30));
	write_tags(g, port);
	write_destinations(g, port);
}

/* ------------------------------------------------------------------ what is received */

void write_loopback(struct generator *g)
{
	for (unsigned port = 0; port < GENERATE_PORTS; port++) {
		g->looped[port] = chance(g, 60);
		write32(g, FPGAUGE_PORT_LOOPBACK(port), g->looped[port]);
	}
}

void write_receiver(struct generator *g, unsigned port)
{
	write32(g, FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(port), chance(g, 80) ? between(g, 0, 24) : between(g, 0, 65535));
	write32(g, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), chance(g, 80) ? 9216 : between(g, 60, 9300));
	write64(g, FPGAUGE_PORT_RX_HISTOGRAM_BASE(port), chance(g, 50) ? 0 : random_spread(&g->random, 100000));
	write32(g, FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(port), chance(g, 80) ? between(g, 3, 12) : between(g, 0, 31));
}
