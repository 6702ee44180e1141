/* SPDX-License-Identifier: Apache-2.0 */
/* A port of the tester and the TAP it is joined to. Frames that leave the port are written to the TAP as soon as they
 * are whole; frames read from it enter the line of the port when they are told to and the line is free.
 *
 * A TAP has no FCS: it is checked and taken off here, and put on again. Like a MAC, a port drops what is shorter than
 * 64 octets, broken or has a wrong FCS, and pads what Linux sends to 64. */
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

/* Told of each frame written: the octet time at which its last octet left; error: 0, or the errno of a write that
 * failed. */
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

/* Whether a frame could start within so many octet times of ready_ot. */
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
