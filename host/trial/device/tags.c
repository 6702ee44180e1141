/* SPDX-License-Identifier: Apache-2.0 */
/* Each receiving port has a table of the tagged frames that came to it. */
#include "host/trial/device/tags.h"

#include "hw/regs/fpgauge_regs.h"

enum { FLOWS_A_PORT = 256 }; /* entries of rx_tag_stream for each port */

static uint64_t way_ot(const struct latency_ways *ways, unsigned from, unsigned to)
{
	return from >= TRAFFIC_MAX_PORTS || ways->ot[from][to] == LATENCY_WAY_UNKNOWN ? 0 : ways->ot[from][to];
}

static int read_tag(struct device *device, const struct traffic *traffic, unsigned to, uint64_t index,
                    const struct latency_ways *ways, struct trial_result *result, struct error *error)
{
	uint64_t latency_ot = 0;
	uint32_t stream = 0;
	int status = device_write32(device, FPGAUGE_PORT_RX_TAG_INDEX(to), (uint32_t)index, error);

	if (status == 0)
		status = device_read32(device, FPGAUGE_PORT_RX_TAG_STREAM(to), &stream, error);
	if (status == 0)
		status = device_read64(device, FPGAUGE_PORT_RX_TAG_LATENCY(to), &latency_ot, error);
	if (status)
		return status;
	trial_note_tag(result, stream / FLOWS_A_PORT, to, latency_ot, way_ot(ways, stream / FLOWS_A_PORT, to));
	trial_check_tag_flow(traffic, stream / FLOWS_A_PORT, stream % FLOWS_A_PORT, result);
	return 0;
}

/* There are more than ports only if a device makes copies. */
int device_tags_read(struct device *device, const struct traffic *traffic, const struct trial_counters *counters,
                     const struct latency_ways *ways, struct trial_result *result, struct error *error)
{
	int status = 0;

	for (unsigned to = 0; to < result->ports; to++) {
		const uint64_t tags = counters->port[to].rx_tagged_frames;

		for (uint64_t i = 0; i < tags && i < TRIAL_MAX_PORTS && status == 0; i++)
			status = read_tag(device, traffic, to, i, ways, result, error);
	}
	return status;
}
