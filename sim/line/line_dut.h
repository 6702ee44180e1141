/* SPDX-License-Identifier: Apache-2.0 */
/* One direction of a DUT between two lines: words in, words out, at the times of the model. */
#ifndef FPGAUGE_SIM_LINE_LINE_DUT_H
#define FPGAUGE_SIM_LINE_LINE_DUT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/line/frame_store.h"
#include "sim/line/line_decoder.h"
#include "sim/line/line_delay.h"
#include "sim/line/line_encoder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct line_dut {
	struct dut *dut;
	bool failed;      /* out of memory: frames were lost that the model would not have lost */
	bool delays_line; /* if set, only `delay` is in use, else all the rest */
	struct line_delay delay;
	struct line_decoder decoder;
	struct frame_store store;
	struct line_encoder encoder;
	uint64_t quiet_ot; /* dut_quiet_until() after the last call */
};

/* Borrows the model. *line must not move in memory. 0, or -1: out of memory. */
int line_dut_init(struct line_dut *line, struct dut *dut);
void line_dut_release(struct line_dut *line);

/* Promises the model that every frame still unknown ends at known_ot or later, and takes what it gives. */
void line_dut_promise(struct line_dut *line, uint64_t known_ot);

/* As dut_reset(). False: the model has no reset. */
bool line_dut_reset(struct line_dut *line, uint64_t from_ot);

/* The word that comes out, after what went in; false if it is idle, with *out untouched. */
static inline bool line_dut_take(struct line_dut *line, uint64_t word_number, struct line_word *out)
{
	/* A frame whose terminate character has not come by now cannot end before the next word. */
	if (line->quiet_ot < (word_number + 1) * LINE_OCTETS)
		line_dut_promise(line, (word_number + 1) * LINE_OCTETS);
	return line_encoder_next(&line->encoder) <= word_number && line_encode(&line->encoder, word_number, out);
}

/* The word that comes out while `in` goes in; false if it is idle, with *out untouched. */
static inline bool line_dut_step(struct line_dut *line, uint64_t word_number, const struct line_word *in,
                                 struct line_word *out)
{
	if (line->delays_line) {
		if (line_delay_put(&line->delay, word_number, in) != 0)
			line->failed = true;
		return line_delay_get(&line->delay, word_number, out);
	}
	line_decode(&line->decoder, word_number, in);
	return line_dut_take(line, word_number, out);
}

/* The same while an idle word goes in. */
static inline bool line_dut_step_idle(struct line_dut *line, uint64_t word_number, struct line_word *out)
{
	if (line->delays_line)
		return line_delay_get(&line->delay, word_number, out);
	if (!line_decoder_idle(&line->decoder))
		line_decode(&line->decoder, word_number, &LINE_IDLE_WORD);
	return line_dut_take(line, word_number, out);
}

/* Number of the first word that must be stepped through if nothing more comes in; 0: at once, UINT64_MAX: never. */
static inline uint64_t line_dut_next(const struct line_dut *line)
{
	uint64_t held = line->quiet_ot / LINE_OCTETS;
	uint64_t next;

	if (line->delays_line)
		return line_delay_next(&line->delay);
	if (!line_decoder_idle(&line->decoder))
		return 0;
	next = line_encoder_next(&line->encoder);
	return next < held ? next : held;
}

#ifdef __cplusplus
}
#endif

#endif
