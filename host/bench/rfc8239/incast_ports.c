/* SPDX-License-Identifier: Apache-2.0 */
/* Decides who sends what to whom in a test of TCP incast. */
#include "host/bench/rfc8239/incast.h"

#include "host/trial/tcp_registers.h"
#include "host/trial/traffic.h"

static bool is_given(const struct incast_settings *settings)
{
	return settings->stateful != 0;
}

unsigned incast_variations(const struct incast_settings *settings, unsigned ports)
{
	return is_given(settings) ? 1 : 2 * (ports - 2) - 1; /* one and one are in both series, and measured once */
}

unsigned incast_positions(const struct incast_settings *settings, unsigned ports)
{
	return settings->positions && settings->positions < ports ? settings->positions : ports;
}

static unsigned moved(unsigned first, unsigned count, unsigned by, unsigned ports)
{
	unsigned mask = 0;

	for (unsigned port = first; port < first + count; port++)
		mask |= 1u << (port + by) % ports;
	return mask;
}

struct incast_ports incast_ports(const struct incast_settings *settings, unsigned ports, unsigned number,
                                 unsigned position)
{
	const unsigned most = ports - 2;
	unsigned stateful = number < most ? number + 1 : 1, stateless = number < most ? 1 : number - most + 2;

	if (is_given(settings)) {
		stateful = settings->stateful;
		stateless = settings->stateless;
	}
	return (struct incast_ports){.stateful = moved(0, stateful, position, ports),
	                             .stateless = moved(stateful, stateless, position, ports),
	                             .egress = (stateful + stateless + position) % ports};
}

int incast_check_ports(const struct incast_settings *settings, unsigned ports, struct error *error)
{
	const unsigned stateful = is_given(settings) ? settings->stateful : ports - 2;

	if (is_given(settings) && settings->stateful + settings->stateless >= ports)
		return error_set(error, ERROR_PLAN,
		                 "stateful = %u and stateless = %u: must be below %u together, the number of ports, so "
		                 "that there is one to receive (RFC 8239 section 6.2)",
		                 settings->stateful, settings->stateless, ports);
	if (settings->connections * stateful > TRIAL_MAX_CONNECTIONS)
		return error_set(
		        error, ERROR_PLAN,
		        "connections = %u of each of up to %u stateful ports: must be at most %u, as a port can "
		        "receive %d",
		        settings->connections, stateful, TRIAL_MAX_CONNECTIONS / stateful, TRIAL_MAX_CONNECTIONS);
	return 0;
}

int incast_traffic(const struct session *session, const struct incast_ports *ports, const struct trial_tcp *tcp,
                   struct traffic *traffic, struct error *error)
{
	const struct device_identity *device = session->context->tester->info.device;
	struct port_plan plan = {.ports = device->ports};
	struct traffic mesh;
	int status = trial_traffic_of_shape(&session->shape, device, &mesh, error);

	if (status)
		return status;
	for (unsigned port = 0; port < device->ports; port++)
		if (ports->stateless >> port & 1)
			port_plan_add(&plan, port, ports->egress);
	status = trial_traffic_of_shape(&session->shape, device, traffic, error);
	if (status) {
		traffic_free(&mesh);
		return status;
	}
	if (!port_traffic_choose(traffic, &plan))
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	if (status == 0)
		status = tcp_add_flows(&mesh, tcp, traffic, error);
	traffic_free(&mesh);
	if (status)
		traffic_free(traffic);
	return status;
}
