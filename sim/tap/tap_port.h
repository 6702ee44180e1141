/* SPDX-License-Identifier: Apache-2.0 */
/* A port of the tester and the TAP it is joined to. Frames that leave the port are written to the TAP as soon as they
 * are whole; frames read from it enter the line of the port when they are told to and the line is free.
 *
 * A TAP has no FCS: it is checked and taken off here, and put on again. So a frame that is broken or has a wrong FCS
 * cannot be given to Linux, which would take it for a right one. One that is shorter than 64 octets can, and is,
 * although a MAC would have dropped it: whether it is forwarded is then Linux' decision. What Linux sends is padded
 * to 64. */
#ifndef FPGAUGE_SIM_TAP_TAP_PORT_H
#define FPGAUGE_SIM_TAP_TAP_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/line_out.h"
#include "sim/line/frame_store.h"
#include "sim/line/line_decoder.h"
#include "sim/line/line_encoder.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values in the place of an errno, for frames that a TAP cannot carry. */
enum { TAP_BROKEN = -1, TAP_WRONG_FCS = -2 };

/* Told of each frame that left: the octet time of its last octet; error: 0 if it was written, the errno of a write that
 * failed, or TAP_... */
typedef void tap_written(void *context, unsigned port, uint64_t end_ot, int error);

struct tap_port {
	int fd; /* a TAP, or anything else of which a read gives one frame; -1: none */
	unsigned number;
	tap_written *written;
	void *context;
	uint8_t *leaving; /* the frame that is leaving the tester */
	struct line_decoder decoder;
	struct frame_store store; /* frames that enter the line */
	struct line_encoder encoder;
	struct line_out line_out;
};

/* Takes ownership of fd, even if it fails. *port must not move in memory. 0, or -1: out of memory, nothing to release.
 */
int tap_port_init(struct tap_port *port, int fd, unsigned number, tap_written *written, void *context);
void tap_port_release(struct tap_port *port);

/* True if a frame could start within so many octet times of ready_ot. */
static inline bool tap_port_has_room(const struct tap_port *port, uint64_t ready_ot, uint64_t ahead_ot)
{
	return port->line_out.free_ot <= ready_ot + ahead_ot;
}

/* Reads the frames that Linux has sent, as long as there is room; they start at ready_ot or as soon after it as the
 * line is free. Returns how many, or -1 with errno set. */
int tap_port_read(struct tap_port *port, uint64_t ready_ot, uint64_t ahead_ot);

#ifdef __cplusplus
}
#endif

#endif
