/* SPDX-License-Identifier: Apache-2.0 */
/* A rule has a flow of its own, so its frames are those of that stream. */
#include "host/trial/device/rules.h"

#include "host/trial/device/registers.h"

int device_rules_read(struct device *device, const struct traffic *traffic,
                      uint64_t frames[TRIAL_MAX_PORTS][TRAFFIC_RULES], struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < traffic->ports && status == 0; port++)
		for (unsigned i = 0; i < traffic->port[port].rules && traffic_sends(traffic, port) && status == 0; i++)
			status = registers_read_sent(device, port, traffic->port[port].rule[i].flow, &frames[port][i],
			                             error);
	return status;
}
