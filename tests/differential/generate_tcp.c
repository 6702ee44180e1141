/* SPDX-License-Identifier: Apache-2.0 */
/* Random trials with TCP connections (docs/tcp.md), beside flows and rules of the same ports: between partners through
 * models, or between any ports of a switch. They are opened from one side or both, lose segments in the device, are
 * looked at and closed at any time, and outlive a trial now and then. */
#include <string.h>

#include "host/base/internet_checksum.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"

enum {
	HEADER_OCTETS = 64,
	TEMPLATE_OCTETS = 128,
	TCP_OCTETS = 20,
	FIRST_FLOW = 160, /* first flow after those that have turns */
	FIRST_BODY = 400,
	MOST_CONNECTIONS = 12,
	FIRST_PORT = 10000, /* TCP ports of port 0, */
	PORT_STEP = 100,    /* and of the next one */
	OPENS = 1 << 8,
	PASSIVE = 1 << 9,
	ENDLESS = 1 << 10,
	OTHER_FLOWS = 8,
	FIELDS = 4, /* fields of a flow */
	MOST_SCALE = 4,
	CROWDED_IN = 8, /* one trial of so many */
	CROWDED_OT = 2500000,
};

/* A connection has the same number at both ends. */
struct end_pair {
	unsigned port[2];
};

struct tcp_generator {
	struct generator g;
	unsigned tags, connections;
	bool ipv6;
	bool crowded; /* more short segments than a port takes, some of them on their way when a trial ends */
	struct end_pair pair[MOST_CONNECTIONS];
};

/* -- frames -------------------------------------------------------------------------------------------------------- */

static unsigned l3_of(const struct tcp_generator *t)
{
	return 14 + 4 * t->tags;
}

static unsigned l4_of(const struct tcp_generator *t)
{
	return l3_of(t) + (t->ipv6 ? 40 : 20);
}

static void make_ip(const struct tcp_generator *t, uint8_t *ip, unsigned from, unsigned to)
{
	enum { TTL = 64, TCP = 6 };

	if (t->ipv6) {
		ip[0] = 0x60;
		ip[6] = TCP;
		ip[7] = TTL;
		ip[8] = ip[24] = 0x20;
		ip[23] = (uint8_t)(1 + from);
		ip[39] = (uint8_t)(1 + to);
		return;
	}
	ip[0] = 0x45;
	ip[8] = TTL;
	ip[9] = TCP;
	ip[12] = ip[16] = 10;
	ip[15] = (uint8_t)(1 + from);
	ip[19] = (uint8_t)(1 + to);
}

static void make_template(const struct tcp_generator *t, unsigned c, unsigned from, unsigned to, uint8_t *octets)
{
	memset(octets, 0, TEMPLATE_OCTETS);
	octets[0] = octets[6] = 0x02;
	octets[5] = (uint8_t)to;
	octets[11] = (uint8_t)from;
	for (unsigned i = 0; i < t->tags; i++) {
		put_be16(octets + 12 + 4 * i, t->tags == 2 && i == 0 ? 0x88a8 : 0x8100);
		put_be16(octets + 14 + 4 * i, 10 + i);
	}
	put_be16(octets + l3_of(t) - 2, t->ipv6 ? 0x86dd : 0x0800);
	make_ip(t, octets + l3_of(t), from, to);
	put_be16(octets + l4_of(t), FIRST_PORT + PORT_STEP * from + c);
	put_be16(octets + l4_of(t) + 2, FIRST_PORT + PORT_STEP * to + c);
}

/* Writes sums as tb_core_tcp.cpp does: what TCP's length does not count is in length 2, which is not in use. */
static void write_sums(struct tcp_generator *t, unsigned port, const uint8_t *octets)
{
	enum { TCP = 6, IN_USE = 1 << 15, OF_LENGTH2 = 1 << 12 };
	const unsigned l3 = l3_of(t), l4 = l4_of(t);
	const unsigned addresses = t->ipv6 ? 32 : 8;
	const uint32_t pseudo = internet_sum(octets + l4 - addresses, addresses, TCP);

	write32(&t->g, FPGAUGE_PORT_TX_FLOW_LENGTH1(port),
	        UINT32_C(1) << 31 | (l3 + (t->ipv6 ? 44 : 4)) << 16 | (l3 + (t->ipv6 ? 4 : 2)));
	write32(&t->g, FPGAUGE_PORT_TX_FLOW_CHECKSUM1(port),
	        t->ipv6 ? 0 : internet_sum(octets + l3, 20, 0) << 16 | IN_USE | (l3 + 10));
	write32(&t->g, FPGAUGE_PORT_TX_FLOW_LENGTH2(port), (l4 + 4) << 16);
	write32(&t->g, FPGAUGE_PORT_TX_FLOW_CHECKSUM2(port),
	        internet_sum(octets + l4, 4, pseudo) << 16 | IN_USE | OF_LENGTH2 | (l4 + 16));
}

static void write_frames(struct tcp_generator *t, unsigned c, unsigned from, unsigned to)
{
	struct generator *g = &t->g;
	uint8_t octets[TEMPLATE_OCTETS];

	make_template(t, c, from, to, octets);
	write32(g, FPGAUGE_PORT_TX_FLOW_INDEX(from), FIRST_FLOW + c);
	write32(g, FPGAUGE_PORT_TX_BODY_INDEX(from), FIRST_BODY + c);
	for (unsigned i = 0; i < HEADER_OCTETS / 4; i++)
		write32(g, FPGAUGE_PORT_TX_HEADER(from) + 4 * i, get_le(octets + 4 * (size_t)i, 4));
	for (unsigned i = 0; i < HEADER_OCTETS / 4; i++)
		write32(g, FPGAUGE_PORT_TX_BODY(from) + 4 * i, get_le(octets + HEADER_OCTETS + 4 * (size_t)i, 4));
	write32(g, FPGAUGE_PORT_TX_FLOW_BODY(from),
	        l4_of(t) + TCP_OCTETS > 56 || chance(g, 50) ? UINT32_C(1) << 16 | (FIRST_BODY + c) : 0);
	for (unsigned i = 0; i < FIELDS; i++) { /* none, whatever was drawn for all flows of the port */
		write32(g, FPGAUGE_PORT_TX_FIELD_INDEX(from), FIELDS * (FIRST_FLOW + c) + i);
		write32(g, FPGAUGE_PORT_TX_FIELD_KIND(from), 0);
	}
	write_sums(t, from, octets);
}

/* -- settings ------------------------------------------------------------------------------------------------------ */

static void write_tcp(struct tcp_generator *t, unsigned port)
{
	struct generator *g = &t->g;
	const uint64_t scale = between(g, 0, MOST_SCALE);
	const uint64_t most = chance(g, 30) ? 3000 : 65535;

	write32(g, FPGAUGE_PORT_TCP_ENABLE(port), 1);
	write32(g, FPGAUGE_PORT_TCP_FLOW(port), FIRST_FLOW);
	write32(g, FPGAUGE_PORT_TCP_PORT(port), FIRST_PORT + PORT_STEP * port);
	write32(g, FPGAUGE_PORT_TCP_HEADER_OCTETS(port), l4_of(t) + TCP_OCTETS);
	write32(g, FPGAUGE_PORT_TCP_MSS(port), chance(g, 40) ? 1460 : chance(g, 20) ? 8960 : between(g, 60, 1500));
	write32(g, FPGAUGE_PORT_TCP_WINDOW(port), between(g, 500, most) << scale);
	write32(g, FPGAUGE_PORT_TCP_USE_SCALE(port), chance(g, 70));
	write32(g, FPGAUGE_PORT_TCP_SCALE(port), scale);
	write32(g, FPGAUGE_PORT_TCP_INITIAL_SEGMENTS(port), chance(g, 50) ? 0 : between(g, 1, 15));
	write32(g, FPGAUGE_PORT_TCP_ACK_EVERY(port), between(g, 1, 3));
	write32(g, FPGAUGE_PORT_TCP_RETRIES(port), chance(g, 70) ? 0 : between(g, 1, 4));
	write32(g, FPGAUGE_PORT_TCP_ACK_DELAY(port), random_spread(&g->random, 40));
	write32(g, FPGAUGE_PORT_TCP_GRANULARITY(port), 1);
	write32(g, FPGAUGE_PORT_TCP_RTO_INITIAL(port), between(g, 20, 80));
	write32(g, FPGAUGE_PORT_TCP_RTO_MIN(port), between(g, 2, 30));
	write32(g, FPGAUGE_PORT_TCP_RTO_MAX(port), between(g, 40, 200));
	write32(g, FPGAUGE_PORT_TCP_RTO_AFTER_SYN(port), between(g, 20, 60));
	write32(g, FPGAUGE_PORT_TCP_TIME_WAIT(port), between(g, 1, 40));
	if (t->crowded) {
		write32(g, FPGAUGE_PORT_TCP_MSS(port), between(g, 60, 300));
		write32(g, FPGAUGE_PORT_TCP_WINDOW(port), UINT32_C(65535) << MOST_SCALE);
		write32(g, FPGAUGE_PORT_TCP_SCALE(port), MOST_SCALE);
		write32(g, FPGAUGE_PORT_TCP_INITIAL_SEGMENTS(port), 15);
	}
}

/* Prepares a port that often sends nothing but segments; else flows and rules too, which leave flows of connections
 * alone. */
static void prepare_port(struct tcp_generator *t, unsigned port)
{
	struct generator *g = &t->g;
	struct sender *sender = &g->sender[port];

	draw_sender(g, sender);
	sender->flows = chance(g, 50) ? 0 : sender->flows % OTHER_FLOWS;
	sender->enable = chance(g, 95);
	sender->order %= 2; /* a table of turns may have any flow */
	if (sender->every_flow >= FIRST_FLOW)
		sender->every_flow = 0;
	if (chance(g, 60))
		sender->rules = 0;
	for (unsigned i = 0; i < RULES; i++)
		sender->rule[i].frame = (sender->rule[i].frame & ~UINT64_C(255)) | sender->rule[i].frame % OTHER_FLOWS;
	if (chance(g, 60)) {
		sender->gap[0].octets = between(g, 11, 200);
		sender->burst_frames = 0;
		sender->phases = 0;
	}
	if (chance(g, 70))
		sender->stop_frames = sender->duration_ot = 0;
	if (chance(g, 15))
		sender->duration_ot = between(g, 1, 2000000);
	write_sender(g, port);
	write_receiver(g, port);
	write_expected(g, port);
	write32(g, FPGAUGE_PORT_TX_OBEY_PAUSE(port), 0);
	if (chance(g, 80))
		write32(g, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), 9216);
	write_tcp(t, port);
}

static void pair_up(struct tcp_generator *t)
{
	struct generator *g = &t->g;

	t->connections = t->crowded ? MOST_CONNECTIONS : 1 + (unsigned)random_spread(&g->random, MOST_CONNECTIONS - 1);
	for (unsigned c = 0; c < t->connections; c++) {
		const unsigned a = (unsigned)between(g, 0, g->ports - 1);
		const unsigned b = g->switches ? (a + (unsigned)between(g, 1, g->ports - 1)) % g->ports : a ^ 1;

		t->pair[c] = (struct end_pair){{a, b}};
		write_frames(t, c, a, b);
		write_frames(t, c, b, a);
	}
}

/* -- what is done to connections ----------------------------------------------------------------------------------- */

static void issue(struct tcp_generator *t, unsigned port, uint64_t what)
{
	struct generator *g = &t->g;

	write32(g, FPGAUGE_PORT_TCP_COMMAND(port), what);
	for (uint64_t polls = chance(g, 90) ? 4 : between(g, 0, 2); polls > 0; polls--)
		op(g, OP_READ, FPGAUGE_PORT_TCP_STATUS(port), 0, 0);
}

static void open_end(struct tcp_generator *t, unsigned port, unsigned c, bool passive)
{
	struct generator *g = &t->g;
	const bool endless = chance(g, 25) || t->crowded;

	write32(g, FPGAUGE_PORT_TCP_ISS(port),
	        chance(g, 25) ? UINT32_MAX - between(g, 0, 3000) : random_bits(&g->random));
	write32(g, FPGAUGE_PORT_TCP_OCTETS(port), random_spread(&g->random, 300000));
	issue(t, port, c | OPENS | (passive ? PASSIVE : 0) | (endless ? ENDLESS : 0));
}

static void open_connection(struct tcp_generator *t, unsigned c)
{
	struct generator *g = &t->g;
	const unsigned first = (unsigned)between(g, 0, 1);
	const bool both = chance(g, 10);

	open_end(t, t->pair[c].port[first], c, !both);
	open_end(t, t->pair[c].port[!first], c, false);
}

static void look_at_connection(struct tcp_generator *t, unsigned port, unsigned c)
{
	struct generator *g = &t->g;

	write32(g, FPGAUGE_PORT_TCP_LOOK_INDEX(port), c);
	for (uint64_t reads = between(g, 1, 4); reads > 0; reads--)
		op(g, OP_READ,
		   FPGAUGE_PORT_TCP_LOOK_STATE(port) +
		           4 * between(g, 0, (FPGAUGE_PORT_TCP_LOOK_RCV_NXT(0) - FPGAUGE_PORT_TCP_LOOK_STATE(0)) / 4),
		   0, 0);
}

static void read_counts(struct tcp_generator *t, unsigned port, unsigned c)
{
	struct generator *g = &t->g;

	write32(g, FPGAUGE_PORT_TCP_STREAM_INDEX(port), c);
	op(g, OP_READ, FPGAUGE_PORT_TCP_STREAM_DELIVERED(port), 0, 0);
	op(g, OP_READ, FPGAUGE_PORT_TCP_STREAM_SENT(port), 0, 0);
	op(g, OP_READ, FPGAUGE_PORT_TCP_STREAM_AGAIN(port), 0, 0);
	op(g, OP_STREAM, port, FIRST_FLOW + c, 0);
}

static void snapshot(struct tcp_generator *t)
{
	struct generator *g = &t->g;

	write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
	op(g, OP_COUNTERS, 0, 0, 0);
	for (unsigned c = 0; c < t->connections; c++)
		for (unsigned i = 0; i < 2; i++)
			if (chance(g, 60))
				read_counts(t, t->pair[c].port[i], c);
}

static void event(struct tcp_generator *t)
{
	struct generator *g = &t->g;
	const unsigned c = (unsigned)between(g, 0, t->connections - 1);
	const unsigned port = t->pair[c].port[between(g, 0, 1)];

	switch (between(g, 0, 11)) {
	case 0:
		snapshot(t);
		break;
	case 1:
	case 2:
		look_at_connection(t, port, c);
		break;
	case 3:
		issue(t, port, c); /* close */
		break;
	case 4:
		if (chance(g, 30))
			open_connection(t, c);
		break;
	case 5:
		op(g, OP_READ, FPGAUGE_GLOBAL_STATUS, 0, 0);
		break;
	case 6:
		write32(g, FPGAUGE_PORT_TX_SEND(port), g->sender[port].rule[between(g, 0, RULES - 1)].frame);
		break;
	case 7:
		read_counts(t, port, c);
		break;
	default:
		op(g, OP_WAIT, random_spread(&g->random, g->scale * UINT64_C(600000)), 0, 0);
	}
}

/* Connections that are not over after the stop go on with the next start, or are forgotten. */
static void trial(struct tcp_generator *t, bool again)
{
	struct generator *g = &t->g;

	if (again && (chance(g, 60) || t->crowded)) {
		write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_CLEAR);
		if (chance(g, 90))
			op(g, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, 200);
		for (unsigned port = 0; port < g->ports && (chance(g, 80) || t->crowded);
		     port++) /* all of them: a trial as any other */
			write32(g, FPGAUGE_PORT_TCP_ENABLE(port), 0);
		again = false;
	}
	for (unsigned c = 0; c < t->connections; c++)
		if (chance(g, again ? 20 : 90))
			open_connection(t, c);
	write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	if (t->crowded)
		op(g, OP_WAIT, CROWDED_OT, 0, 0);
	for (uint64_t events = between(g, 2, 14); events > 0; events--)
		event(t);
	op(g, OP_WAIT, random_spread(&g->random, g->scale * UINT64_C(1500000)), 0, 0);
	write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
	op(g, OP_WAIT, between(g, GENERATE_STOPPED_OT, (t->crowded ? 2 : 10) * GENERATE_STOPPED_OT), 0, 0);
}

void generate_tcp_script(const struct recipe *recipe, struct script *script)
{
	struct tcp_generator t = {.g = {.random = {recipe->seed},
	                                .scale = recipe->scale,
	                                .ports = recipe->ports,
	                                .script = script,
	                                .switches = recipe->switches,
	                                .still = true},
	                          .crowded = recipe->seed % CROWDED_IN == 0};
	struct generator *g = &t.g;

	*script = (struct script){0};
	if (recipe->switches)
		generate_switch(&g->random, script);
	else
		generate_dut(&g->random, script);
	t.tags = chance(g, 60) ? 0 : (unsigned)between(g, 1, 2);
	t.ipv6 = chance(g, 30);
	op(g, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, 200);
	for (unsigned port = 0; port < g->ports; port++)
		prepare_port(&t, port);
	pair_up(&t);
	for (uint64_t trials = chance(g, 60) && !t.crowded ? 1 : 2, i = 0; i < trials; i++)
		trial(&t, i > 0);
	if (chance(g, 60))
		op(g, OP_WAIT, random_spread(&g->random, 3000000), 0, 0);
	snapshot(&t);
	for (unsigned c = 0; c < t.connections; c++)
		look_at_connection(&t, t.pair[c].port[0], c);
}
