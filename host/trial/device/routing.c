/* SPDX-License-Identifier: Apache-2.0 */
/* One frame for each port, as a trial of its own that nobody counts. The next hop is host 0, which the device has heard
 * of when it asked for its gateway. */
#include "host/trial/device/routing.h"

#include "host/base/octets.h"
#include "host/base/rate.h"
#include "host/traffic/protocols/rip.h"
#include "host/trial/device/gateways.h"
#include "host/trial/traffic.h"

/* The frame that tells of the network behind a port. */
static bool update_of(const struct traffic_shape *shape, unsigned port, struct datagram_frame *frame)
{
	const struct rip_sender sender = {.host = test_host(port, 0),
	                                  .tci = shape->vlan == TRAFFIC_NO_VLAN ? NEIGHBOUR_NO_TAG : (int)shape->vlan};
	const struct rip_route route = {
	        .network = {sender.host.ipv4[0], sender.host.ipv4[1], test_learned_network(port), 0},
	        .metric = RIP_METRIC};

	return rip_update(&sender, &route, 1, frame);
}

static void add_update(struct traffic_port *port, struct traffic_flow *flow, const struct datagram_frame *frame)
{
	*flow = (struct traffic_flow){.arrives = 0};
	packet_begin(&flow->packet, frame->octets, frame->octets + MAC_OCTETS, get_be16(frame->octets + AT_TYPE));
	packet_add_octets(&flow->packet, frame->octets + ETHERNET_OCTETS, frame->count - ETHERNET_OCTETS);
	*port = (struct traffic_port){
	        .flow = flow, .flows = 1, .ordered = 1, .frame_octets = frame->count + FCS_OCTETS};
}

static unsigned receivers(const struct traffic *traffic)
{
	unsigned ports = 0;

	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned flow = 0; flow < traffic->port[port].ordered; flow++)
			ports |= traffic->port[port].flow[flow].arrives;
	return ports;
}

static int send_updates(struct device_steps *steps, const struct traffic *updates, struct error *error)
{
	const uint64_t place_ot = 2 * (traffic_longest(updates) + LINE_OVERHEAD_OCTETS);
	const struct pacing pacing = {
	        .gap_octets = place_ot, .denominator = 1, .stop_frames = 1, .sending_ot = 2 * place_ot};
	int status = trial_traffic_check(updates, device_identity(steps->device), error);

	if (status == 0)
		status = steps_program(steps, updates, &pacing, error);
	return status ? status : steps_send(steps, &pacing, NULL, error);
}

int device_announce(struct device_steps *steps, struct slow_path *slow, const struct trial_request *request,
                    struct error *error)
{
	const uint64_t link_bps = device_identity(steps->device)->link_bps;
	struct trial_request waits = *request;
	struct traffic_flow flow[TRIAL_MAX_PORTS];
	struct traffic updates = {.ports = request->traffic->ports};
	int status = 0;

	if (!traffic_is_learned(&request->shape))
		return 0;
	waits.settle_ot = octet_times_from_ns(request->shape.routing_wait_ns, link_bps);
	for (unsigned port = 0; port < updates.ports && status == 0; port++) {
		struct datagram_frame frame;

		if (!(receivers(request->traffic) >> port & 1))
			continue;
		if (!update_of(&request->shape, port, &frame))
			return error_set(error, ERROR_INTERNAL, "port %u: no routing update", port);
		add_update(&updates.port[port], &flow[port], &frame);
	}
	if (status == 0)
		status = send_updates(steps, &updates, error);
	return status ? status : device_serve_settle(steps, slow, &waits, error);
}
