// SPDX-License-Identifier: Apache-2.0
/* The clock of the device, and what its edges and the groups of the line do to one another.
 *
 * Edge k is at k / clock seconds. Between it and the next, groups leave and come in: group j leaves from 8j octet times
 * on, with what the MAC has got at edges up to then; and is there for edges from 8j + 8 on. */
#include "sim/verilog/verilog_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/verilog/axis_rules.h"
#include "sim/verilog/axis_rx.h"
#include "sim/verilog/axis_tx.h"
#include "sim/verilog/mii.h"

enum {
	RESET_EDGES = 16, /* before the time of the line begins */
	IDLE_EDGES = 4,   /* in which it must say that it is idle: what went in last has had time to show */
};

typedef unsigned __int128 wide;

struct verilog_port {
	struct axis_rx rx;
	struct axis_tx tx;
	struct axis_rules rules;
	struct mii mii;
	bool has_in, has_out; /* else the word is idle */
	struct line_word in, out;
};

struct verilog_line {
	struct verilog_settings settings;
	struct fpgauge_dut *dut;
	unsigned ports;
	/* An edge is every edge_step / edge_parts octet times. */
	uint64_t edge_step, edge_parts;
	uint64_t edge; /* number of the next one */
	unsigned idle_edges;
	struct fpgauge_dut_pins in[DUT_MAX_PORTS], out[DUT_MAX_PORTS];
	char failure[256];
	struct verilog_port port[];
};

/* -- an edge ------------------------------------------------------------------------------------------------------- */

static void broken(struct verilog_line *line, unsigned port, const char *why)
{
	const double ns =
	        (double)line->edge * (double)line->settings.clock_parts / (double)line->settings.clock_hz * 1e9;

	if (line->failure[0] == '\0')
		snprintf(line->failure, sizeof(line->failure),
		         "%s breaks a rule at port %u, m_axis, at %.3f ns (clock %llu): %s", line->settings.api->module,
		         port, ns, (unsigned long long)line->edge, why);
}

static void axis_edge(struct verilog_line *line, unsigned i)
{
	struct verilog_port *port = &line->port[i];
	const char *why = axis_rules_check(&port->rules, &line->out[i], line->settings.api->octets);
	const char *beat = axis_tx_edge(&port->tx, &line->out[i]);

	if (why != NULL || beat != NULL)
		broken(line, i, why != NULL ? why : beat);
	axis_rx_edge(&port->rx, &line->in[i]);
}

/* The device cannot know what is still in a MAC, or on the way to it. */
static bool ports_rest(const struct verilog_line *line)
{
	for (unsigned i = 0; i < line->ports; i++) {
		const struct verilog_port *port = &line->port[i];

		if (line->settings.api->style == FPGAUGE_DUT_MII
		            ? !mii_rests(&port->mii) || !mii_pins_idle(&line->in[i], line->settings.api->octets)
		            : !axis_rx_rests(&port->rx) || !axis_tx_rests(&port->tx) || line->in[i].valid ||
		                      line->out[i].valid)
			return false;
	}
	return true;
}

static void play_edge(struct verilog_line *line)
{
	const struct fpgauge_dut_api *api = line->settings.api;
	const bool idle = api->settle(line->dut, 0, line->in, line->out) != 0;

	line->idle_edges = idle && ports_rest(line) ? line->idle_edges + 1 : 0;
	api->edge(line->dut);
	for (unsigned i = 0; i < line->ports; i++) {
		if (api->style == FPGAUGE_DUT_MII)
			mii_edge(&line->port[i].mii, &line->in[i], &line->out[i]);
		else
			axis_edge(line, i);
	}
	line->edge++;
}

/* -- the time of a word -------------------------------------------------------------------------------------------- */

/* The edges before this time. */
static void play_before(struct verilog_line *line, uint64_t ot)
{
	while ((wide)line->edge * line->edge_step < (wide)ot * line->edge_parts)
		play_edge(line);
}

/* The one at this time, if there is one. */
static void play_at(struct verilog_line *line, uint64_t ot)
{
	if ((wide)line->edge * line->edge_step == (wide)ot * line->edge_parts)
		play_edge(line);
}

/* Passes over the edges before this time. */
static void leap(struct verilog_line *line, uint64_t ot)
{
	const wide first = ((wide)ot * line->edge_parts + line->edge_step - 1) / line->edge_step;

	if (line->edge < (uint64_t)first)
		line->edge = (uint64_t)first;
}

static void send_group(struct verilog_line *line, unsigned i, uint64_t ot, unsigned group)
{
	struct verilog_port *port = &line->port[i];
	uint64_t value = LINE_IDLE_GROUP;
	uint8_t ctrl = 0xff;

	if (line->settings.api->style == FPGAUGE_DUT_MII ? !mii_group_out(&port->mii, &value, &ctrl)
	                                                 : !axis_tx_group(&port->tx, ot, &value, &ctrl))
		return;
	if (!port->has_out)
		port->out = LINE_IDLE_WORD;
	port->has_out = true;
	port->out.group[group] = value;
	port->out.ctrl &= ~(UINT64_C(0xff) << (8 * group));
	port->out.ctrl |= (uint64_t)ctrl << (8 * group);
}

static void receive_group(struct verilog_line *line, unsigned i, unsigned group)
{
	struct verilog_port *port = &line->port[i];
	const uint64_t value = port->has_in ? port->in.group[group] : LINE_IDLE_GROUP;
	const uint8_t ctrl = (uint8_t)(port->has_in ? port->in.ctrl >> (8 * group) : 0xff);

	if (line->settings.api->style == FPGAUGE_DUT_MII)
		mii_group_in(&port->mii, value, ctrl);
	else if (port->has_in || port->rx.in_frame)
		axis_rx_group(&port->rx, value, ctrl);
}

void verilog_line_pass(struct verilog_line *line, uint64_t word_number)
{
	const uint64_t word_ot = word_number * LINE_OCTETS;

	if (verilog_line_next(line) > word_number)
		leap(line, word_ot);
	for (unsigned group = 0; group < LINE_GROUPS; group++) {
		const uint64_t ot = word_ot + group * LINE_GROUP_OCTETS;

		play_before(line, ot);
		play_at(line, ot);
		for (unsigned i = 0; i < line->ports; i++)
			send_group(line, i, ot, group);
		play_before(line, ot + LINE_GROUP_OCTETS);
		for (unsigned i = 0; i < line->ports; i++)
			receive_group(line, i, group);
	}
	for (unsigned i = 0; i < line->ports; i++)
		line->port[i].has_in = false;
}

void verilog_line_put(struct verilog_line *line, unsigned port, const struct line_word *in)
{
	line->port[port].in = *in;
	line->port[port].has_in = true;
}

bool verilog_line_take(struct verilog_line *line, unsigned port, struct line_word *out)
{
	const bool there = line->port[port].has_out;

	if (there)
		*out = line->port[port].out;
	line->port[port].has_out = false;
	return there;
}

uint64_t verilog_line_next(const struct verilog_line *line)
{
	const bool idle = line->idle_edges >= IDLE_EDGES && !line->settings.never_idle;

	return idle && ports_rest(line) ? UINT64_MAX : 0;
}

const char *verilog_line_failure(const struct verilog_line *line)
{
	return line->failure;
}

/* -- all of it ----------------------------------------------------------------------------------------------------- */

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
	while (b != 0) {
		const uint64_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/* An edge takes link / (8 clock) octet times. Both are below 2^40, and a clock has at most 10^9 parts of a hertz. */
static void set_clock(struct verilog_line *line)
{
	const struct verilog_settings *settings = &line->settings;
	const uint64_t bits = 8, shared = common_divisor(settings->link_bps, bits * settings->clock_hz);

	line->edge_step = settings->link_bps / shared * settings->clock_parts;
	line->edge_parts = bits * settings->clock_hz / shared;
}

static void reset(struct verilog_line *line)
{
	const struct fpgauge_dut_api *api = line->settings.api;

	for (unsigned i = 0; i < RESET_EDGES; i++) {
		api->settle(line->dut, 1, line->in, line->out);
		api->edge(line->dut);
	}
}

static void init_port(struct verilog_line *line, unsigned i)
{
	const struct verilog_settings *settings = &line->settings;
	const unsigned octets = settings->api->octets;

	axis_rx_init(&line->port[i].rx, octets, settings->strips_fcs, settings->buffer_octets);
	axis_tx_init(&line->port[i].tx, octets, settings->strips_fcs, settings->waits_for_end);
	if (settings->api->style == FPGAUGE_DUT_MII) {
		mii_init(&line->port[i].mii, octets);
		mii_idle(&line->in[i]);
	}
}

struct verilog_line *verilog_line_create(const struct verilog_settings *settings)
{
	const unsigned ports = settings->api->ports;
	struct verilog_line *line = calloc(1, sizeof(*line) + ports * sizeof(line->port[0]));
	struct verilog_settings own = *settings;

	if (line == NULL || (line->dut = settings->api->create()) == NULL) {
		free(line);
		verilog_settings_close(&own);
		return NULL;
	}
	line->settings = own;
	line->ports = ports;
	set_clock(line);
	for (unsigned i = 0; i < ports; i++)
		init_port(line, i);
	reset(line);
	return line;
}

void verilog_line_destroy(struct verilog_line *line)
{
	if (line == NULL)
		return;
	line->settings.api->destroy(line->dut);
	verilog_settings_close(&line->settings);
	free(line);
}
