/* SPDX-License-Identifier: Apache-2.0 */
/* Changes a receiver as a frame that has arrived does: hw/rtl/rx/rx_classify.v and what counts behind it. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_RECEIVE_FRAME_H
#define FPGAUGE_SIM_TWIN_PLAY_RECEIVE_FRAME_H

#include <stddef.h>

#include "sim/dut/dut.h"
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/receiver_state.h"
#include "sim/twin/play/records.h"

/* The hardware measures a latency with 40 bits, in groups. */
static inline uint64_t receive_latency(const struct dut_frame *frame, const struct record *record)
{
	return (frame->start_ot - record->start) & ((UINT64_C(1) << 40) - 1) * GROUP_OCTETS;
}

static inline uint32_t receive_entry(const struct record *record)
{
	return record->sequence >> RECORD_ENTRY_LSB & (RECEIVER_STREAMS - 1);
}

/* Classes of frames, in the order in which they are tried. On a simulated line a frame with our signature is from a
 * port of this tester and has the length with which it was sent. */
enum frame_class {
	FRAME_BAD_CODE,
	FRAME_BAD_SHORT,
	FRAME_BAD_LONG,
	FRAME_BAD_FCS,
	FRAME_FOREIGN,
	FRAME_OTHER_RUN,
	FRAME_BAD_PAYLOAD,
	FRAME_WRONG_PORT,
	FRAME_RECEIVED,
};

/* Returns the class of a frame with the settings that apply to it. */
enum frame_class receive_class(const struct dut_frame *frame, const struct record *record,
                               const uint64_t settings[RECEIVER_SETTINGS]);

/* segment: that it has; NULL: none. */
void receive_frame(struct receiver *receiver, const struct dut_frame *frame, const struct record *record,
                   const struct record_segment *segment);

/* The same for frames that are received, of one source and length and without a tag, once one has been received: by far
 * the most. Stops at the first frame of any other kind; returns how many it has counted. */
size_t receive_plain(struct receiver *receiver, const struct records *records, const struct dut_frame *frames,
                     size_t count);

/* The same for frames of any sources that have been admitted, as they come from a device between many ports. */
size_t receive_mixed(struct receiver *receiver, const struct records *records, const struct dut_frame *frames,
                     size_t count);

#endif
