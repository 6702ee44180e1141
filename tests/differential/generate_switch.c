/* SPDX-License-Identifier: Apache-2.0 */
/* Random switches (docs/dut-models.md), and addresses in frames that they know, learn and flood. */
#include <inttypes.h>
#include <string.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum { SAFE_CUT_THROUGH_NS = 733, FIELDS_A_FLOW = 4, FLOWS = 256, VALUES = 4096, ADDRESS_OCTETS = 12 };

static void option_number(struct script *script, const char *name, uint64_t value)
{
	script_option(script, name, "%" PRIu64, value);
}

static bool has_option(const struct script *script, const char *name)
{
	for (size_t i = 0; i < script->option_count; i++)
		if (strcmp(script->option[i].name, name) == 0)
			return true;
	return false;
}

static void buffer(struct random *random, struct script *script)
{
	const bool in_cells = random_chance(random, 30);
	const uint64_t most = in_cells ? 600 : 60;

	if (in_cells)
		option_number(script, "dut.cell_octets", 32 + random_spread(random, 400));
	if (random_chance(random, 50)) {
		option_number(script, "dut.buffer_frames", 1 + random_spread(random, most));
		return;
	}
	option_number(script, "dut.shared_buffer_frames", 1 + random_spread(random, 3 * most));
	if (random_chance(random, 60))
		script_option(script, "dut.alpha", "%" PRIu64 ".%02" PRIu64, random_between(random, 0, 4),
		              random_between(random, 1, 99));
}

static void errors(struct random *random, struct script *script)
{
	static const char *const lists[] = {"fcs", "short", "long", "fcs, short", "long,fcs", "short, long, fcs"};

	script_option(script, "dut.forward_errors", "%s", lists[random_between(random, 0, 5)]);
}

static void limits(struct random *random, struct script *script)
{
	if (random_chance(random, 40))
		option_number(script, "dut.table_addresses", 1 + random_spread(random, 20));
	if (random_chance(random, 30))
		script_option(script, "dut.ageing", "%" PRIu64 "ns", 1000 + random_spread(random, 60000));
	if (random_chance(random, 30))
		script_option(script, "dut.learning_fps", "%" PRIu64 "k", random_between(random, 20, 40000));
	if (random_chance(random, 30))
		script_option(script, "dut.broadcast_fps", "%" PRIu64 "k", random_between(random, 20, 100000));
}

void generate_switch(struct random *random, struct script *script)
{
	const bool cut_through = random_chance(random, 25);

	script_option(script, "dut.model", "switch");
	buffer(random, script);
	limits(random, script);
	if (cut_through)
		script_option(script, "dut.forwarding", "cut_through");
	if (cut_through || random_chance(random, 70))
		script_option(script, "dut.latency_ns", "%" PRIu64 ".%02" PRIu64,
		              (cut_through ? SAFE_CUT_THROUGH_NS : 0) + random_spread(random, 20000),
		              random_between(random, 0, 99));
	if (random_chance(random, 30))
		script_option(script, "dut.head_of_line_blocking", "true");
	if (!has_option(script, "dut.alpha") && random_chance(random, 50)) {
		script_option(script, "dut.back_pressure", "true");
		if (random_chance(random, 60))
			option_number(script, "dut.pause_quanta",
			              1 + random_spread(random, random_chance(random, 70) ? 300 : 5000));
	}
	if (random_chance(random, 50))
		errors(random, script);
	if (random_chance(random, 30))
		option_number(script, "dut.gap_octets", 8 + random_spread(random, 60));
}

/* ------------------------------------------------------------------ addresses */

/* The last octet tells stations apart; there are a few more of them than ports. */
static uint64_t draw_station(struct generator *g)
{
	return UINT64_C(0x020000000000) | between(g, 0, 2 * g->ports - 1);
}

static uint64_t draw_destination(struct generator *g)
{
	switch (between(g, 0, 19)) {
	case 0:
		return UINT64_C(0xffffffffffff);
	case 1:
		return UINT64_C(0x01005e000001);
	case 2: /* the first 16 go nowhere */
		return UINT64_C(0x0180c2000000) | between(g, 0, 31);
	case 3:
		return random_bits(&g->random) >> 16;
	default:
		return draw_station(g);
	}
}

/* Octet 0 of the frame is the lowest octet of word 0, and the highest of the address. */
static void write_header(struct generator *g, unsigned port)
{
	const uint64_t address[2] = {draw_destination(g), chance(g, 97) ? draw_station(g) : draw_destination(g)};
	uint32_t word[ADDRESS_OCTETS / 4] = {0};

	for (unsigned octet = 0; octet < ADDRESS_OCTETS; octet++)
		word[octet / 4] |= (uint32_t)(address[octet / 6] >> 8 * (5 - octet % 6) & 0xff) << 8 * (octet % 4);
	for (unsigned i = 0; i < ADDRESS_OCTETS / 4; i++)
		write32(g, FPGAUGE_PORT_TX_HEADER(port) + 4 * i, word[i]);
}

/* Writes a field, mostly in the last octet of an address. */
static void write_field(struct generator *g, unsigned port, uint64_t flow)
{
	static const uint64_t octets[] = {2, 8};
	const bool in_station = chance(g, 80);
	const uint64_t octet = in_station ? octets[between(g, 0, 1)] : between(g, 0, 20);

	write32(g, FPGAUGE_PORT_TX_FIELD_INDEX(port), flow * FIELDS_A_FLOW + between(g, 0, FIELDS_A_FLOW - 1));
	write32(g, FPGAUGE_PORT_TX_FIELD_START(port), random_spread(&g->random, in_station ? 15 : UINT32_MAX));
	write32(g, FPGAUGE_PORT_TX_FIELD_STEP(port), random_spread(&g->random, in_station ? 3 : UINT32_MAX));
	write32(g, FPGAUGE_PORT_TX_FIELD_MASK(port), in_station ? between(g, 1, 15) : random_bits(&g->random));
	write32(g, FPGAUGE_PORT_TX_FIELD_COUNT(port), 1 + random_spread(&g->random, chance(g, 80) ? 15 : 0xffffff));
	write32(g, FPGAUGE_PORT_TX_FIELD_KIND(port), octet << 8 | between(g, 0, 3));
	write32(g, FPGAUGE_PORT_TX_VALUE_INDEX(port), chance(g, 90) ? between(g, 0, 20) : between(g, 0, VALUES - 1));
	write32(g, FPGAUGE_PORT_TX_VALUE(port), random_bits(&g->random));
}

/* A length in an address has no use, but a place like any other. The twin refuses checksums there. */
static void write_length(struct generator *g, unsigned port)
{
	enum { IN_USE = 31 };
	const uint64_t octet = between(g, 0, 10) * 2;
	const uint32_t which = chance(g, 50) ? FPGAUGE_PORT_TX_FLOW_LENGTH1(port) : FPGAUGE_PORT_TX_FLOW_LENGTH2(port);

	write32(g, which, (uint64_t)chance(g, 70) << IN_USE | between(g, 0, 54) << 16 | octet);
}

void write_addresses(struct generator *g, unsigned port)
{
	for (uint64_t flow = 0; flow < SIZED_FLOWS; flow++) {
		if (!chance(g, flow == 0 ? 95 : 60))
			continue;
		write32(g, FPGAUGE_PORT_TX_FLOW_INDEX(port), chance(g, 95) ? flow : between(g, 0, FLOWS - 1));
		write_header(g, port);
		if (chance(g, 8))
			write_length(g, port);
		for (uint64_t fields = chance(g, 60) ? 0 : between(g, 1, FIELDS_A_FLOW); fields > 0; fields--)
			write_field(g, port, flow);
	}
	if (chance(g, 50))
		write32(g, FPGAUGE_PORT_TX_FIELD_SEED(port), random_spread(&g->random, UINT32_MAX));
}

/* Reads what ports received of streams of other ports. */
void look_at_others(struct generator *g)
{
	for (unsigned port = 0; port < g->ports; port++)
		for (unsigned i = 0; i < 3; i++) {
			const unsigned source = (unsigned)between(g, 0, g->ports - 1);

			op(g, OP_RECEIVED, port, source, between(g, 0, flows_seen(&g->sender[source]) - 1));
		}
}
