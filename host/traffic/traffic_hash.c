/* SPDX-License-Identifier: Apache-2.0 */
/* A hash of all that traffic says: FNV-1a of 64 bits over its values one by one, so that padding and pointers do not
 * count. */
#include "host/base/fnv1a.h"
#include "host/base/octets.h"
#include "host/traffic/traffic.h"

static void add(uint64_t *hash, uint64_t value)
{
	uint8_t octets[sizeof(value)];

	put_le(octets, value, sizeof(octets));
	*hash = fnv1a(*hash, octets, sizeof(octets));
}

static void add_packet(uint64_t *hash, const struct packet *packet)
{
	add(hash, packet->header_octets);
	*hash = fnv1a(*hash, packet->octets, packet->header_octets);
	add(hash, packet->l3);
	add(hash, packet->l4);
	add(hash, packet->network);
	add(hash, packet->transport);
	add(hash, packet->checksummed);
	add(hash, packet->fixed_octets);
}

static void add_flow(uint64_t *hash, const struct traffic_flow *flow)
{
	add_packet(hash, &flow->packet);
	add(hash, flow->arrives);
	add(hash, flow->measured);
	add(hash, flow->apart);
	add(hash, flow->wrong);
	add(hash, flow->first_length);
	add(hash, flow->lengths);
	for (unsigned i = 0; i < TRAFFIC_FIELDS; i++) {
		const struct traffic_field *field = &flow->field[i];

		add(hash, (uint64_t)field->start << 32 | field->step);
		add(hash, (uint64_t)field->mask << 32 | field->count);
		add(hash, field->octet);
		add(hash, field->drawn);
	}
}

static void add_port(uint64_t *hash, const struct traffic_port *port)
{
	add(hash, port->flows);
	for (unsigned flow = 0; flow < port->flows; flow++)
		add_flow(hash, &port->flow[flow]);
	add(hash, port->ordered);
	add(hash, port->order);
	add(hash, port->seed);
	add(hash, port->turns);
	if (port->turn)
		*hash = fnv1a(*hash, port->turn, port->turns);
	add(hash, (uint64_t)port->every << 32 | port->every_flow);
	add(hash, port->frame_octets);
	add(hash, port->lengths);
	for (unsigned i = 0; i < port->lengths; i++)
		add(hash, port->length[i]);
	add(hash, port->rules);
	for (unsigned i = 0; i < port->rules && i < TRAFFIC_RULES; i++) {
		add(hash, (uint64_t)port->rule[i].flow << 32 | port->rule[i].frame_octets);
		add(hash, port->rule[i].first_ns);
		add(hash, port->rule[i].period_ns);
		add(hash, port->rule[i].at_tag);
	}
}

uint64_t traffic_hash(const struct traffic *traffic)
{
	uint64_t hash = FNV1A_OF_NOTHING;

	add(&hash, traffic->ports);
	for (unsigned port = 0; port < traffic->ports; port++)
		add_port(&hash, &traffic->port[port]);
	return hash;
}
