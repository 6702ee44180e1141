/* SPDX-License-Identifier: Apache-2.0 */
/* The line meter counts frames and octets of frames that end with a terminate character, but the gap before every
 * frame, and the start of every one (docs/hardware-core.md). So the frames are those that their flows count as they
 * leave, and judging/check.c holds them against the number of gaps, and their octets against the times of the line. */
#include "host/trial/device/code_errors.h"

#include "host/trial/device/registers.h"

static int add(struct device *device, const struct traffic *traffic, unsigned port, unsigned flow,
               struct port_counters *sum, struct error *error)
{
	uint64_t frames = 0;
	const int status = registers_read_sent(device, port, flow, &frames, error);

	sum->tx_frames += frames;
	sum->tx_octets += frames * traffic->port[port].frame_octets;
	return status;
}

int device_code_errors_read(struct device *device, const struct traffic *traffic, struct trial_counters *counters,
                            struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned flow = 0; flow < traffic->port[port].flows && status == 0; flow++)
			if (traffic->port[port].flow[flow].wrong == TRAFFIC_WRONG_CODE && traffic_sends(traffic, port))
				status = add(device, traffic, port, flow, &counters->port[port], error);
	return status;
}
