/* SPDX-License-Identifier: Apache-2.0 */
/* Counts how often each flow has its turn, and what follows from it: frames expected at each port, octets, averages.
 * The counts are exact, and take a time that does not depend on the number of frames. */
#include "host/traffic/traffic.h"

#include <stdlib.h>

#include "host/base/uint128.h"

/* The longest cycle for which octets fit 64 bits. */
static const uint64_t LONGEST_CYCLE = UINT64_C(1) << 48;

void traffic_free(struct traffic *traffic)
{
	for (unsigned port = 0; port < traffic->ports; port++) {
		free(traffic->port[port].flow);
		free(traffic->port[port].turn);
		free(traffic->port[port].length);
	}
	*traffic = (struct traffic){0};
}

/* The number of turns after which the first one comes again. */
static unsigned turns_of(const struct traffic_port *port)
{
	return port->order == TRAFFIC_BY_TABLE ? port->turns : port->ordered;
}

/* Counts the turns of the flow among the first `turns`, which are at most all. */
static unsigned turns_of_flow(const struct traffic_port *port, unsigned flow, unsigned turns)
{
	unsigned count = 0;

	if (port->order != TRAFFIC_BY_TABLE)
		return flow < turns;
	for (unsigned i = 0; i < turns; i++)
		count += port->turn[i] == flow;
	return count;
}

uint64_t traffic_frames_of_flow(const struct traffic *traffic, unsigned port, unsigned flow, uint64_t frames)
{
	const struct traffic_port *from = &traffic->port[port];
	const unsigned turns = turns_of(from);
	const uint64_t others = from->every ? frames / from->every : 0, taken = frames - others;
	uint64_t count = from->every && flow == from->every_flow ? others : 0;

	if (turns == 0 || flow >= from->ordered)
		return count;
	return count + taken / turns * turns_of_flow(from, flow, turns) +
	       turns_of_flow(from, flow, (unsigned)(taken % turns));
}

/* All frames of the port must arrive at the same ports, so it does not matter whose turn it was. */
static bool arrives_alike(const struct traffic_port *port)
{
	for (unsigned flow = 1; flow < port->flows; flow++)
		if (port->flow[flow].arrives != port->flow[0].arrives)
			return false;
	return true;
}

static void add_arrivals(uint64_t expected[TRAFFIC_MAX_PORTS], unsigned arrives, uint64_t frames)
{
	for (unsigned to = 0; to < TRAFFIC_MAX_PORTS; to++)
		if (arrives >> to & 1)
			expected[to] += frames;
}

void traffic_expected(const struct traffic *traffic, const uint64_t offered[TRAFFIC_MAX_PORTS],
                      uint64_t expected[TRAFFIC_MAX_PORTS])
{
	for (unsigned to = 0; to < TRAFFIC_MAX_PORTS; to++)
		expected[to] = 0;
	for (unsigned port = 0; port < traffic->ports; port++) {
		const struct traffic_port *from = &traffic->port[port];

		if (!traffic_sends(traffic, port))
			continue;
		if (arrives_alike(from)) {
			add_arrivals(expected, from->flow[0].arrives, offered[port]);
			continue;
		}
		for (unsigned flow = 0; flow < from->flows; flow++)
			add_arrivals(expected, from->flow[flow].arrives,
			             traffic_frames_of_flow(traffic, port, flow, offered[port]));
	}
}

void traffic_expected_apart(const struct traffic *traffic, const uint64_t offered[TRAFFIC_MAX_PORTS],
                            uint64_t sent[TRAFFIC_MAX_PORTS], uint64_t expected[TRAFFIC_MAX_PORTS])
{
	for (unsigned port = 0; port < TRAFFIC_MAX_PORTS; port++)
		sent[port] = expected[port] = 0;
	for (unsigned port = 0; port < traffic->ports; port++) {
		const struct traffic_port *from = &traffic->port[port];

		for (unsigned flow = 0; flow < from->flows; flow++) {
			uint64_t frames;

			if (!from->flow[flow].apart)
				continue;
			frames = traffic_frames_of_flow(traffic, port, flow, offered[port]);
			sent[port] += frames;
			add_arrivals(expected, from->flow[flow].arrives, frames);
		}
	}
}

/* Octets of the first `frames` frames of a flow. */
static uint64_t flow_octets(const struct traffic_port *port, const struct traffic_flow *flow, uint64_t frames)
{
	const uint16_t *length = port->length + flow->first_length;
	uint64_t all = 0, some = 0;

	if (flow->lengths == 0)
		return frames * port->frame_octets;
	for (unsigned i = 0; i < flow->lengths; i++) {
		all += length[i];
		if (i < frames % flow->lengths)
			some += length[i];
	}
	return frames / flow->lengths * all + some;
}

static bool has_lengths(const struct traffic_port *port)
{
	for (unsigned flow = 0; flow < port->flows; flow++)
		if (port->flow[flow].lengths)
			return true;
	return false;
}

uint64_t traffic_octets(const struct traffic *traffic, unsigned port, uint64_t frames)
{
	const struct traffic_port *from = &traffic->port[port];
	uint64_t octets = 0;

	if (!has_lengths(from))
		return from->ordered ? frames * from->frame_octets : 0;
	for (unsigned flow = 0; flow < from->flows; flow++)
		octets += flow_octets(from, &from->flow[flow], traffic_frames_of_flow(traffic, port, flow, frames));
	return octets;
}

uint32_t traffic_longest(const struct traffic *traffic)
{
	uint32_t longest = 0;

	for (unsigned i = 0; i < traffic->ports; i++) {
		const struct traffic_port *port = &traffic->port[i];

		for (unsigned f = 0; f < port->flows; f++) {
			const struct traffic_flow *flow = &port->flow[f];
			const struct traffic_rule *rule = traffic_rule_of(port, f);
			const uint32_t octets = rule ? rule->frame_octets : port->frame_octets;

			if (flow->lengths == 0 && octets > longest)
				longest = octets;
			for (unsigned n = 0; n < flow->lengths; n++)
				if (port->length[flow->first_length + n] > longest)
					longest = port->length[flow->first_length + n];
		}
	}
	return longest;
}

uint64_t traffic_cycle(const struct traffic *traffic, unsigned port)
{
	const struct traffic_port *from = &traffic->port[port];
	const uint64_t turns = (uint64_t)turns_of(from) * (from->every ? from->every : 1);
	uint64_t rounds = 1; /* rounds of turns after which every flow is back at its first length */

	for (unsigned f = 0; f < from->flows; f++) {
		const unsigned lengths = from->flow[f].lengths;

		if (lengths)
			rounds *= lengths / (uint64_t)greatest_common_divisor(rounds, lengths);
		if (rounds > LONGEST_CYCLE)
			return 0;
	}
	return (uint128)turns * rounds <= LONGEST_CYCLE ? turns * rounds : 0;
}

struct traffic_mean traffic_mean_octets(const struct traffic *traffic, unsigned port)
{
	const struct traffic_port *from = &traffic->port[port];
	uint64_t frames, octets, divisor;

	if (from->ordered == 0)
		return (struct traffic_mean){0, 1};
	if (!has_lengths(from))
		return (struct traffic_mean){from->frame_octets, 1};
	frames = traffic_cycle(traffic, port);
	octets = traffic_octets(traffic, port, frames);
	divisor = (uint64_t)greatest_common_divisor(frames, octets);
	return (struct traffic_mean){octets / divisor, frames / divisor};
}

struct rate traffic_max_rate(const struct traffic *traffic, unsigned port, uint64_t link_bps)
{
	const struct traffic_mean mean = traffic_mean_octets(traffic, port);

	return rate_scale((struct rate){link_bps, 8}, mean.frames, mean.octets + mean.frames * LINE_OVERHEAD_OCTETS);
}
