/* SPDX-License-Identifier: Apache-2.0 */
/* A learning frame has the address as its source. It goes to everybody: such a frame is forwarded in the same way
 * whatever has been learned, and is of a type that no device processes. It has the tags of the flow, because a bridge
 * may learn for each VLAN. It has no signature, so it is no test frame anywhere. */
#include "host/traffic/learning.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/octets.h"

enum {
	DESTINATION = 0, /* where the addresses of a frame begin */
	SOURCE = 6,
	GROUP_BIT = 1, /* marks a group in the first octet of an address */
	LEARNING_OCTETS = 64,
};

/* Returns where the tags end and the type of the frame begins. */
static unsigned tags_end(const struct packet *packet)
{
	unsigned end = AT_TYPE;

	while (end + TAG_OCTETS < packet->header_octets &&
	       (get_be16(packet->octets + end) == TYPE_VLAN || get_be16(packet->octets + end) == TYPE_SERVICE))
		end += TAG_OCTETS;
	return end;
}

/* The bits of a field that are in octets `first` to `end` - 1. */
static uint32_t mask_within(const struct traffic_field *field, unsigned first, unsigned end)
{
	uint32_t mask = 0;

	for (unsigned i = 0; i < 4; i++)
		if (field->octet + i >= first && field->octet + i < end)
			mask |= field->mask & UINT32_C(0xFF) << (24 - 8 * i);
	return mask;
}

/* A field that goes through all values of its bits does so in any order: here, in the same one for all flows, so that
 * addresses to which several ports send are known to be the same. */
static void put_in_order(struct traffic_field *field)
{
	if (field->mask == field->count - 1 && (field->mask & field->count) == 0 && field->step % 2) {
		field->start = 0;
		field->step = 1;
	}
}

/* The frames from which the addresses at octet `address` of a flow are learned. */
static void learn_from(struct traffic_flow *learning, const struct traffic_flow *flow, unsigned address)
{
	static const uint8_t EVERYBODY[MAC_OCTETS] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF};
	const uint8_t *octets = flow->packet.octets;
	const unsigned end = tags_end(&flow->packet);
	unsigned fields = 0;

	*learning = (struct traffic_flow){.arrives = 0};
	packet_begin(&learning->packet, EVERYBODY, octets + address, TYPE_TEST);
	for (unsigned at = end; at > AT_TYPE; at -= TAG_OCTETS) /* each is put before those that are there */
		packet_add_tag(&learning->packet, get_be16(octets + at - 4), get_be16(octets + at - 2));
	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++) {
		struct traffic_field field = flow->field[i];
		const uint32_t in_address = mask_within(&field, address, address + MAC_OCTETS);

		field.mask = in_address ? in_address : mask_within(&field, AT_TYPE, end);
		if (field.count == 0 || field.mask == 0)
			continue;
		field.drawn = false; /* all values, in turn */
		if (in_address)
			field.octet = (uint8_t)(field.octet + SOURCE - address);
		learning->field[fields++] = field;
	}
	if (fields == 1)
		put_in_order(&learning->field[0]);
}

static bool same_field(const struct traffic_field *a, const struct traffic_field *b)
{
	return a->start == b->start && a->step == b->step && a->mask == b->mask && a->count == b->count &&
	       a->octet == b->octet && a->drawn == b->drawn;
}

static bool same_learning(const struct traffic_flow *a, const struct traffic_flow *b)
{
	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++)
		if (!same_field(&a->field[i], &b->field[i]))
			return false;
	return a->packet.header_octets == b->packet.header_octets &&
	       memcmp(a->packet.octets, b->packet.octets, a->packet.header_octets) == 0;
}

static int add(struct traffic_port *port, const struct traffic_flow *learning, struct error *error)
{
	struct traffic_flow *more;

	for (unsigned flow = 0; flow < port->flows; flow++)
		if (same_learning(&port->flow[flow], learning))
			return 0;
	more = realloc(port->flow, (port->flows + 1) * sizeof(*more));
	if (more == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	port->flow = more;
	port->flow[port->flows++] = *learning;
	port->ordered = port->flows;
	return 0;
}

/* Only a flow that must arrive at one port has an address that is behind one. */
static int add_destination(struct traffic *learning, const struct traffic_flow *flow, struct error *error)
{
	struct traffic_flow made;

	if (flow->arrives == 0 || flow->arrives & (flow->arrives - 1) || flow->packet.octets[0] & GROUP_BIT)
		return 0;
	learn_from(&made, flow, DESTINATION);
	return add(&learning->port[__builtin_ctz(flow->arrives)], &made, error);
}

static uint64_t greatest_common_divisor(uint64_t a, uint64_t b)
{
	return b ? greatest_common_divisor(b, a % b) : a;
}

/* Returns after how many frames the fields of a flow begin again. */
static uint64_t frames_of(const struct traffic_flow *flow)
{
	uint64_t frames = 1;

	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++)
		if (flow->field[i].count)
			frames *= flow->field[i].count / greatest_common_divisor(frames, flow->field[i].count);
	return frames;
}

static uint64_t frames_of_port(const struct traffic_port *port)
{
	uint64_t most = 0;

	for (unsigned flow = 0; flow < port->flows; flow++) {
		const uint64_t frames = frames_of(&port->flow[flow]);

		most = frames > most ? frames : most;
	}
	return most * port->flows;
}

/* Returns whether the port's traffic also sends from the addresses. */
static bool sends_from(const struct traffic_port *port, const struct traffic_flow *learning)
{
	for (unsigned f = 0; f < port->flows; f++) {
		const struct traffic_flow *flow = &port->flow[f];
		struct traffic_flow made;

		if (memcmp(flow->packet.octets + SOURCE, learning->packet.octets + SOURCE, MAC_OCTETS) != 0)
			continue;
		learn_from(&made, flow, SOURCE);
		if (same_learning(&made, learning))
			return true;
	}
	return false;
}

/* A frame to an address that is not known yet arrives where it must if there are only two ports: what a switch floods
 * to ports that nobody uses takes no place from others. Among more ports, it does. */
static bool between_two(const struct traffic *traffic)
{
	unsigned used = 0;

	for (unsigned port = 0; port < traffic->ports; port++) {
		used |= traffic_sends(traffic, port) ? 1u << port : 0;
		for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
			used |= traffic->port[port].flow[flow].arrives;
	}
	return __builtin_popcount(used) <= 2;
}

static enum traffic_learn when(const struct traffic *traffic, const struct traffic *learning)
{
	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned flow = 0; flow < learning->port[port].flows; flow++)
			if (!sends_from(&traffic->port[port], &learning->port[port].flow[flow]))
				return TRAFFIC_LEARN_EACH_TIME;
	return between_two(traffic) ? TRAFFIC_LEARN_NOTHING : TRAFFIC_LEARN_ONCE;
}

int traffic_learning(const struct traffic *traffic, struct traffic_learning *learning, struct error *error)
{
	uint64_t frames;
	int status = 0;

	*learning = (struct traffic_learning){.traffic.ports = traffic->ports};
	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned flow = 0; flow < traffic->port[port].flows && status == 0; flow++)
			status = add_destination(&learning->traffic, &traffic->port[port].flow[flow], error);
	if (status) {
		traffic_learning_free(learning);
		return status;
	}
	for (unsigned port = 0; port < traffic->ports; port++) {
		learning->traffic.port[port].frame_octets = LEARNING_OCTETS;
		frames = frames_of_port(&learning->traffic.port[port]);
		learning->frames = frames > learning->frames ? frames : learning->frames;
	}
	learning->when = learning->frames ? when(traffic, &learning->traffic) : TRAFFIC_LEARN_NOTHING;
	return 0;
}

void traffic_learning_free(struct traffic_learning *learning)
{
	traffic_free(&learning->traffic);
}
