/* SPDX-License-Identifier: Apache-2.0 */
/* Frames are those of host/traffic/protocols, octet by octet: nothing of them is made by the device but the request id.
 */
#include "host/trial/protocols.h"

#include <string.h>

#include "host/base/octets.h"
#include "host/base/rate.h"
#include "host/traffic/protocols/rip.h"

enum {
	ID_OCTETS = 4,
	ID_VALUES = 1 << 24,    /* seconds; more than half a year */
	IDS_OF_TRIAL_LOG2 = 16, /* so many queries, of 18 hours, have other ids in the next trials */
};

static const uint64_t SECOND_NS = UINT64_C(1000000000);

static int tci_of(const struct traffic_shape *shape)
{
	return shape->vlan == TRAFFIC_NO_VLAN ? NEIGHBOUR_NO_TAG : (int)shape->vlan;
}

static struct management_query query_of(const struct traffic_shape *shape, unsigned port, uint32_t request_id)
{
	const struct test_host gateway = test_gateway(port);
	struct management_query query = {
	        .from = test_host(port, 0),
	        .tci = tci_of(shape),
	        .version = (enum management_version)shape->snmp_version,
	        .community = shape->community,
	        .variables = MANAGEMENT_ALL,
	        .interface = shape->interface,
	        .request_id = request_id,
	};

	memcpy(query.to.ipv4, gateway.ipv4, IPV4_OCTETS);
	return query;
}

/* A packet that is this frame as it stands, and a rule that sends it. */
static int add_frame(struct traffic *traffic, unsigned port, const struct datagram_frame *frame,
                     struct traffic_rule rule, struct error *error)
{
	struct packet packet;

	packet_begin(&packet, frame->octets, frame->octets + MAC_OCTETS, get_be16(frame->octets + AT_TYPE));
	packet_add_octets(&packet, frame->octets + ETHERNET_OCTETS, frame->count - ETHERNET_OCTETS);
	rule.frame_octets = frame->count + FCS_OCTETS;
	if (rule.frame_octets < MIN_FRAME_OCTETS)
		rule.frame_octets = MIN_FRAME_OCTETS;
	return traffic_add_rule(traffic, port, &packet, &rule, error);
}

/* The first frame of the trial sets state A; at every interval the other state follows (section 11.3: "MUST be
 * alternated"). */
static int add_updates(struct traffic *traffic, const struct traffic_shape *shape, unsigned port, struct error *error)
{
	const struct rip_sender sender = {.host = test_host(port, 0), .tci = tci_of(shape)};
	const uint64_t interval_ns = shape->routing_interval_ns;
	int status = 0;

	for (enum rip_state state = RIP_STATE_A; state <= RIP_STATE_B && status == 0; state++) {
		const struct traffic_rule rule = {.modifier = TRAFFIC_ROUTING,
		                                  .first_ns = state == RIP_STATE_A ? 0 : interval_ns,
		                                  .period_ns = 2 * interval_ns};
		struct rip_route routes[RIP_STATE_ROUTES];
		struct datagram_frame frame;

		rip_state_routes(port, state, routes);
		if (!rip_update(&sender, routes, RIP_STATE_ROUTES, &frame))
			return error_set(error, ERROR_INTERNAL, "port %u: no routing update", port);
		status = add_frame(traffic, port, &frame, rule, error);
	}
	return status;
}

/* The four octets of the id are 0 in the packet, and a field. */
static int add_queries(struct traffic *traffic, const struct traffic_shape *shape, unsigned port, struct error *error)
{
	const struct traffic_rule rule = {.modifier = TRAFFIC_MANAGEMENT, .period_ns = SECOND_NS};
	const struct management_query query = query_of(shape, port, MANAGEMENT_FIRST_ID);
	struct datagram_frame frame;
	struct traffic_flow *flow;
	unsigned id_at;
	int status;

	if (!management_query_frame(&query, &frame, &id_at))
		return error_set(error, ERROR_PLAN,
		                 "no management query of community \"%s\" and interface %u can be made",
		                 shape->community, shape->interface);
	memset(frame.octets + id_at, 0, ID_OCTETS);
	status = add_frame(traffic, port, &frame, rule, error);
	if (status)
		return status;
	flow = &traffic->port[port].flow[traffic->port[port].flows - 1];
	flow->field[0] = (struct traffic_field){.start = MANAGEMENT_FIRST_ID,
	                                        .step = 1,
	                                        .mask = UINT32_MAX,
	                                        .count = ID_VALUES,
	                                        .octet = (uint8_t)id_at};
	return 0;
}

int trial_protocols_add(struct traffic *traffic, const struct traffic_shape *shape, struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < traffic->ports && status == 0; port++)
		if (traffic_has(shape, TRAFFIC_ROUTING) && traffic_sends(traffic, port))
			status = add_updates(traffic, shape, port, error);
	for (unsigned port = 0; port < traffic->ports && status == 0 && traffic_has(shape, TRAFFIC_MANAGEMENT); port++)
		if (traffic_sends(traffic, port))
			return add_queries(traffic, shape, port, error);
	return status;
}

/* The flow of the queries of a port; NULL: it has none. */
static struct traffic_flow *flow_of_queries(const struct traffic_port *port)
{
	for (unsigned i = 0; i < port->rules; i++)
		if (port->rule[i].modifier == TRAFFIC_MANAGEMENT)
			return &port->flow[port->rule[i].flow];
	return NULL;
}

bool trial_protocols_query(const struct traffic *traffic, const struct traffic_shape *shape, unsigned *port,
                           struct management_query *query)
{
	for (*port = 0; *port < traffic->ports; ++*port) {
		const struct traffic_flow *flow = flow_of_queries(&traffic->port[*port]);

		if (flow == NULL)
			continue;
		*query = query_of(shape, *port, flow->field[0].start);
		return true;
	}
	return false;
}

void trial_protocols_number(struct traffic *traffic, uint8_t run_id)
{
	for (unsigned port = 0; port < traffic->ports; port++) {
		struct traffic_flow *flow = flow_of_queries(&traffic->port[port]);

		if (flow)
			flow->field[0].start = MANAGEMENT_FIRST_ID + ((uint32_t)run_id << IDS_OF_TRIAL_LOG2);
	}
}
