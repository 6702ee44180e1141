/* SPDX-License-Identifier: Apache-2.0 */
/* Random contents of frames. No model and no twin looks into a frame, so nothing of this may change an answer: frames
 * have to be complete, with a right FCS, and their payload has to count up where the receivers look at it. All octets
 * are below 80, so that no frame without a signature seems to have one. */
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum { OCTETS_BELOW_80 = 0x7f7f7f7f, FLOWS = 256, FIELDS_A_FLOW = 4, BODIES = 512, VALUES = 4096 };
enum { LAST_PAIR = 126, BEFORE_SIGNATURE = 30, LEAST_OCTETS = 54 };
enum { LENGTH_IN_USE = 31, CHECKSUM_IN_USE = 15 };

static uint64_t draw_octets(struct generator *g)
{
	return random_bits(&g->random) & OCTETS_BELOW_80;
}

static uint64_t draw_even(struct generator *g, uint64_t most)
{
	return between(g, 0, most / 2) * 2;
}

static uint64_t draw_length(struct generator *g)
{
	return (uint64_t)chance(g, 70) << LENGTH_IN_USE | between(g, 0, LEAST_OCTETS) << 16 | draw_even(g, LAST_PAIR);
}

/* Any value of it may come up: it stands where no signature can begin. */
static uint64_t draw_checksum(struct generator *g)
{
	return between(g, 0, 0xffff) << 16 | (uint64_t)chance(g, 70) << CHECKSUM_IN_USE | between(g, 0, 7) << 12 |
	       draw_even(g, BEFORE_SIGNATURE);
}

static void write_field(struct generator *g, unsigned port, uint64_t flow)
{
	const uint64_t kind = between(g, 0, 3) << 16 | between(g, 0, 124) << 8 | between(g, 0, 3);

	g->varies[port][flow] = true;
	write32(g, FPGAUGE_PORT_TX_FIELD_INDEX(port), flow * FIELDS_A_FLOW + between(g, 0, FIELDS_A_FLOW - 1));
	write32(g, FPGAUGE_PORT_TX_FIELD_START(port), random_bits(&g->random));
	write32(g, FPGAUGE_PORT_TX_FIELD_STEP(port), random_spread(&g->random, UINT32_MAX));
	write32(g, FPGAUGE_PORT_TX_FIELD_MASK(port), draw_octets(g));
	write32(g, FPGAUGE_PORT_TX_FIELD_COUNT(port), 1 + random_spread(&g->random, 0xffffff));
	write32(g, FPGAUGE_PORT_TX_FIELD_KIND(port), kind);
	write32(g, FPGAUGE_PORT_TX_VALUE_INDEX(port), between(g, 0, VALUES - 1));
	write32(g, FPGAUGE_PORT_TX_VALUE(port), random_bits(&g->random));
}

static void write_body(struct generator *g, unsigned port)
{
	const uint64_t first = between(g, 0, BODIES - 1);

	write32(g, FPGAUGE_PORT_TX_FLOW_BODY(port), between(g, 0, 31) << 16 | first);
	write32(g, FPGAUGE_PORT_TX_BODY_INDEX(port), first);
	write32(g, FPGAUGE_PORT_TX_BODY(port) + 4 * (uint32_t)between(g, 0, 15), draw_octets(g));
}

static void write_flow(struct generator *g, unsigned port, uint64_t flow)
{
	write32(g, FPGAUGE_PORT_TX_FLOW_INDEX(port), flow);
	write32(g, FPGAUGE_PORT_TX_HEADER(port) + 4 * (uint32_t)between(g, 0, 15), draw_octets(g));
	write32(g, FPGAUGE_PORT_TX_FLOW_PAYLOAD(port), between(g, 0, 128));
	if (chance(g, 50)) {
		write32(g, FPGAUGE_PORT_TX_FLOW_LENGTH1(port), draw_length(g));
		write32(g, FPGAUGE_PORT_TX_FLOW_LENGTH2(port), draw_length(g));
		write32(g, FPGAUGE_PORT_TX_FLOW_CHECKSUM1(port), draw_checksum(g));
		write32(g, FPGAUGE_PORT_TX_FLOW_CHECKSUM2(port), draw_checksum(g));
	}
	if (g->bodies)
		write_body(g, port);
	for (uint64_t fields = between(g, 0, FIELDS_A_FLOW); fields > 0; fields--)
		write_field(g, port, flow);
}

void write_contents(struct generator *g, unsigned port)
{
	if (!chance(g, 25))
		return;
	write32(g, FPGAUGE_PORT_TX_FIELD_SEED(port), random_spread(&g->random, UINT32_MAX));
	for (uint64_t flows = between(g, 1, 6); flows > 0; flows--)
		write_flow(g, port, chance(g, 80) ? between(g, 0, SIZED_FLOWS - 1) : between(g, 0, FLOWS - 1));
}
