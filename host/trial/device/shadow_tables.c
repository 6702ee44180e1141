/* SPDX-License-Identifier: Apache-2.0 */
/* Tables are written in parts: a flow, the lengths of a port, its turns, its rules, the streams expected of a source. A
 * part is written as a whole or not at all. */
#include "host/trial/device/shadow_tables.h"

#include <stdlib.h>

#include "host/base/fnv1a.h"

struct part {
	unsigned count;
	struct register_write writes[TABLE_MAX_WRITES];
};

/* FNV-1a of the writes; never 0. Two parts that differ have the same one by chance once in 2^64. */
static uint64_t hash_of(const struct part *part)
{
	const uint64_t hash = fnv1a(FNV1A_OF_NOTHING, part->writes, part->count * sizeof(*part->writes));

	return hash ? hash : 1;
}

static int write_part(const struct part *part, uint64_t *shadow, struct device *device, struct error *error)
{
	const uint64_t hash = hash_of(part);

	if (part->count == 0 || *shadow == hash)
		return 0;
	for (unsigned i = 0; i < part->count; i++) {
		int status = device_write32(device, part->writes[i].address, part->writes[i].value, error);

		if (status)
			return status;
	}
	*shadow = hash;
	return 0;
}

static int write_flows(struct shadow_port *shadow, struct device *device, const struct traffic *traffic, unsigned port,
                       bool with_host_queue, struct part *part, struct error *error)
{
	const unsigned last = host_queue_flow(device_identity(device));
	int status = 0;

	if (with_host_queue && traffic->port[port].flows <= last) {
		part->count = host_queue_flow_registers(port, last, part->writes);
		status = write_part(part, &shadow->flow[last], device, error);
	}
	for (unsigned flow = 0; flow < traffic->port[port].flows && status == 0; flow++) {
		part->count = flow_registers(traffic, port, flow, part->writes);
		status = write_part(part, &shadow->flow[flow], device, error);
	}
	return status;
}

static int write_port(struct shadow_port *shadow, struct device *device, const struct traffic *traffic, unsigned port,
                      uint64_t tag_after_ot, bool with_host_queue, struct part *part, struct error *error)
{
	int status = 0;

	for (unsigned source = 0; source < traffic->ports && status == 0; source++) {
		part->count = expected_registers(traffic, port, source, part->writes);
		status = write_part(part, &shadow->expected[source], device, error);
	}
	if (status == 0)
		status = write_flows(shadow, device, traffic, port, with_host_queue, part, error);
	if (status == 0) {
		part->count = length_registers(traffic, port, part->writes);
		status = write_part(part, &shadow->lengths, device, error);
	}
	if (status == 0) {
		part->count = turn_registers(traffic, port, part->writes);
		status = write_part(part, &shadow->turns, device, error);
	}
	if (status == 0) {
		part->count =
		        rule_registers(traffic, port, device_identity(device)->link_bps, tag_after_ot, part->writes);
		status = write_part(part, &shadow->rules, device, error);
	}
	return status;
}

int shadow_tables_write(struct shadow_tables *shadow, struct device *device, const struct traffic *traffic,
                        uint64_t tag_after_ot, bool with_host_queue, struct error *error)
{
	struct part *part = malloc(sizeof(*part));
	int status = part ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");

	for (unsigned port = 0; port < traffic->ports && status == 0; port++)
		status = write_port(&shadow->port[port], device, traffic, port, tag_after_ot, with_host_queue, part,
		                    error);
	free(part);
	return status;
}
