/* SPDX-License-Identifier: Apache-2.0 */
/* Frames between the host and the line of a port, through registers: those of others that the receiver kept
 * (rx_mail_*), and one at a time that takes the next place of the transmitter (tx_send). See docs/hardware-core.md. */
#ifndef FPGAUGE_TRIAL_DEVICE_HOST_QUEUE_H
#define FPGAUGE_TRIAL_DEVICE_HOST_QUEUE_H

#include "drivers/device.h"
#include "host/traffic/protocols/neighbour_frame.h"
#include "host/trial/register_write.h"

enum {
	HOST_QUEUE_MOST_FRAMES = 64,    /* frames that a port keeps */
	HOST_QUEUE_MOST_OCTETS = 256,   /* octets that are read of a frame: what neighbours say is shorter */
	HOST_QUEUE_FILTER_ALL = 8 | 16, /* rx_mail_filter: to anyone, of all types */
	HOST_QUEUE_FLOW_WRITES = 9 + 2 * 4,
};

/* The first octets of a frame that came in, without its FCS. */
struct host_queue_frame {
	unsigned count;
	uint8_t octets[HOST_QUEUE_MOST_OCTETS];
};

/* The flow whose frames are those of the host: the last one that the device has. Traffic that has so many flows leaves
 * none for the host. */
unsigned host_queue_flow(const struct device_identity *identity);

/* Gives what that flow is, but for its octets; to be written in this order while the port does not send. */
unsigned host_queue_flow_registers(unsigned port, unsigned flow, struct register_write writes[HOST_QUEUE_FLOW_WRITES]);

/* Takes the oldest frame. One access if there is none: *there is false then. Unless `whole`, only the head is read of a
 * frame that is not of neighbour discovery. */
int host_queue_fetch(struct device *device, unsigned port, bool whole, bool *there, struct host_queue_frame *frame,
                     struct error *error);

/* Sends a frame in the next place of a port that is sending; NEIGHBOUR_FRAME_OCTETS long. Ignored by the device if the
 * port is not sending, or if one that was asked for has not begun. */
int host_queue_send(struct device *device, unsigned port, unsigned flow, const struct neighbour_frame *frame,
                    struct error *error);

/* Reads from the last snapshot how many frames of the flow have left. */
int host_queue_sent(struct device *device, unsigned port, unsigned flow, uint64_t *frames, struct error *error);

#endif
