/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/tcp_registers.h"

#include "host/base/rate.h"
#include "host/traffic/connection_flow.h"
#include "hw/regs/fpgauge_regs.h"

enum {
	FIRST_TCP_PORT = 10000,
	TICK_WORDS = 256, /* words of the line in a tick */
	GROUP_OCTETS = 8,
	MOST_RTO_S = 60, /* RFC 6298 section 2.5: the upper bound is at least that */
	AFTER_SYN_S = 3, /* RFC 6298 section 5.7, where the first timeout is 1 s */
	TIME_WAIT_S = 1, /* a connection that waits counts as closed, and the next clear forgets it */
	OPENS = 1 << 8,  /* tcp_command */
	IS_PASSIVE = 1 << 9,
	IS_ENDLESS = 1 << 10,
	MOST_MSS = 9000,
	MOST_SCALE = 14,
	MOST_WINDOW_FIELD = 65535,
	MOST_INITIAL_SEGMENTS = 15,
	MOST_ACK_EVERY = 3,
};

static const uint64_t MOST_TICKS = (UINT64_C(1) << 30) - 1;

unsigned tcp_first_port(unsigned port)
{
	return FIRST_TCP_PORT + TRIAL_MAX_CONNECTIONS * port;
}

/* Rounded up, so that no timeout is shorter than asked for. */
static uint32_t ticks_of(uint64_t octet_times, const struct device_identity *identity)
{
	const uint64_t tick_ot = (uint64_t)TICK_WORDS * GROUP_OCTETS * identity->groups;
	const uint64_t ticks = octet_times / tick_ot + (octet_times % tick_ot != 0);

	return (uint32_t)(ticks > MOST_TICKS ? MOST_TICKS : ticks ? ticks : 1);
}

static uint32_t ticks_of_s(unsigned seconds, const struct device_identity *identity)
{
	return ticks_of(octet_times_from_ns(seconds * NS_PER_S, identity->link_bps), identity);
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

uint64_t tcp_rto_after_syn_ot(const struct trial_tcp *tcp, const struct device_identity *identity)
{
	const uint64_t rfc_ot = octet_times_from_ns(AFTER_SYN_S * NS_PER_S, identity->link_bps);
	const uint64_t first_ot = tcp->rto_initial_ot > tcp->rto_min_ot ? tcp->rto_initial_ot : tcp->rto_min_ot;

	if (first_ot >= rfc_ot)
		return first_ot;
	return first_ot < rfc_ot / AFTER_SYN_S ? AFTER_SYN_S * first_ot : rfc_ot;
}

unsigned tcp_settings(const struct trial_tcp *tcp, unsigned port, unsigned header_octets,
                      const struct device_identity *identity, struct register_write writes[TCP_SETTINGS_WRITES])
{
	const uint32_t least = ticks_of(tcp->rto_min_ot, identity);
	const uint32_t first = larger(ticks_of(tcp->rto_initial_ot, identity), least);
	unsigned count = 0;

#define PUT(NAME, value) writes[count++] = (struct register_write){FPGAUGE_PORT_##NAME(port), value}
	PUT(TX_ENABLE, 1);
	PUT(TX_GAP_OCTETS, MIN_GAP_OCTETS);
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_GAP_OCTETS(port) + 4, 0};
	PUT(TX_GAP_NUMERATOR, 0);
	PUT(TX_GAP_DENOMINATOR, 1);
	PUT(TX_DURATION, 0); /* no limit: it sends until it is stopped */
	writes[count++] = (struct register_write){FPGAUGE_PORT_TX_DURATION(port) + 4, 0};
	PUT(TCP_ENABLE, 1);
	PUT(TCP_FLOW, 0);
	PUT(TCP_PORT, tcp_first_port(port));
	PUT(TCP_HEADER_OCTETS, header_octets);
	PUT(TCP_MSS, tcp->mss);
	PUT(TCP_WINDOW, tcp->window);
	PUT(TCP_USE_SCALE, 1);
	PUT(TCP_SCALE, tcp->window_scale);
	PUT(TCP_INITIAL_SEGMENTS, tcp->initial_segments);
	PUT(TCP_ACK_EVERY, tcp->ack_every);
	PUT(TCP_RETRIES, 0); /* never gives up */
	PUT(TCP_ACK_DELAY, ticks_of(tcp->ack_delay_ot, identity));
	PUT(TCP_GRANULARITY, 1);
	PUT(TCP_RTO_INITIAL, first);
	PUT(TCP_RTO_MIN, least);
	PUT(TCP_RTO_MAX, larger(first, ticks_of_s(MOST_RTO_S, identity)));
	PUT(TCP_RTO_AFTER_SYN, ticks_of(tcp_rto_after_syn_ot(tcp, identity), identity));
	PUT(TCP_TIME_WAIT, ticks_of_s(TIME_WAIT_S, identity));
#undef PUT
	return count;
}

void tcp_open(const struct trial_tcp *tcp, unsigned port, unsigned connection, bool passive, uint32_t iss,
              struct register_write writes[TCP_OPEN_WRITES])
{
	const uint32_t how = passive ? IS_PASSIVE : tcp->octets ? 0 : IS_ENDLESS;

	writes[0] = (struct register_write){FPGAUGE_PORT_TCP_ISS(port), iss};
	writes[1] = (struct register_write){FPGAUGE_PORT_TCP_OCTETS(port), passive ? 0 : tcp->octets};
	writes[2] = (struct register_write){FPGAUGE_PORT_TCP_COMMAND(port), connection | OPENS | how};
}

static int check_ports(const struct trial_tcp *tcp, const struct device_identity *identity, struct error *error)
{
	const unsigned senders = (unsigned)__builtin_popcount(tcp->senders);

	if (tcp->senders >> identity->ports || tcp->receiver >= identity->ports || tcp->senders >> tcp->receiver & 1)
		return error_set(error, ERROR_INTERNAL, "TCP from ports %#x to port %u of %u ports", tcp->senders,
		                 tcp->receiver, identity->ports);
	if (tcp->connections < 1 || tcp->connections > identity->tcp_connections / senders)
		return error_set(error, ERROR_PLAN,
		                 "connections = %u of each of %u ports to the same one: must be 1 to %u, as a port of "
		                 "%s has %u",
		                 tcp->connections, senders, identity->tcp_connections / senders, identity->name,
		                 identity->tcp_connections);
	return 0;
}

int tcp_check(const struct trial_tcp *tcp, const struct device_identity *identity, struct error *error)
{
	if (tcp->senders == 0)
		return 0;
	if (identity->tcp_connections == 0)
		return error_set(error, ERROR_PLAN, "%s has no TCP connections: it was built without them",
		                 identity->name);
	if (tcp->mss < CONNECTION_LEAST_MSS || tcp->mss > MOST_MSS)
		return error_set(error, ERROR_PLAN, "mss = %u: must be %d to %d", tcp->mss, CONNECTION_LEAST_MSS,
		                 MOST_MSS);
	if (tcp->window_scale > MOST_SCALE)
		return error_set(error, ERROR_PLAN, "window_scale = %u: must be at most %d (RFC 7323 section 2.3)",
		                 tcp->window_scale, MOST_SCALE);
	if (tcp->window == 0 || tcp->window % (1u << tcp->window_scale) ||
	    tcp->window >> tcp->window_scale > MOST_WINDOW_FIELD)
		return error_set(error, ERROR_PLAN,
		                 "window = %u octets with window_scale = %u: must be a multiple of %u, at most %u",
		                 tcp->window, tcp->window_scale, 1u << tcp->window_scale,
		                 (unsigned)MOST_WINDOW_FIELD << tcp->window_scale);
	if (tcp->initial_segments > MOST_INITIAL_SEGMENTS || tcp->ack_every < 1 || tcp->ack_every > MOST_ACK_EVERY ||
	    tcp->octets > FPGAUGE_PORT_TCP_OCTETS_MAX || tcp->lead_ot == 0 || tcp->duration_ot == 0 ||
	    tcp->lead_ot > FPGAUGE_PORT_TX_START_OFFSET_MAX || tcp->lead_ot % GROUP_OCTETS)
		return error_set(error, ERROR_INTERNAL, "TCP connections: a setting is out of range");
	return check_ports(tcp, identity, error);
}

int tcp_add_flows(const struct traffic *mesh, const struct trial_tcp *tcp, struct traffic *traffic, struct error *error)
{
	unsigned number = 0;
	int status = 0;

	for (unsigned port = 0; port < mesh->ports && status == 0; port++) {
		struct connection_flows there = {.port = port,
		                                 .to = tcp->receiver,
		                                 .count = tcp->connections,
		                                 .source_port = tcp_first_port(port),
		                                 .destination_port = tcp_first_port(tcp->receiver) + number,
		                                 .mss = tcp->mss};
		const struct connection_flows back = {.port = tcp->receiver,
		                                      .to = port,
		                                      .count = tcp->connections,
		                                      .source_port = there.destination_port,
		                                      .destination_port = there.source_port,
		                                      .mss = tcp->mss};

		if (!(tcp->senders >> port & 1))
			continue;
		status = connection_flows_add(mesh, &there, traffic, error);
		if (status == 0)
			status = connection_flows_add(mesh, &back, traffic, error);
		number += tcp->connections;
	}
	return status;
}
