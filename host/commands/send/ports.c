/* SPDX-License-Identifier: Apache-2.0 */
/* --ports: traffic of a pattern without some of its senders. */
#include "host/commands/send/ports.h"

#include <inttypes.h>

#include "host/base/text.h"

/* "0, 2" */
static const char *senders_text(const struct traffic *traffic, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (unsigned port = 0; port < traffic->ports; port++)
		if (traffic_sends(traffic, port))
			length = text_add(text, size, length, "%s%u", length ? ", " : "", port);
	return text;
}

static int check_ports(const struct send_options *options, const struct plan_counts *ports,
                       const struct traffic *traffic, struct error *error)
{
	char senders[80];

	for (unsigned i = 0; i < ports->count; i++) {
		const uint32_t port = ports->value[i];

		if (port >= traffic->ports)
			return error_set(error, ERROR_PLAN,
			                 "--ports %s: port %" PRIu32
			                 ": must be below %u, the number of ports of the device",
			                 options->ports, port, traffic->ports);
		if (!traffic_sends(traffic, port))
			return error_set(error, ERROR_PLAN,
			                 "--ports %s: port %" PRIu32
			                 " does not send with this pattern and direction: must be some of %s",
			                 options->ports, port, senders_text(traffic, senders, sizeof(senders)));
	}
	return 0;
}

static bool is_among(const struct plan_counts *ports, unsigned port)
{
	for (unsigned i = 0; i < ports->count; i++) {
		if (ports->value[i] == port)
			return true;
	}
	return false;
}

int send_ports_choose(const struct send_options *options, const struct plan_counts *ports, struct traffic *traffic,
                      struct error *error)
{
	if (check_ports(options, ports, traffic, error))
		return error->code;
	for (unsigned port = 0; port < traffic->ports; port++) {
		if (!is_among(ports, port))
			traffic->port[port].flows = traffic->port[port].ordered = 0;
	}
	return 0;
}
