/* SPDX-License-Identifier: Apache-2.0 */
/* Random scripts. They do what a program may do with a device, sensible or not, within the limits that
 * hw/regs/fpgauge.toml states; in particular, the reception settings that "must stand still while frames come" do so.
 */
#include <string.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/generator.h"
#include "tests/differential/registers.h"

enum { POLLS = 40, MAX_SAMPLES = 6, LOOPBACK_PERCENT = 12, GAP_BINS = 1 << FPGAUGE_PORT_TX_GAP_HISTOGRAM_INDEX_BITS };

/* ------------------------------------------------------------------ looking */

static uint32_t any_address(struct generator *g)
{
	const unsigned port = (unsigned)between(g, 0, g->ports - 1);

	switch (between(g, 0, 5)) {
	case 0:
		return GLOBAL_REGISTERS[between(g, 0, GLOBAL_REGISTER_COUNT - 1)].offset;
	case 1: /* the whole space and what lies beyond it, aligned or not */
		return (uint32_t)between(g, 0, FPGAUGE_MAP_OCTETS + 64);
	case 2:
		return (uint32_t)between(g, 0, FPGAUGE_MAP_OCTETS / 4 - 1) * 4;
	case 3:
		return FPGAUGE_COUNTER(port, between(g, 0, FPGAUGE_COUNTER_COUNT - 1)) + 4 * (uint32_t)between(g, 0, 1);
	default:
		return FPGAUGE_PORT(port, PORT_REGISTERS[between(g, 0, PORT_REGISTER_COUNT - 1)].offset);
	}
}

static enum op_kind draw_histogram(struct generator *g)
{
	static const enum op_kind kinds[] = {OP_BINS, OP_OCTAVES, OP_GAPS, OP_ARRIVED};

	return kinds[between(g, 0, 3)];
}

/* Accesses that disturb nothing, or should not. */
static void look(struct generator *g)
{
	const unsigned port = (unsigned)between(g, 0, g->ports - 1);

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
		op(g, draw_histogram(g), port, random_spread(&g->random, 1020), between(g, 1, 3));
		break;
	case 5:
		op(g, OP_TAGS, port, between(g, 1, 2), 0);
		break;
	default:
		op(g, OP_READ, any_address(g), 0, 0);
	}
}

/* Most gaps are within a group of the average; those between bursts and at low load are in the last bin. */
static void look_at_gaps(struct generator *g, unsigned port)
{
	const struct sender *sender = &g->sender[port];
	const uint64_t gap_octets = sender->gap[between(g, 0, sender->phases)].octets;
	const enum op_kind kind = chance(g, 50) ? OP_GAPS : OP_ARRIVED;

	if (gap_octets < GAP_BINS && chance(g, 70))
		op(g, kind, port, gap_octets - gap_octets % 8, between(g, 1, 8));
	else
		op(g, kind, port, chance(g, 50) ? GAP_BINS - 1 : random_spread(&g->random, GAP_BINS - 1), 1);
}

/* Samples of every table, after a snapshot. */
static void look_at_tables(struct generator *g)
{
	for (unsigned port = 0; port < g->ports; port++) {
		const uint64_t used = flows_seen(&g->sender[port]);
		const uint64_t samples = used < MAX_SAMPLES ? used : MAX_SAMPLES;

		for (uint64_t i = 0; i < samples; i++)
			op(g, OP_STREAM, port, samples == used ? i : between(g, 0, used - 1), 0);
		if (chance(g, 20))
			op(g, OP_STREAM, port, between(g, 0, 255), 0);
		if (g->sender[port].tags)
			op(g, OP_TAGS, port ^ 1, between(g, 1, 8), 0);
		op(g, OP_BINS, port, chance(g, 50) ? 0 : random_spread(&g->random, 1000), between(g, 1, 3));
		op(g, OP_OCTAVES, port, chance(g, 30) ? 0 : random_spread(&g->random, 1000), between(g, 1, 3));
		look_at_gaps(g, port);
		if (g->sender[port].rules != 0)
			op(g, OP_STREAM, port, g->sender[port].rule[0].frame & 255, 0);
	}
	if (g->switches)
		look_at_others(g);
	for (unsigned port = 0; port < g->ports && (g->mails || chance(g, 5)); port++)
		look_at_mail(g, port);
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

/* Waits until nothing is being sent: the tables of a transmitter must stand still while it sends. */
static void stop_sending(struct generator *g)
{
	write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
	op(g, OP_WAIT, between(g, GENERATE_STOPPED_OT, 2 * GENERATE_STOPPED_OT), 0, 0);
}

static void prepare(struct generator *g, bool again)
{
	const bool alike = chance(g, 50);

	g->still = !again || chance(g, 80);
	if (again && g->still)
		stop_sending(g);
	for (unsigned port = 0; port < g->ports; port++) {
		if (again && chance(g, 30)) /* unchanged */
			continue;
		if (alike && port > 0)
			g->sender[port] = g->sender[0];
		else
			draw_sender(g, &g->sender[port]);
		/* stations tell a router where they are, and send to each other */
		if (g->routers && g->sender[port].flows != 0 && chance(g, 80))
			g->sender[port].flows = between(g, SIZED_FLOWS / 2, SIZED_FLOWS);
		g->sender[port].enable = chance(g, 85);
		write_sender(g, port);
		write_receiver(g, port);
		if (g->still)
			write_mail(g, port);
	}
	for (unsigned port = 0; port < g->ports; port++)
		if (!again || chance(g, 60))
			write_expected(g, port);
	if (chance(g, 70))
		write32(g, FPGAUGE_GLOBAL_RUN_ID, between(g, 0, 255));
	if (again ? chance(g, 70) : chance(g, 30))
		clear(g);
}

/* Changes a setting that takes effect in the clock in which it is written. */
static void change_setting(struct generator *g, unsigned port)
{
	switch (between(g, 0, 2)) {
	case 0:
		write32(g, FPGAUGE_PORT_RX_SHORT_GAP_OCTETS(port), between(g, 0, 100));
		break;
	case 1:
		write32(g, FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(port), between(g, 60, 2000));
		break;
	default:
		write_payload_offset(g, port);
	}
}

static bool has_reset(const struct script *script)
{
	for (size_t i = 0; i < script->option_count; i++)
		if (strcmp(script->option[i].name, "dut.model") == 0)
			return strstr(script->option[i].value, "reset") != NULL;
	return false;
}

/* Something that happens while frames are in flight. */
static void event(struct generator *g)
{
	const unsigned port = (unsigned)between(g, 0, g->ports - 1);

	if (chance(g, g->resets ? 35 : 1)) /* refused without the model */
		op(g, OP_RESET, 0, 0, 0);
	if (chance(g, g->sender[port].flows == 0 ? 60 : 8))
		send_frames(g, port);
	if (g->mails && chance(g, 25))
		look_at_mail(g, port);
	else if (g->mails && chance(g, 25))
		change_mail(g, port);

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
	case 4: /* ignored while the port sends */
		write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START);
		op(g, OP_READ, FPGAUGE_GLOBAL_START_TIME, 0, 0);
		break;
	case 5:
		write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
		break;
	case 6: /* used by the next start */
		write32(g, FPGAUGE_PORT_TX_FRAME_OCTETS(port), draw_frame_octets(g));
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
		look(g);
		break;
	case 12: /* takes effect at once */
		change_setting(g, port);
		break;
	case 13:
		change_expected(g, port);
		break;
	default:
		op(g, OP_WAIT, random_spread(&g->random, g->scale * UINT64_C(30000)), 0, 0);
	}
}

/* Lets everything in the device come out, or only some of it. */
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
	if (chance(g, 5)) /* ignored */
		send_frames(g, (unsigned)between(g, 0, g->ports - 1));
	write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START | (chance(g, 5) ? between(g, 0, 15) : 0));
	if (chance(g, 10)) /* the first of them go before the first word of the trial */
		send_frames(g, (unsigned)between(g, 0, g->ports - 1));
	for (; events > 0; events--)
		event(g);
	for (unsigned port = 0; port < g->ports; port++)
		ends = ends && (g->sender[port].ends || !g->sender[port].enable);
	if (!ends) {
		op(g, OP_WAIT, random_spread(&g->random, g->scale * (uint64_t)SENDING_BUDGET_OT), 0, 0);
		write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
	}
	drain(g);
}

/* An overloaded device may take any length of time to empty. */
static bool is_overloaded(const struct script *script)
{
	for (size_t i = 0; i < script->option_count; i++)
		if (strstr(script->option[i].value, "overload") != NULL)
			return true;
	return false;
}

static void come_to_rest(struct generator *g)
{
	write32(g, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_STOP);
	op(g, OP_WAIT, REST_OT, 0, 0);
}

void generate_script(const struct recipe *recipe, struct script *script)
{
	struct generator g = {.random = {recipe->seed},
	                      .scale = recipe->scale,
	                      .ports = recipe->ports,
	                      .script = script,
	                      .switches = recipe->switches || recipe->routers,
	                      .routers = recipe->routers};
	const unsigned trials = chance(&g, 60) ? 1 : (unsigned)between(&g, 2, 3);

	if (recipe->tcp) {
		generate_tcp_script(recipe, script);
		return;
	}
	*script = (struct script){0};
	if (recipe->routers)
		generate_router(&g.random, script);
	else if (recipe->switches)
		generate_switch(&g.random, script);
	else
		generate_dut(&g.random, script);
	g.resets = has_reset(script);
	g.mails = recipe->mails;
	g.bodies = chance(&g, 15) || recipe->routers;
	op(&g, OP_UNTIL, FPGAUGE_GLOBAL_STATUS_CLEARING, 640, chance(&g, 90) ? 200 : 0); /* clearing begins at reset */
	if (chance(&g, LOOPBACK_PERCENT))
		write_loopback(&g);
	for (unsigned i = 0; i < trials; i++) {
		if (i > 0 && chance(&g, 60)) {
			snapshot(&g);
			op(&g, OP_COUNTERS, 0, 0, 0);
			look_at_tables(&g);
		}
		if (i > 0 && chance(&g, LOOPBACK_PERCENT) && !is_overloaded(script)) {
			come_to_rest(&g);
			write_loopback(&g);
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
		if (address != FPGAUGE_GLOBAL_CONTROL) /* a start with such settings would be no trial */
			write32(&g, address, random_bits(&g.random));
		op(&g, OP_READ, address, 0, 0);
	}
	*random = g.random;
}
