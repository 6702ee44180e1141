// SPDX-License-Identifier: Apache-2.0
/* The clocks of the device, and what their edges and the groups of the line do to one another.
 *
 * Edge k is at k / clock seconds. Between it and the next, groups leave and come in: group j leaves from 8j octet times
 * on, with what the MAC has got at edges up to then; and is there for edges from 8j + 8 on. */
#include "sim/verilog/verilog_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/uint128.h"
#include "sim/verilog/axis_rules.h"
#include "sim/verilog/axis_rx.h"
#include "sim/verilog/axis_tx.h"
#include "sim/verilog/dut_waveform.h"
#include "sim/verilog/loss_watch.h"
#include "sim/verilog/mii.h"

enum {
	RESET_EDGES = 16, /* edges before the time of the line begins */
	IDLE_EDGES = 4,   /* edges in which it must say that it is idle: what went in last has had time to show */
};

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
	struct clock {
		uint64_t step, parts;    /* an edge is every step / parts octet times */
		uint64_t edge;           /* number of the next one */
	} clock[FPGAUGE_DUT_MAX_CLOCKS]; /* clock 0 is that of the ports */
	unsigned idle_edges;
	uint64_t word; /* number of the last word passed */
	struct dut_waveform waveform;
	struct loss_watch *watch; /* one a port; NULL: nobody wants to know of losses */
	struct fpgauge_dut_pins in[DUT_MAX_PORTS], out[DUT_MAX_PORTS];
	char failure[256];
	struct verilog_port port[];
};

/* -- an edge ------------------------------------------------------------------------------------------------------- */

/* Time of the next edge of a clock. */
static uint64_t time_ps(const struct verilog_line *line, unsigned clock)
{
	const uint128 ps_per_s = 1000000000000;

	return (uint64_t)(line->clock[clock].edge * ps_per_s * line->settings.clock[clock].parts /
	                  line->settings.clock[clock].hz);
}

static void broken(struct verilog_line *line, unsigned port, const char *why)
{
	if (line->failure[0] == '\0')
		snprintf(line->failure, sizeof(line->failure),
		         "%s breaks a rule at port %u, m_axis, at %.3f ns (clock %llu): %s", line->settings.api->module,
		         port, (double)time_ps(line, 0) / 1e3, (unsigned long long)line->clock[0].edge, why);
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

/* Draws the middle between two edges of the ports' clock: it is low, and what goes in is there. */
static void draw_low(struct verilog_line *line)
{
	const struct verilog_clock *clock = &line->settings.clock[0];
	const uint64_t half_ps = UINT64_C(500000000000) * clock->parts / clock->hz, now_ps = time_ps(line, 0);

	if (now_ps > half_ps)
		dut_waveform_draw(&line->waveform, now_ps - half_ps);
}

static void play_more_edges(struct verilog_line *line, uint32_t clocks, uint64_t now_ps)
{
	line->settings.api->edge(line->dut, clocks);
	dut_waveform_draw(&line->waveform, now_ps);
	if (line->waveform.failed && line->failure[0] == '\0')
		snprintf(line->failure, sizeof(line->failure), "dut.waveform: %.200s cannot be written any more",
		         line->waveform.path);
}

static void play_edge(struct verilog_line *line, uint32_t clocks)
{
	const struct fpgauge_dut_api *api = line->settings.api;
	const bool idle = api->settle(line->dut, 0, line->in, line->out) != 0;

	line->idle_edges = idle && ports_rest(line) ? line->idle_edges + 1 : 0;
	draw_low(line);
	play_more_edges(line, clocks, time_ps(line, 0));
	for (unsigned i = 0; i < line->ports; i++) {
		if (api->style == FPGAUGE_DUT_MII)
			mii_edge(&line->port[i].mii, &line->in[i], &line->out[i]);
		else
			axis_edge(line, i);
	}
}

/* -- the time of a word -------------------------------------------------------------------------------------------- */

static bool is_before(const struct clock *a, const struct clock *b)
{
	return (uint128)a->edge * a->step * b->parts < (uint128)b->edge * b->step * a->parts;
}

/* The clocks that have the next edge, all at the same time, as bits. */
static uint32_t next_clocks(const struct verilog_line *line, unsigned *first)
{
	uint32_t clocks = 1;

	*first = 0;
	for (unsigned i = 1; i < line->settings.api->clocks; i++) {
		const struct clock *clock = &line->clock[i], *least = &line->clock[*first];

		if (is_before(clock, least)) {
			*first = i;
			clocks = UINT32_C(1) << i;
		} else if (!is_before(least, clock)) {
			clocks |= UINT32_C(1) << i;
		}
	}
	return clocks;
}

static void play(struct verilog_line *line, uint32_t clocks, unsigned first)
{
	if (clocks & 1)
		play_edge(line, clocks);
	else
		play_more_edges(line, clocks, time_ps(line, first));
	for (unsigned i = 0; i < line->settings.api->clocks; i++)
		line->clock[i].edge += clocks >> i & 1;
}

/* The edges before this time; or up to it, with it. */
static void play_until(struct verilog_line *line, uint64_t ot, bool with)
{
	for (;;) {
		unsigned first;
		const uint32_t clocks = next_clocks(line, &first);
		const struct clock *clock = &line->clock[first];
		const uint128 at = (uint128)clock->edge * clock->step, end = (uint128)ot * clock->parts;

		if (at > end || (at == end && !with))
			return;
		play(line, clocks, first);
	}
}

/* Passes over the edges before this time. */
static void leap(struct verilog_line *line, uint64_t ot)
{
	for (unsigned i = 0; i < line->settings.api->clocks; i++) {
		struct clock *clock = &line->clock[i];
		const uint128 first = ((uint128)ot * clock->parts + clock->step - 1) / clock->step;

		if (clock->edge < (uint64_t)first)
			clock->edge = (uint64_t)first;
	}
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

	line->word = word_number;
	if (verilog_line_next(line) > word_number)
		leap(line, word_ot);
	for (unsigned group = 0; group < LINE_GROUPS; group++) {
		const uint64_t ot = word_ot + group * LINE_GROUP_OCTETS;

		play_until(line, ot, true);
		for (unsigned i = 0; i < line->ports; i++)
			send_group(line, i, ot, group);
		play_until(line, ot + LINE_GROUP_OCTETS, false);
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
	if (line->watch != NULL && loss_watch_word(&line->watch[port], line->word, there ? out : NULL))
		dut_waveform_loss(&line->waveform);
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

/* An edge takes link / (8 clock) octet times. Both are below 2^40, and a clock has at most 10^6 parts of a hertz. */
static void set_clocks(struct verilog_line *line)
{
	const struct verilog_settings *settings = &line->settings;
	const uint64_t bits = 8;

	for (unsigned i = 0; i < settings->api->clocks; i++) {
		const struct verilog_clock *clock = &settings->clock[i];
		const uint64_t shared = common_divisor(settings->link_bps, bits * clock->hz);

		line->clock[i] =
		        (struct clock){settings->link_bps / shared * clock->parts, bits * clock->hz / shared, 0};
	}
}

/* False: out of memory, or the file cannot be made. */
static bool open_waveform(struct verilog_line *line)
{
	const struct verilog_settings *settings = &line->settings;

	if (settings->waveform == NULL)
		return true;
	if (settings->waveform_stretch_ps != 0) {
		line->watch = calloc(line->ports, sizeof(*line->watch));
		for (unsigned i = 0; line->watch != NULL && i < line->ports; i++)
			loss_watch_init(&line->watch[i]);
	}
	return (line->watch != NULL || settings->waveform_stretch_ps == 0) &&
	       dut_waveform_open(&line->waveform, settings->api, line->dut, settings->waveform,
	                         settings->waveform_stretch_ps);
}

static void reset(struct verilog_line *line)
{
	const struct fpgauge_dut_api *api = line->settings.api;

	for (unsigned i = 0; i < RESET_EDGES; i++) {
		api->settle(line->dut, 1, line->in, line->out);
		api->edge(line->dut, (UINT32_C(1) << api->clocks) - 1);
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
	set_clocks(line);
	for (unsigned i = 0; i < ports; i++)
		init_port(line, i);
	reset(line);
	if (open_waveform(line))
		return line;
	verilog_line_destroy(line);
	return NULL;
}

void verilog_line_destroy(struct verilog_line *line)
{
	if (line == NULL)
		return;
	dut_waveform_close(&line->waveform);
	free(line->watch);
	line->settings.api->destroy(line->dut);
	verilog_settings_close(&line->settings);
	free(line);
}
