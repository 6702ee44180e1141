/* SPDX-License-Identifier: Apache-2.0 */
/* Random scripts. What is drawn is what a program may do with a device, sensible or not, within the limits that
 * hw/regs/fpgauge.toml states; in particular the settings of reception that "must stand still while frames come" do so.
 * Weights make a trial cheap in simulated RTL (some thousand words) and rich in events. */
#include "tests/differential/generate.h"

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/registers.h"

enum {
	PREAMBLE_OCTETS = 8,
	MIN_GAP_OCTETS = 11,
	MAX_FRAMES = 1200,
	SENDING_BUDGET_OT = 64 * 2500, /* line that the frames of a trial may take */
	SPREAD_BUDGET_OT = 64 * 10000, /* and with the gaps between them, where those cannot be skipped */
	POLLS = 40,
	MAX_SAMPLES = 6,
};

/* What one port sends. */
struct sender {
	uint64_t frame_octets, gap_octets, numerator, denominator, burst_frames, burst_gap_octets;
	uint64_t stop_frames, duration_ot, destinations;
	bool enable, tags, ends; /* ends: by itself */
};

struct generator {
	struct random random;
	unsigned scale;
	struct script *script;
	struct sender sender[GENERATE_PORTS];
};

static uint64_t between(struct generator *g, uint64_t least, uint64_t most)
{
	return random_between(&g->random, least, most);
}

static bool chance(struct generator *g, unsigned percent)
{
	return random_chance(&g->random, percent);
}

static void write32(struct generator *g, uint32_t address, uint64_t value)
{
	script_op(g->script, OP_WRITE, address, value & UINT32_MAX, 0);
}

/* Low word, then high; the high one is left out where it is surely zero already or by mistake of a lazy program. */
static void write64(struct generator *g, uint32_t address, uint64_t value)
{
	write32(g, address, value);
	if (value >> 32 != 0 || chance(g, 70))
		write32(g, address + 4, value >> 32);
}

static void op(struct generator *g, enum op_kind kind, uint64_t a, uint64_t b, uint64_t c)
{
	script_op(g->script, kind, a, b, c);
}

/* ------------------------------------------------------------------ what is sent */

static uint64_t frame_octets(struct generator *g)
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
	if (chance(g, 20)) /* as near to the next whole octet as it gets */
		sender->numerator = sender->denominator - 1;
}

/* 1 to most, often near to it. */
static uint64_t up_to(struct generator *g, uint64_t most)
{
	return chance(g, 60) ? between(g, 1, most) : 1 + random_spread(&g->random, most - 1);
}

/* A trial ends by a count, by a time, by both, or by the stop strobe alone. */
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

static void draw_sender(struct generator *g, struct sender *sender)
{
	sender->enable = true;
	sender->frame_octets = frame_octets(g);
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
		write32(g, FPGAUGE_PORT_TX_DESTINATION_PORT(port), chance(g, 96) ? port ^ 1 : between(g, 0, 15));
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

static void write_sender(struct generator *g, unsigned port)
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

static void write_receiver(struct generator *g, unsigned port)
{
	write32(g, FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(port), chance(g, 80) ? between(g, 0, 24) : between(g, 0, 65535));
	write32(g, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), chance(g, 80) ? 9216 : between(g, 60, 9300));
	write64(g, FPGAUGE_PORT_RX_HISTOGRAM_BASE(port), chance(g, 50) ? 0 : random_spread(&g->random, 100000));
	write32(g, FPGAUGE_PORT_RX_HISTOGRAM_WIDTH_LOG2(port), chance(g, 80) ? between(g, 3, 12) : between(g, 0, 31));
}

/* ------------------------------------------------------------------ looking */

static uint32_t any_address(struct generator *g)
{
	const unsigned port = (unsigned)between(g, 0, GENERATE_PORTS - 1);

	switch (between(g, 0, 5)) {
	case 0:
		return GLOBAL_REGISTERS[between(g, 0, GLOBAL_REGISTER_COUNT - 1)].offset;
	case 1: /* the whole space and what lies behind it, aligned or not */
		return (uint32_t)between(g, 0, FPGAUGE_MAP_OCTETS + 64);
	case 2:
		return (uint32_t)between(g, 0, FPGAUGE_MAP_OCTETS / 4 - 1) * 4;
	case 3:
		return FPGAUGE_COUNTER(port, between(g, 0, FPGAUGE_COUNTER_COUNT - 1)) + 4 * (uint32_t)between(g, 0, 1);
	default:
		return FPGAUGE_PORT(port, PORT_REGISTERS[between(g, 0, PORT_REGISTER_COUNT - 1)].offset);
	}
}

/* Things that disturb nothing, or should not. */
static void look(struct generator *g)
{
	const unsigned port = (unsigned)between(g, 0, GENERATE_PORTS - 1);

	switch (between(g, 0, 8)) {
	case 0:
		op(g, OP_READ, FPGAUGE_GLOBAL_STATUS, 0, 0);
		break;
	case 1:
		op(g, OP_READ, FPGAUGE_GLOBAL_TIME, 0, 0);
		op(g, OP_READ, FPGAUGE_GLOBAL_TIME + 4, 0, 0);
		break;
	case 2:
		write32(g, FPGAUGE_GLOBAL_SCRATCH, random_bits(&g->random));
		break;
	case 3:
		op(g, OP_STREAM, port, random_spread(&g->random, 255), 0);
		break;
	case 4:
		op(g, OP_BINS, port, random_spread(&g->random, 1020), between(g, 1, 3));
		break;
	case 5:
		op(g, OP_TAGS, port, between(g, 1, 2), 0);
		break;
	default:
		op(g, OP_READ, any_address(g), 0, 0);
	}
}

/* Samples of every table, after a snapshot. */
static void look_at_tables(struct generator *g)
{
	for (unsigned port = 0; port < GENERATE_PORTS; port++) {
		const uint64_t used = g->sender[port].destinations;
		const uint64_t samples = used < MAX_SAMPLES ? used : MAX_SAMPLES;

		for (uint64_t i = 0; i < samples; i++)
			op(g, OP_STREAM, port, samples == used ? i : between(g, 0, used - 1), 0);
		if (chance(g, 20))
			op(g, OP_STREAM, port, between(g, 0, 255), 0);
		if (g->sender[port].tags)
			op(g, OP_TAGS, port ^ 1, between(g, 1, 8), 0);
		op(g, OP_BINS, port, chance(g, 50) ? 0 : random_spread(&g->random, 1000), between(g, 1, 3));
	}
}

static void snapshot(struct generator *g)
{
	write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT);
}

/* ------------------------------------------------------------------ the course of a trial */

static void clear(struct generator *g)
{
	write32(g, FPGAUGE_GLOBAL_CONTROL,
	        FPGAUGE_GLOBAL_CONTROL_CLEAR | (chance(g, 10) ? FPGAUGE_GLOBAL_CONTROL_SNAPSHOT : 0));
	if (chance(g, 95))
		op(g, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, between(g, 1, 10000), 1100);
}

static void prepare(struct generator *g, bool again)
{
	const bool alike = chance(g, 50);

	for (unsigned port = 0; port < GENERATE_PORTS; port++) {
		if (again && chance(g, 30)) /* as it was */
			continue;
		if (alike && port > 0)
			g->sender[port] = g->sender[0];
		else
			draw_sender(g, &g->sender[port]);
		g->sender[port].enable = chance(g, 85);
		write_sender(g, port);
		write_receiver(g, port);
	}
	if (chance(g, 70))
		write32(g, FPGAUGE_GLOBAL_RUN_ID, between(g, 0, 255));
	if (again ? chance(g, 70) : chance(g, 30))
		clear(g);
}

/* Something that happens while frames are under way. */
static void event(struct generator *g)
{
	const unsigned port = (unsigned)between(g, 0, GENERATE_PORTS - 1);

	switch (between(g, 0, 19)) {
	case 0:
	case 1:
	case 2:
		snapshot(g);
		op(g, OP_READ, FPGAUGE_COUNTER(port, between(g, 0, FPGAUGE_COUNTER_COUNT - 1)), 0, 0);
		break;
	case 3:
		snapshot(g);
		op(g, OP_COUNTERS, 0, 0, 0);
		break;
	case 4: /* while the port sends, it is ignored */
		write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
		break;
	case 5:
		write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
		break;
	case 6: /* for the next start */
		write32(g, FPGAUGE_PORT_TX_FRAME_OCTETS(port), frame_octets(g));
		break;
	case 7:
		if (chance(g, 30))
			write32(g, FPGAUGE_GLOBAL_RUN_ID, between(g, 0, 255));
		break;
	case 8:
		if (chance(g, 50))
			clear(g);
		break;
	case 9: /* any strobes at once */
		write32(g, FPGAUGE_GLOBAL_CONTROL, between(g, 0, 15));
		break;
	case 10:
	case 11:
	case 12:
		look(g);
		break;
	default:
		op(g, OP_WAIT, random_spread(&g->random, g->scale * UINT64_C(30000)), 0, 0);
	}
}

/* Lets everything come out that is in the device, or only some of it. */
static void drain(struct generator *g)
{
	op(g, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_SENDING, 1 + random_spread(&g->random, g->scale * UINT64_C(20000)),
	   POLLS);
	if (chance(g, 80))
		op(g, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_SENDING, g->scale * UINT64_C(5000), 10 * POLLS);
	if (chance(g, 15))
		write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
	op(g, OP_WAIT, random_spread(&g->random, 1000000), 0, 0);
}

static void trial(struct generator *g, bool again)
{
	bool ends = true;
	uint64_t events = random_spread(&g->random, 15);

	prepare(g, again);
	if (chance(g, 20))
		look(g);
	write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START | (chance(g, 5) ? between(g, 0, 15) : 0));
	for (; events > 0; events--)
		event(g);
	for (unsigned port = 0; port < GENERATE_PORTS; port++)
		ends = ends && (g->sender[port].ends || !g->sender[port].enable);
	if (!ends) {
		op(g, OP_WAIT, random_spread(&g->random, g->scale * (uint64_t)SENDING_BUDGET_OT), 0, 0);
		write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
	}
	drain(g);
}

void generate_script(const struct recipe *recipe, struct script *script)
{
	struct generator g = {.random = {recipe->seed}, .scale = recipe->scale, .script = script};
	const unsigned trials = chance(&g, 60) ? 1 : (unsigned)between(&g, 2, 3);

	*script = (struct script){0};
	generate_dut(&g.random, script);
	op(&g, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, chance(&g, 90) ? 200 : 0); /* clearing begins at reset */
	for (unsigned i = 0; i < trials; i++) {
		if (i > 0 && chance(&g, 60)) {
			snapshot(&g);
			op(&g, OP_COUNTERS, 0, 0, 0);
			look_at_tables(&g);
		}
		trial(&g, i > 0);
	}
	write32(&g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
	if (chance(&g, 80))
		op(&g, OP_WAIT, 4000000, 0, 0);
	snapshot(&g);
	op(&g, OP_COUNTERS, 0, 0, 0);
	look_at_tables(&g);
	if (chance(&g, 25))
		op(&g, OP_REGISTERS, 0, 0, 0);
	op(&g, OP_HISTOGRAM, 0, 0, 0);
}

void generate_every_address(struct random *random, struct script *script)
{
	struct generator g = {.random = *random, .scale = 1, .script = script};
	const uint32_t words = FPGAUGE_MAP_OCTETS / 4;
	const uint32_t step =
	        2 * (uint32_t)between(&g, 0, words / 2 - 1) + 1; /* odd: visits every word of a power of 2 */

	*script = (struct script){0};
	for (uint32_t i = 0; i < words; i++) {
		const uint32_t address = i * step % words * 4;

		op(&g, OP_READ, address, 0, 0);
		if (address != FPGAUGE_GLOBAL_CONTROL) /* a start with such settings is no trial */
			write32(&g, address, random_bits(&g.random));
		op(&g, OP_READ, address, 0, 0);
	}
	*random = g.random;
}
