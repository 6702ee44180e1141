/* SPDX-License-Identifier: Apache-2.0 */
/* Filters, by ports that send. */
#include "host/trial/filters.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/text.h"
#include "host/traffic/modifier.h"
#include "host/traffic/protocols/filters.h"
#include "host/traffic/test_host.h"

_Static_assert(TRIAL_FILTERS_TEXT_SIZE == TRIAL_MAX_PORTS * FILTER_TEXT_SIZE, "room for the filters of all ports");

static enum filter_device device_of(const struct traffic_shape *shape)
{
	if (!shape->routed)
		return FILTER_BRIDGE;
	return traffic_frame_is_ipv6(shape->frame) ? FILTER_ROUTER_IPV6 : FILTER_ROUTER_IPV4;
}

static struct filter_set set_of(const struct traffic_shape *shape, unsigned from_port, unsigned to_port)
{
	return filter_set(device_of(shape), traffic_has(shape, TRAFFIC_FILTERS_1) ? FILTER_ONE : FILTER_25_PERMIT_LAST,
	                  from_port, to_port);
}

/* The port to which a port sends; false: to none. */
static bool peer_of(const struct traffic_shape *shape, unsigned ports, unsigned port, uint8_t *peer)
{
	uint8_t peers[TRAFFIC_MAX_PORTS];

	if (pattern_peers(shape->pattern, shape->bidirectional, ports, port, peers) == 0)
		return false;
	*peer = peers[0];
	return true;
}

size_t trial_filters_text(const struct traffic_shape *shape, unsigned ports, char *text, size_t size)
{
	size_t length = 0;
	uint8_t peer;

	*text = '\0';
	for (unsigned port = 0; traffic_filters(shape) && port < ports; port++) {
		char conditions[FILTER_TEXT_SIZE];
		struct filter_set set;

		if (!peer_of(shape, ports, port, &peer))
			continue;
		set = set_of(shape, port, peer);
		filter_text(&set, conditions, sizeof(conditions));
		length = text_add(text, size, length, "# from port %u to port %u\n%s", port, peer, conditions);
	}
	return length;
}

size_t trial_filters_nft(const struct traffic_shape *shape, unsigned ports, const char *const *interfaces, char *text,
                         size_t size)
{
	size_t length = 0, named = 0;
	uint8_t peer;

	*text = '\0';
	for (unsigned port = 0; port < ports; port++) {
		char file[FILTER_TEXT_SIZE];
		struct filter_set set;
		const char *interface = interfaces ? interfaces[named] : NULL;

		named += interface != NULL;
		if (!peer_of(shape, ports, port, &peer))
			continue;
		set = set_of(shape, port, peer);
		if (traffic_filters(shape))
			filter_nft(&set, interface, file, sizeof(file));
		else
			filter_nft_none(&set, file, sizeof(file));
		length = text_add(text, size, length, "%s", file);
	}
	return length;
}

/* -- frames that must be blocked ----------------------------------------------------------------------------------- */

/* Puts the addresses of a condition into a frame of the stream. */
static void put_addresses(struct packet *packet, const struct filter_condition *condition, enum filter_device device)
{
	uint8_t *l3 = packet->octets + packet->l3;

	if (device == FILTER_BRIDGE) {
		memcpy(packet->octets, condition->mac, sizeof(condition->mac));
	} else if (packet->network == PACKET_IPV4) {
		memcpy(l3 + 12, condition->source.ipv4, sizeof(condition->source.ipv4));
		memcpy(l3 + 16, condition->destination.ipv4, sizeof(condition->destination.ipv4));
	} else {
		memcpy(l3 + 8, condition->source.ipv6, sizeof(condition->source.ipv6));
		memcpy(l3 + 24, condition->destination.ipv6, sizeof(condition->destination.ipv6));
	}
}

/* A device that forwards the stream forwards this one too, unless a filter is in the way: it comes from the same
 * network to the same host. A bridge floods what is for a host that it does not know. */
static void put_all_else(struct packet *packet, enum filter_device device, unsigned from_port, unsigned to_port)
{
	const struct test_host from = test_host(from_port, 1), to = test_host(to_port, 1);
	uint8_t *l3 = packet->octets + packet->l3;

	if (device == FILTER_BRIDGE)
		memcpy(packet->octets, to.mac, sizeof(to.mac));
	else if (packet->network == PACKET_IPV4)
		memcpy(l3 + 12, from.ipv4, sizeof(from.ipv4));
	else
		memcpy(l3 + 8, from.ipv6, sizeof(from.ipv6));
}

static struct packet *add_blocked(struct traffic_port *port)
{
	struct traffic_flow *flow = &port->flow[port->flows++];

	*flow = port->flow[0];
	flow->arrives = 0;
	packet_unfix(&flow->packet);
	port->ordered = port->flows;
	return &flow->packet;
}

static int add_port(struct traffic_port *port, const struct filter_set *set, unsigned to_port, struct error *error)
{
	struct traffic_flow *more = realloc(port->flow, (port->flows + set->count) * sizeof(*more));

	if (more == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	port->flow = more;
	for (unsigned i = 0; i < set->count; i++)
		if (!set->conditions[i].permit)
			put_addresses(add_blocked(port), &set->conditions[i], set->device);
	put_all_else(add_blocked(port), set->device, set->port, to_port);
	return 0;
}

int trial_filters_add_blocked(struct traffic *traffic, const struct traffic_shape *shape, struct error *error)
{
	int status = 0;
	uint8_t peer;

	if (!traffic_has(shape, TRAFFIC_FILTER_CHECK))
		return 0;
	for (unsigned port = 0; port < traffic->ports && status == 0; port++)
		if (peer_of(shape, traffic->ports, port, &peer)) {
			const struct filter_set set = set_of(shape, port, peer);

			status = add_port(&traffic->port[port], &set, peer, error);
		}
	if (status == 0)
		traffic_fix(traffic);
	return status;
}
