/* SPDX-License-Identifier: Apache-2.0 */
/* The data of the device switch. docs/dut-models.md defines it in words. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_H
#define FPGAUGE_SIM_DUT_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/addresses.h"
#include "sim/dut/devices.h"
#include "sim/dut/earliest.h"
#include "sim/dut/line_out.h"
#include "sim/dut/meter.h"
#include "sim/dut/ring.h"
#include "sim/dut/switch_settings.h"

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

struct switch_port {
	struct ring arrivals, waiting, out;
	struct line_out line;
	struct meter broadcast;
	uint64_t head_ot; /* when the frame before it has begun to leave an input queue */

	/* The queue at this port: of what leaves here, or with head-of-line blocking of what came in here. */
	struct ring releases;
	uint64_t used;
};

struct switch_device {
	struct dut_device device;
	struct switch_settings settings;
	struct addresses addresses;
	struct meter learning;
	uint64_t used;            /* of a shared buffer */
	struct earliest events;   /* next decision or head of each port */
	struct earliest releases; /* next release of each queue, if the buffer is shared */
	struct switch_port ports[DUT_MAX_PORTS];
};

#endif
