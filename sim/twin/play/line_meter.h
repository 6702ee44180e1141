/* SPDX-License-Identifier: Apache-2.0 */
/* Measures what a line carried: hw/rtl/mac/line_meter.v, from the starts and ends of frames in line order.
 *
 * A start is an event at the preamble, an end is one after the last octet of the frame, where the terminate character
 * is. The hardware counts events some clocks behind the line, so events are taken up to a time that the caller gives;
 * of a frame, the start may have been taken and the end not yet. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_LINE_METER_H
#define FPGAUGE_SIM_TWIN_PLAY_LINE_METER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/dut.h"

enum { LINE_METER_BINS = 1024 }; /* gaps of exactly that many octets; the last bin: that many or more */

struct line_counts {
	uint64_t frames, octets; /* frames that ended, with whatever character */
	uint64_t gaps, gap_min_octets, gap_max_octets, gap_sum_octets, short_gaps;
};

struct line_meter {
	struct line_counts counts; /* gap_min_octets is UINT64_MAX while there is none */
	bool started;              /* a frame has started since the clear; then: */
	uint64_t first_ot, last_ot;
	bool ended; /* a frame has ended since the clear; then: */
	uint64_t ended_ot;
	bool open;        /* the start of the next frame is taken, its end is not */
	uint64_t from_ot; /* events before this time are not counted */
};

/* Resets everything; events before from_ot will not count. */
void line_meter_clear(struct line_meter *meter, uint64_t from_ot);

/* Takes the events before end_ot of frames in line order, the first of which may be open. Returns the number of frames
 * that have ended. bins: LINE_METER_BINS bins to count gaps by length as well, or NULL. */
size_t line_meter_take(struct line_meter *meter, const struct dut_frame *frames, size_t count, uint64_t end_ot,
                       uint64_t short_gap_octets, uint64_t *bins);

/* The same for frames of one length that a pacer sends at one average gap. */
size_t line_meter_take_even(struct line_meter *meter, const struct dut_frame *frames, size_t count, uint64_t end_ot,
                            uint64_t short_gap_octets, uint64_t *bins);

/* Adds gaps of so many octets, after some others, that are not too long to measure. */
void line_meter_add(struct line_meter *meter, uint64_t gap_octets, uint64_t times, uint64_t short_gap_octets,
                    uint64_t *bins);

/* Adds whole frames of one length, the last of which started at this time. */
void line_meter_move(struct line_meter *meter, uint64_t frames, uint32_t frame_octets, uint64_t last_ot);

/* True if a gap is measured in the word that begins at word_ot, up to which all events have been taken. frames: those
 * that follow, the first of which may be open. */
bool line_meter_measures(const struct line_meter *meter, const struct dut_frame *frames, size_t count, uint64_t word_ot,
                         uint64_t word_octets);

/* Number of frames of a line that end before end_ot. */
size_t line_meter_whole(const struct dut_frame *frames, size_t count, uint64_t end_ot);

#endif
