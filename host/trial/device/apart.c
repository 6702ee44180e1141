/* SPDX-License-Identifier: Apache-2.0 */
/* Streams of flows that are counted apart, at every port where they must arrive. */
#include "host/trial/device/apart.h"

#include "host/trial/device/registers.h"
#include "host/trial/judging/sum.h"

/* Adds what a port received of a flow that is counted apart. */
static int add(struct device *device, unsigned source, unsigned flow, unsigned receiver, struct apart_counters *sum,
               struct error *error)
{
	struct stream_counters stream = {.source_port = source, .entry = flow, .receiver_port = receiver};
	const int status = registers_read_stream(device, &stream, error);

	sum->received += stream.received;
	sum->duplicated += stream.duplicated;
	sum->late += stream.late;
	return status;
}

/* The same of a rule at its tag. */
static int add_at_tag(struct device *device, unsigned source, unsigned flow, unsigned receiver,
                      struct trial_counters *counters, struct error *error)
{
	struct apart_counters frames = {0};
	const int status = add(device, source, flow, receiver, &frames, error);

	counters->at_tag[receiver].received += frames.received;
	counters->at_tag[receiver].duplicated += frames.duplicated;
	counters->at_tag[receiver].late += frames.late;
	counters->at_tag_arrived[source] += trial_distinct_received(frames.received, frames.duplicated, frames.late);
	return status;
}

static int read_port(struct device *device, const struct traffic *traffic, unsigned port,
                     struct trial_counters *counters, struct error *error)
{
	const struct traffic_port *from = &traffic->port[port];
	int status = 0;

	for (unsigned flow = 0; flow < from->flows; flow++)
		for (unsigned to = 0; to < traffic->ports && status == 0; to++)
			if (from->flow[flow].apart && from->flow[flow].arrives >> to & 1)
				status = traffic_rule_of(from, flow)
				                 ? add_at_tag(device, port, flow, to, counters, error)
				                 : add(device, port, flow, to, &counters->apart[to], error);
	return status;
}

int device_apart_read(struct device *device, const struct traffic *traffic, struct trial_counters *counters,
                      struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < traffic->ports && status == 0; port++)
		if (traffic_sends(traffic, port))
			status = read_port(device, traffic, port, counters, error);
	return status;
}
