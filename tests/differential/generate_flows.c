/* SPDX-License-Identifier: Apache-2.0 */
/* Random flows of a port: whose turn it is, how long frames are, what is special about them. */
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum {
	LENGTHS = 1 << FPGAUGE_PORT_TX_SIZE_INDEX_BITS,
	MOST_OCTETS = FPGAUGE_PORT_TX_FRAME_OCTETS_MAX,
	MOST_TURNS = 4096,
	FEW_TURNS = 40,
	FLOWS = 256,
};

enum { IN_TURN, DRAWN, TABLE };                              /* tx_order */
enum { ALL_ALIKE, LIST_IN_TURN, DRAWN_ENTRY, DRAWN_LENGTH }; /* tx_flow_size, how */

/* Some entries of the table of lengths, often around its end. An entry that is not written acts as 54. */
static uint64_t draw_list(struct generator *g, struct sender *sender)
{
	const bool any = chance(g, 40); /* else short ones, of which a trial has many */
	uint64_t sum = 0;

	sender->listed_from = chance(g, 40) ? LENGTHS - between(g, 1, LISTED) : between(g, 0, LENGTHS - 1);
	for (unsigned i = 0; i < LISTED; i++) {
		if (any)
			sender->listed_octets[i] = chance(g, 97) ? draw_frame_octets(g) : between(g, 0, MOST_OCTETS);
		else
			sender->listed_octets[i] = between(g, 50, 140);
		sum += sender->listed_octets[i];
	}
	return sum / LISTED;
}

/* A flow has entries of the list, or some beyond it now and then. */
static void draw_entries(struct generator *g, const struct sender *sender, struct flow *flow)
{
	const uint64_t skipped = between(g, 0, LISTED - 1);

	flow->first = (sender->listed_from + skipped) % LENGTHS;
	flow->count = chance(g, 90) ? between(g, 1, LISTED - skipped) : random_spread(&g->random, 2 * LENGTHS);
}

uint64_t draw_flags(struct generator *g, unsigned percent)
{
	if (g->mails && chance(g, g->routers ? 15 : 50)) /* a router sends such frames itself */
		return 1;                                /* no signature */
	return chance(g, 100 - percent) ? 0 : between(g, 0, 7);
}

/* Returns the average of its lengths, more or less. */
static uint64_t draw_flow(struct generator *g, const struct sender *sender, uint64_t listed_octets, struct flow *flow)
{
	flow->how = chance(g, 25) ? ALL_ALIKE : between(g, LIST_IN_TURN, DRAWN_LENGTH);
	flow->flags = draw_flags(g, 15);
	if (flow->how == LIST_IN_TURN || flow->how == DRAWN_ENTRY) {
		draw_entries(g, sender, flow);
		return listed_octets;
	}
	if (flow->how == ALL_ALIKE)
		return sender->frame_octets;
	flow->first = chance(g, 95) ? between(g, 40, 200) : between(g, 0, MOST_OCTETS);
	flow->count = random_spread(&g->random, chance(g, 70) ? 100 : chance(g, 85) ? 3000 : 32767);
	return flow->first + flow->count / 2;
}

uint64_t draw_flows(struct generator *g, struct sender *sender)
{
	uint64_t listed_octets, sum = 0;

	sender->order = chance(g, 50) ? IN_TURN : between(g, DRAWN, TABLE + 1); /* 3 acts as in turn */
	sender->flows = chance(g, 50)   ? 1
	                : chance(g, 80) ? between(g, 1, 20)
	                : chance(g, 50) ? between(g, 1, FLOWS)
	                                : FLOWS;
	sender->turns = chance(g, 80)   ? between(g, 1, FEW_TURNS)
	                : chance(g, 80) ? between(g, 1, MOST_TURNS)
	                                : MOST_TURNS;
	sender->sized = (g->mails && chance(g, 70)) || chance(g, 45);
	if (!sender->sized)
		return sender->frame_octets;
	listed_octets = draw_list(g, sender);
	for (unsigned i = 0; i < SIZED_FLOWS; i++)
		sum += draw_flow(g, sender, listed_octets, &sender->flow[i]);
	return sum / SIZED_FLOWS;
}

/* ------------------------------------------------------------------ writing */

static void write_list(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];

	for (unsigned i = 0; i < LISTED; i++) {
		write32(g, FPGAUGE_PORT_TX_SIZE_INDEX(port), (sender->listed_from + i) % LENGTHS);
		write32(g, FPGAUGE_PORT_TX_SIZE_OCTETS(port), sender->listed_octets[i]);
	}
}

static void write_sizes(struct generator *g, unsigned port)
{
	for (unsigned i = 0; i < SIZED_FLOWS; i++) {
		const struct flow *flow = &g->sender[port].flow[i];

		write32(g, FPGAUGE_PORT_TX_FLOW_INDEX(port), i);
		write32(g, FPGAUGE_PORT_TX_FLOW_SIZE(port), flow->count << 16 | flow->first << 2 | flow->how);
		write32(g, FPGAUGE_PORT_TX_FLOW_FLAGS(port), flow->flags);
	}
}

/* A few turns, wherever they are; the others are what they were. */
static void write_turns(struct generator *g, unsigned port)
{
	const uint64_t turns = g->sender[port].turns;
	const uint64_t written = turns < FEW_TURNS || chance(g, 1) ? turns : FEW_TURNS;

	for (uint64_t i = 0; i < written; i++) {
		write32(g, FPGAUGE_PORT_TX_TURN_INDEX(port), written == turns ? i : between(g, 0, turns - 1));
		write32(g, FPGAUGE_PORT_TX_TURN_FLOW(port),
		        chance(g, 95) ? between(g, 0, SIZED_FLOWS - 1) : between(g, 0, FLOWS - 1));
	}
}

void write_flows(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];

	write32(g, FPGAUGE_PORT_TX_FLOWS(port), sender->flows);
	write32(g, FPGAUGE_PORT_TX_ORDER(port), sender->order);
	write32(g, FPGAUGE_PORT_TX_TURNS(port), sender->turns);
	write32(g, FPGAUGE_PORT_TX_SEED(port), random_spread(&g->random, UINT32_MAX));
	write32(g, FPGAUGE_PORT_TX_SIZE_SEED(port), random_spread(&g->random, UINT32_MAX));
}

void write_flow_tables(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];

	if (sender->order == TABLE)
		write_turns(g, port);
	if (sender->sized)
		write_list(g, port);
	if (sender->sized || g->sized[port])
		write_sizes(g, port);
	g->sized[port] = sender->sized;
}
