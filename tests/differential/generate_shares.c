/* SPDX-License-Identifier: Apache-2.0 */
/* Draws who sends what to whom: line rate and a little more to the same port, equal parts of a little more than line
 * rate from all others, or anything. Stations are learned first, so nothing is flooded. */
#include "tests/differential/generate_shares.h"

#include <inttypes.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generate.h"
#include "tests/differential/random.h"

enum {
	OVERHEAD_OCTETS = 20,
	PREAMBLE_OCTETS = 8,
	WORDS_A_SOURCE = 8, /* words of the expected streams */
	MOST_LINE_FRAMES = 1500,
	REST_OT = 1000000, /* wait until all queues are empty: no buffer holds more than a trial sends */
};

/* The load that one port sends: part / of of line rate, to one port; of = 0: nothing. */
struct share {
	uint64_t part, of;
	unsigned to;
};

struct shares {
	struct random random;
	struct script *script;
	unsigned ports;
	uint64_t octets;
	struct share share[GENERATE_MOST_PORTS];
};

static void write32(struct shares *s, uint32_t address, uint64_t value)
{
	script_op(s->script, OP_WRITE, address, value & UINT32_MAX, 0);
}

static void write64(struct shares *s, uint32_t address, uint64_t value)
{
	write32(s, address, value);
	write32(s, address + 4, value >> 32);
}

static void draw_switch(struct shares *s)
{
	struct random *random = &s->random;
	const bool cells = random_chance(random, 40);
	const uint64_t cell_octets = random_between(random, 32, 300);
	const uint64_t frames = random_between(random, 1, 20), cost = cells ? (s->octets - 1) / cell_octets + 1 : 1;
	const bool shared = random_chance(random, 60);

	script_option(s->script, "dut.model", "switch");
	script_option(s->script, shared ? "dut.shared_buffer_frames" : "dut.buffer_frames", "%" PRIu64,
	              frames * cost + random_between(random, 0, cost - 1));
	if (cells)
		script_option(s->script, "dut.cell_octets", "%" PRIu64, cell_octets);
	if (shared && random_chance(random, 60))
		script_option(s->script, "dut.alpha", "%" PRIu64 ".%02" PRIu64, random_between(random, 0, 4),
		              random_between(random, 1, 99));
	if (random_chance(random, 70))
		script_option(s->script, "dut.latency_ns", "%" PRIu64, random_spread(random, 2000));
	if (random_chance(random, 25))
		script_option(s->script, "dut.head_of_line_blocking", "true");
	if (random_chance(random, 25))
		script_option(s->script, "dut.gap_octets", "%" PRIu64, random_between(random, 12, 40));
}

/* 1% as the RFC recommends, or more, so that a short trial fills more. */
static struct share oversubscription(struct random *random)
{
	if (random_chance(random, 25))
		return (struct share){1, 100, 0};
	return (struct share){random_between(random, 1, 50), random_between(random, 50, 200), 0};
}

static void draw_shares(struct shares *s)
{
	struct random *random = &s->random;
	const unsigned egress = (unsigned)random_between(random, 0, s->ports - 1);
	const struct share over = oversubscription(random);
	const uint64_t kind = random_between(random, 0, 9);

	for (unsigned port = 0; port < s->ports; port++) {
		const unsigned after = (port + s->ports - egress - 1) % s->ports; /* 0: the one after the egress port */
		struct share *share = &s->share[port];

		*share = (struct share){0, 0, egress};
		if (kind < 4 && after < 2) /* procedures 1 to 3 of section 3.2 */
			*share = after == 0 ? (struct share){over.part, over.of, egress} : (struct share){1, 1, egress};
		else if (kind < 4 && random_chance(random, 50)) /* the others, beside it */
			*share = (struct share){1, 1, (unsigned)random_between(random, 0, s->ports - 1)};
		else if (kind >= 4 && kind < 7 && port != egress) /* procedure 4 */
			*share = (struct share){9998 * over.of + 10000 * over.part, 10000 * over.of * (s->ports - 1),
			                        egress};
		else if (kind >= 7 && random_chance(random, 85))
			*share = (struct share){random_between(random, 1, 9998), 9998,
			                        (unsigned)random_between(random, 0, s->ports - 1)};
		if (share->to == port || share->part > share->of)
			share->of = 0;
	}
}

/* The last octet tells the stations apart. Octet 0 of the frame is the lowest octet of word 0. */
static void write_addresses(struct shares *s, unsigned port, unsigned to)
{
	write32(s, FPGAUGE_PORT_TX_FLOW_INDEX(port), 0);
	write32(s, FPGAUGE_PORT_TX_HEADER(port), 2);
	write32(s, FPGAUGE_PORT_TX_HEADER(port) + 4, to << 8 | 2 << 16);
	write32(s, FPGAUGE_PORT_TX_HEADER(port) + 8, port << 24);
}

/* A frame takes its octets and the overhead at line rate, and part / of as often in the time of a share. */
static void write_sender(struct shares *s, unsigned port, const struct share *share, uint64_t stop_frames,
                         uint64_t duration_ot)
{
	const uint64_t line = s->octets + OVERHEAD_OCTETS, part = share->of ? share->part : 1;
	const uint64_t scaled = line * (share->of ? share->of : 1);

	write32(s, FPGAUGE_PORT_TX_ENABLE(port), share->of != 0);
	write32(s, FPGAUGE_PORT_TX_FRAME_OCTETS(port), s->octets);
	write64(s, FPGAUGE_PORT_TX_GAP_OCTETS(port), scaled / part - PREAMBLE_OCTETS - s->octets);
	write32(s, FPGAUGE_PORT_TX_GAP_NUMERATOR(port), scaled % part);
	write32(s, FPGAUGE_PORT_TX_GAP_DENOMINATOR(port), part);
	write64(s, FPGAUGE_PORT_TX_STOP_FRAMES(port), stop_frames);
	write64(s, FPGAUGE_PORT_TX_DURATION(port), duration_ot);
	write32(s, FPGAUGE_PORT_TX_FLOWS(port), 1);
	write_addresses(s, port, share->to);
}

static void start(struct shares *s)
{
	write32(s, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
	script_op(s->script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_SENDING, 20000, 1000);
	script_op(s->script, OP_WAIT, REST_OT, 0, 0);
}

static void look(struct shares *s)
{
	write32(s, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
	script_op(s->script, OP_COUNTERS, 0, 0, 0);
	for (unsigned port = 0; port < s->ports; port++)
		for (unsigned from = 0; from < s->ports; from++)
			script_op(s->script, OP_RECEIVED, port, from, 0);
	script_op(s->script, OP_HISTOGRAM, 0, 0, 0);
}

/* One frame of each port to the next one. */
static void learn(struct shares *s)
{
	for (unsigned port = 0; port < s->ports; port++) {
		const struct share lone = {1, 1, (port + 1) % s->ports};

		write_sender(s, port, &lone, 1, 0);
	}
	start(s);
}

void generate_shares(uint64_t seed, unsigned ports, struct script *script)
{
	struct shares s = {.random = {seed}, .script = script, .ports = ports};
	struct random *random = &s.random;

	s.octets = random_chance(random, 60) ? random_between(random, 64, 140) : random_between(random, 64, 520);
	*script = (struct script){0};
	draw_switch(&s);
	script_op(script, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, 200);
	for (unsigned port = 0; port < ports; port++) {
		for (unsigned from = 0; from < ports; from++)
			write32(&s, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * WORDS_A_SOURCE * from, from != port);
		write32(&s, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), 9216);
		write32(&s, FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(port), random_between(random, 3, 8));
	}
	learn(&s);
	for (uint64_t trials = random_between(random, 1, 2); trials > 0; trials--) {
		const uint64_t line_frames = random_between(random, 50, MOST_LINE_FRAMES * UINT64_C(64) / s.octets);

		draw_shares(&s);
		for (unsigned port = 0; port < ports; port++)
			write_sender(&s, port, &s.share[port], 0, line_frames * (s.octets + OVERHEAD_OCTETS));
		start(&s);
		look(&s);
	}
	script_op(script, OP_REGISTERS, 0, 0, 0);
}
