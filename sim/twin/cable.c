// SPDX-License-Identifier: Apache-2.0
/* Two twins of a process find each other by the name of their cable. */
#include "sim/twin/cable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/uint128.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/wiring.h"

enum { MILLI = 1000 };

/* Octet times of a clock at its nominal rate in 10^9 true ones; 1000 ppm more or less is ten times what IEEE 802.3
 * allows. */
static const uint64_t NOMINAL_PACE = 1000000000;

/* All twins that have a cable. */
static struct play *plays;

/* -- a wire, from one clock to another ----------------------------------------------------------------------------- */

struct cable_wire {
	struct dut dut;
	struct dut *device; /* the DUT in front of the cable, on the sender's clock; NULL: none */
	const struct cable *cable;
	uint64_t milli_ot; /* its length, as in a cable */
	uint64_t free_ot;  /* the line before it is taken until then, on the receiver's clock */
};

/* A receiver sees the start of a frame in the first group of its own line that begins when it has come, or later. */
static uint64_t arrival_of(const struct cable_wire *wire, uint64_t start_ot)
{
	const struct cable_map *map = &wire->cable->map;
	const uint128 way = (uint128)wire->milli_ot * map->to_pace;
	const uint128 unit = (uint128)NOMINAL_PACE * MILLI;
	uint64_t parts, ot = map->to_ot + cable_span(map, start_ot - map->from_ot, &parts) + (uint64_t)(way / unit);
	const uint128 rest = parts * unit + way % unit * map->from_pace, whole = unit * map->from_pace;

	return dut_group_up(ot + (uint64_t)((rest + whole - 1) / whole));
}

/* Gaps between frames of a faster sender become shorter, at most to a group: then frames wait. */
static void to_other_clock(struct cable_wire *wire, struct dut_frame *frame)
{
	const uint64_t arrival_ot = arrival_of(wire, frame->start_ot);

	frame->start_ot = arrival_ot > wire->free_ot ? arrival_ot : wire->free_ot;
	wire->free_ot = dut_group_up(dut_frame_end_ot(frame) + 1);
}

static size_t wire_pass(struct dut *dut, const struct dut_frame *in, size_t *count, uint64_t known_ot,
                        struct dut_frame *out, size_t room)
{
	struct cable_wire *wire = (struct cable_wire *)dut;
	size_t passed = *count < room ? *count : room;

	if (wire->device != NULL) {
		passed = dut_pass(wire->device, in, count, known_ot, out, room);
	} else {
		memcpy(out, in, passed * sizeof(*in));
		*count = passed;
	}
	for (size_t i = 0; i < passed; i++)
		to_other_clock(wire, &out[i]);
	return passed;
}

static void wire_destroy(struct dut *dut)
{
	free(dut);
}

static void wire_clear(struct dut *dut)
{
	struct cable_wire *wire = (struct cable_wire *)dut;

	wire->free_ot = 0;
	if (wire->device != NULL)
		wire->device->ops->clear(wire->device);
}

static uint64_t wire_quiet_until(const struct dut *dut)
{
	const struct cable_wire *wire = (const struct cable_wire *)dut;

	return wire->device != NULL ? dut_quiet_until(wire->device) : UINT64_MAX;
}

static uint64_t wire_oldest_id(const struct dut *dut)
{
	const struct cable_wire *wire = (const struct cable_wire *)dut;

	return wire->device != NULL ? dut_oldest_id(wire->device) : UINT64_MAX;
}

/* No jumps: rounding to another clock never repeats. */
static size_t wire_state(const struct dut *dut, uint64_t base_ot, uint64_t base_id, uint8_t *buffer, size_t size)
{
	(void)dut, (void)base_ot, (void)base_id, (void)buffer, (void)size;
	return 0;
}

static const struct dut_ops wire_ops = {.destroy = wire_destroy,
                                        .pass = wire_pass,
                                        .clear = wire_clear,
                                        .quiet_until = wire_quiet_until,
                                        .oldest_id = wire_oldest_id,
                                        .state = wire_state};

/* The clocks are compared over port 0, which has nothing but its cable. */
static bool make_wires(struct twin *twin, uint64_t link_bps, bool has_device)
{
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		struct cable_wire *wire = calloc(1, sizeof(*wire));

		if (wire == NULL)
			return false;
		wire->dut = (struct dut){.ops = &wire_ops, .link_bps = link_bps};
		wire->cable = &twin->play.cable;
		wire->device = has_device && i > 0 ? twin->play.duts[i] : NULL;
		wire->milli_ot = i == 0 ? twin->play.cable.milli_ot : twin->play.cable.others_milli_ot;
		twin->play.cable.wires[i] = &wire->dut;
	}
	return true;
}

/* -- plugs -------------------------------------------------------------------------------------------------------- */

static struct twin *twin_of(struct play *play)
{
	return (struct twin *)play;
}

/* The other end of a cable with that name. */
static struct play *find(const char *name, unsigned *ends)
{
	struct play *found = NULL;

	*ends = 0;
	for (struct play *play = plays; play != NULL; play = play->cable.next)
		if (strcmp(play->cable.name, name) == 0) {
			found = play;
			(*ends)++;
		}
	return found;
}

static void lead(struct play *from, struct play *to)
{
	from->cable.peer = to;
	from->cable.map =
	        (struct cable_map){from->cable.start_ot, to->cable.start_ot, from->cable.pace, to->cable.pace};
	for (unsigned i = 0; i < from->port_count; i++)
		play_connect(from, i);
}

static void plug_in(struct play *play, struct play *peer)
{
	lead(play, peer);
	lead(peer, play);
	cable_follow(twin_of(peer));
}

/* Drops what has not been counted: it was in frames of the other twin, which is about to go. */
static void pull_out(struct play *play)
{
	play->cable.peer = NULL;
	for (unsigned i = 0; i < play->port_count; i++) {
		struct receiver *receiver = &play->receivers[i];

		receiver->counted = receiver->metered = receiver->end = 0;
		play_connect(play, i);
	}
}

static bool refuse_without(const struct sim_options *options)
{
	for (unsigned rule = CABLE_NS; rule < CABLE_OPTIONS; rule++)
		if (sim_options_find(options, cable_rules[rule].name) != NULL) {
			sim_options_refuse(options, cable_rules[rule].name,
			                   "only with device.cable: a clock that nobody compares is like any other");
			return false;
		}
	return true;
}

static uint64_t milli_ot_of(const struct quantity *ns, uint64_t link_bps)
{
	return (uint64_t)((uint128)ns->numerator * link_bps * MILLI / ((uint128)ns->denominator * 8 * NOMINAL_PACE));
}

/* A device is between port i and the cable, by itself: none that has to know of other ports, or what is in frames. */
static bool check_device(struct twin *twin, const struct sim_options *options)
{
	if (twin->play.port_count > 1 && twin->play.duts[1] != NULL)
		return true;
	sim_options_refuse(
	        options, "dut.model",
	        twin->play.port_count > 1
	                ? "with device.cable: must be a model of one direction, which has no ports of its own"
	                : "with device.cable: port 0 has nothing but the cable, and there is no other");
	return false;
}

bool cable_open(struct twin *twin, const struct sim_options *options)
{
	const uint64_t link_bps = twin->play.device->link_bps;
	struct sim_option_value values[CABLE_OPTIONS];
	struct cable *cable = &twin->play.cable;
	struct play *peer;
	const bool has_device = sim_options_find(options, "dut.model") != NULL;
	unsigned ends;

	if (sim_options_read(options, cable_rules, CABLE_OPTIONS, values) != 0)
		return false;
	if (!values[CABLE_NAME].set)
		return refuse_without(options);
	peer = find(values[CABLE_NAME].text, &ends);
	if (strlen(values[CABLE_NAME].text) >= sizeof(cable->name) || ends > 1) {
		sim_options_refuse(options, cable_rules[CABLE_NAME].name,
		                   ends > 1 ? "%s: has two ends already" : "%s: a name of up to 63 octets",
		                   values[CABLE_NAME].text);
		return false;
	}
	if (has_device && !check_device(twin, options))
		return false;
	cable->start_ot = values[CABLE_CLOCK_START].number.numerator / WORD_OCTETS * WORD_OCTETS;
	cable->pace = values[CABLE_CLOCK_PACE].number.numerator;
	cable->milli_ot = milli_ot_of(&values[CABLE_NS].number, link_bps);
	cable->others_milli_ot =
	        values[CABLE_OTHERS_NS].set ? milli_ot_of(&values[CABLE_OTHERS_NS].number, link_bps) : cable->milli_ot;
	twin->clock = cable->start_ot / WORD_OCTETS;
	if (!make_wires(twin, link_bps, has_device)) {
		sim_options_refuse(options, NULL, "out of memory");
		return false;
	}
	snprintf(cable->name, sizeof(cable->name), "%s", values[CABLE_NAME].text);
	cable->next = plays;
	plays = &twin->play;
	if (peer != NULL)
		plug_in(&twin->play, peer);
	else
		pull_out(&twin->play);
	return true;
}

void cable_close(struct twin *twin)
{
	struct play **at = &plays;

	while (*at != NULL && *at != &twin->play)
		at = &(*at)->cable.next;
	if (*at != NULL)
		*at = twin->play.cable.next;
	if (twin->play.cable.peer != NULL)
		pull_out(twin->play.cable.peer);
	for (unsigned i = 0; i < twin->play.port_count; i++)
		dut_destroy(twin->play.cable.wires[i]);
}

void cable_follow(const struct twin *twin)
{
	struct play *peer = twin->play.cable.peer;
	const uint64_t clock = peer != NULL ? cable_clock(&twin->play.cable.map, twin->clock) : 0;

	if (peer != NULL && clock > twin_of(peer)->clock)
		twin_of(peer)->clock = clock;
}
