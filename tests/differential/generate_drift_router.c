// SPDX-License-Identifier: Apache-2.0
/* Random rates from both ports through a router whose neighbours are known, with frames of rules between: ARP at the
 * beginning, queries to its agent, networks that come and go by RIP. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "host/base/internet_checksum.h"
#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generate_drift.h"
#include "tests/differential/random.h"

enum {
	PORTS = 2,
	MOST_FLOWS = 4,
	GONE_FLOW = 3,
	ARP_FLOW = 200, /* and the next ones: a query, an update of RIP */
	QUERY_FLOW,
	RIP_FLOW,
	HEADER_OCTETS = 64,
	FRAME_OCTETS = 128,
	ARP_OCTETS = 64,
	QUERY_OCTETS = 88,
	RIP_OCTETS = 70,
	UNSIGNED = 1,
	TO_ANYONE_OF_ANY_TYPE = 24,
	IN_USE = 1 << 15,
};

/* Everything that is drawn once for a script. */
struct plan {
	struct random random;
	struct script *script;
	bool quick, gone, learns;   /* gone: frames of the last flow are lost in the router */
	uint64_t octets, period_ot; /* length of a frame; time between two at an output */
};

static void write32(struct plan *plan, uint32_t address, uint64_t value)
{
	script_op(plan->script, OP_WRITE, address, value & UINT32_MAX, 0);
}

static void write64(struct plan *plan, uint32_t address, uint64_t value)
{
	write32(plan, address, value);
	write32(plan, address + 4, value >> 32);
}

static uint64_t between(struct plan *plan, uint64_t least, uint64_t most)
{
	return random_between(&plan->random, least, most);
}

static bool chance(struct plan *plan, unsigned percent)
{
	return random_chance(&plan->random, percent);
}

/* -- the router ---------------------------------------------------------------------------------------------------- */

static void draw_router(struct plan *plan)
{
	struct script *script = plan->script;
	const uint64_t gap = chance(plan, 80) ? 12 : between(plan, 8, 40);
	const double line_fps = 12.5e9 / (double)(plan->octets + 20);

	plan->period_ot = plan->octets + 8 + gap;
	script_option(script, "dut.model", "router");
	script_option(script, "dut.community", "public");
	script_option(script, "dut.networks", "10.0.0.0/8 198.18.1.2, 11.0.0.0/8 198.19.1.2");
	script_option(script, "dut.gap_octets", "%" PRIu64, gap);
	script_option(script, "dut.ask_every", "5us");
	script_option(script, "dut.buffer_frames", "%" PRIu64,
	              chance(plan, 70) ? between(plan, 1, 60) : between(plan, 50, 2000));
	if (chance(plan, 70))
		script_option(script, "dut.latency_ns", "%" PRIu64 ".%02" PRIu64, random_spread(&plan->random, 20000),
		              between(plan, 0, 99));
	if (chance(plan, 85)) {
		const uint64_t fps = (uint64_t)(line_fps * (double)between(plan, 250, 1050) * 1e-3);
		const uint64_t period_ot = (12500000000 + fps - 1) / fps;

		script_option(script, "dut.forwarding_fps", "%" PRIu64, fps);
		plan->period_ot = period_ot > plan->period_ot ? period_ot : plan->period_ot;
	}
	if (chance(plan, 30))
		script_option(script, "dut.first_lookup_ns", "%" PRIu64, 1 + random_spread(&plan->random, 3000));
	if (plan->learns)
		script_option(script, "dut.rip_networks", "%" PRIu64, between(plan, 1, 3));
	if (chance(plan, 30))
		script_option(script, "dut.unanswered_every", "%" PRIu64, between(plan, 1, 5));
}

/* -- frames -------------------------------------------------------------------------------------------------------- */

/* The station of a port, node 2 of its network, says where it is. */
static void make_arp(unsigned port, uint8_t *frame)
{
	const uint8_t net = (uint8_t)(18 + port);

	memset(frame, 0xff, 6);
	memcpy(frame + 6, (const uint8_t[]){2, 0, 0, 0, 0, (uint8_t)port}, 6);
	memcpy(frame + 12, (const uint8_t[]){8, 6, 0, 1, 8, 0, 6, 4, 0, 1, 2, 0, 0, 0, 0, (uint8_t)port}, 16);
	memcpy(frame + 28, (const uint8_t[]){198, net, 1, 2}, 4);
	memcpy(frame + 38, (const uint8_t[]){198, net, 1, 1}, 4);
}

static void make_ipv4(unsigned port, const uint8_t to[4], uint8_t octets, uint8_t *frame)
{
	memcpy(frame, (const uint8_t[]){2, 0x52, 0x54, 0, 0, (uint8_t)port}, 6);
	memcpy(frame + 6, (const uint8_t[]){2, 0, 0, 0, 0, (uint8_t)port}, 6);
	memcpy(frame + 12, (const uint8_t[]){8, 0, 0x45, 0, 0, octets}, 6);
	frame[22] = 64;
	frame[23] = 17;
	memcpy(frame + 26, (const uint8_t[]){198, (uint8_t)(18 + port), 1, 2}, 4);
	memcpy(frame + 30, to, 4);
}

static void put_checksum(uint8_t *frame)
{
	put_be16(frame + 24, internet_checksum(frame + 14, 20, 0));
}

/* GetRequest of version 2c for what a port has counted (RFC 2863): octets or frames, in or out. */
static void make_query(struct plan *plan, unsigned port, uint8_t *frame)
{
	static const uint8_t columns[] = {10, 11, 16, 17};
	static const uint8_t message[] = {0x30, 0x28, 2,    1, 1, 4, 6, 'p', 'u', 'b', 'l',  'i',  'c',  0xa0,
	                                  0x1b, 2,    1,    7, 2, 1, 0, 2,   1,   0,   0x30, 0x10, 0x30, 0x0e,
	                                  6,    0x0a, 0x2b, 6, 1, 2, 1, 2,   2,   1,   0,    0,    5,    0};

	make_ipv4(port, (const uint8_t[]){198, (uint8_t)(18 + port), 1, 1}, 20 + 8 + sizeof(message), frame);
	put_checksum(frame);
	memcpy(frame + 34, (const uint8_t[]){0x13, 0x88, 0, 161, 0, 8 + sizeof(message)}, 6);
	memcpy(frame + 42, message, sizeof(message));
	frame[42 + 38] = columns[between(plan, 0, 3)];
	frame[42 + 39] = (uint8_t)between(plan, 1, PORTS);
}

/* RFC 1058 3.1: the station of a port tells of network 203.0.100 + port, or takes it back. */
static void make_rip(struct plan *plan, unsigned port, uint8_t *frame)
{
	const uint8_t net = (uint8_t)(18 + port);

	make_ipv4(port, (const uint8_t[]){198, net, 1, 255}, 20 + 8 + 24, frame);
	memset(frame, 0xff, 6);
	put_checksum(frame);
	memcpy(frame + 34, (const uint8_t[]){2, 8, 2, 8, 0, 8 + 24}, 6);
	memcpy(frame + 42, (const uint8_t[]){2, 1, 0, 0, 0, 2, 0, 0, 203, 0, (uint8_t)(100 + port), 0}, 12);
	frame[42 + 23] = chance(plan, 70) ? 1 : 16;
}

static void write_frame(struct plan *plan, unsigned port, uint64_t flow, const uint8_t *frame)
{
	write32(plan, FPGAUGE_PORT_TX_FLOW_INDEX(port), flow);
	for (uint32_t i = 0; i < HEADER_OCTETS / 4; i++)
		write32(plan, FPGAUGE_PORT_TX_HEADER(port) + 4 * i, get_le(frame + 4 * (size_t)i, 4));
	write32(plan, FPGAUGE_PORT_TX_FLOW_BODY(port), 1 << 16 | flow);
	write32(plan, FPGAUGE_PORT_TX_BODY_INDEX(port), flow);
	for (uint32_t i = 0; i < HEADER_OCTETS / 4; i++)
		write32(plan, FPGAUGE_PORT_TX_BODY(port) + 4 * i, get_le(frame + HEADER_OCTETS + 4 * (size_t)i, 4));
	write32(plan, FPGAUGE_PORT_TX_FLOW_FLAGS(port), flow >= ARP_FLOW ? UNSIGNED : 0);
}

/* Writes a packet to the station of the other port, or to one of several in the network behind it, counted up, listed
 * or drawn. */
static void write_packet(struct plan *plan, unsigned port, uint64_t flow)
{
	const bool varies = chance(plan, 50), learned = varies && plan->learns && chance(plan, 60);
	const unsigned other = port ^ 1;
	uint8_t frame[FRAME_OCTETS] = {0};
	const uint8_t station[4] = {198, (uint8_t)(18 + other), 1, 2}, network[4] = {(uint8_t)(10 + other), 0, 0, 0};

	make_ipv4(port, varies ? network : station, 46, frame);
	if (learned)
		memcpy(frame + 30, (const uint8_t[]){203, 0, (uint8_t)(100 + other), 0}, 4);
	if (plan->gone && flow == GONE_FLOW) /* a broadcast, or to where there is no way */
		chance(plan, 50)
		        ? memcpy(frame, (const uint8_t[]){255, 255, 255, 255, 255, 255, 2, 0, 0, 0, 0, 9, 0x88, 0xb5},
		                 14)
		        : memcpy(frame + 30, (const uint8_t[]){20, 0, 0, 1}, 4);
	if (!varies)
		put_checksum(frame);
	write_frame(plan, port, flow, frame);
	write32(plan, FPGAUGE_PORT_TX_FLOW_CHECKSUM1(port),
	        varies ? (uint64_t)internet_sum(frame + 14, 20, 0) << 16 | IN_USE | 24 : 0);
	write32(plan, FPGAUGE_PORT_TX_FIELD_INDEX(port), flow * 4);
	write32(plan, FPGAUGE_PORT_TX_FIELD_START(port), between(plan, 0, 255));
	write32(plan, FPGAUGE_PORT_TX_FIELD_STEP(port), between(plan, 1, 7));
	write32(plan, FPGAUGE_PORT_TX_FIELD_MASK(port), learned ? 0xff : 0xffff);
	write32(plan, FPGAUGE_PORT_TX_FIELD_COUNT(port), between(plan, 1, 256));
	write32(plan, FPGAUGE_PORT_TX_FIELD_KIND(port), varies ? 1 << 16 | 30 << 8 | between(plan, 1, 3) : 0);
}

/* -- a trial ------------------------------------------------------------------------------------------------------- */

static double draw_period(struct plan *plan)
{
	const double least = (double)plan->octets + 20;
	double period_ot = (double)plan->period_ot;

	switch (between(plan, 0, 5)) {
	case 0:
		period_ot = least;
		break;
	case 1:
		period_ot *= 1 + ((double)between(plan, 0, 2000) - 1000) * 1e-5;
		break;
	case 2: /* exactly */
		break;
	case 3:
		period_ot *= (double)between(plan, 300, 1000) * 1e-3;
		break;
	default:
		period_ot *= (double)between(plan, 700, 1300) * 1e-3;
	}
	return period_ot < least ? least : period_ot;
}

static void write_load(struct plan *plan, unsigned port, double period_ot, uint64_t trial_ot)
{
	const uint64_t denominator = chance(plan, 40) ? 1 : between(plan, 1, UINT32_MAX);
	const double rest = period_ot - floor(period_ot);

	write32(plan, FPGAUGE_PORT_TX_ENABLE(port), 1);
	write32(plan, FPGAUGE_PORT_TX_FRAME_OCTETS(port), plan->octets);
	write64(plan, FPGAUGE_PORT_TX_GAP_OCTETS(port), (uint64_t)period_ot - 8 - plan->octets);
	write32(plan, FPGAUGE_PORT_TX_GAP_NUMERATOR(port), (uint64_t)(rest * (double)denominator));
	write32(plan, FPGAUGE_PORT_TX_GAP_DENOMINATOR(port), denominator);
	write64(plan, FPGAUGE_PORT_TX_DURATION(port), chance(plan, 70) ? trial_ot : 0);
	write64(plan, FPGAUGE_PORT_TX_STOP_FRAMES(port), (uint64_t)((double)trial_ot / period_ot));
	write32(plan, FPGAUGE_PORT_TX_FLOWS(port), chance(plan, 60) ? 1 : between(plan, 1, MOST_FLOWS));
	write32(plan, FPGAUGE_PORT_TX_EVERY_FLOW(port), GONE_FLOW);
	write32(plan, FPGAUGE_PORT_TX_EVERY(port),
	        chance(plan, 50)   ? 0
	        : chance(plan, 50) ? 100
	                           : between(plan, 2, 130));
	write32(plan, FPGAUGE_PORT_TX_FIELD_SEED(port), between(plan, 0, UINT32_MAX));
}

static void write_rule(struct plan *plan, unsigned port, uint64_t index, uint64_t ot, uint64_t period_ot,
                       uint64_t frame)
{
	write32(plan, FPGAUGE_PORT_TX_RULE_INDEX(port), index);
	write64(plan, FPGAUGE_PORT_TX_RULE_TIME(port), ot);
	write64(plan, FPGAUGE_PORT_TX_RULE_PERIOD(port), period_ot);
	write32(plan, FPGAUGE_PORT_TX_RULE_FRAME(port), frame);
}

static void write_rules(struct plan *plan, unsigned port, uint64_t trial_ot)
{
	write_rule(plan, port, 0, 0, 0, (uint64_t)UNSIGNED << 24 | ARP_OCTETS << 8 | ARP_FLOW);
	write_rule(plan, port, 1, between(plan, 0, trial_ot),
	           chance(plan, 50) ? 0 : between(plan, trial_ot / 5, trial_ot),
	           (uint64_t)UNSIGNED << 24 | QUERY_OCTETS << 8 | QUERY_FLOW);
	write_rule(plan, port, 2, between(plan, 0, trial_ot / 2),
	           chance(plan, 50) ? 0 : between(plan, trial_ot / 5, trial_ot),
	           (uint64_t)UNSIGNED << 24 | RIP_OCTETS << 8 | RIP_FLOW);
	write32(plan, FPGAUGE_PORT_TX_RULES(port), plan->learns ? 3 : between(plan, 1, 2));
}

static void look(struct plan *plan)
{
	for (unsigned port = 0; port < PORTS; port++)
		while (chance(plan, 50))
			script_op(plan->script, OP_MAIL, port, between(plan, 0, 3), QUERY_OCTETS / 4);
	if (chance(plan, 30))
		return;
	write32(plan, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
	for (unsigned port = 0; port < PORTS; port++) {
		script_op(plan->script, OP_COUNTERS, port, 0, 0);
		for (uint32_t flow = 0; flow < MOST_FLOWS; flow++)
			script_op(plan->script, OP_STREAM, port, (uint64_t)(port ^ 1) << 8 | flow, 0);
	}
}

static void draw_trial(struct plan *plan)
{
	const uint64_t frames = between(plan, 20000, plan->quick ? 30000 : 80000);
	const double period_ot = draw_period(plan);
	const uint64_t trial_ot = (uint64_t)((double)frames * period_ot);

	for (unsigned port = 0; port < PORTS; port++) {
		write_load(plan, port, port == 0 || chance(plan, 60) ? period_ot : draw_period(plan), trial_ot);
		write_rules(plan, port, trial_ot);
	}
	write32(plan, FPGAUGE_PORT_TX_ENABLE(1), chance(plan, 80));
	write32(plan, FPGAUGE_PORT_TX_TAG_ENABLE(0), chance(plan, 25));
	write64(plan, FPGAUGE_PORT_TX_TAG_FIRST(0), between(plan, 0, trial_ot));
	write32(plan, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	for (uint64_t i = random_spread(&plan->random, 6); i > 0; i--) {
		script_op(plan->script, OP_WAIT, between(plan, 0, trial_ot / 2), 0, 0);
		look(plan);
		if (chance(plan, 15)) /* another query, that the host asks for */
			write32(plan, FPGAUGE_PORT_TX_SEND(0),
			        (uint64_t)UNSIGNED << 24 | QUERY_OCTETS << 8 | QUERY_FLOW);
	}
	for (uint64_t i = chance(plan, 25) ? between(plan, 1, 60) : 0; i > 0; i--)
		script_op(plan->script, OP_WAIT, random_spread(&plan->random, trial_ot / 20), 0, 0);
	script_op(plan->script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_SENDING, trial_ot / 3 + 1000, 12);
	script_op(plan->script, OP_WAIT, 200000 + random_spread(&plan->random, 20000000), 0, 0);
	look(plan);
}

static void write_port(struct plan *plan, unsigned port)
{
	uint8_t arp[FRAME_OCTETS] = {0}, query[FRAME_OCTETS] = {0}, rip[FRAME_OCTETS] = {0};

	write32(plan, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * 8 * (port ^ 1), 255);
	write32(plan, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), 9216);
	write32(plan, FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(port), between(plan, 0, 60));
	write64(plan, FPGAUGE_PORT_RX_HISTOGRAM_BASE(port), 8 * random_spread(&plan->random, 4000));
	write32(plan, FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(port), between(plan, 0, 12));
	write32(plan, FPGAUGE_PORT_RX_MAIL_FILTER(port), chance(plan, 80) ? TO_ANYONE_OF_ANY_TYPE : 0);
	make_arp(port, arp);
	write_frame(plan, port, ARP_FLOW, arp);
	make_query(plan, port, query);
	write_frame(plan, port, QUERY_FLOW, query);
	make_rip(plan, port, rip);
	write_frame(plan, port, RIP_FLOW, rip);
	for (uint64_t flow = 0; flow < MOST_FLOWS; flow++)
		write_packet(plan, port, flow);
}

void generate_drift_router(uint64_t seed, bool quick, struct script *script)
{
	struct plan plan = {.random = {seed}, .script = script, .quick = quick};

	*script = (struct script){0};
	plan.octets = quick || chance(&plan, 60) ? between(&plan, 64, 130) : between(&plan, 64, 1518);
	plan.gone = chance(&plan, 50);
	plan.learns = chance(&plan, 40);
	draw_router(&plan);
	script_op(script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, 200);
	for (unsigned port = 0; port < PORTS; port++)
		write_port(&plan, port);
	for (uint64_t trials = between(&plan, 1, 10) / 7 + 1; trials > 0; trials--)
		draw_trial(&plan);
	script_op(script, OP_WAIT, 40000000, 0, 0);
	look(&plan);
	script_op(script, OP_GAPS, 0, 0, 1024);
	script_op(script, OP_REGISTERS, 0, 0, 0);
	script_op(script, OP_REGISTERS, 1, 0, 0);
	script_op(script, OP_HISTOGRAM, 0, 0, 0);
	script_op(script, OP_HISTOGRAM, 1, 0, 0);
}
