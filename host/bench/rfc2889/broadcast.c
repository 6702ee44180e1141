/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/rfc2889/broadcast.h"

#include <string.h>

const struct plan_pattern BROADCAST_PATTERN = {
        .pattern = TRAFFIC_ONE_TO_MANY, .bidirectional = false, .clause = "RFC 2889 section 5.10.3"};

int broadcast_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error)
{
	struct traffic_port *source = &traffic->port[0];

	(void)test;
	(void)error;
	source->flows = source->ordered = 1;
	memset(source->flow[0].packet.octets, 0xFF, MAC_OCTETS);
	source->flow[0].arrives = (uint16_t)((1u << traffic->ports) - 2);
	return 0;
}

int broadcast_check_plan(const struct plan *plan, const struct plan_test *test, const struct node *group,
                         struct error *error)
{
	const struct node *at = node_child(group, "test");

	if (rfc2889_refuse_program(plan, test, group, error))
		return error->code;
	if (test->shape.addresses != 1)
		return plan_complain(error, at, "test",
		                     "sends to one address, the broadcast address: traffic.addresses "
		                     "must be 1, not %u (RFC 2889 section 5.10.2)",
		                     test->shape.addresses);
	return 0;
}
