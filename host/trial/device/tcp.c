/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/device/tcp.h"

#include "host/traffic/connection_flow.h"
#include "host/trial/device/registers.h"
#include "host/trial/tcp_registers.h"

enum {
	POLL_OT = 4096,
	COMMAND_POLLS = 64,     /* a command takes less than 100 clocks */
	POLLS_OF_TIME = 256,    /* looks at streams that end are this part of the time passed apart */
	TIMEOUTS_TO_CLOSE = 64, /* least timeouts: six lost in sequence, each twice as long as the one before */
	FIRST_TIMEOUTS = 7,     /* three lost in sequence where no round trip was measured yet */
	STATE_MASK = 15,
	CONNECTION_STEP = 2, /* octets of SYN and FIN in sequence numbers */
};

/* Any will do; a new one for each, so that what an earlier trial left on its way does not fit. */
static uint32_t first_sequence(const struct device_steps *steps, unsigned port, unsigned connection)
{
	return (((uint32_t)steps->run_id << 16) | port << 8 | connection) * UINT32_C(0x9e3779b1);
}

static int write_all(struct device *device, const struct register_write *writes, unsigned count, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < count && status == 0; i++)
		status = device_write32(device, writes[i].address, writes[i].value, error);
	return status;
}

static int wait_for_command(const struct device_steps *steps, unsigned port, struct error *error)
{
	for (unsigned i = 0;; i++) {
		uint32_t busy;
		int status = registers_read_alive(steps->device, FPGAUGE_PORT_TCP_STATUS(port), &busy, error);

		if (status || !(busy & FPGAUGE_PORT_TCP_STATUS_BUSY))
			return status;
		if (i == COMMAND_POLLS)
			return error_set(error, ERROR_DEVICE, "%s: port %u does not take TCP commands",
			                 device_identity(steps->device)->name, port);
		status = steps_wait(steps, POLL_OT, error);
		if (status)
			return status;
	}
}

static int open_one(const struct device_steps *steps, const struct trial_tcp *tcp, unsigned port, unsigned connection,
                    bool passive, struct error *error)
{
	struct register_write writes[TCP_OPEN_WRITES];
	int status;

	tcp_open(tcp, port, connection, passive, first_sequence(steps, port, connection), writes);
	status = write_all(steps->device, writes, TCP_OPEN_WRITES, error);
	return status ? status : wait_for_command(steps, port, error);
}

static int close_one(const struct device_steps *steps, unsigned port, unsigned connection, struct error *error)
{
	const int status = device_write32(steps->device, FPGAUGE_PORT_TCP_COMMAND(port), connection, error);

	return status ? status : wait_for_command(steps, port, error);
}

/* -- settings ----------------------------------------------------------------------------------------------------- */

static int write_connections(struct device *device, const struct trial_request *request, struct error *error)
{
	struct register_write writes[TCP_SETTINGS_WRITES];
	int status = 0;

	for (unsigned port = 0; port < request->traffic->ports && status == 0; port++) {
		const struct traffic_port *from = &request->traffic->port[port];

		if (!(trial_tcp_ports(&request->tcp) >> port & 1))
			continue;
		if (from->flows == 0 || from->ordered)
			return error_set(error, ERROR_INTERNAL, "port %u: must have flows of TCP connections alone",
			                 port);
		status = write_all(device, writes,
		                   tcp_settings(&request->tcp, port, connection_header_octets(&from->flow[0].packet),
		                                device_identity(device), writes),
		                   error);
	}
	return status;
}

/* Other ports begin when connections have had their time to open. */
static int write_offsets(struct device *device, const struct trial_request *request, const struct pacing *pacing,
                         struct error *error)
{
	const uint64_t lead_ot = request->tcp.lead_ot;
	int status = 0;

	for (unsigned port = 0; port < request->traffic->ports && status == 0; port++) {
		if (!traffic_sends(request->traffic, port))
			continue;
		status = device_write64(device, FPGAUGE_PORT_TX_START_OFFSET(port), lead_ot, error);
		if (status == 0 && pacing->duration_ot)
			status = device_write64(device, FPGAUGE_PORT_TX_DURATION(port), lead_ot + pacing->duration_ot,
			                        error);
	}
	return status;
}

static int open_all(const struct device_steps *steps, const struct trial_tcp *tcp, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < trial_tcp_count(tcp) && status == 0; i++)
		status = open_one(steps, tcp, tcp->receiver, i, true, error);
	for (unsigned i = 0; i < trial_tcp_count(tcp) && status == 0; i++)
		status = open_one(steps, tcp, trial_tcp_sender(tcp, i), trial_tcp_number(tcp, i), false, error);
	return status;
}

/* -- looking ------------------------------------------------------------------------------------------------------ */

static int look(struct device *device, unsigned port, unsigned connection, uint32_t *state, struct error *error)
{
	int status = device_write32(device, FPGAUGE_PORT_TCP_LOOK_INDEX(port), connection, error);

	if (status == 0)
		status = registers_read_alive(device, FPGAUGE_PORT_TCP_LOOK_STATE(port), state, error);
	*state &= STATE_MASK;
	return status;
}

static int look_at_pair(struct device *device, const struct trial_tcp *tcp, unsigned i, uint32_t *sender,
                        uint32_t *receiver, struct error *error)
{
	const int status = look(device, trial_tcp_sender(tcp, i), trial_tcp_number(tcp, i), sender, error);

	return status ? status : look(device, tcp->receiver, i, receiver, error);
}

static int read_delivered(struct device *device, const struct trial_tcp *tcp, unsigned i, uint64_t *octets,
                          struct error *error)
{
	const int status = device_write32(device, FPGAUGE_PORT_TCP_STREAM_INDEX(tcp->receiver), i, error);

	return status ? status : device_read64(device, FPGAUGE_PORT_TCP_STREAM_DELIVERED(tcp->receiver), octets, error);
}

/* All streams at one instant, and when that was. */
static int freeze_begin(struct device *device, const struct trial_tcp *tcp, struct tcp_counters *counters,
                        struct error *error)
{
	int status = device_read64(device, FPGAUGE_GLOBAL_SNAPSHOT_TIME, &counters->begin_ot, error);

	for (unsigned i = 0; i < counters->count && status == 0; i++)
		status = read_delivered(device, tcp, i, &counters->pair[i].begin_octets, error);
	return status;
}

static int freeze_end(const struct device_steps *steps, const struct trial_tcp *tcp, struct tcp_counters *counters,
                      struct error *error)
{
	int status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);

	if (status == 0)
		status = device_read64(steps->device, FPGAUGE_GLOBAL_SNAPSHOT_TIME, &counters->end_ot, error);
	for (unsigned i = 0; i < counters->count && status == 0; i++)
		status = read_delivered(steps->device, tcp, i, &counters->pair[i].end_octets, error);
	return status;
}

static int look_at_all(const struct device_steps *steps, const struct trial_tcp *tcp, struct tcp_counters *counters,
                       bool when_open, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < counters->count && status == 0; i++) {
		struct tcp_end *sender = &counters->pair[i].sender, *receiver = &counters->pair[i].receiver;

		status = look_at_pair(steps->device, tcp, i, when_open ? &sender->opened : &sender->measured,
		                      when_open ? &receiver->opened : &receiver->measured, error);
	}
	return status;
}

/* -- measuring ---------------------------------------------------------------------------------------------------- */

static bool all_delivered(const struct trial_tcp *tcp, const struct tcp_counters *counters)
{
	for (unsigned i = 0; i < counters->count; i++)
		if (counters->pair[i].end_octets < tcp->octets)
			return false;
	return true;
}

/* Measures from the start until all octets have arrived, or the time is over: looks are so close that the last one
 * is late by less than half a percent, or by POLL_OT. On the way it also looks at whether all are open. */
static int measure_octets(struct device_steps *steps, const struct trial_tcp *tcp, _Atomic uint64_t *sent_ot,
                          struct tcp_counters *counters, struct error *error)
{
	uint64_t passed_ot = 0;
	bool looked = false;

	for (;;) {
		const uint64_t part_ot = passed_ot / POLLS_OF_TIME, step_ot = part_ot > POLL_OT ? part_ot : POLL_OT;
		int status = freeze_end(steps, tcp, counters, error);
		const bool done = status == 0 && all_delivered(tcp, counters);

		if (status == 0 && !looked && (done || passed_ot >= tcp->lead_ot)) {
			status = look_at_all(steps, tcp, counters, true, error);
			looked = true;
		}
		if (status || done || (looked && !trial_tcp_is_open(counters)) ||
		    passed_ot >= tcp->lead_ot + tcp->duration_ot)
			return status;
		status = steps_pass(steps, step_ot, sent_ot, error);
		if (status)
			return status;
		passed_ot += step_ot;
	}
}

/* Measures for a given time, when connections have had theirs to open. */
static int measure_time(struct device_steps *steps, const struct trial_tcp *tcp, _Atomic uint64_t *sent_ot,
                        struct tcp_counters *counters, struct error *error)
{
	int status = steps_pass(steps, tcp->lead_ot, sent_ot, error);

	if (status == 0)
		status = look_at_all(steps, tcp, counters, true, error);
	if (status || !trial_tcp_is_open(counters))
		return status;
	status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
	if (status == 0)
		status = freeze_begin(steps->device, tcp, counters, error);
	if (status == 0)
		status = steps_pass(steps, tcp->duration_ot, sent_ot, error);
	return status ? status : freeze_end(steps, tcp, counters, error);
}

/* -- closing ------------------------------------------------------------------------------------------------------ */

static int look_for_closed(const struct device_steps *steps, const struct trial_tcp *tcp, struct tcp_counters *counters,
                           bool *closed, struct error *error)
{
	int status = 0;

	*closed = true;
	for (unsigned i = 0; i < counters->count && status == 0; i++) {
		struct tcp_pair *pair = &counters->pair[i];

		status = look_at_pair(steps->device, tcp, i, &pair->sender.closed, &pair->receiver.closed, error);
		*closed = *closed && trial_tcp_is_closed(pair->sender.closed) &&
		          trial_tcp_is_closed(pair->receiver.closed);
	}
	return status;
}

static int close_all(struct device_steps *steps, const struct trial_request *request, struct tcp_counters *counters,
                     struct error *error)
{
	const struct trial_tcp *tcp = &request->tcp;
	const uint64_t most_ot = request->drain_ot + TIMEOUTS_TO_CLOSE * tcp->rto_min_ot +
	                         FIRST_TIMEOUTS * tcp_rto_after_syn_ot(tcp, device_identity(steps->device));
	uint64_t passed_ot = 0;
	bool closed = false;
	int status = 0;

	for (unsigned i = 0; i < counters->count && status == 0; i++) {
		status = close_one(steps, trial_tcp_sender(tcp, i), trial_tcp_number(tcp, i), error);
		if (status == 0)
			status = close_one(steps, tcp->receiver, i, error);
	}
	while (status == 0) {
		const uint64_t step_ot = passed_ot > POLL_OT ? passed_ot : POLL_OT;

		status = look_for_closed(steps, tcp, counters, &closed, error);
		if (status || closed || passed_ot >= most_ot)
			return status;
		status = steps_pass(steps, step_ot, NULL, error);
		passed_ot += step_ot;
	}
	return status;
}

/* Reads the counts of all ports at the last snapshot. */
static int read_dropped(const struct device_steps *steps, struct tcp_counters *counters, struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < device_identity(steps->device)->ports && status == 0; port++)
		status = device_read64(steps->device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_TCP_DROPPED_SEGMENTS),
		                       &counters->dropped_segments[port], error);
	return status;
}

/* Nothing else is asked for of a connection that did not open. */
static int run_connections(struct device_steps *steps, const struct trial_request *request, _Atomic uint64_t *sent_ot,
                           struct tcp_counters *counters, struct error *error)
{
	const struct trial_tcp *tcp = &request->tcp;
	int status = tcp->octets ? measure_octets(steps, tcp, sent_ot, counters, error)
	                         : measure_time(steps, tcp, sent_ot, counters, error);

	if (status == 0)
		status = read_dropped(steps, counters, error);
	if (status || !trial_tcp_is_open(counters)) {
		counters->end_ot = counters->begin_ot;
		return status;
	}
	status = look_at_all(steps, tcp, counters, false, error);
	return status ? status : close_all(steps, request, counters, error);
}

/* The frames of other ports may last longer. */
static int wait_for_others(struct device_steps *steps, const struct trial_request *request, const struct pacing *pacing,
                           uint64_t start_ot, _Atomic uint64_t *sent_ot, struct error *error)
{
	const uint64_t until_ot = start_ot + request->tcp.lead_ot + pacing->sending_ot;
	uint64_t now_ot;
	int status = device_now(steps->device, &now_ot, error);

	if (status || now_ot >= until_ot)
		return status;
	return steps_pass(steps, until_ot - now_ot, sent_ot, error);
}

int device_tcp_send(struct device_steps *steps, const struct trial_request *request, const struct pacing *pacing,
                    _Atomic uint64_t *sent_ot, struct tcp_counters *tcp, struct error *error)
{
	uint64_t start_ot = 0;
	int status = write_connections(steps->device, request, error);

	*tcp = (struct tcp_counters){.count = trial_tcp_count(&request->tcp)};
	if (status == 0)
		status = write_offsets(steps->device, request, pacing, error);
	if (status == 0)
		status = open_all(steps, &request->tcp, error);
	if (status == 0)
		status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_START | FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
	if (status == 0)
		status = device_now(steps->device, &start_ot, error);
	if (status == 0)
		status = freeze_begin(steps->device, &request->tcp, tcp, error);
	if (status == 0)
		status = run_connections(steps, request, sent_ot, tcp, error);
	if (status == 0)
		status = wait_for_others(steps, request, pacing, start_ot, sent_ot, error);
	if (status == 0)
		status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_STOP, error);
	return status ? status : steps_wait_for_end(steps, error);
}

/* -- reading ------------------------------------------------------------------------------------------------------ */

static int read_pair(struct device *device, const struct trial_tcp *tcp, unsigned i, struct tcp_pair *pair,
                     uint32_t first, struct error *error)
{
	const unsigned port = trial_tcp_sender(tcp, i), number = trial_tcp_number(tcp, i);
	uint32_t acknowledged = 0, segments = 0, again = 0;
	int status = read_delivered(device, tcp, i, &pair->octets, error);

	if (status == 0)
		status = device_write32(device, FPGAUGE_PORT_TCP_STREAM_INDEX(port), number, error);
	if (status == 0)
		status = device_read32(device, FPGAUGE_PORT_TCP_STREAM_SENT(port), &segments, error);
	if (status == 0)
		status = device_read32(device, FPGAUGE_PORT_TCP_STREAM_AGAIN(port), &again, error);
	if (status == 0)
		status = device_write32(device, FPGAUGE_PORT_TCP_LOOK_INDEX(port), number, error);
	if (status == 0)
		status = device_read32(device, FPGAUGE_PORT_TCP_LOOK_SND_UNA(port), &acknowledged, error);
	pair->acknowledged_octets = acknowledged - first - CONNECTION_STEP;
	pair->segments = segments;
	pair->again_segments = again;
	return status;
}

/* Frames of its connections that left a port. */
static int read_frames(struct device *device, const struct traffic *traffic, unsigned port, uint64_t *frames,
                       struct error *error)
{
	int status = 0;

	*frames = 0;
	for (unsigned flow = 0; flow < traffic->port[port].flows && status == 0; flow++) {
		uint64_t sent = 0;

		status = registers_read_sent(device, port, flow, &sent, error);
		*frames += sent;
	}
	return status;
}

int device_tcp_read(const struct device_steps *steps, const struct trial_request *request, struct tcp_counters *tcp,
                    struct trial_counters *counters, struct error *error)
{
	int status = 0;

	for (unsigned i = 0; i < tcp->count && status == 0; i++)
		status = read_pair(
		        steps->device, &request->tcp, i, &tcp->pair[i],
		        first_sequence(steps, trial_tcp_sender(&request->tcp, i), trial_tcp_number(&request->tcp, i)),
		        error);
	for (unsigned port = 0; port < counters->ports && status == 0; port++) {
		if (!(trial_tcp_ports(&request->tcp) >> port & 1))
			continue;
		status = read_frames(steps->device, request->traffic, port, &counters->tcp_frames[port], error);
		if (status == 0)
			status = device_write32(steps->device, FPGAUGE_PORT_TCP_ENABLE(port), 0, error);
	}
	return status;
}
