/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes words of the line into frames. Whatever is on the line, every start character begins exactly one frame, and
 * every frame is delivered exactly once, whole or broken. */
#ifndef FPGAUGE_SIM_LINE_LINE_DECODER_H
#define FPGAUGE_SIM_LINE_LINE_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/line/line.h"

#ifdef __cplusplus
extern "C" {
#endif

struct line_frame {
	uint64_t start_ot;     /* time of the start character */
	const uint8_t *octets; /* destination MAC to FCS, as on the line; undefined octets may follow */
	uint32_t length;
	bool broken; /* not ended by a terminate character, or longer than LINE_MAX_FRAME_OCTETS */
};

/* The receiver of the frames. begin returns room for LINE_MAX_FRAME_OCTETS + LINE_OCTETS octets, valid until end; or
 * NULL if there is none, and then the frame is skipped and end is not called. */
struct line_sink {
	uint8_t *(*begin)(void *context);
	void (*end)(void *context, const struct line_frame *frame);
	void *context;
};

struct line_decoder {
	struct line_sink sink;
	bool in_frame;
	uint64_t start_ot;
	uint8_t *octets; /* NULL: frame is skipped */
	uint32_t length;
};

void line_decoder_init(struct line_decoder *decoder, const struct line_sink *sink);

/* Takes the next word. Idle words may be left out while no frame is in progress. */
void line_decode(struct line_decoder *decoder, uint64_t word_number, const struct line_word *word);

/* True if idle words may be left out. */
static inline bool line_decoder_idle(const struct line_decoder *decoder)
{
	return !decoder->in_frame;
}

#ifdef __cplusplus
}
#endif

#endif
