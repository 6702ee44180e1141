/* SPDX-License-Identifier: Apache-2.0 */
/* Translates between traffic, which knows no device, and a device, which knows no traffic. */
#include "host/trial/traffic.h"

#include "host/traffic/traffic_check.h"
#include "host/trial/filters.h"
#include "host/trial/flow_registers.h"
#include "host/trial/new_network.h"
#include "host/trial/protocols.h"
#include "hw/regs/fpgauge_regs.h"

enum { SHORTEST_OCTETS = 54 /* tx_frame_octets */ };

struct traffic_limits trial_traffic_limits(const struct device_identity *identity)
{
	const unsigned flows = FPGAUGE_PORT_TX_FLOW_INDEX_MAX + 1;

	return (struct traffic_limits){
	        .flows = identity->destinations < flows ? identity->destinations : flows,
	        .bodies = (FPGAUGE_PORT_TX_BODY_INDEX_MAX + 1) / FLOW_BODIES,
	        .least_octets = SHORTEST_OCTETS,
	        .most_octets = FPGAUGE_PORT_TX_FRAME_OCTETS_MAX,
	};
}

int trial_traffic_of_shape(const struct traffic_shape *shape, const struct device_identity *identity,
                           struct traffic *traffic, struct error *error)
{
	const struct traffic_limits limits = trial_traffic_limits(identity);

	int status = traffic_build(shape, identity->ports, &limits, traffic, error);

	if (status)
		return status;
	status = trial_protocols_add(traffic, shape, error);
	if (status == 0)
		status = trial_filters_add_blocked(traffic, shape, error);
	if (status == 0)
		status = trial_new_network_add(traffic, shape, error);
	if (status)
		traffic_free(traffic);
	return status;
}

unsigned trial_traffic_sender(const struct traffic *traffic)
{
	for (unsigned port = 0; port < traffic->ports; port++)
		if (traffic_sends(traffic, port))
			return port;
	return 0;
}

/* Benchmarks say before the first trial what a device cannot send (cannot_send); this is for those that forgot. */
static int check_sends(const struct traffic *traffic, unsigned port, const struct device_identity *identity,
                       struct error *error)
{
	if (traffic->port[port].frame_octets < 64 && !(identity->sends & DEVICE_SENDS_SHORT_FRAMES))
		return error_set(error, ERROR_PLAN, "port %u: frames of %u octets: the MAC of %s sends none below 64",
		                 port, (unsigned)traffic->port[port].frame_octets, identity->name);
	for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
		if (traffic->port[port].flow[flow].wrong == TRAFFIC_WRONG_CODE &&
		    !(identity->sends & DEVICE_SENDS_WRONG_CODE))
			return error_set(error, ERROR_PLAN,
			                 "port %u flow %u: frames with a wrong code: the MAC of %s sends none", port,
			                 flow, identity->name);
	return 0;
}

int trial_traffic_check(const struct traffic *traffic, const struct device_identity *identity, struct error *error)
{
	const struct traffic_limits limits = trial_traffic_limits(identity);
	const unsigned first = trial_traffic_sender(traffic);
	int status = traffic_check(traffic, &limits, error);
	struct traffic_mean mean;

	if (status)
		return status;
	if (traffic->ports != identity->ports)
		return error_set(error, ERROR_INTERNAL, "%s: has %u ports; traffic for %u", identity->name,
		                 identity->ports, traffic->ports);
	mean = traffic_mean_octets(traffic, first);
	for (unsigned port = 0; port < traffic->ports; port++) {
		const struct traffic_mean other = traffic_mean_octets(traffic, port);

		if (traffic_sends(traffic, port) && (other.octets != mean.octets || other.frames != mean.frames))
			return error_set(error, ERROR_INTERNAL,
			                 "ports %u and %u send frames of different average length", first, port);
		if (traffic_sends(traffic, port) && check_sends(traffic, port, identity, error))
			return error->code;
		for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
			if (traffic->port[port].flow[flow].wrong == TRAFFIC_WRONG_CODE &&
			    traffic->port[port].flow[flow].lengths)
				return error_set(error, ERROR_INTERNAL,
				                 "port %u flow %u: frames with a wrong code, which the line does not "
				                 "count, of several lengths",
				                 port, flow);
	}
	return 0;
}

unsigned trial_traffic_flows(const struct traffic *traffic)
{
	unsigned flows = 0;

	for (unsigned port = 0; port < traffic->ports; port++)
		flows += traffic_sends(traffic, port) ? traffic->port[port].flows : 0;
	return flows;
}

unsigned trial_traffic_payload(const struct traffic *traffic)
{
	unsigned payload = 0;

	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned f = 0; f < traffic->port[port].flows; f++) {
			const struct traffic_flow *flow = &traffic->port[port].flow[f];

			/* segments of TCP connections, of ports that send nothing else, are no test frames */
			if (traffic_sends(traffic, port) && flow->measured && flow->packet.header_octets > payload)
				payload = flow->packet.header_octets;
		}
	return payload;
}

bool trial_traffic_all_arrive(const struct traffic *traffic)
{
	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
			if (traffic->port[port].flow[flow].arrives == 0)
				return false;
	return true;
}

uint64_t trial_traffic_wrong_fcs(const struct traffic *traffic, unsigned port, uint64_t frames)
{
	uint64_t wrong = 0;

	for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
		if (traffic->port[port].flow[flow].wrong == TRAFFIC_WRONG_FCS)
			wrong += traffic_frames_of_flow(traffic, port, flow, frames);
	return wrong;
}
