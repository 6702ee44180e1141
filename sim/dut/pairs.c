// SPDX-License-Identifier: Apache-2.0
/* A device in which ports are wired in pairs: what comes in at port i goes through a model of its own and leaves at
 * port i ^ 1. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/dut/devices.h"
#include "sim/dut/ring.h"

enum { NEW_STATE_SIZE = 256 };

/* dut_state() of a model that has not been used. */
struct new_state {
	size_t size; /* 0: it has none, or a longer one */
	uint8_t octets[NEW_STATE_SIZE];
};

struct pairs {
	struct dut_device device;
	struct dut *duts[DUT_MAX_PORTS]; /* indexed by the port where frames come in, as are the rings */
	struct new_state news[DUT_MAX_PORTS];
	struct ring in[DUT_MAX_PORTS], out[DUT_MAX_PORTS];
};

static void pairs_destroy(struct dut_device *device)
{
	struct pairs *pairs = (struct pairs *)device;

	for (unsigned i = 0; i < device->ports; i++) {
		dut_destroy(pairs->duts[i]);
		ring_release(&pairs->in[i]);
		ring_release(&pairs->out[i]);
	}
	free(pairs);
}

static void pairs_put(struct dut_device *device, unsigned port, const struct dut_frame *frame, const uint8_t *header)
{
	struct dut_frame *entry = ring_push(&((struct pairs *)device)->in[port], sizeof(*entry));

	(void)header;
	if (entry != NULL)
		*entry = *frame;
	else
		device->failed = true;
}

/* The last of an odd number of ports leads nowhere. */
static void give(struct pairs *pairs, unsigned port, const struct dut_frame *frames, size_t count)
{
	if ((port ^ 1) >= pairs->device.ports)
		return;
	for (size_t i = 0; i < count; i++) {
		struct dut_frame *entry = ring_push(&pairs->out[port], sizeof(*entry));

		if (entry == NULL) {
			pairs->device.failed = true;
			return;
		}
		*entry = frames[i];
		entry->from = (uint16_t)port;
	}
}

/* Passes what waits in the ring up to its end, or up to the end of its memory, where the rest does not follow. */
static void pass(struct pairs *pairs, unsigned port, uint64_t known_ot)
{
	enum { ROOM = 64 };
	struct dut_frame out[ROOM];
	struct ring *in = &pairs->in[port];
	size_t given;

	do {
		const uint64_t waiting = in->end - in->first, straight = in->mask + 1 - (in->first & in->mask);
		size_t count = (size_t)(waiting < straight ? waiting : straight);
		uint64_t promised_ot = known_ot;

		if (count < waiting) {
			const struct dut_frame *next = ring_at(in, in->first + count, sizeof(*next));

			promised_ot = dut_frame_end_ot(next) < known_ot ? dut_frame_end_ot(next) : known_ot;
		}
		given = dut_pass(pairs->duts[port], ring_first(in, sizeof(*out)), &count, promised_ot, out, ROOM);
		in->first += count;
		give(pairs, port, out, given);
	} while (given == ROOM || !ring_empty(in));
}

/* A direction that got nothing and gives nothing before known_ot is left alone: of many ports most are idle. */
static void pairs_known(struct dut_device *device, uint64_t known_ot)
{
	struct pairs *pairs = (struct pairs *)device;

	for (unsigned i = 0; i < device->ports; i++)
		if (!ring_empty(&pairs->in[i]) || dut_quiet_until(pairs->duts[i]) < known_ot)
			pass(pairs, i, known_ot);
}

static size_t pairs_take(struct dut_device *device, unsigned port, struct dut_frame *out, size_t room)
{
	return dut_device_take_ring(&((struct pairs *)device)->out[port ^ 1], out, room);
}

static uint64_t pairs_quiet_until(const struct dut_device *device)
{
	uint64_t least_ot = UINT64_MAX;

	for (unsigned i = 0; i < device->ports; i++) {
		const uint64_t quiet_ot = dut_quiet_until(((const struct pairs *)device)->duts[i]);

		least_ot = quiet_ot < least_ot ? quiet_ot : least_ot;
	}
	return least_ot;
}

static uint64_t pairs_oldest_id(const struct dut_device *device, unsigned port)
{
	return dut_oldest_id(((const struct pairs *)device)->duts[port]);
}

static void pairs_truth(const struct dut_device *device, const struct dut_load *load, struct fpgauge_sim_truth *truth)
{
	dut_truth(((const struct pairs *)device)->duts[0], load->frame_octets, truth);
	if (load->senders == 1)
		return;
	truth->throughput_fps = NAN; /* no two ports can send to the same one */
	truth->longest_burst_frames = FPGAUGE_SIM_TRUTH_NONE;
}

static bool pairs_reset(struct dut_device *device, uint64_t from_ot)
{
	struct pairs *pairs = (struct pairs *)device;

	for (unsigned i = 0; i < device->ports; i++)
		if (!dut_reset(pairs->duts[i], from_ot))
			return false;
	return true;
}

static struct new_state state_at(const struct dut *dut, uint64_t now_ot)
{
	struct new_state state;

	state.size = dut_state(dut, now_ot, 0, state.octets, sizeof(state.octets));
	if (state.size > sizeof(state.octets))
		state.size = 0;
	return state;
}

/* Equal states mean equal behaviour, unless something is drawn or happens at times of its own: dut.h. */
static bool is_as_new(const struct pairs *pairs, unsigned port, uint64_t now_ot)
{
	struct dut *const dut = pairs->duts[port];
	const struct new_state *const made = &pairs->news[port], now = state_at(dut, now_ot);

	return dut_oldest_id(dut) == UINT64_MAX && dut_steady_until(dut) == UINT64_MAX &&
	       dut_spares(dut, 1) == UINT64_MAX && made->size != 0 && now.size == made->size &&
	       memcmp(now.octets, made->octets, made->size) == 0;
}

static bool pairs_at_rest(struct dut_device *device, uint64_t now_ot)
{
	const struct pairs *pairs = (const struct pairs *)device;

	for (unsigned i = 0; i < device->ports; i++)
		if (!ring_empty(&pairs->in[i]) || !ring_empty(&pairs->out[i]) || !is_as_new(pairs, i, now_ot))
			return false;
	return true;
}

static struct dut *pairs_direction(const struct dut_device *device, unsigned port)
{
	return ((const struct pairs *)device)->duts[port];
}

static const struct dut_device_ops pairs_ops = {
        .destroy = pairs_destroy,
        .put = pairs_put,
        .known = pairs_known,
        .take = pairs_take,
        .quiet_until = pairs_quiet_until,
        .oldest_id = pairs_oldest_id,
        .truth = pairs_truth,
        .reset = pairs_reset,
        .at_rest = pairs_at_rest,
        .direction = pairs_direction,
};

struct dut_device *pairs_create(const struct dut_device_setup *setup)
{
	struct pairs *pairs = calloc(1, sizeof(*pairs));
	bool made = pairs != NULL;

	if (pairs != NULL && dut_create(setup->options, setup->extra, setup->extra_count, setup->link_bps, pairs->duts,
	                                setup->ports) != 0) {
		free(pairs);
		return NULL;
	}
	for (unsigned i = 0; made && i < setup->ports; i++)
		made = ring_init(&pairs->in[i], sizeof(struct dut_frame)) == 0 &&
		       ring_init(&pairs->out[i], sizeof(struct dut_frame)) == 0;
	for (unsigned i = 0; made && i < setup->ports; i++)
		pairs->news[i] = state_at(pairs->duts[i], 0);
	if (pairs != NULL)
		pairs->device =
		        (struct dut_device){.ops = &pairs_ops, .link_bps = setup->link_bps, .ports = setup->ports};
	if (made)
		return &pairs->device;
	if (pairs != NULL)
		pairs_destroy(&pairs->device);
	sim_options_refuse(setup->options, NULL, "out of memory");
	return NULL;
}
