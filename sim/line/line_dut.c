// SPDX-License-Identifier: Apache-2.0
/* A device between the lines of its ports. */
#include "sim/line/line_dut.h"

#include <string.h>

#include "sim/line/fcs.h"

static uint8_t *begin(void *context)
{
	struct line_port *port = context;
	uint8_t *room = frame_store_reserve(&port->store);

	if (room == NULL)
		port->line->failed = true;
	return room;
}

/* A frame that did not arrive whole does not exist for a store-and-forward device. */
static void end(void *context, const struct line_frame *frame)
{
	struct line_port *port = context;
	struct line_dut *line = port->line;
	struct dut_frame arrived = {.start_ot = frame->start_ot, .octets = frame->length};

	if (frame->broken || frame->length == 0)
		return;
	if (frame_store_keep(&port->store, frame->length, &arrived.id) != 0) {
		line->failed = true;
		return;
	}
	if (line->device->reads_frames && !line_has_right_fcs(frame->octets, frame->length))
		arrived.flags = DUT_FRAME_BAD_FCS;
	dut_device_put(line->device, (unsigned)(port - line->port), &arrived, frame->octets);
	line->has_news = true;
}

/* A frame that the device has made, or one with another header, is kept for this one departure. */
static int send_other(struct line_dut *line, unsigned port, const struct dut_frame *frame)
{
	uint8_t *octets = frame_store_reserve(&line->own);
	const uint32_t length = frame->octets;
	uint64_t id;

	if (octets == NULL)
		return -1;
	if (frame->flags & DUT_FRAME_OWN) {
		dut_device_own(line->device, port, frame, octets);
	} else {
		memcpy(octets, frame_store_find(&line->port[frame->from].store, frame->id), length);
		dut_device_rewrite(line->device, port, frame, octets);
	}
	line_put_fcs(octets, length - FCS_OCTETS);
	if (frame_store_keep(&line->own, length, &id) != 0 ||
	    frame_store_send(&line->port[port].store, &line->own, id, frame->start_ot, false) != 0)
		return -1;
	frame_store_want_from(&line->own, id + 1);
	return 0;
}

static int send(struct line_dut *line, unsigned port, const struct dut_frame *frame)
{
	struct frame_store *from;

	if (frame->flags & (DUT_FRAME_OWN | DUT_FRAME_REWRITTEN))
		return send_other(line, port, frame);
	from = &line->port[frame->from].store;
	if (frame->flags & DUT_FRAME_ALTERED)
		frame_store_alter(from, frame->id);
	return frame_store_send(&line->port[port].store, from, frame->id, frame->start_ot,
	                        (frame->flags & DUT_FRAME_CORRUPT) != 0);
}

/* Lets go of what the device will not send. */
static void let_go(struct line_dut *line)
{
	line->quiet_ot = dut_device_quiet_until(line->device);
	for (unsigned i = 0; i < line->ports; i++)
		if (!frame_store_keeps_none(&line->port[i].store))
			frame_store_want_from(&line->port[i].store, dut_device_oldest_id(line->device, i));
}

void line_dut_promise(struct line_dut *line, uint64_t known_ot)
{
	enum { ROOM = 16 };
	struct dut_frame out[ROOM];

	dut_device_known(line->device, known_ot);
	for (unsigned i = 0; i < line->ports; i++) {
		size_t given;

		do {
			given = dut_device_take(line->device, i, out, ROOM);
			for (size_t k = 0; k < given; k++)
				if (send(line, i, &out[k]) != 0)
					line->failed = true;
		} while (given == ROOM);
	}
	line->has_news = false;
	line->failed = line->failed || line->device->failed;
	let_go(line);
}

bool line_dut_reset(struct line_dut *line, uint64_t from_ot)
{
	if (!dut_device_reset(line->device, from_ot))
		return false;
	for (unsigned i = 0; i < line->ports; i++)
		frame_store_call_off(&line->port[i].store, from_ot);
	let_go(line);
	return true;
}

static uint64_t next_of_port(const struct line_port *port)
{
	if (port->line->delays_lines)
		return line_delay_next(&port->delay);
	return line_decoder_idle(&port->decoder) ? line_encoder_next(&port->encoder) : 0;
}

uint64_t line_dut_next(const struct line_dut *line)
{
	uint64_t least = line->delays_lines ? UINT64_MAX : line->quiet_ot / LINE_OCTETS;

	for (unsigned i = 0; i < line->ports; i++) {
		const uint64_t next = next_of_port(&line->port[i]);

		least = next < least ? next : least;
	}
	return least;
}

bool line_dut_at_rest(const struct line_dut *line, uint64_t now_ot)
{
	if (line->has_news || line->failed || (!line->delays_lines && line->quiet_ot != UINT64_MAX))
		return false;
	for (unsigned i = 0; i < line->ports; i++)
		if (next_of_port(&line->port[i]) != UINT64_MAX)
			return false;
	return dut_device_at_rest(line->device, now_ot);
}

static int init_port(struct line_port *port, uint64_t delay_ot)
{
	const struct line_sink sink = {.begin = begin, .end = end, .context = port};

	if (port->line->delays_lines)
		return line_delay_init(&port->delay, delay_ot);
	line_decoder_init(&port->decoder, &sink);
	line_encoder_init(&port->encoder, &port->store);
	return frame_store_init(&port->store);
}

int line_dut_init(struct line_dut *line, struct dut_device *device)
{
	const struct dut *direction = dut_device_direction(device, 0);
	uint64_t delay_ot = 0;

	memset(line, 0, sizeof(*line));
	line->device = device;
	line->quiet_ot = dut_device_quiet_until(device);
	line->delays_lines = direction != NULL && dut_delays_line(direction, &delay_ot);
	if (frame_store_init(&line->own) != 0)
		return -1;
	for (; line->ports < device->ports; line->ports++) {
		line->port[line->ports].line = line;
		if (init_port(&line->port[line->ports], delay_ot) != 0) {
			line_dut_release(line);
			return -1;
		}
	}
	return 0;
}

void line_dut_release(struct line_dut *line)
{
	for (unsigned i = 0; i < line->ports; i++) {
		if (line->delays_lines)
			line_delay_release(&line->port[i].delay);
		else
			frame_store_release(&line->port[i].store);
	}
	frame_store_release(&line->own);
	line->ports = 0;
}
