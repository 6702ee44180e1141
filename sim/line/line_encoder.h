/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes frames into words of the line: each frame of a store leaves at its departure time. */
#ifndef FPGAUGE_SIM_LINE_LINE_ENCODER_H
#define FPGAUGE_SIM_LINE_LINE_ENCODER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/line/frame_store.h"
#include "sim/line/line.h"

#ifdef __cplusplus
extern "C" {
#endif

struct line_encoder {
	struct frame_store *store;
	bool sending; /* the first frame of the store is being sent */
	uint32_t sent;
};

void line_encoder_init(struct line_encoder *encoder, struct frame_store *store);

/* Encodes the word with this number; words must be requested in order, but those before line_encoder_next() may be left
 * out. Departures are multiples of 8 octet times, at least 5 octets after the end of the previous frame. One in the
 * past leaves as soon as possible. False: the word is idle. */
bool line_encode(struct line_encoder *encoder, uint64_t word_number, struct line_word *word);

/* Number of the next word that is not idle; UINT64_MAX if there is none yet. */
static inline uint64_t line_encoder_next(const struct line_encoder *encoder)
{
	if (encoder->sending)
		return 0;
	if (frame_store_empty(encoder->store))
		return UINT64_MAX;
	return frame_store_next(encoder->store)->start_ot / LINE_OCTETS;
}

#ifdef __cplusplus
}
#endif

#endif
