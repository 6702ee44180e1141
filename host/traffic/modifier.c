/* SPDX-License-Identifier: Apache-2.0 */
/* Modifiers of traffic. Those that change headers leave lengths and checksums to the device; traffic_fix() takes back
 * what need not be. */
#include "host/traffic/modifier.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/octets.h"
#include "host/traffic/draw.h"
#include "host/traffic/test_host.h"

enum {
	DESTINATION_FIELD = 2, /* its low 16 bits are octets 4 and 5, the end of the MAC address */
	SOURCE_FIELD = 8,
};

typedef void flow_function(struct traffic_port *port, struct traffic_flow *flow, const void *argument);

static void each_flow(struct traffic *traffic, flow_function *function, const void *argument)
{
	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
			function(&traffic->port[port], &traffic->port[port].flow[flow], argument);
}

/* Each flow has the whole list, one entry later than the flow before it; RFC 6985 section 4 leaves the order open. So
 * what a flow is measured with does not depend on how many flows there are. The list stands in the table twice, so that
 * a flow can begin at any entry of it. */
static int mix_port(struct traffic_port *port, const struct traffic_sizes *sizes, struct error *error)
{
	uint16_t *length = realloc(port->length, 2 * sizes->count * sizeof(*length));

	if (!length)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	port->length = length;
	port->lengths = 2 * sizes->count;
	for (unsigned i = 0; i < port->lengths; i++)
		port->length[i] = sizes->octets[i % sizes->count];
	for (unsigned f = 0; f < port->ordered; f++) {
		port->flow[f].first_length = (uint16_t)(f % sizes->count);
		port->flow[f].lengths = (uint16_t)sizes->count;
		packet_unfix(&port->flow[f].packet);
	}
	return 0;
}

int traffic_mix_lengths(struct traffic *traffic, const struct traffic_sizes *sizes, struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < traffic->ports && status == 0; port++)
		if (traffic_sends(traffic, port))
			status = mix_port(&traffic->port[port], sizes, error);
	return status;
}

struct tag {
	unsigned ethertype, tci;
};

static void add_tag(struct traffic_port *port, struct traffic_flow *flow, const void *argument)
{
	const struct tag *tag = argument;

	(void)port;
	packet_unfix(&flow->packet);
	packet_add_tag(&flow->packet, tag->ethertype, tag->tci);
	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++)
		if (flow->field[i].count && flow->field[i].octet >= AT_TYPE)
			flow->field[i].octet = (uint8_t)(flow->field[i].octet + TAG_OCTETS);
}

void traffic_add_tag(struct traffic *traffic, unsigned ethertype, unsigned tci)
{
	each_flow(traffic, add_tag, &(struct tag){ethertype, tci});
}

struct marking {
	unsigned dscp, cos;
};

static bool is_tag(const uint8_t type[2])
{
	const unsigned ethertype = get_be16(type);

	return ethertype == TYPE_VLAN || ethertype == TYPE_SERVICE;
}

static void mark(struct traffic_port *port, struct traffic_flow *flow, const void *argument)
{
	enum { COS_SHIFT = 5, COS_REST = 0x1F, DSCP_SHIFT = 2, ECN = 0x03 };
	const struct marking *marking = argument;
	struct packet *packet = &flow->packet;
	const uint32_t fixed_octets = packet->fixed_octets;
	uint8_t *tci = packet->octets + AT_TYPE + 2, *l3 = packet->octets + packet->l3;

	(void)port;
	packet_unfix(packet);
	if (is_tag(packet->octets + AT_TYPE))
		*tci = (uint8_t)((*tci & COS_REST) | marking->cos << COS_SHIFT);
	if (packet->network == PACKET_IPV4) {
		l3[1] = (uint8_t)((l3[1] & ECN) | marking->dscp << DSCP_SHIFT);
	} else if (packet->network == PACKET_IPV6) { /* its traffic class begins in the middle of the first octet */
		l3[0] = (uint8_t)((l3[0] & 0xF0) | marking->dscp >> 2);
		l3[1] = (uint8_t)((l3[1] & 0x3F) | (marking->dscp & 3) << 6);
	}
	if (fixed_octets)
		packet_fix(packet, fixed_octets);
}

void traffic_mark(struct traffic *traffic, unsigned dscp, unsigned cos)
{
	each_flow(traffic, mark, &(struct marking){dscp, cos});
}

/* The low bits of an address of 32 bits, or of the end of one. */
static struct traffic_field host_field(unsigned octet, unsigned hosts, uint32_t start, uint32_t step)
{
	return (struct traffic_field){
	        .octet = (uint8_t)octet, .start = start, .step = step, .mask = hosts - 1, .count = hosts};
}

static void put_hosts(struct packet *packet, const struct test_host *source, const struct test_host *destination)
{
	uint8_t *l3 = packet->octets + packet->l3;

	memcpy(packet->octets, destination->mac, sizeof(destination->mac));
	memcpy(packet->octets + 6, source->mac, sizeof(source->mac));
	if (packet->network == PACKET_IPV4) {
		memcpy(l3 + 12, source->ipv4, sizeof(source->ipv4));
		memcpy(l3 + 16, destination->ipv4, sizeof(destination->ipv4));
	} else if (packet->network == PACKET_IPV6) {
		memcpy(l3 + 8, source->ipv6, sizeof(source->ipv6));
		memcpy(l3 + 24, destination->ipv6, sizeof(destination->ipv6));
	}
}

/* An odd step goes through all hosts, because their count is a power of two. MAC and network address of a host have the
 * same start and step, so they stay together. */
static void vary_flow(struct traffic_flow *flow, unsigned from, unsigned to, unsigned hosts, struct draw *draw)
{
	const struct test_host source = test_host_many(from), destination = test_host_many(to);
	uint32_t start[2] = {0, 0}, step[2] = {1, 1};
	const unsigned l3 = flow->packet.l3;

	for (unsigned i = 0; draw && i < 2; i++) {
		start[i] = draw_next(draw);
		step[i] = draw_next(draw) | 1;
	}
	packet_unfix(&flow->packet);
	put_hosts(&flow->packet, &source, &destination);
	flow->field[0] = host_field(DESTINATION_FIELD, hosts, start[0], step[0]);
	flow->field[1] = host_field(SOURCE_FIELD, hosts, start[1], step[1]);
	if (flow->packet.network == PACKET_IPV4) {
		flow->field[2] = host_field(l3 + 16, hosts, start[0], step[0]);
		flow->field[3] = host_field(l3 + 12, hosts, start[1], step[1]);
	} else if (flow->packet.network == PACKET_IPV6) {
		flow->field[2] = host_field(l3 + 36, hosts, start[0], step[0]);
		flow->field[3] = host_field(l3 + 20, hosts, start[1], step[1]);
	}
}

static unsigned lowest_bit(unsigned bits)
{
	unsigned bit = 0;

	while (!(bits >> bit & 1))
		bit++;
	return bit;
}

void traffic_vary_hosts(struct traffic *traffic, unsigned hosts, const uint32_t *seed)
{
	struct draw draw = draw_begin(seed ? *seed : 0);

	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned f = 0; f < traffic->port[port].flows; f++) {
			struct traffic_flow *flow = &traffic->port[port].flow[f];

			if (flow->arrives)
				vary_flow(flow, port, lowest_bit(flow->arrives), hosts, seed ? &draw : NULL);
		}
}

static struct traffic_field drawn_field(unsigned octet, uint32_t step)
{
	return (struct traffic_field){.octet = (uint8_t)octet,
	                              .step = step,
	                              .mask = (TEST_NETWORKS - 1) * step,
	                              .count = TEST_NETWORKS,
	                              .drawn = true};
}

static void draw_network(struct traffic_flow *flow)
{
	const struct test_host beyond = test_host_beyond(lowest_bit(flow->arrives));
	const unsigned l3 = flow->packet.l3;

	if (flow->packet.network == PACKET_IPV4) {
		memcpy(flow->packet.octets + l3 + 16, beyond.ipv4, sizeof(beyond.ipv4));
		flow->field[0] = drawn_field(l3 + 16, 16);
	} else {
		memcpy(flow->packet.octets + l3 + 24, beyond.ipv6, sizeof(beyond.ipv6));
		flow->field[0] = drawn_field(l3 + 28, 1);
	}
}

void traffic_draw_destinations(struct traffic *traffic, bool routed)
{
	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned f = 0; f < traffic->port[port].flows; f++) {
			struct traffic_flow *flow = &traffic->port[port].flow[f];

			if (!flow->arrives || flow->apart)
				continue;
			packet_unfix(&flow->packet);
			if (routed) {
				draw_network(flow);
			} else { /* the last octet is the host's number, from 0 */
				flow->packet.octets[5] = 0;
				flow->field[0] = drawn_field(DESTINATION_FIELD, 1);
			}
		}
}

void traffic_go_to_learned(struct traffic *traffic)
{
	enum { DESTINATION_NETWORK = 18 }; /* the third octet of the address, in a header of IPv4 */

	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned f = 0; f < traffic->port[port].flows; f++) {
			struct traffic_flow *flow = &traffic->port[port].flow[f];

			if (flow->arrives && !flow->apart)
				flow->packet.octets[flow->packet.l3 + DESTINATION_NETWORK] =
				        test_learned_network(lowest_bit(flow->arrives));
		}
}

/* The ports that send or receive. */
static uint16_t ports_in_use(const struct traffic *traffic)
{
	unsigned ports = 0;

	for (unsigned port = 0; port < traffic->ports; port++) {
		if (traffic_sends(traffic, port))
			ports |= 1u << port;
		for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
			ports |= traffic->port[port].flow[flow].arrives;
	}
	return (uint16_t)ports;
}

static void make_broadcast(struct traffic_flow *flow, unsigned port, unsigned arrives, const struct traffic_flow *other)
{
	static const uint8_t EVERYBODY[6] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
	const struct test_host source = test_host(port, 0);

	*flow = (struct traffic_flow){.arrives = (uint16_t)arrives,
	                              .measured = true,
	                              .first_length = other->first_length,
	                              .lengths = other->lengths};
	packet_begin(&flow->packet, EVERYBODY, source.mac, TYPE_TEST);
}

int traffic_broadcast_every(struct traffic *traffic, uint32_t frames, struct error *error)
{
	const uint16_t in_use = ports_in_use(traffic);

	for (unsigned i = 0; i < traffic->ports; i++) {
		struct traffic_port *port = &traffic->port[i];
		struct traffic_flow *more;

		if (port->ordered == 0)
			continue;
		more = realloc(port->flow, (port->flows + 1) * sizeof(*more));
		if (more == NULL)
			return error_set(error, ERROR_INTERNAL, "out of memory");
		port->flow = more;
		make_broadcast(&more[port->flows], i, in_use & ~(1u << i), &more[0]);
		port->every = frames;
		port->every_flow = port->flows++;
	}
	return 0;
}

int traffic_add_rule(struct traffic *traffic, unsigned number, const struct packet *packet,
                     const struct traffic_rule *rule, struct error *error)
{
	struct traffic_port *port = &traffic->port[number];
	const struct packet frame = *packet; /* a copy, because packet may be that of a flow of the port, which moves */
	struct traffic_flow *more;

	if (port->rules == TRAFFIC_RULES)
		return error_set(error, ERROR_PLAN, "port %u: more than %d rules", number, TRAFFIC_RULES);
	more = realloc(port->flow, (port->flows + 1) * sizeof(*more));
	if (more == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	port->flow = more;
	more[port->flows] = (struct traffic_flow){.packet = frame, .apart = true};
	port->rule[port->rules] = *rule;
	port->rule[port->rules++].flow = port->flows++;
	return 0;
}

static void make_wrong(struct traffic_port *port, struct traffic_flow *flow, const void *argument)
{
	(void)port;
	flow->wrong = *(const enum traffic_wrong *)argument;
	flow->arrives = 0;
}

void traffic_make_wrong(struct traffic *traffic, enum traffic_wrong wrong)
{
	each_flow(traffic, make_wrong, &wrong);
}

void traffic_make_length(struct traffic *traffic, uint32_t frame_octets, bool must_arrive)
{
	for (unsigned i = 0; i < traffic->ports; i++) {
		struct traffic_port *port = &traffic->port[i];

		port->frame_octets = frame_octets;
		port->lengths = 0;
		for (unsigned f = 0; f < port->flows; f++) {
			packet_unfix(&port->flow[f].packet);
			port->flow[f].lengths = port->flow[f].first_length = 0;
			if (!must_arrive)
				port->flow[f].arrives = 0;
		}
	}
}

static void fix(struct traffic_port *port, struct traffic_flow *flow, const void *argument)
{
	(void)argument;
	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++)
		if (flow->field[i].count)
			return;
	if (flow->lengths == 0 && packet_is_fixable(&flow->packet))
		packet_fix(&flow->packet, port->frame_octets);
}

void traffic_fix(struct traffic *traffic)
{
	each_flow(traffic, fix, NULL);
}

void traffic_send_to(struct traffic *traffic, unsigned port, const uint8_t mac[6])
{
	enum { GROUP_BIT = 1 };

	for (unsigned f = 0; f < traffic->port[port].flows; f++) {
		uint8_t *destination = traffic->port[port].flow[f].packet.octets;

		if (!(destination[0] & GROUP_BIT))
			memcpy(destination, mac, MAC_OCTETS);
	}
}
