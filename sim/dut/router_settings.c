// SPDX-License-Identifier: Apache-2.0
/* The settings of a router, and what it passes without loss. */
#include "sim/dut/router_settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/uint128.h"
#include "sim/dut/models.h"
#include "sim/dut/router_rip.h"
#include "sim/dut/switch_truth.h"

enum {
	RULE_ADDRESSES,
	RULE_NETWORKS,
	RULE_FILTERS,
	RULE_NEIGHBOURS,
	RULE_WAITING_FRAMES,
	RULE_ASK_EVERY,
	RULE_BUFFER_FRAMES,
	RULE_FORWARDING_FPS,
	RULE_LATENCY_NS,
	RULE_FIRST_LOOKUP_NS,
	RULE_RIP_NETWORKS,
	RULE_GAP_OCTETS,
	RULE_COMMUNITY,
	RULE_UNANSWERED_EVERY,
	RULES
};

static const struct sim_option_rule table[RULES] = {
        [RULE_ADDRESSES] = {.name = "dut.addresses", .kind = SIM_OPTION_TEXT},
        [RULE_NETWORKS] = {.name = "dut.networks", .kind = SIM_OPTION_TEXT},
        [RULE_FILTERS] = {.name = "dut.filters", .kind = SIM_OPTION_TEXT},
        [RULE_NEIGHBOURS] =
                {.name = "dut.neighbours", .fallback = "8192", .kind = SIM_OPTION_INTEGER, .min = 1, .max = 1048576},
        [RULE_WAITING_FRAMES] =
                {.name = "dut.waiting_frames", .fallback = "16", .kind = SIM_OPTION_INTEGER, .min = 0, .max = 256},
        [RULE_ASK_EVERY] =
                {.name = "dut.ask_every", .fallback = "10ms", .kind = SIM_OPTION_TIME, .min = 1000, .max = 10000000000},
        [RULE_BUFFER_FRAMES] =
                {.name = "dut.buffer_frames", .fallback = "1000", .kind = SIM_OPTION_INTEGER, .min = 1, .max = 65536},
        [RULE_FORWARDING_FPS] =
                {.name = "dut.forwarding_fps", .kind = SIM_OPTION_NUMBER, .min = 10, .max = 10000000000, .unit = "fps"},
        [RULE_LATENCY_NS] = {.name = "dut.latency_ns",
                             .fallback = "0",
                             .kind = SIM_OPTION_NUMBER,
                             .min = 0,
                             .max = 100000000,
                             .unit = "ns"},
        [RULE_FIRST_LOOKUP_NS] = {.name = "dut.first_lookup_ns",
                                  .fallback = "0",
                                  .kind = SIM_OPTION_NUMBER,
                                  .min = 0,
                                  .max = 100000000,
                                  .unit = "ns"},
        [RULE_RIP_NETWORKS] = {.name = "dut.rip_networks",
                               .fallback = "0",
                               .kind = SIM_OPTION_INTEGER,
                               .min = 0,
                               .max = ROUTER_RIP_MOST},
        [RULE_COMMUNITY] = {.name = "dut.community", .kind = SIM_OPTION_TEXT},
        [RULE_UNANSWERED_EVERY] =
                {.name = "dut.unanswered_every", .fallback = "0", .kind = SIM_OPTION_INTEGER, .min = 0, .max = 1000000},
        [RULE_GAP_OCTETS] =
                {.name = "dut.gap_octets", .fallback = "12", .kind = SIM_OPTION_INTEGER, .min = 8, .max = 1024},
};

/* -- lists of addresses and networks --------------------------------------------------------------------------------
 */

/* Two words of an entry. */
struct entry {
	const char *first, *second;
	size_t first_length, second_length, length; /* length: of all */
};

/* The entry at a place in a list with commas; the place of the next one, or NULL. */
static const char *take_entry(const char *at, struct entry *entry)
{
	at += strspn(at, " ");
	entry->first = at;
	entry->length = strcspn(at, ",");
	entry->first_length = strcspn(at, " ,");
	entry->second = at + entry->first_length;
	entry->second += strspn(entry->second, " ");
	entry->second_length = strcspn(entry->second, " ,");
	at = entry->second + entry->second_length;
	at += strspn(at, " ");
	if (*at != ',' && *at != '\0')
		entry->second_length = 0; /* three words */
	at = entry->first + entry->length;
	return *at == ',' ? at + 1 : NULL;
}

static int refuse_entry(const struct sim_options *options, unsigned rule, const struct entry *entry, const char *why)
{
	return sim_options_refuse(options, table[rule].name, "\"%.*s\": %s", (int)entry->length, entry->first, why);
}

static bool read_port(const struct entry *entry, unsigned *port)
{
	*port = 0;
	for (size_t i = 0; i < entry->first_length; i++) {
		if (entry->first[i] < '0' || entry->first[i] > '9' || *port > DUT_MAX_PORTS)
			return false;
		*port = 10 * *port + (unsigned)(entry->first[i] - '0');
	}
	return entry->first_length != 0;
}

/* "0 198.18.1.1/24, 1 2001:2:0:8001::1/64" */
static int add_addresses(const struct dut_device_setup *setup, const char *list, struct routes *routes)
{
	for (const char *at = list; at != NULL;) {
		struct route_interface interface = {.bits = 0};
		struct entry entry;
		const char *why = NULL;

		at = take_entry(at, &entry);
		if (!read_port(&entry, &interface.port) ||
		    !net_parse_prefix(entry.second, entry.second_length, &interface.address, &interface.bits))
			return refuse_entry(setup->options, RULE_ADDRESSES, &entry,
			                    "must be a port and its address, as in \"0 198.18.1.1/24\"");
		if (interface.port >= setup->ports)
			why = "there is no such port";
		else
			why = routes_add_interface(routes, &interface);
		if (why != NULL)
			return refuse_entry(setup->options, RULE_ADDRESSES, &entry, why);
	}
	return 0;
}

/* "10.0.0.0/8 198.18.1.2" */
static int add_networks(const struct sim_options *options, const char *list, struct routes *routes)
{
	for (const char *at = list; at != NULL;) {
		struct net_address network, next_hop;
		struct entry entry;
		const char *why;
		unsigned bits;

		at = take_entry(at, &entry);
		if (!net_parse_prefix(entry.first, entry.first_length, &network, &bits) ||
		    !net_parse(entry.second, entry.second_length, &next_hop))
			return refuse_entry(options, RULE_NETWORKS, &entry,
			                    "must be a network and its next hop, as in \"10.0.0.0/8 198.18.1.2\"");
		why = routes_add_network(routes, &network, bits, &next_hop);
		if (why != NULL)
			return refuse_entry(options, RULE_NETWORKS, &entry, why);
	}
	return 0;
}

/* The networks of the test hosts of each port: those of RFC 2544 C.2.2 and RFC 5180 section 5.2 as docs/traffic.md has
 * them, with the router as the first node. The /19 is that of hosts that are told apart by a field; its other networks
 * have longer prefixes. */
static void add_default_addresses(struct routes *routes, unsigned port)
{
	const uint8_t net = (uint8_t)(18 + port % 2), pair = (uint8_t)(port / 2);
	const uint8_t ipv4[][4] = {{198, net, (uint8_t)(1 + pair), 1},
	                           {198, net, (uint8_t)(32 * pair + 24), 1},
	                           {198, net, (uint8_t)(9 + pair), 1}};
	const uint8_t bits[] = {24, 19, 24};
	const struct net_address ipv6 = {
	        .octet = {0x20, 0x01, 0, 2, 0, 0, (uint8_t)(port % 2 * 0x80), (uint8_t)(1 + pair), [15] = 1},
	        .version = NET_IPV6};

	/* The second network of the last pair would be among the hosts of the first. */
	for (unsigned i = 0; i < (pair < DUT_MAX_PORTS / 2 - 1 ? 3 : 2); i++)
		routes_add_interface(routes, &(struct route_interface){.address = net_address_of(NET_IPV4, ipv4[i]),
		                                                       .bits = bits[i],
		                                                       .port = port});
	routes_add_interface(routes, &(struct route_interface){.address = ipv6, .bits = 64, .port = port});
}

static int set_routes(const struct dut_device_setup *setup, const struct sim_option_value *values,
                      struct routes *routes)
{
	if (!values[RULE_ADDRESSES].set)
		for (unsigned port = 0; port < setup->ports; port++)
			add_default_addresses(routes, port);
	else if (add_addresses(setup, values[RULE_ADDRESSES].text, routes) != 0)
		return -1;
	if (!values[RULE_NETWORKS].set)
		return 0;
	return add_networks(setup->options, values[RULE_NETWORKS].text, routes);
}

static int set_filters(const struct dut_device_setup *setup, const struct sim_option_value *value,
                       struct router_filters *filters)
{
	const char *wrong, *why;
	int length;

	if (!value->set)
		return 0;
	why = router_filters_read(filters, value->text, &wrong, &length);
	if (why == NULL)
		return 0;
	return sim_options_refuse(setup->options, table[RULE_FILTERS].name, "\"%.*s\": %s", length, wrong, why);
}

/* -- all ----------------------------------------------------------------------------------------------------------- */

static int check_names(const struct dut_device_setup *setup)
{
	const struct sim_option_rule *tables[] = {&dut_model_rule, table, setup->extra};
	const size_t counts[] = {1, RULES, setup->extra_count};

	return sim_options_check_names(setup->options, tables, counts, sizeof(counts) / sizeof(counts[0]));
}

/* Rounded up to whole octet times. */
static uint64_t period_of(const struct sim_option_value *fps, uint64_t link_bps)
{
	const uint128 bits = (uint128)fps->number.denominator * link_bps;
	const uint128 unit = (uint128)fps->number.numerator * 8;

	return fps->set ? (uint64_t)((bits + unit - 1) / unit) : 0;
}

static int set_agent(const struct sim_options *options, const struct sim_option_value *community,
                     struct router_settings *settings)
{
	if (!community->set)
		return 0;
	if (community->text[0] == '\0' || strlen(community->text) > AGENT_COMMUNITY_OCTETS)
		return sim_options_refuse(options, table[RULE_COMMUNITY].name, "\"%s\": must have 1 to %d octets",
		                          community->text, AGENT_COMMUNITY_OCTETS);
	memcpy(settings->community, community->text, strlen(community->text) + 1);
	return 0;
}

int router_read_settings(const struct dut_device_setup *setup, struct router_settings *settings)
{
	struct sim_option_value values[RULES];

	memset(settings, 0, sizeof(*settings));
	if (check_names(setup) != 0 || sim_options_read(setup->options, table, RULES, values) != 0)
		return -1;
	settings->neighbours = (uint32_t)values[RULE_NEIGHBOURS].number.numerator;
	settings->waiting = (uint32_t)values[RULE_WAITING_FRAMES].number.numerator;
	settings->ask_every_ot = dut_latency_ot(&values[RULE_ASK_EVERY].number, setup->link_bps);
	settings->buffer_frames = values[RULE_BUFFER_FRAMES].number.numerator;
	settings->latency_ot = dut_latency_ot(&values[RULE_LATENCY_NS].number, setup->link_bps);
	settings->first_lookup_ot = dut_latency_ot(&values[RULE_FIRST_LOOKUP_NS].number, setup->link_bps);
	settings->rip_networks = (unsigned)values[RULE_RIP_NETWORKS].number.numerator;
	settings->gap_octets = values[RULE_GAP_OCTETS].number.numerator;
	settings->period_ot = period_of(&values[RULE_FORWARDING_FPS], setup->link_bps);
	settings->unanswered_every = values[RULE_UNANSWERED_EVERY].number.numerator;
	if (set_filters(setup, &values[RULE_FILTERS], &settings->filters) != 0 ||
	    set_agent(setup->options, &values[RULE_COMMUNITY], settings) != 0)
		return -1;
	return set_routes(setup, values, &settings->routes);
}

/* Its queues are those of a switch with as much room and as large a gap. */
void router_settings_truth(const struct router_settings *settings, uint64_t link_bps, const struct dut_load *load,
                           struct fpgauge_sim_truth *truth)
{
	const uint64_t line_octets = router_line_octets(settings, load->frame_octets);
	const struct switch_settings queues = {
	        .buffer = settings->buffer_frames,
	        .latency_ot = settings->latency_ot,
	        .gap_octets = (uint32_t)(line_octets - load->frame_octets - DUT_PREAMBLE_OCTETS),
	};

	switch_settings_truth(&queues, link_bps, load, truth);
	snprintf(truth->model, sizeof(truth->model), "%s", DUT_ROUTER);
}
