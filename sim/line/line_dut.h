/* SPDX-License-Identifier: Apache-2.0 */
/* A device between the lines of its ports: words in, words out, at the times of the device.
 *
 * In each clock, line_dut_put() or line_dut_put_idle() at every port, then line_dut_pass(), then
 * line_dut_take() at every port. */
#ifndef FPGAUGE_SIM_LINE_LINE_DUT_H
#define FPGAUGE_SIM_LINE_LINE_DUT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/device.h"
#include "sim/line/frame_store.h"
#include "sim/line/line_decoder.h"
#include "sim/line/line_delay.h"
#include "sim/line/line_encoder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct line_port {
	struct line_dut *line;
	struct line_delay delay; /* delays what comes in; in use if the device only delays lines, else all the rest */
	struct line_decoder decoder;
	struct frame_store store; /* the octets of what came in here, the departures of what leaves here */
	struct line_encoder encoder;
};

struct line_dut {
	struct dut_device *device;
	unsigned ports;
	bool failed; /* out of memory: frames were lost that the device would not have lost */
	bool delays_lines;
	bool has_news;          /* frames have come in since the last promise */
	uint64_t quiet_ot;      /* dut_device_quiet_until() after the last promise */
	struct frame_store own; /* the octets of what leaves but did not come in so */
	struct line_port port[DUT_MAX_PORTS];
};

/* Borrows the device. *line must not move in memory. 0, or -1: out of memory, and nothing to release. */
int line_dut_init(struct line_dut *line, struct dut_device *device);
void line_dut_release(struct line_dut *line);

/* Promises the device that every frame still unknown ends at known_ot or later, and takes what it gives. */
void line_dut_promise(struct line_dut *line, uint64_t known_ot);

/* Does the same as dut_device_reset(). False: the device has no reset. */
bool line_dut_reset(struct line_dut *line, uint64_t from_ot);

/* The word that comes in at a port. */
static inline void line_dut_put(struct line_dut *line, unsigned port, uint64_t word_number, const struct line_word *in)
{
	if (!line->delays_lines)
		line_decode(&line->port[port].decoder, word_number, in);
	else if (line_delay_put(&line->port[port].delay, word_number, in) != 0)
		line->failed = true;
}

/* The same if it is idle. */
static inline void line_dut_put_idle(struct line_dut *line, unsigned port, uint64_t word_number)
{
	if (!line->delays_lines && !line_decoder_idle(&line->port[port].decoder))
		line_decode(&line->port[port].decoder, word_number, &LINE_IDLE_WORD);
}

/* Tells the device that the words of all ports have come: a frame whose terminate character has not come by now cannot
 * end before the next. */
static inline void line_dut_pass(struct line_dut *line, uint64_t word_number)
{
	if (line->has_news || line->quiet_ot < (word_number + 1) * LINE_OCTETS)
		line_dut_promise(line, (word_number + 1) * LINE_OCTETS);
}

/* The word that leaves at a port; false if it is idle, with *out untouched. */
static inline bool line_dut_take(struct line_dut *line, unsigned port, uint64_t word_number, struct line_word *out)
{
	struct line_encoder *encoder = &line->port[port].encoder;

	if (line->delays_lines)
		return line_delay_get(&line->port[port ^ 1].delay, word_number, out);
	return line_encoder_next(encoder) <= word_number && line_encode(encoder, word_number, out);
}

/* Does the same as dut_device_at_rest(), and is true only if nothing is on any of the lines either. */
bool line_dut_at_rest(const struct line_dut *line, uint64_t now_ot);

/* Number of the first word that must be passed through if nothing more comes in; 0: at once, UINT64_MAX: never. */
uint64_t line_dut_next(const struct line_dut *line);

#ifdef __cplusplus
}
#endif

#endif
