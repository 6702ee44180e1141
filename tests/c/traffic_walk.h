/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic frame by frame, as the transmitter sends it, for tests: whose turn it is, how long the frame is, and to which
 * port its destination address belongs. It shares no arithmetic with host/traffic. */
#ifndef FPGAUGE_TESTS_TRAFFIC_WALK_H
#define FPGAUGE_TESTS_TRAFFIC_WALK_H

#include <criterion/criterion.h>

#include "host/traffic/traffic.h"

static const struct traffic_limits LIMITS = {.flows = 256, .bodies = 512, .least_octets = 54, .most_octets = 16383};

struct walk {
	const struct traffic_port *port;
	uint64_t frames;
	unsigned turn;
	unsigned position[257]; /* place of each flow in its list of lengths */
	uint64_t sent[257];
};

struct walked {
	unsigned flow, octets;
	uint64_t number; /* number of the frame in its flow */
};

static inline struct walked walk_next(struct walk *walk)
{
	const struct traffic_port *port = walk->port;
	const struct traffic_flow *flow;
	struct walked frame;

	walk->frames++;
	if (port->every && walk->frames % port->every == 0) {
		frame.flow = port->every_flow;
	} else {
		const unsigned turns = port->order == TRAFFIC_BY_TABLE ? port->turns : port->ordered;

		frame.flow = port->order == TRAFFIC_BY_TABLE ? port->turn[walk->turn] : walk->turn;
		walk->turn = walk->turn + 1 == turns ? 0 : walk->turn + 1;
	}
	flow = &port->flow[frame.flow];
	frame.octets = port->frame_octets;
	if (flow->lengths) {
		frame.octets = port->length[flow->first_length + walk->position[frame.flow]];
		walk->position[frame.flow] = (walk->position[frame.flow] + 1) % flow->lengths;
	}
	frame.number = walk->sent[frame.flow]++;
	return frame;
}

/* The port whose host a destination MAC address is: 02 'F' 'G' port. */
static inline unsigned walk_destination(const struct traffic_flow *flow)
{
	cr_assert(flow->packet.octets[0] == 2 && flow->packet.octets[1] == 'F' && flow->packet.octets[2] == 'G');
	return flow->packet.octets[3];
}

static inline void build(struct traffic *traffic, const struct traffic_shape *shape, unsigned ports)
{
	struct error error = {0};

	cr_assert_eq(traffic_build(shape, ports, &LIMITS, traffic, &error), 0, "%s", error.text);
}

#endif
