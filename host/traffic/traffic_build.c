/* SPDX-License-Identifier: Apache-2.0 */
/* Makes flows of a shape: a pattern with its hosts, then what modifies it. */
#include <stdlib.h>
#include <string.h>

#include "host/traffic/draw.h"
#include "host/traffic/frame_template.h"
#include "host/traffic/modifier.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/traffic.h"
#include "host/traffic/traffic_check.h"

static void make_flow(struct traffic_flow *flow, enum traffic_frame frame, const struct test_host *source,
                      const struct test_host *destination, unsigned peer)
{
	*flow = (struct traffic_flow){.arrives = (uint16_t)(1u << peer), .measured = true};
	test_frame(&flow->packet, frame, source, destination);
}

/* The order in which a port's hosts send to those of a peer: each has its turn once before one comes again. RFC 2889
 * 5.1.3 wants the pairs of addresses chosen at random. Each host has one it talks to between the ports of a pair. */
struct host_order {
	uint16_t source[TEST_HOSTS], destination[TEST_HOSTS];
};

static void order_hosts(struct host_order *order, const struct traffic_shape *shape, unsigned hosts, unsigned port,
                        unsigned peer)
{
	struct draw draw = draw_begin((uint64_t)shape->seed << 32 | port << 8 | peer);

	draw_order(&draw, hosts, order->source);
	draw_order(&draw, hosts, order->destination);
	for (unsigned i = 0; i < hosts && pattern_is_paired(shape->pattern); i++)
		order->source[i] = order->destination[i] = (uint16_t)i;
}

/* Flow h x peers + i goes to peer i, so that a port sends to all its peers before it sends to one of them again (RFC
 * 2889 5.1.3, 5.2.3, 5.4.3). */
static int build_port(const struct traffic_shape *shape, unsigned port, unsigned hosts, struct traffic *traffic,
                      struct error *error)
{
	struct traffic_port *made = &traffic->port[port];
	uint8_t peers[TRAFFIC_MAX_PORTS];
	const unsigned count = pattern_peers(shape->pattern, shape->bidirectional, traffic->ports, port, peers);

	made->frame_octets = shape->frame_octets;
	if (count == 0)
		return 0;
	made->flow = calloc((size_t)count * hosts, sizeof(*made->flow));
	if (made->flow == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	made->flows = made->ordered = count * hosts;
	made->seed = shape->seed;
	for (unsigned i = 0; i < count; i++) {
		struct host_order order;

		order_hosts(&order, shape, hosts, port, peers[i]);
		for (unsigned h = 0; h < hosts; h++) {
			const struct test_host source = test_host(port, order.source[h]);
			struct test_host destination = test_host(peers[i], order.destination[h]);

			if (shape->routed) /* the gateway's, which is not known yet */
				memset(destination.mac, 0, sizeof(destination.mac));

			make_flow(&made->flow[h * count + i], shape->frame, &source, &destination, peers[i]);
		}
	}
	return 0;
}

uint32_t traffic_least_octets(const struct traffic_shape *shape)
{
	const struct test_host a = test_host(0, 0), b = test_host(1, 0);
	struct packet packet;
	uint32_t least;

	test_frame(&packet, shape->frame, &a, &b);
	if (shape->vlan != TRAFFIC_NO_VLAN)
		packet_add_tag(&packet, TYPE_VLAN, shape->vlan);
	least = packet_least_octets(&packet, true);
	return least < MIN_FRAME_OCTETS ? MIN_FRAME_OCTETS : least;
}

int traffic_build(const struct traffic_shape *shape, unsigned ports, const struct traffic_limits *limits,
                  struct traffic *traffic, struct error *error)
{
	int status = traffic_shape_check(shape, ports, limits, error);
	const bool many = status == 0 && traffic_needs_fields(shape, ports, limits);

	*traffic = (struct traffic){.ports = status ? 0 : ports};
	for (unsigned port = 0; port < ports && status == 0; port++)
		status = build_port(shape, port, many ? 1 : shape->addresses, traffic, error);
	if (status == 0) {
		if (many)
			traffic_vary_hosts(traffic, shape->addresses,
			                   pattern_is_paired(shape->pattern) ? NULL : &shape->seed);
		if (shape->sizes.count)
			status = traffic_mix_lengths(traffic, &shape->sizes, error);
	}
	if (status == 0)
		status = traffic_modify(traffic, shape, error);
	if (status == 0) {
		if (shape->vlan != TRAFFIC_NO_VLAN)
			traffic_add_tag(traffic, TYPE_VLAN, shape->vlan);
		traffic_fix(traffic);
		status = traffic_check(traffic, limits, error);
	}
	if (status)
		traffic_free(traffic);
	return status;
}
