/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what each flow sent in a trial, and what of it arrived, as JSON. */
#include "host/base/json_write.h"
#include "host/bench/result.h"

#include <math.h>

void result_row_latency(json_t *row, const struct latency_stats *latency, uint64_t link_bps)
{
	const bool known = latency->frames != 0;

	result_number(row, "latency_min_ns", known ? ns_from_octet_times(latency->min_ot, link_bps) : NAN);
	result_number(row, "latency_mean_ns", known ? ns_from_mean(latency->mean_ot, latency->frames, link_bps) : NAN);
	result_number(row, "latency_max_ns", known ? ns_from_octet_times(latency->max_ot, link_bps) : NAN);
}

static json_t *ports_of(unsigned bits)
{
	json_t *ports = json_array();

	for (unsigned port = 0; port < TRIAL_MAX_PORTS; port++)
		if (bits >> port & 1)
			json_add(ports, json_integer((json_int_t)port));
	return ports;
}

static json_t *row_of(const struct trial_flow *flow, uint64_t link_bps)
{
	json_t *row = json_object();

	result_count(row, "source_port", flow->port);
	result_count(row, "flow", flow->flow);
	json_put(row, "destination_ports", ports_of(flow->arrives));
	result_count(row, "offered_frames", flow->offered_frames);
	result_count(row, "received_frames", flow->received_frames);
	result_count(row, "lost_frames", flow->lost_frames);
	result_count(row, "duplicated_frames", flow->duplicated_frames);
	result_count(row, "reordered_frames", flow->reordered_frames);
	result_count(row, "late_frames", flow->late_frames);
	result_count(row, "wrong_port_frames", flow->wrong_port_frames);
	result_row_latency(row, &flow->latency, link_bps);
	return row;
}

json_t *result_flow_rows(const struct session *session, const struct trial_result *trial)
{
	json_t *rows = json_array();

	for (unsigned i = 0; i < trial->flows && i < TRIAL_MAX_FLOWS; i++)
		json_add(rows, row_of(&trial->flow[i], session_link_bps(session)));
	return rows;
}
