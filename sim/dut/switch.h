/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the device switch. docs/dut-models.md defines it in words. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_H
#define FPGAUGE_SIM_DUT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/addresses.h"
#include "sim/dut/calendar.h"
#include "sim/dut/devices.h"
#include "sim/dut/earliest.h"
#include "sim/dut/line_out.h"
#include "sim/dut/meter.h"
#include "sim/dut/ring.h"
#include "sim/dut/switch_settings.h"

struct switch_uplink;

/* A frame that has come in and waits for its decision. Addresses have the octet that is first on the wire highest. */
struct switch_arrival {
	struct dut_frame frame;
	uint64_t decided_ot;
	uint64_t source, destination;
};

/* A frame in an input queue. */
struct switch_waiting {
	struct dut_frame frame;
	uint64_t decided_ot;
	uint32_t outputs; /* a bit per port */
	uint32_t cost;
};

/* Part of a buffer that becomes free. */
struct switch_release {
	uint64_t ot;
	uint64_t cost;
};

/* Arrivals that leave at a port: where they are in their rings. */
struct switch_list {
	const struct switch_arrival **entries;
	size_t count, capacity;
};

struct switch_port {
	struct ring arrivals, waiting, out;
	/* Arrivals before this one may be special in any way: all others are alike, from this source. */
	uint64_t special;
	uint64_t alike_source;

	struct line_out line;
	struct switch_uplink *uplink; /* the line leads to another switch (switch_uplink.h); NULL: to the tester */
	struct meter broadcast;
	/* The last source, and where it was in the table after so many changes of that; when it was seen last, if the
	 * table does not know yet (switch_device.seen). */
	uint64_t source, source_changes;
	uint32_t source_entry;
	bool source_here; /* it is behind this port */
	uint64_t seen_ot;

	struct switch_list decided; /* frames that leave here, but have no place on the line yet */

	uint64_t head_ot; /* when the frame before it has begun to leave an input queue */

	/* The queue at this port: of what leaves here, or with head-of-line blocking of what came in here. */
	struct ring releases;
	uint64_t used;

	/* The queue because of which the sender here is held, with back pressure, and when that was said last. */
	unsigned holder;
	uint64_t held_ot;
};

enum { SWITCH_TOGETHER = 33 * 64 }; /* frames of a port for which there is room to decide at once */

struct switch_device {
	struct dut_device device;
	struct switch_settings settings;
	unsigned first_port; /* the tester's number of its port 0 */
	struct addresses addresses;
	struct meter learning;
	uint32_t seen;            /* ports that have seen their source since the table was told, a bit per port */
	uint64_t used;            /* part of a shared buffer */
	uint32_t held;            /* ports whose sender is held, a bit per port */
	struct earliest events;   /* next decision or head of each port */
	struct earliest releases; /* next release of each queue, if the buffer is shared */
	struct calendar calendar;
	/* Outputs of the frames in the calendar that came in at a port, one after the other. An odd number of lines, as
	 * for spread() in switch.c. */
	uint8_t leaves[DUT_MAX_PORTS][SWITCH_TOGETHER];
	struct switch_port ports[DUT_MAX_PORTS];
};

/* switch.c: NULL: out of memory. put_many and take are as in device.h, with ports as the switch numbers them. */
struct switch_device *switch_make(const struct switch_settings *settings, uint64_t link_bps, unsigned ports);
void switch_free(struct switch_device *dut);
void switch_put_many(struct switch_device *dut, unsigned number, const struct dut_frame *frames, size_t count,
                     const struct dut_addresses *addresses);
/* One frame, from another switch. */
void switch_bring(struct switch_device *dut, unsigned number, const struct switch_arrival *arrival);

/* switch_events.c: does all that happens before until_ot; the first frame of a port has come in. */
void switch_do_events(struct switch_device *dut, uint64_t until_ot);
void switch_note_event(struct switch_device *dut, unsigned port);

/* switch_decide.c: decides on the first frame that has come in at a port; it is still there afterwards. */
void switch_decide(struct switch_device *dut, unsigned input, uint64_t now_ot);
/* The head of an input queue goes to its outputs; the next frame is the head when the last copy has begun to leave. */
void switch_pass_head(struct switch_device *dut, unsigned input, uint64_t now_ot);
/* Tells the table of the sources seen since it was told. */
void switch_tell_seen(struct switch_device *dut);

/* switch_pause.c: back pressure. A frame from this port has come to a queue, and was admitted or lost: its sender may
 * have to be held. */
void switch_hold(struct switch_device *dut, unsigned input, unsigned queue, bool admitted, uint64_t now_ot);
/* Lets go of those whose queue has drained by then. */
void switch_let_go(struct switch_device *dut, uint64_t now_ot);
/* Time at which the next room is freed in a queue that holds somebody; UINT64_MAX: never, without further input. */
uint64_t switch_next_drain_ot(const struct switch_device *dut);
/* The octets of a pause frame, without its FCS. For struct dut_device_ops. */
void switch_pause_octets(struct dut_device *device, unsigned port, const struct dut_frame *frame, uint8_t *octets);

/* switch_many.c: all decisions before until_ot, from the time of the calendar on, for which that has room; there are no
 * heads of queues. On a legal line those of a port are one after the other. */
void switch_decide_many(struct switch_device *dut, uint64_t until_ot);

/* switch_place.c: where every queue has a buffer of its own at its output, queues do not depend on each other. So what
 * leaves at a port is listed, until all of a span of time has been decided; then each queue as a whole takes it in, or
 * loses it. Until then the arrivals stay where they are, though they have been taken out of their ring. */
void switch_place(struct switch_device *dut);

/* Room for so many more in the list of a port. 0, or -1: out of memory. */
int switch_list_reserve(struct switch_list *list, size_t more);

/* switch_state.c: for jumps, as in device.h. */
size_t switch_state(struct dut_device *device, uint64_t base_ot, const uint64_t *base_ids, uint8_t *buffer,
                    size_t size);
uint64_t switch_steady_until(const struct dut_device *device, uint64_t since_ot, uint64_t base_ot);
void switch_shift(struct dut_device *device, uint64_t since_ot, uint64_t ot, const uint64_t *ids);

#endif
