// SPDX-License-Identifier: Apache-2.0
/* One direction of a DUT between two lines. */
#include "sim/line/line_dut.h"

static uint8_t *begin(void *context)
{
	struct line_dut *line = context;
	uint8_t *room = frame_store_reserve(&line->store);

	if (room == NULL)
		line->failed = true;
	return room;
}

/* Passes one frame or none to the model, and what the model gives to the encoder. */
static void play(struct line_dut *line, const struct dut_frame *frame, uint64_t known_ot)
{
	enum { ROOM = 16 };
	struct dut_frame out[ROOM];
	size_t left = frame != NULL, given;

	do {
		size_t count = left;

		given = dut_pass(line->dut, frame, &count, known_ot, out, ROOM);
		left -= count;
		for (size_t i = 0; i < given; i++) {
			if (out[i].flags & DUT_FRAME_ALTERED)
				frame_store_alter(&line->store, out[i].id);
			if (frame_store_send(&line->store, out[i].id, out[i].start_ot,
			                     (out[i].flags & DUT_FRAME_CORRUPT) != 0) != 0)
				line->failed = true;
		}
	} while (given == ROOM);
	line->quiet_ot = dut_quiet_until(line->dut);
	frame_store_want_from(&line->store, dut_oldest_id(line->dut));
}

void line_dut_promise(struct line_dut *line, uint64_t known_ot)
{
	play(line, NULL, known_ot);
}

bool line_dut_reset(struct line_dut *line, uint64_t from_ot)
{
	if (!dut_reset(line->dut, from_ot))
		return false;
	frame_store_call_off(&line->store, from_ot);
	line->quiet_ot = dut_quiet_until(line->dut);
	frame_store_want_from(&line->store, dut_oldest_id(line->dut));
	return true;
}

/* To a store-and-forward device, a frame that did not arrive whole does not exist. */
static void end(void *context, const struct line_frame *frame)
{
	struct line_dut *line = context;
	struct dut_frame arrived = {.start_ot = frame->start_ot, .octets = frame->length};

	if (frame->broken || frame->length == 0)
		return;
	if (frame_store_keep(&line->store, frame->length, &arrived.id) != 0)
		line->failed = true;
	else
		play(line, &arrived, dut_frame_end_ot(&arrived));
}

int line_dut_init(struct line_dut *line, struct dut *dut)
{
	const struct line_sink sink = {.begin = begin, .end = end, .context = line};
	uint64_t delay_ot = 0;

	*line = (struct line_dut){.dut = dut, .quiet_ot = dut_quiet_until(dut)};
	line->delays_line = dut_delays_line(dut, &delay_ot);
	if (line->delays_line)
		return line_delay_init(&line->delay, delay_ot);
	line_decoder_init(&line->decoder, &sink);
	line_encoder_init(&line->encoder, &line->store);
	return frame_store_init(&line->store);
}

void line_dut_release(struct line_dut *line)
{
	if (line->delays_line)
		line_delay_release(&line->delay);
	else
		frame_store_release(&line->store);
}
