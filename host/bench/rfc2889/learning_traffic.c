/* SPDX-License-Identifier: Apache-2.0 */
/* All frames are test frames, with a signature: those that teach as well, so it is known that the device got them. */
#include "host/bench/rfc2889/learning_traffic.h"

#include <stdlib.h>
#include <string.h>

#include "host/traffic/draw.h"
#include "host/traffic/frame_template.h"
#include "host/traffic/modifier.h"
#include "host/traffic/test_host.h"

enum {
	/* The 32 bits of a field end with the address: its number is in the last 24. */
	DESTINATION_FIELD = 2,
	SOURCE_FIELD = 8,
};

static struct traffic_field numbers(unsigned octet, uint32_t addresses, enum address_order order, uint32_t seed)
{
	struct traffic_field field = {
	        .octet = (uint8_t)octet, .step = 1, .mask = TEST_NUMBERED_MACS - 1, .count = addresses};
	struct draw draw = draw_begin(seed);

	if (order == ADDRESSES_SCATTERED) {
		field.start = draw_next(&draw);
		field.step = draw_next(&draw) | 1; /* odd, so no number comes twice */
	}
	return field;
}

static unsigned arrives_of(enum learning_phase phase, unsigned ports)
{
	switch (phase) {
	case LEARNING_HELLO:
		return ((1u << ports) - 1) & ~(1u << TEST_PORT);
	case LEARNING_TEACH:
		return 1u << TEST_PORT;
	case LEARNING_ASK:
		return 1u << LEARNING_PORT;
	}
	return 0;
}

static void make_flow(struct traffic_flow *flow, const struct traffic_shape *shape, unsigned ports,
                      enum learning_phase phase, const struct traffic_field *field)
{
	struct test_host learned = test_host(LEARNING_PORT, 0), tester = test_host(TEST_PORT, 0);

	memcpy(learned.mac, TEST_NUMBERED_MAC, sizeof(learned.mac));
	*flow = (struct traffic_flow){.arrives = (uint16_t)arrives_of(phase, ports), .measured = true};
	if (phase == LEARNING_TEACH)
		test_frame(&flow->packet, shape->frame, &learned, &tester);
	else
		test_frame(&flow->packet, shape->frame, &tester, &learned);
	if (phase == LEARNING_HELLO)
		memset(flow->packet.octets, 0xFF, MAC_OCTETS);
	else
		flow->field[0] = *field;
}

int learning_traffic(const struct traffic_shape *shape, unsigned ports, enum learning_phase phase, uint32_t addresses,
                     enum address_order order, struct traffic *traffic, struct error *error)
{
	const unsigned sender = phase == LEARNING_TEACH ? LEARNING_PORT : TEST_PORT;
	const struct traffic_field field =
	        numbers(phase == LEARNING_TEACH ? SOURCE_FIELD : DESTINATION_FIELD, addresses, order, shape->seed);
	struct traffic_port *port = &traffic->port[sender];

	*traffic = (struct traffic){.ports = ports, .teaches = true};
	port->flow = calloc(1, sizeof(*port->flow));
	if (port->flow == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	port->flows = port->ordered = 1;
	port->seed = shape->seed;
	port->frame_octets = shape->frame_octets;
	make_flow(port->flow, shape, ports, phase, &field);
	if (shape->vlan != TRAFFIC_NO_VLAN)
		traffic_add_tag(traffic, TYPE_VLAN, shape->vlan);
	traffic_fix(traffic);
	return 0;
}
