/* SPDX-License-Identifier: Apache-2.0 */
/* Two passes: counts of frames, which say whose row is kept; then what else is in a row. Late frames are judged flow by
 * flow on the way, and then those of ports and of the trial. */
#include "host/trial/device/flows.h"

#include <string.h>

#include "host/traffic/traffic.h"
#include "host/trial/device/registers.h"
#include "host/trial/judging/late.h"
#include "host/trial/judging/sum.h"
#include "host/trial/traffic.h"

struct reader {
	struct device *device;
	const struct traffic *traffic;
	const struct trial_counters *counters;
	size_t next;                        /* next of the streams among the counters, which are in order */
	unsigned arriving[TRIAL_MAX_PORTS]; /* flows that must arrive at each port */
	const struct latency_ways *ways;
	struct trial_late late[TRIAL_MAX_PORTS];  /* late test frames that must arrive at each port, */
	struct trial_late apart[TRIAL_MAX_PORTS]; /* and of those that are counted apart */
	struct trial_result *result;
};

static bool must_arrive(const struct trial_flow *row, unsigned port)
{
	return row->arrives >> port & 1;
}

static int read_stream(struct reader *reader, struct stream_counters *stream, struct error *error)
{
	const struct stream_counters *known = &reader->counters->stream[reader->next];

	if (reader->next < reader->counters->stream_count && known->source_port == stream->source_port &&
	    known->entry == stream->entry && known->receiver_port == stream->receiver_port) {
		*stream = *known;
		reader->next++;
		return 0;
	}
	return registers_read_stream(reader->device, stream, error);
}

static void add_late(struct reader *reader, const struct trial_flow *row, unsigned to, const struct trial_late *late)
{
	const bool apart = reader->traffic->port[row->port].flow[row->flow].apart;
	struct trial_late *sum = apart ? &reader->apart[to] : &reader->late[to];

	sum->reordered += late->reordered;
	sum->duplicated += late->duplicated;
}

static void add_stream(struct reader *reader, struct trial_flow *row, const struct stream_counters *stream)
{
	const struct trial_late late = trial_late(stream);
	const uint64_t received =
	        trial_distinct_received(stream->received, stream->duplicated, stream->late) + late.reordered;

	row->offered_frames = stream->sent;
	row->received_frames += received;
	row->lost_frames += stream->sent > received ? stream->sent - received : 0;
	row->duplicated_frames += stream->duplicated + late.duplicated;
	row->reordered_frames += late.reordered;
	row->late_frames += stream->late - late.reordered - late.duplicated;
	add_late(reader, row, stream->receiver_port, &late);
}

static int read_counts(struct reader *reader, struct trial_flow *row, struct error *error)
{
	int status = 0;

	if (row->arrives == 0)
		return registers_read_sent(reader->device, row->port, row->flow, &row->offered_frames, error);
	for (unsigned to = 0; to < reader->traffic->ports && status == 0; to++) {
		struct stream_counters stream = {row->port, row->flow, to, 0, 0, 0, 0, 0, 0};

		if (!must_arrive(row, to))
			continue;
		status = read_stream(reader, &stream, error);
		add_stream(reader, row, &stream);
	}
	return status;
}

/* Keeps a row in order; if there are more than have room, those that lost most. */
static void keep(struct trial_result *result, const struct trial_flow *row)
{
	unsigned at = result->flows;

	if (result->flow_count > TRIAL_MAX_FLOWS)
		while (at > 0 && result->flow[at - 1].lost_frames < row->lost_frames)
			at--;
	if (at == TRIAL_MAX_FLOWS)
		return;
	if (result->flows < TRIAL_MAX_FLOWS)
		result->flows++;
	memmove(&result->flow[at + 1], &result->flow[at], (result->flows - at - 1) * sizeof(*row));
	result->flow[at] = *row;
}

static bool is_enough(const struct reader *reader)
{
	const struct trial_result *result = reader->result;

	for (unsigned port = 0; port < reader->counters->ports; port++)
		if (reader->counters->port[port].rx_late_frames)
			return false;
	return result->lost_frames == 0 && result->flows == TRIAL_MAX_FLOWS;
}

static int read_port(struct reader *reader, unsigned port, struct error *error)
{
	const struct traffic_port *from = &reader->traffic->port[port];
	int status = 0;

	for (unsigned f = 0; f < from->flows && status == 0 && !is_enough(reader); f++) {
		struct trial_flow row = {.port = port, .flow = f, .arrives = from->flow[f].arrives};

		status = read_counts(reader, &row, error);
		if (status == 0)
			keep(reader->result, &row);
	}
	return status;
}

/* The counts of the only flow that arrives at a port are those of the port. */
static int read_latency(const struct reader *reader, const struct trial_flow *row, unsigned to,
                        uint64_t *reordered_frames, struct latency_stats *latency, struct error *error)
{
	const struct trial_port *port = &reader->result->port[to];

	if (reader->arriving[to] > 1)
		return registers_read_stream_latency(reader->device, row, to, reordered_frames, latency, error);
	*reordered_frames = port->reordered_frames;
	*latency = port->latency;
	return 0;
}

static uint64_t way_ot(const struct latency_ways *ways, unsigned from, unsigned to)
{
	return ways->ot[from][to] == LATENCY_WAY_UNKNOWN ? 0 : ways->ot[from][to];
}

static int read_rest(const struct reader *reader, struct trial_flow *row, struct error *error)
{
	int status = 0;

	for (unsigned to = 0; to < reader->traffic->ports && status == 0; to++) {
		struct latency_stats latency = {0};
		uint64_t frames = 0;

		if (must_arrive(row, to)) {
			status = read_latency(reader, row, to, &frames, &latency, error);
			trial_shift_latency(&latency, way_ot(reader->ways, row->port, to));
			trial_add_latency(&row->latency, &latency);
			row->reordered_frames += frames;
		} else if (reader->result->port[to].wrong_port_frames) {
			status = registers_read_unexpected(reader->device, row, to, &frames, error);
			row->wrong_port_frames += frames;
		}
	}
	return status;
}

static uint64_t less(uint64_t all, uint64_t some)
{
	return all > some ? all - some : 0;
}

/* Order is counted of all frames together, everything else without those that are counted apart. */
static void judge_late(const struct reader *reader)
{
	struct trial_result *result = reader->result;

	for (unsigned i = 0; i < result->ports; i++) {
		const struct trial_late *late = &reader->late[i], *apart = &reader->apart[i];
		struct trial_port *port = &result->port[i];

		port->duplicated_frames += late->duplicated;
		port->reordered_frames += late->reordered + apart->reordered;
		port->late_frames = less(port->late_frames, late->reordered + late->duplicated);
		port->broadcast_received_frames += apart->reordered;
		result->received_frames += late->reordered;
		result->lost_frames = less(result->lost_frames, late->reordered);
		result->duplicated_frames += late->duplicated;
		result->reordered_frames += late->reordered + apart->reordered;
		result->far_reordered_frames += late->reordered + apart->reordered;
		result->late_frames = less(result->late_frames, late->reordered + late->duplicated);
	}
}

static void count_arriving(struct reader *reader)
{
	const struct traffic *traffic = reader->traffic;

	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
			for (unsigned to = 0; to < traffic->ports; to++)
				reader->arriving[to] += traffic->port[port].flow[flow].arrives >> to & 1;
}

int device_flows_read(struct device *device, const struct trial_request *request, const struct trial_counters *counters,
                      const struct latency_ways *ways, struct trial_result *result, struct error *error)
{
	struct reader reader = {
	        .device = device, .traffic = request->traffic, .counters = counters, .ways = ways, .result = result};
	int status = 0;

	result->flow_count = trial_traffic_flows(request->traffic);
	result->flows = 0;
	count_arriving(&reader);
	for (unsigned port = 0; port < request->traffic->ports && status == 0; port++)
		if (traffic_sends(request->traffic, port))
			status = read_port(&reader, port, error);
	for (unsigned i = 0; i < result->flows && status == 0; i++)
		status = read_rest(&reader, &result->flow[i], error);
	if (status == 0)
		judge_late(&reader);
	return status;
}
