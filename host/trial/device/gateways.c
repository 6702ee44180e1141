/* SPDX-License-Identifier: Apache-2.0 */
/* Asks in a schedule without test frames, host by host, at all ports at the same time. Three questions at intervals of
 * a second, as RFC 4861 section 10 has it for neighbour solicitations. */
#include "host/trial/device/gateways.h"

#include <stdio.h>
#include <string.h>

#include "host/traffic/modifier.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/test_host.h"

enum {
	QUESTIONS = 3,
	BITS_PER_OCTET = 8,
	FIRST_WAIT_OT = 1 << 14,
};

struct asking {
	struct device_steps *steps;
	struct slow_path *slow;
	uint64_t second_ot;
	struct neighbour_address gateway[TRIAL_MAX_PORTS];
};

static struct neighbour_address gateway_of(unsigned port, enum traffic_frame frame)
{
	const struct test_host gateway = test_gateway(port);
	struct neighbour_address address = {.is_ipv6 = traffic_frame_is_ipv6(frame)};

	memcpy(address.ipv4, gateway.ipv4, IPV4_OCTETS);
	memcpy(address.ipv6, gateway.ipv6, IPV6_OCTETS);
	return address;
}

/* A port that has no answer; slow->ports if all have one. */
static unsigned unanswered(const struct slow_path *slow)
{
	unsigned port = 0;

	while (port < slow->ports && (!slow->port[port].serves || slow->port[port].heard))
		port++;
	return port;
}

static int ask_once(struct asking *asking, unsigned entry, struct error *error)
{
	struct slow_path *slow = asking->slow;
	int status = 0;

	for (unsigned port = 0; port < slow->ports && status == 0; port++) {
		struct neighbour_frame frame;
		bool sent;

		if (!slow->port[port].serves || slow->port[port].heard)
			continue;
		neighbour_ask(&slow->port[port].hosts, entry, &asking->gateway[port], &frame);
		status = slow_path_send(slow, asking->steps->device, port, &frame, &sent, error);
	}
	return status;
}

/* Host number `entry` of each port asks until it is answered. *silent: a port where it was not; slow->ports: none. */
static int ask(struct asking *asking, unsigned entry, unsigned *silent, struct error *error)
{
	struct slow_path *slow = asking->slow;

	for (unsigned port = 0; port < slow->ports; port++)
		slow->port[port].heard = false;
	*silent = unanswered(slow);
	for (unsigned question = 0; question < QUESTIONS && *silent < slow->ports; question++) {
		int status = ask_once(asking, entry, error);

		for (uint64_t waited_ot = 0; *silent < slow->ports && waited_ot < asking->second_ot && status == 0;) {
			const uint64_t step_ot = waited_ot ? waited_ot : FIRST_WAIT_OT;

			status = steps_serve(asking->steps, step_ot, error);
			waited_ot += step_ot;
			*silent = unanswered(slow);
		}
		if (status)
			return status;
	}
	return 0;
}

/* Every host of every port, one after the other. */
static int ask_all(struct asking *asking, const struct trial_request *request, bool *found, char *why, size_t size,
                   struct error *error)
{
	struct slow_path *slow = asking->slow;
	unsigned silent = slow->ports;
	int status = steps_strobe(asking->steps, FPGAUGE_GLOBAL_CONTROL_START, error);

	if (status == 0) /* the start itself takes some words */
		status = steps_serve(asking->steps, FIRST_WAIT_OT, error);
	for (unsigned entry = 0; entry < traffic_hosts(&request->shape) && silent == slow->ports && status == 0;
	     entry++)
		status = ask(asking, entry, &silent, error);
	*found = silent == slow->ports;
	if (!*found) {
		char text[NEIGHBOUR_TEXT_SIZE];

		snprintf(
		        why, size,
		        "port %u: %s did not answer %d %s: with traffic.routed, the device under test must be a router "
		        "with that address there",
		        silent, neighbour_address_text(&asking->gateway[silent], text), QUESTIONS,
		        asking->gateway[silent].is_ipv6 ? "neighbour solicitations" : "ARP requests");
	}
	return status;
}

/* The same flows, but nobody's turn, and no rules. */
static struct traffic without_turns(const struct traffic *traffic)
{
	struct traffic silent = *traffic;

	for (unsigned port = 0; port < silent.ports; port++)
		silent.port[port].ordered = silent.port[port].rules = 0;
	return silent;
}

static int find(struct device_gateways *gateways, struct asking *asking, const struct trial_request *request,
                const struct traffic *traffic, bool *found, char *why, size_t size, struct error *error)
{
	struct slow_path *slow = asking->slow;
	const struct traffic silent = without_turns(traffic);
	const struct pacing pacing = {.gap_octets = request->gap_octets,
	                              .denominator = 1,
	                              .sending_ot = asking->second_ot * (QUESTIONS + 1) *
	                                            (traffic_hosts(&request->shape) + 1)};
	int status;

	slow_path_begin(slow, device_identity(asking->steps->device), request, &silent, &pacing);
	for (unsigned port = 0; port < slow->ports; port++) {
		asking->gateway[port] = gateway_of(port, request->shape.frame);
		slow->port[port].wanted = &asking->gateway[port];
	}
	asking->steps->slow = slow;
	status = steps_program(asking->steps, &silent, &pacing, error);
	if (status == 0)
		status = ask_all(asking, request, found, why, size, error);
	asking->steps->slow = NULL;
	if (status)
		return status;
	for (unsigned port = 0; port < slow->ports; port++)
		memcpy(gateways->mac[port], slow->port[port].heard_mac, MAC_OCTETS);
	return 0;
}

int device_find_gateways(struct device_gateways *gateways, struct device_steps *steps, struct slow_path *slow,
                         const struct trial_request *request, struct traffic *traffic, bool *found, char *why,
                         size_t size, struct error *error)
{
	struct asking asking = {
	        .steps = steps, .slow = slow, .second_ot = device_identity(steps->device)->link_bps / BITS_PER_OCTET};
	const uint64_t hash = traffic_hash(traffic);
	int status = 0;

	*found = gateways->known && gateways->hash == hash;
	if (!*found)
		status = find(gateways, &asking, request, traffic, found, why, size, error);
	if (status || !*found)
		return status;
	gateways->known = true;
	gateways->hash = hash;
	for (unsigned port = 0; port < traffic->ports; port++)
		traffic_send_to(traffic, port, gateways->mac[port]);
	return 0;
}

int device_serve_settle(struct device_steps *steps, struct slow_path *slow, const struct trial_request *request,
                        struct error *error)
{
	const struct traffic silent = without_turns(request->traffic);
	const struct pacing pacing = {
	        .gap_octets = request->gap_octets, .denominator = 1, .sending_ot = request->settle_ot};
	int status;

	slow_path_begin(slow, device_identity(steps->device), request, &silent, &pacing);
	steps->slow = slow;
	status = steps_program(steps, &silent, &pacing, error);
	if (status == 0)
		status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_START, error);
	if (status == 0)
		status = steps_serve(steps, request->settle_ot, error);
	steps->slow = NULL;
	return status;
}
