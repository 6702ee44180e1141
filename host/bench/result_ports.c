/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what each port sent and received in a trial, as JSON. */
#include <inttypes.h>

#include "host/base/json_write.h"
#include "host/bench/result.h"
#include "host/traffic/traffic.h"
#include "host/trial/judging/sum.h"

/* The traffic was sent already, and is only counted here. */
static const struct traffic_limits ANY = {.flows = 256, .bodies = 256, .least_octets = 1, .most_octets = UINT16_MAX};

/* Counts the frames that had to arrive at each port, of those that the ports sent. False: not known. */
static bool expected_of(const struct session *session, const struct trial_result *trial,
                        uint64_t expected[TRIAL_MAX_PORTS])
{
	uint64_t offered[TRIAL_MAX_PORTS] = {0};
	struct traffic traffic = {0};
	struct error ignored = {0};

	if (!session->traffic && traffic_build(&session->shape, trial->ports, &ANY, &traffic, &ignored))
		return false;
	for (unsigned i = 0; i < trial->ports; i++)
		offered[i] = trial->port[i].offered_frames + trial->port[i].broadcast_offered_frames;
	traffic_expected(session->traffic ? session->traffic : &traffic, offered, expected);
	for (unsigned i = 0; i < trial->ports; i++)
		expected[i] -= trial->port[i].broadcast_expected_frames;
	traffic_free(&traffic);
	return true;
}

/* expected NULL: not known. */
static json_t *row_of(unsigned number, const struct trial_port *port, const uint64_t *expected, uint64_t link_bps)
{
	const uint64_t received =
	        trial_distinct_received(port->received_frames, port->duplicated_frames, port->late_frames);
	json_t *row = json_object();

	json_put(row, "port", json_integer(number));
	result_count(row, "offered_frames", port->offered_frames);
	result_count(row, "received_frames", received);
	result_count(row, "lost_frames", !expected ? COUNT_UNKNOWN : *expected > received ? *expected - received : 0);
	result_count(row, "wrong_port_frames", port->wrong_port_frames);
	result_row_latency(row, &port->latency, link_bps);
	return row;
}

/* An external program reports the sums of all. */
static bool has_ports(const struct trial_result *trial)
{
	return trial && trial->ports >= 2;
}

static json_t *port_rows(const struct session *session, const struct trial_result *trial)
{
	uint64_t expected[TRIAL_MAX_PORTS] = {0};
	json_t *ports = json_array();
	bool known;

	if (!has_ports(trial))
		return ports;
	known = expected_of(session, trial, expected);
	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		json_add(ports, row_of(i, &trial->port[i], known ? &expected[i] : NULL, session_link_bps(session)));
	return ports;
}

static json_t *flow_rows(const struct session *session, const struct trial_result *trial)
{
	return has_ports(trial) ? result_flow_rows(session, trial) : json_array();
}

void result_ports(json_t *result, const struct session *session, const struct trial_result *trial)
{
	const uint64_t flows = has_ports(trial) ? trial->flow_count : COUNT_UNKNOWN;

	json_put(result, "ports", port_rows(session, trial));
	result_count(result, "flow_count", flows);
	json_put(result, "flows", flow_rows(session, trial));
	if (flows != COUNT_UNKNOWN && flows > trial->flows && trial->flows)
		result_flag(result, "of %" PRIu64 " flows, the %u that lost most are listed", flows, trial->flows);
}

void result_upper_ports(json_t *result, const struct session *session, const struct trial_result *trial)
{
	json_put(result, "upper_ports", port_rows(session, trial));
	json_put(result, "upper_flows", flow_rows(session, trial));
}
