/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/rfc8239/port_traffic.h"

#include <stdlib.h>

#include "host/base/json_write.h"
#include "host/trial/traffic.h"

void port_plan_add(struct port_plan *plan, unsigned from, unsigned to)
{
	plan->sends[from].to[plan->sends[from].count++] = (uint8_t)to;
}

struct port_plan port_plan_shifted(const struct port_plan *plan, unsigned by)
{
	struct port_plan shifted = {.ports = plan->ports};

	for (unsigned from = 0; from < plan->ports; from++)
		for (unsigned i = 0; i < plan->sends[from].count; i++)
			port_plan_add(&shifted, (from + by) % plan->ports,
			              (plan->sends[from].to[i] + by) % plan->ports);
	return shifted;
}

unsigned port_plan_senders(const struct port_plan *plan)
{
	unsigned bits = 0;

	for (unsigned from = 0; from < plan->ports; from++)
		bits |= (plan->sends[from].count != 0) * (1u << from);
	return bits;
}

unsigned port_plan_receivers(const struct port_plan *plan)
{
	unsigned bits = 0;

	for (unsigned from = 0; from < plan->ports; from++)
		for (unsigned i = 0; i < plan->sends[from].count; i++)
			bits |= 1u << plan->sends[from].to[i];
	return bits;
}

/* Number n, from 0, of the flows to a port; NULL: there are not so many. */
static const struct traffic_flow *flow_to(const struct traffic_flow *flows, unsigned count, unsigned to, unsigned n)
{
	for (unsigned i = 0; i < count; i++)
		if (flows[i].arrives == 1u << to && n-- == 0)
			return &flows[i];
	return NULL;
}

/* Keeps at most as many flows as there were, in rounds, each of which goes to every port of the plan once. */
static bool choose(struct traffic_port *port, unsigned count, const uint8_t *to)
{
	const unsigned before = port->flows;
	struct traffic_flow *flows = before ? calloc(before, sizeof(*flows)) : NULL;
	const struct traffic_flow *next;
	unsigned kept = 0;

	if (!flows)
		return before == 0;
	for (unsigned round = 0; count && flow_to(port->flow, before, to[0], round); round++)
		for (unsigned i = 0; i < count; i++)
			if ((next = flow_to(port->flow, before, to[i], round)) != NULL && kept < before)
				flows[kept++] = *next;
	for (unsigned i = 0; i < kept; i++)
		port->flow[i] = flows[i];
	port->flows = port->ordered = kept;
	free(flows);
	return true;
}

bool port_traffic_choose(struct traffic *mesh, const struct port_plan *plan)
{
	for (unsigned number = 0; number < mesh->ports; number++)
		if (!choose(&mesh->port[number], plan->sends[number].count, plan->sends[number].to))
			return false;
	return true;
}

int port_traffic_use(struct session *session, const struct port_plan *plan, struct traffic *traffic,
                     struct error *error)
{
	const int status =
	        trial_traffic_of_shape(&session->shape, session->context->tester->info.device, traffic, error);

	if (status)
		return status;
	if (!port_traffic_choose(traffic, plan)) {
		traffic_free(traffic);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	session->traffic = traffic;
	return 0;
}

json_t *port_list(unsigned bits)
{
	json_t *ports = json_array();

	for (unsigned port = 0; port < TRAFFIC_MAX_PORTS; port++)
		if (bits >> port & 1)
			json_add(ports, json_integer((json_int_t)port));
	return ports;
}
