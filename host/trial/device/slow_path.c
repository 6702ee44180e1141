/* SPDX-License-Identifier: Apache-2.0 */
/* A port has room for one frame of the host, so the next one stays in the box until that has begun. The box holds 64;
 * what has no room is counted by the device. */
#include "host/trial/device/slow_path.h"

#include <string.h>

#include "host/traffic/modifiers.h"
#include "host/traffic/traffic_check.h"
#include "host/trial/device/host_queue.h"
#include "host/trial/pacing/frames.h"
#include "host/trial/traffic.h"

enum {
	FIRST_INTERVAL_OT = 1 << 17, /* 10 us at 100G */
	INTERVALS_PER_SECOND = 10,   /* at least: whoever asks waits about a second (RFC 1122 2.3.2.1, RFC 4861 10) */
	BITS_PER_OCTET = 8,
	SEND_LEAD_OT = 128 * 64, /* words from a write of tx_send to the first place that it can have, and more */
};

/* Ports that send, or at which something must arrive. */
static unsigned parts_in(const struct traffic *traffic)
{
	unsigned parts = 0;

	for (unsigned port = 0; port < traffic->ports; port++)
		for (unsigned flow = 0; flow < traffic->port[port].flows; flow++)
			parts |= 1u << port | traffic->port[port].flow[flow].arrives;
	return parts;
}

static uint64_t place_ot(const struct traffic *traffic, unsigned port, const struct pacing *pacing)
{
	if (!traffic_sends(traffic, port))
		return SEND_LEAD_OT;
	return SEND_LEAD_OT + traffic_longest(traffic) + PREAMBLE_OCTETS + pacing_gap_of(pacing, port).gap_octets + 1;
}

void slow_path_begin(struct slow_path *slow, const struct device_identity *identity,
                     const struct trial_request *request, const struct traffic *traffic, const struct pacing *pacing)
{
	const struct traffic_limits limits = trial_traffic_limits(identity);
	const struct traffic_shape *shape = &request->shape;
	const unsigned parts = parts_in(traffic);

	*slow = (struct slow_path){
	        .ports = identity->ports,
	        .flow = host_queue_flow(identity),
	        .interval_ot = FIRST_INTERVAL_OT,
	        .longest_ot = identity->link_bps / BITS_PER_OCTET / INTERVALS_PER_SECOND,
	};
	management_watch_begin(&slow->management, traffic, shape);
	for (unsigned port = 0; port < slow->ports; port++)
		slow->port[port] = (struct slow_port){
		        .serves = parts >> port & 1 && traffic->port[port].flows <= slow->flow,
		        .hosts = {.range = {.port = port,
		                            .count = traffic_hosts(shape),
		                            .many = traffic_needs_fields(shape, identity->ports, &limits)},
		                  .vlan = shape->vlan == TRAFFIC_NO_VLAN ? NEIGHBOUR_NO_TAG : (int)shape->vlan},
		        .place_ot = place_ot(traffic, port, pacing),
		};
}

int slow_path_send(struct slow_path *slow, struct device *device, unsigned port, const struct neighbour_frame *frame,
                   bool *sent, struct error *error)
{
	struct slow_port *at = &slow->port[port];

	*sent = at->serves && at->busy_ot == 0;
	if (!*sent)
		return 0;
	at->busy_ot = at->place_ot;
	at->asked_frames++;
	return host_queue_send(device, port, slow->flow, frame, error);
}

static int take_one(struct slow_path *slow, struct device *device, unsigned port, bool *there, struct error *error)
{
	struct slow_port *at = &slow->port[port];
	struct host_queue_frame frame;
	struct neighbour_frame answer;
	bool sent;
	int status = host_queue_fetch(device, port, slow->management.active, there, &frame, error);

	if (status || !*there)
		return status;
	at->kept_frames++;
	at->kinds[foreign_kind(frame.octets, frame.count)]++;
	management_watch_hear(&slow->management, port, frame.octets, frame.count);
	if (at->wanted && neighbour_heard(&at->hosts, at->wanted, frame.octets, frame.count, at->heard_mac))
		at->heard = true;
	if (!neighbour_answer(&at->hosts, frame.octets, frame.count, &answer))
		return 0;
	return slow_path_send(slow, device, port, &answer, &sent, error);
}

int slow_path_serve(struct slow_path *slow, struct device *device, uint64_t passed_ot, struct error *error)
{
	bool any = false, there = true;
	int status = 0;

	for (unsigned port = 0; port < slow->ports && status == 0; port++, there = true) {
		struct slow_port *at = &slow->port[port];

		at->busy_ot -= passed_ot < at->busy_ot ? passed_ot : at->busy_ot;
		for (unsigned i = 0; i < HOST_QUEUE_MOST_FRAMES && there && at->busy_ot == 0 && status == 0; i++) {
			status = take_one(slow, device, port, &there, error);
			any |= there;
		}
	}
	slow->interval_ot = any ? FIRST_INTERVAL_OT : 2 * slow->interval_ot;
	if (slow->interval_ot > slow->longest_ot)
		slow->interval_ot = slow->longest_ot;
	return status;
}

uint64_t slow_path_patience(const struct slow_path *slow)
{
	uint64_t patience_ot = slow->interval_ot;

	for (unsigned port = 0; port < slow->ports; port++)
		if (slow->port[port].busy_ot && slow->port[port].busy_ot < patience_ot)
			patience_ot = slow->port[port].busy_ot;
	return patience_ot;
}

int slow_path_sent(const struct slow_path *slow, struct device *device, uint64_t frames[TRIAL_MAX_PORTS],
                   struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < TRIAL_MAX_PORTS; port++) {
		frames[port] = 0;
		if (status == 0 && port < slow->ports && slow->port[port].asked_frames)
			status = host_queue_sent(device, port, slow->flow, &frames[port], error);
	}
	return status;
}

int slow_path_finish(struct slow_path *slow, struct device *device, const struct trial_counters *counters,
                     struct error *error)
{
	int status = 0;

	for (unsigned port = 0; port < slow->ports && status == 0; port++) {
		struct slow_port *at = &slow->port[port];
		bool there = true;

		at->wanted = NULL;
		at->serves = false; /* nothing is sent any more */
		for (unsigned i = 0; i < HOST_QUEUE_MOST_FRAMES && there && status == 0 &&
		                     at->kept_frames < counters->port[port].rx_mail_frames;
		     i++)
			status = take_one(slow, device, port, &there, error);
	}
	return status;
}

void slow_path_report(const struct slow_path *slow, struct trial_result *result)
{
	for (unsigned i = 0; i < result->ports; i++) {
		const uint64_t *kinds = slow->port[i].kinds, known = slow->port[i].kept_frames;
		struct trial_port *port = &result->port[i];

		memcpy(port->foreign, kinds, sizeof(port->foreign));
		port->foreign_unread_frames = port->foreign_frames > known ? port->foreign_frames - known : 0;
	}
	management_watch_report(&slow->management, result);
}
