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

/* A frame that did not arrive whole is no frame to a store-and-forward device. */
static void end(void *context, const struct line_frame *frame)
{
	struct line_dut *line = context;
	struct dut_frame arrived = {.start_ot = frame->start_ot, .octets = frame->length};
	uint64_t departure_ot;

	if (frame->broken || frame->length == 0 || !dut_admit(line->dut, &arrived, &departure_ot))
		return;
	if (frame_store_put(&line->store, frame->length, departure_ot) != 0)
		line->failed = true;
}

int line_dut_init(struct line_dut *line, struct dut *dut)
{
	const struct line_sink sink = {.begin = begin, .end = end, .context = line};
	uint64_t delay_ot = 0;

	*line = (struct line_dut){.dut = dut};
	line->delays_line = dut->ops->delays_line != NULL && dut->ops->delays_line(dut, &delay_ot);
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
