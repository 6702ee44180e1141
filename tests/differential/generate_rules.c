/* SPDX-License-Identifier: Apache-2.0 */
/* Random frames between the others: rules, tx_send, and flows without a turn. */
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum { MOST_FLOW = 255 };

static const uint64_t UNSIGNED = UINT64_C(1) << 24;

/* Draws tx_rule_frame: mostly short, because a rule may send often. */
static uint64_t draw_frame(struct generator *g)
{
	const uint64_t flow = chance(g, 85) ? between(g, 0, SIZED_FLOWS - 1) : between(g, 0, MOST_FLOW);
	const uint64_t octets = chance(g, 75)   ? between(g, 64, 200)
	                        : chance(g, 50) ? between(g, 0, 64)
	                        : chance(g, 85) ? between(g, 64, 1600)
	                                        : draw_frame_octets(g);
	const uint64_t flags = draw_flags(g, 20);

	return flags << 24 | octets << 8 | flow;
}

/* Draws a rule that is often due when another one is, or when a phase begins; often again as soon as it may. */
static void draw_rule(struct generator *g, const struct sender *sender, uint64_t most_ot, struct rule *rule)
{
	rule->frame = draw_frame(g);
	rule->time_ot = chance(g, 20)   ? 0
	                : chance(g, 20) ? sender->rule[between(g, 0, RULES - 1)].time_ot
	                : chance(g, 20) ? sender->phase_ot[between(g, 1, PHASES)]
	                : chance(g, 50) ? random_spread(&g->random, most_ot)
	                                : between(g, 0, most_ot);
	rule->period_ot = chance(g, 35)   ? 0
	                  : chance(g, 40) ? 1 + random_spread(&g->random, 4000)
	                                  : 1 + random_spread(&g->random, most_ot / 2 + 1);
}

void draw_rules(struct generator *g, struct sender *sender, uint64_t most_ot)
{
	sender->rules = chance(g, 60) ? 0 : chance(g, 95) ? between(g, 1, RULES) : between(g, RULES + 1, 7);
	for (unsigned i = 0; i < RULES; i++)
		draw_rule(g, sender, most_ot, &sender->rule[i]);
	sender->every = chance(g, 75) ? 0 : 1 + random_spread(&g->random, chance(g, 90) ? 20 : 1000);
	sender->every_flow = chance(g, 80) ? between(g, 0, SIZED_FLOWS - 1) : between(g, 0, MOST_FLOW);
	if (!chance(g, 10))
		return;
	sender->flows = 0; /* only rules and tx_send, which may never reach a number of frames */
	sender->ends = sender->duration_ot != 0;
}

void write_rules(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];

	write32(g, FPGAUGE_PORT_TX_RULES(port), sender->rules);
	write32(g, FPGAUGE_PORT_TX_EVERY(port), sender->every);
	write32(g, FPGAUGE_PORT_TX_EVERY_FLOW(port), sender->every_flow);
}

void write_rule_table(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];

	for (uint64_t i = 0; i < RULES && i < sender->rules; i++) {
		write32(g, FPGAUGE_PORT_TX_RULE_INDEX(port), i);
		write64(g, FPGAUGE_PORT_TX_RULE_TIME(port), sender->rule[i].time_ot);
		write64(g, FPGAUGE_PORT_TX_RULE_PERIOD(port), sender->rule[i].period_ot);
		write32(g, FPGAUGE_PORT_TX_RULE_FRAME(port), sender->rule[i].frame);
	}
}

/* Sends some in a row, because one that comes before the last one has begun is ignored. */
void send_frames(struct generator *g, unsigned port)
{
	for (uint64_t frames = chance(g, 50) ? 1 : between(g, 1, 5); frames > 0; frames--) {
		uint64_t frame = draw_frame(g);

		if (g->mails && g->varies[port][frame & MOST_FLOW]) /* the twin may refuse them without a signature */
			frame &= ~UNSIGNED;
		write32(g, FPGAUGE_PORT_TX_SEND(port), frame);
		if (chance(g, 30))
			op(g, OP_WAIT, random_spread(&g->random, 3000), 0, 0);
	}
}
