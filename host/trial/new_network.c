/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of the first flow of the port, with another destination. */
#include "host/trial/new_network.h"

#include <string.h>

#include "host/traffic/test_host.h"

enum { IPV4_DESTINATION = 16, IPV6_DESTINATION = 24 }; /* octets of the header */

const struct traffic_rule *trial_rule_at_tag(const struct traffic *traffic, unsigned port)
{
	const struct traffic_port *from = &traffic->port[port];

	for (unsigned i = 0; i < from->rules; i++)
		if (from->rule[i].at_tag)
			return &from->rule[i];
	return NULL;
}

/* The port where the frame must arrive. */
static unsigned receiver_of(const struct traffic_port *from)
{
	return (unsigned)__builtin_ctz(from->flow[0].arrives);
}

static void send_to(struct packet *packet, const struct test_host *host, uint32_t frame_octets)
{
	uint8_t *l3 = packet->octets + packet->l3;

	packet_unfix(packet);
	if (packet->network == PACKET_IPV4)
		memcpy(l3 + IPV4_DESTINATION, host->ipv4, sizeof(host->ipv4));
	else
		memcpy(l3 + IPV6_DESTINATION, host->ipv6, sizeof(host->ipv6));
	if (packet_is_fixable(packet))
		packet_fix(packet, frame_octets);
}

static int add_rule(struct traffic *traffic, unsigned port, struct error *error)
{
	const struct traffic_port *from = &traffic->port[port];
	const struct traffic_flow like = from->flow[0];
	const struct traffic_rule rule = {.modifier = TRAFFIC_NEW_NETWORK,
	                                  .at_tag = true,
	                                  .frame_octets =
	                                          like.lengths ? from->length[like.first_length] : from->frame_octets};
	const int status = traffic_add_rule(traffic, port, &like.packet, &rule, error);

	if (status == 0) {
		struct traffic_flow *flow = &from->flow[from->flows - 1];

		flow->measured = true;
		flow->arrives = (uint16_t)(1u << receiver_of(from));
	}
	return status;
}

int trial_new_network_add(struct traffic *traffic, const struct traffic_shape *shape, struct error *error)
{
	int status = 0;

	if (!traffic_has(shape, TRAFFIC_NEW_NETWORK))
		return 0;
	for (unsigned port = 0; port < traffic->ports && status == 0; port++)
		if (traffic_sends(traffic, port))
			status = add_rule(traffic, port, error);
	if (status == 0)
		trial_new_network_number(traffic, 0);
	return status;
}

/* Ports below `end` whose frame goes to the same port as that of `like`. */
static unsigned senders_to(const struct traffic *traffic, const struct traffic_port *like, unsigned end)
{
	unsigned senders = 0;

	for (unsigned port = 0; port < end; port++)
		senders += trial_rule_at_tag(traffic, port) != NULL &&
		           receiver_of(&traffic->port[port]) == receiver_of(like);
	return senders;
}

void trial_new_network_number(struct traffic *traffic, unsigned number)
{
	for (unsigned port = 0; port < traffic->ports; port++) {
		const struct traffic_rule *rule = trial_rule_at_tag(traffic, port);
		struct traffic_port *from = &traffic->port[port];
		struct test_host host;

		if (rule == NULL)
			continue;
		host = test_host_in_network(receiver_of(from), number * senders_to(traffic, from, traffic->ports) +
		                                                       senders_to(traffic, from, port));
		send_to(&from->flow[rule->flow].packet, &host, rule->frame_octets);
	}
}
