// SPDX-License-Identifier: Apache-2.0
/* A full mesh through a switch. */
#include "tests/sim/mesh.h"

#include <string.h>

#include "hw/regs/fpgauge_regs.h"

enum { STREAMS = 256, WORD_BITS = 32, STEP_OT = 100000, SETTLE_OT = 2000000 };

void mesh_address(struct device *device, unsigned port, unsigned to, uint32_t flow)
{
	const uint8_t addresses[12] = {2, 0, 0, 0, 0, (uint8_t)to, 2, 0, 0, 0, 0, (uint8_t)port};

	traffic_write32(device, FPGAUGE_PORT_TX_FLOW_INDEX(port), flow);
	for (unsigned word = 0; word < sizeof(addresses) / 4; word++) {
		uint32_t value;

		memcpy(&value, addresses + 4 * (size_t)word, sizeof(value));
		traffic_write32(device, FPGAUGE_PORT_TX_HEADER(port) + 4 * word, value);
	}
}

static void write_port(struct device *device, unsigned port, unsigned ports)
{
	uint32_t expected[16 * STREAMS / WORD_BITS] = {0};

	for (unsigned i = 0; i + 1 < ports; i++) {
		const unsigned source = (port + ports - 1 - i) % ports; /* the port whose flow i leads here */

		mesh_address(device, port, (port + 1 + i) % ports, i);
		expected[source * STREAMS / WORD_BITS] |= UINT32_C(1) << i;
	}
	for (unsigned word = 0; word < ports * STREAMS / WORD_BITS; word++)
		traffic_write32(device, FPGAUGE_PORT_RX_EXPECTED(port) + 4 * word, expected[word]);
}

static void prepare(struct device *device, const struct sent_traffic *traffic)
{
	const unsigned ports = device_identity(device)->ports;
	struct sent_traffic all = *traffic;

	all.destinations = ports - 1;
	traffic_prepare(device, &all);
	for (unsigned port = 0; port < ports; port++)
		write_port(device, port, ports);
}

void mesh_prepare(struct device *device, const struct sent_traffic *traffic)
{
	const struct sent_traffic learning = {.frame_octets = 64, .stop_frames = 1, .gap_octets = 2000};

	prepare(device, &learning);
	traffic_start(device);
	traffic_wait_sent(device, STEP_OT, UINT64_MAX);
	traffic_wait(device, SETTLE_OT);
	prepare(device, traffic);
}

uint64_t mesh_sum(struct device *device, unsigned counter)
{
	uint64_t sum = 0;

	for (unsigned port = 0; port < device_identity(device)->ports; port++)
		sum += traffic_read64(device, FPGAUGE_COUNTER(port, counter));
	return sum;
}
