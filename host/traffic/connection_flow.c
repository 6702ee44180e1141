/* SPDX-License-Identifier: Apache-2.0 */
#include "host/traffic/connection_flow.h"

#include <stdlib.h>
#include <string.h>

#include "host/traffic/packet_checksum.h"

enum {
	IPV4_OCTETS = 20,
	IPV6_OCTETS = 40,
	IPV4_PROTOCOL = 9,
	TCP_OCTETS = 20,
	TCP_PORTS_OCTETS = 4,
	FLOW_OCTETS = 64,  /* header octets of a flow; then come bodies of as many */
	MOST_IN_FLOW = 56, /* header octets that leave room for the options of a SYN */
	WITH_BODY_OCTETS = 128,
};

static unsigned network_octets(const struct packet *packet)
{
	switch (packet->network) {
	case PACKET_IPV4:
		return IPV4_OCTETS;
	case PACKET_IPV6:
		return IPV6_OCTETS;
	case PACKET_NO_NETWORK:
		break;
	}
	return 0;
}

unsigned connection_header_octets(const struct packet *packet)
{
	return packet->network == PACKET_NO_NETWORK ? 0 : packet->l3 + network_octets(packet) + TCP_OCTETS;
}

/* Zeros up to the end of the header or of its body: a flow's payload would go on with other octets. */
static void fill_up(struct packet *packet)
{
	static const uint8_t ZEROS[WITH_BODY_OCTETS];
	const unsigned end = packet->header_octets > MOST_IN_FLOW ? WITH_BODY_OCTETS : FLOW_OCTETS;

	packet_add_octets(packet, ZEROS, end - packet->header_octets);
}

bool connection_packet(struct packet *packet, unsigned source_port, unsigned destination_port)
{
	const unsigned l4 = packet->l3 + network_octets(packet);

	if (packet->network == PACKET_NO_NETWORK || packet->l4 != l4) /* IPv6 extension headers stand between them */
		return false;
	packet_unfix(packet);
	packet->header_octets = (uint8_t)l4;
	memset(packet->octets + l4, 0, sizeof(packet->octets) - l4);
	packet->transport = PACKET_TCP;
	packet->octets[packet->network == PACKET_IPV4 ? packet->l3 + (unsigned)IPV4_PROTOCOL : packet->next] =
	        packet_protocol(PACKET_TCP);
	packet_add_tcp(packet, source_port, destination_port, 0);
	memset(packet->octets + l4 + TCP_PORTS_OCTETS, 0, TCP_OCTETS - TCP_PORTS_OCTETS);
	fill_up(packet);
	return true;
}

/* Number n, from 0 and then from the first again, of the flows to a port; NULL: there are none. */
static const struct traffic_flow *nth_flow(const struct traffic_port *port, unsigned to, unsigned n)
{
	unsigned count = 0;

	for (unsigned f = 0; f < port->flows; f++)
		count += port->flow[f].arrives == 1u << to;
	for (unsigned f = 0; f < port->flows && count; f++)
		if (port->flow[f].arrives == 1u << to && n-- % count == 0)
			return &port->flow[f];
	return NULL;
}

static int add_one(const struct traffic_port *from, const struct connection_flows *wanted, unsigned number,
                   struct traffic_port *port, struct error *error)
{
	const struct traffic_flow *model = nth_flow(from, wanted->to, number);
	struct traffic_flow *made = &port->flow[port->flows];

	if (model == NULL)
		return error_set(error, ERROR_INTERNAL, "port %u: no flow to port %u for a connection", wanted->port,
		                 wanted->to);
	*made = (struct traffic_flow){.packet = model->packet, .arrives = model->arrives, .measured = true};
	if (!connection_packet(&made->packet, wanted->source_port + number, wanted->destination_port + number))
		return error_set(error, ERROR_PLAN, "TCP connections need frames of IPv4 or IPv6 without extensions");
	port->frame_octets = connection_header_octets(&made->packet) + wanted->mss + FCS_OCTETS;
	port->flows++;
	return 0;
}

int connection_flows_add(const struct traffic *mesh, const struct connection_flows *wanted, struct traffic *traffic,
                         struct error *error)
{
	struct traffic_port *port = &traffic->port[wanted->port];
	struct traffic_flow *more = realloc(port->flow, (port->flows + wanted->count) * sizeof(*more));
	int status = 0;

	if (more == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	port->flow = more;
	port->ordered = 0;
	for (unsigned n = 0; n < wanted->count && status == 0; n++)
		status = add_one(&mesh->port[wanted->port], wanted, n, port, error);
	return status;
}
