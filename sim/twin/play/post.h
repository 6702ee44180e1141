/* SPDX-License-Identifier: Apache-2.0 */
/* Follows frame by frame what is in the frames of a port, and brings the octets of those without our signature to their
 * receivers. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_POST_H
#define FPGAUGE_SIM_TWIN_PLAY_POST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/device.h"
#include "sim/twin/play/contents.h"
#include "sim/twin/play/frame_octets.h"
#include "sim/twin/play/letters.h"
#include "sim/twin/play/receiver.h"
#include "sim/twin/play/records.h"
#include "sim/twin/play/rules.h"

/* Contents of what a port sends. */
struct post {
	struct contents contents;
	struct frame_tables tables;
	struct letters sent; /* octets of sent frames, by id */
	bool follows;        /* somebody keeps frames without our signature in this trial: their octets are wanted; */
	bool follows_all;    /* they depend on other frames too, so that every frame is asked for */
};

struct post *post_make(void); /* NULL: out of memory */
void post_free(struct post *post);

/* A trial begins; follows: somebody keeps frames. What is in a frame with fields depends on those of its flow before
 * it, and draws are shared by all flows. Where only flows without fields lack a signature, the others need not be asked
 * for: so it is when a host answers neighbours. */
void post_start(struct post *post, const struct turns_tables *tables, const struct rules_settings *rules, bool follows);

/* False if octets of this frame of tx_send are wanted but will not be known. */
bool post_may_send(const struct post *post, const struct descriptor *frame);

/* True if the octets of some frames of a trial are asked for, which must then be played; flags: that any frame of it
 * has. */
static inline bool post_follows(const struct post *post, uint32_t flags)
{
	return post->follows && (post->follows_all || flags & FLOW_UNSIGNED);
}

/* The next frame of the trial: writes the first `count` octets of it, or all but its FCS. 0, or -1: out of memory.
 */
int post_sent(struct post *post, const struct record *record, const struct dut_frame *frame, uint8_t *header,
              uint32_t count);

/* A frame without our signature comes to a receiver: its octets go there, as they are after the device. frame: as it
 * was taken from it. 0, or -1: out of memory. */
int post_arrives(struct post *from, const struct dut_frame *frame, struct receiver *receiver, struct dut_device *device,
                 unsigned port);

/* A frame that the device has made. */
int post_arrives_own(const struct dut_frame *frame, struct receiver *receiver, struct dut_device *device,
                     unsigned port);

#endif
