/* SPDX-License-Identifier: Apache-2.0 */
/* Every limit of traffic, with what it is and where it comes from. */
#include "host/traffic/traffic_check.h"

#include "host/traffic/modifiers.h"
#include "host/traffic/packet_checksum.h"
#include "host/traffic/test_host.h"

enum {
	HEADER_OCTETS = 64, /* header octets of a flow without a body */
	MAX_FIELD_OCTET = PACKET_VARIES_OCTETS - 4,
	MAX_FIELD_VALUES = 1 << 24,
	MAX_VID = 4094,
};

/* The flow that is looked at. */
struct place {
	const struct traffic *traffic;
	const struct traffic_limits *limits;
	unsigned port, flow;
	struct error *error;
};

#define REFUSE(error, ...) error_set(error, ERROR_PLAN, __VA_ARGS__)
#define REFUSE_FLOW(place, format, ...)                                                                                \
	error_set((place)->error, ERROR_PLAN, "port %u flow %u: " format, (place)->port, (place)->flow, __VA_ARGS__)

/* ---------------------------------------------------------------- the shape */

/* The greatest number of others that a port sends to. */
static unsigned most_peers(const struct traffic_shape *shape, unsigned ports)
{
	uint8_t peers[TRAFFIC_MAX_PORTS];
	unsigned most = 0;

	for (unsigned port = 0; port < ports; port++) {
		const unsigned count = pattern_peers(shape->pattern, shape->bidirectional, ports, port, peers);

		most = count > most ? count : most;
	}
	return most;
}

/* Flows of a port that are for hosts: others are for the frames of modifiers. */
static unsigned flows_for_hosts(const struct traffic_shape *shape, const struct traffic_limits *limits)
{
	return limits->flows - traffic_modifiers_flows(shape->modifiers);
}

bool traffic_needs_fields(const struct traffic_shape *shape, unsigned ports, const struct traffic_limits *limits)
{
	return (uint64_t)shape->addresses * most_peers(shape, ports) > flows_for_hosts(shape, limits) ||
	       shape->addresses > TEST_HOSTS;
}

static int check_addresses(const struct traffic_shape *shape, unsigned ports, const struct traffic_limits *limits,
                           struct error *error)
{
	const unsigned hosts = shape->addresses, peers = most_peers(shape, ports);
	const unsigned most = shape->frame == TRAFFIC_IPV4_UDP ? TEST_HOSTS_MANY_IPV4 : TEST_HOSTS_MANY;

	if (hosts < 1)
		return REFUSE(error, "traffic.addresses = 0: must be at least 1");
	if (!traffic_needs_fields(shape, ports, limits))
		return 0;
	if (hosts > most)
		return REFUSE(error, "traffic.addresses = %u: at most %u with frames of \"%s\"", hosts, most,
		              TRAFFIC_FRAME_NAMES[shape->frame]);
	if (hosts & (hosts - 1))
		return REFUSE(error,
		              "traffic.addresses = %u for each of %u ports: must be at most %u, as a port has %u "
		              "flows, or a power of two (RFC 2889 section 5.1.2)",
		              hosts, peers, flows_for_hosts(shape, limits) / peers, flows_for_hosts(shape, limits));
	return 0;
}

/* Each host asks for its router itself, with a flow that is the device's last one. */
static int check_routed(const struct traffic_shape *shape, unsigned ports, const struct traffic_limits *limits,
                        struct error *error)
{
	const unsigned hosts = shape->addresses, peers = most_peers(shape, ports);

	if (shape->frame == TRAFFIC_ETHERNET)
		return REFUSE(error, "traffic.routed = true: frames of \"%s\" have no network address for a router",
		              TRAFFIC_FRAME_NAMES[shape->frame]);
	if (hosts > TEST_HOSTS_ROUTED)
		return REFUSE(error, "traffic.addresses = %u with traffic.routed: must be at most %d, in one network",
		              hosts, TEST_HOSTS_ROUTED);
	if ((uint64_t)hosts * peers >= flows_for_hosts(shape, limits))
		return REFUSE(error,
		              "traffic.addresses = %u for each of %u ports with traffic.routed: must be at most %u",
		              hosts, peers, (flows_for_hosts(shape, limits) - 1) / peers);
	return 0;
}

int traffic_shape_check(const struct traffic_shape *shape, unsigned ports, const struct traffic_limits *limits,
                        struct error *error)
{
	int status = pattern_check(shape->pattern, ports, error);

	if (status)
		return status;
	if (shape->sizes.count > TRAFFIC_MAX_SIZES)
		return REFUSE(error, "traffic.sizes: %u frame sizes: at most %d", shape->sizes.count,
		              TRAFFIC_MAX_SIZES);
	if ((shape->sizes.count == 0) == (shape->frame_octets == 0))
		return REFUSE(error, "traffic: must have either a frame size or traffic.sizes");
	if (shape->vlan > MAX_VID && shape->vlan != TRAFFIC_NO_VLAN)
		return REFUSE(error, "traffic.vlan = %u: must be 0 to %d (IEEE 802.1Q)", shape->vlan, MAX_VID);
	status = traffic_modifiers_check(shape, error);
	if (status)
		return status;
	if (shape->routed && check_routed(shape, ports, limits, error))
		return error->code;
	return check_addresses(shape, ports, limits, error);
}

/* ---------------------------------------------------------------- a flow */

static int check_arrival(const struct place *place, const struct traffic_flow *flow)
{
	if (flow->arrives >> place->traffic->ports)
		return REFUSE_FLOW(place, "must arrive at ports %#x, but there are %u ports", flow->arrives,
		                   place->traffic->ports);
	if (flow->arrives >> place->port & 1)
		return REFUSE_FLOW(place, "must arrive at port %u, which sent it", place->port);
	if (flow->arrives && !flow->measured)
		return REFUSE_FLOW(place, "must arrive at ports %#x, but has no signature by which it is known there",
		                   flow->arrives);
	if (flow->arrives && flow->wrong)
		return REFUSE_FLOW(place, "must arrive at ports %#x, but its frames are wrong (RFC 2889 section 5.9)",
		                   flow->arrives);
	return 0;
}

/* Only frames that must arrive have to be whole. */
static int check_length(const struct place *place, const struct traffic_flow *flow, uint32_t octets)
{
	const struct traffic_limits *limits = place->limits;
	const uint32_t least = packet_least_octets(&flow->packet, flow->measured);

	if (octets < limits->least_octets || octets > limits->most_octets)
		return REFUSE_FLOW(place, "frames of %u octets: must be %u to %u", octets, limits->least_octets,
		                   limits->most_octets);
	if (flow->arrives && octets < MIN_FRAME_OCTETS)
		return REFUSE_FLOW(place,
		                   "must arrive, but its frames of %u octets are shorter than %d (RFC 2889 section "
		                   "5.9)",
		                   octets, MIN_FRAME_OCTETS);
	if (flow->arrives && octets < least)
		return REFUSE_FLOW(place,
		                   "frames of %u octets: at least %u for %u of headers, %d of signature and %d of "
		                   "FCS",
		                   octets, least, flow->packet.header_octets, PACKET_SIGNATURE_OCTETS, FCS_OCTETS);
	if (flow->packet.fixed_octets && octets != flow->packet.fixed_octets)
		return REFUSE_FLOW(place, "frames of %u octets: must be %u, which their headers say", octets,
		                   flow->packet.fixed_octets);
	return 0;
}

static int check_lengths(const struct place *place, const struct traffic_flow *flow)
{
	const struct traffic_port *port = &place->traffic->port[place->port];
	int status = 0;

	if (traffic_rule_of(port, place->flow))
		return check_length(place, flow, traffic_rule_of(port, place->flow)->frame_octets);
	if (flow->lengths == 0)
		return check_length(place, flow, port->frame_octets);
	if ((unsigned)flow->first_length + flow->lengths > port->lengths)
		return REFUSE_FLOW(place, "lengths %u to %u: the table has only %u", flow->first_length,
		                   flow->first_length + flow->lengths - 1, port->lengths);
	for (unsigned i = 0; i < flow->lengths && status == 0; i++)
		status = check_length(place, flow, port->length[flow->first_length + i]);
	return status;
}

static int check_packet(const struct place *place, const struct packet *packet)
{
	if (packet->full)
		return REFUSE_FLOW(place, "headers of more than %d octets", PACKET_MAX_OCTETS);
	/* Sums are of words of 16 bits: the payload begins on one (docs/hardware-core.md). */
	if (packet->checksummed && (packet->header_octets - packet->l4) % 2)
		return REFUSE_FLOW(place,
		                   "payload at octet %u: an odd number behind the transport header, whose checksum "
		                   "covers it",
		                   packet->header_octets);
	return 0;
}

/* A field is in a checksum as a whole, or not at all. */
static int check_cover(const struct place *place, const struct packet *packet, const struct traffic_field *field,
                       bool (*covers)(const struct packet *packet, unsigned octet))
{
	unsigned in = 0, octets = 0;

	for (unsigned i = 0; i < 4; i++)
		if (field->mask >> (24 - 8 * i) & 0xFF) {
			octets++;
			in += covers(packet, field->octet + i);
		}
	if (in != 0 && in != octets)
		return REFUSE_FLOW(place, "a field at octet %u: a checksum covers only a part of it", field->octet);
	return 0;
}

static int check_field(const struct place *place, const struct packet *packet, const struct traffic_field *field)
{
	int status;

	if (field->count == 0)
		return 0;
	if (field->count > MAX_FIELD_VALUES)
		return REFUSE_FLOW(place, "a field of %u values: at most %d", field->count, MAX_FIELD_VALUES);
	if (field->drawn && (field->step == 0 || field->step & (field->step - 1)))
		return REFUSE_FLOW(place, "a drawn field with a step of %u: must be a power of two", field->step);
	if (field->octet > MAX_FIELD_OCTET)
		return REFUSE_FLOW(place, "a field at octet %u: at most %d", field->octet, MAX_FIELD_OCTET);
	for (unsigned i = 0; i < 4; i++) {
		const unsigned mask = field->mask >> (24 - 8 * i) & 0xFF, at = field->octet + i;

		if (mask && (at >= packet->header_octets || packet->octets[at] & mask))
			return REFUSE_FLOW(place, "a field at octet %u: octet %u of the headers is not 0 there",
			                   field->octet, at);
	}
	status = check_cover(place, packet, field, packet_checksum1_covers);
	return status ? status : check_cover(place, packet, field, packet_checksum2_covers);
}

static int check_flow(const struct place *place)
{
	const struct traffic_flow *flow = &place->traffic->port[place->port].flow[place->flow];
	int status = check_packet(place, &flow->packet);

	if (status == 0)
		status = check_arrival(place, flow);
	if (status == 0)
		status = check_lengths(place, flow);
	for (unsigned i = 0; i < TRAFFIC_FIELDS && status == 0; i++)
		status = check_field(place, &flow->packet, &flow->field[i]);
	return status;
}

/* ---------------------------------------------------------------- a port */

/* Nobody knows how many frames are of which flow when the order is drawn. */
static int check_drawn(const struct traffic_port *port, unsigned number, struct error *error)
{
	for (unsigned f = 0; f < port->flows; f++)
		if (!traffic_rule_of(port, f) && (port->flow[f].arrives != port->flow[0].arrives ||
		                                  port->flow[f].wrong != port->flow[0].wrong || port->flow[f].lengths))
			return REFUSE(
			        error,
			        "port %u: flows in a drawn order must arrive at the same ports, be equally right and "
			        "have one length",
			        number);
	return 0;
}

static int check_order(const struct traffic *traffic, unsigned number, struct error *error)
{
	const struct traffic_port *port = &traffic->port[number];

	if (port->ordered > port->flows)
		return REFUSE(error, "port %u: turns for %u flows, but it has %u", number, port->ordered, port->flows);
	if (port->every && port->every_flow >= port->flows)
		return REFUSE(error, "port %u: one of every %u frames is of flow %u, but it has only %u flows", number,
		              port->every, port->every_flow, port->flows);
	if (port->order == TRAFFIC_BY_TABLE) {
		if (port->turns < 1 || port->turns > TRAFFIC_TURNS)
			return REFUSE(error, "port %u: a table of %u turns: must be 1 to %d", number, port->turns,
			              TRAFFIC_TURNS);
		for (unsigned i = 0; i < port->turns; i++)
			if (port->turn[i] >= port->ordered)
				return REFUSE(error, "port %u turn %u: flow %u, but only %u have turns", number, i,
				              port->turn[i], port->ordered);
	}
	if (port->order == TRAFFIC_DRAWN)
		return check_drawn(port, number, error);
	if (port->ordered && traffic_cycle(traffic, number) == 0)
		return REFUSE(error, "port %u: turns and lengths begin again only after more than 2^48 frames", number);
	return 0;
}

/* A rule's frames are no test frames, have one length, and the turns do not come to them. */
static int check_rules(const struct traffic_port *port, unsigned number, struct error *error)
{
	if (port->rules > TRAFFIC_RULES)
		return REFUSE(error, "port %u: %u rules: at most %d", number, port->rules, TRAFFIC_RULES);
	for (unsigned i = 0; i < port->rules; i++) {
		const struct traffic_rule *rule = &port->rule[i];

		if (rule->flow >= port->flows || rule->flow < port->ordered ||
		    (port->every && rule->flow == port->every_flow) || traffic_rule_of(port, rule->flow) != rule)
			return REFUSE(error, "port %u rule %u: flow %u of %u must belong to this rule alone", number, i,
			              rule->flow, port->flows);
		if (!port->flow[rule->flow].apart || (port->flow[rule->flow].measured && !rule->at_tag) ||
		    port->flow[rule->flow].lengths)
			return REFUSE(error,
			              "port %u rule %u: flow %u must be counted apart, without a signature and of one "
			              "length",
			              number, i, rule->flow);
	}
	return 0;
}

static int check_room(const struct traffic_port *port, unsigned number, const struct traffic_limits *limits,
                      struct error *error)
{
	unsigned bodies = 0;

	if (port->flows > limits->flows)
		return REFUSE(error, "port %u: %u flows: at most %u", number, port->flows, limits->flows);
	if (port->lengths > TRAFFIC_LENGTHS)
		return REFUSE(error, "port %u: a table of %u lengths: at most %d", number, port->lengths,
		              TRAFFIC_LENGTHS);
	for (unsigned f = 0; f < port->flows; f++)
		bodies += port->flow[f].packet.header_octets > HEADER_OCTETS;
	if (bodies > limits->bodies)
		return REFUSE(error, "port %u: %u flows with headers of more than %d octets: at most %u", number,
		              bodies, HEADER_OCTETS, limits->bodies);
	return 0;
}

int traffic_check(const struct traffic *traffic, const struct traffic_limits *limits, struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < traffic->ports && status == 0; port++) {
		status = check_room(&traffic->port[port], port, limits, error);
		if (status == 0)
			status = check_rules(&traffic->port[port], port, error);
		for (unsigned flow = 0; flow < traffic->port[port].flows && status == 0; flow++)
			status = check_flow(&(struct place){traffic, limits, port, flow, error});
		if (status == 0)
			status = check_order(traffic, port, error);
	}
	return status;
}
