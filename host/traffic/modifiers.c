/* SPDX-License-Identifier: Apache-2.0 */
/* The table of modifiers, and sets of them. */
#include "host/traffic/modifiers.h"

#include <string.h>

#include "host/base/text.h"
#include "host/traffic/modifier.h"
#include "host/traffic/test_host.h"

struct modifier {
	const char *name;
	const char *words;                                                    /* says what it does, for reports */
	int (*check)(const struct traffic_shape *shape, struct error *error); /* NULL: any shape can have it */
	/* NULL: frames are as without it, or host/trial adds some */
	int (*apply)(struct traffic *traffic, const struct traffic_shape *shape, struct error *error);
	unsigned flows;     /* flows that it takes of a port */
	bool is_of_program; /* a plan cannot name it */
};

/* A bridge floods them; a router does not forward them (RFC 1812 section 5.3.4), so at a port where one arrives it is
 * unexpected. */
static int broadcast(struct traffic *traffic, const struct traffic_shape *shape, struct error *error)
{
	const int status = traffic_broadcast_every(traffic, TRAFFIC_BROADCAST_EVERY, error);

	for (unsigned i = 0; i < traffic->ports && status == 0; i++) {
		struct traffic_port *port = &traffic->port[i];

		if (!port->every)
			continue;
		port->flow[port->every_flow].apart = true;
		if (shape->routed)
			port->flow[port->every_flow].arrives = 0;
	}
	return status;
}

static int check_random(const struct traffic_shape *shape, struct error *error)
{
	if (shape->addresses == 1)
		return 0;
	return error_set(error, ERROR_PLAN,
	                 "traffic.addresses = %u with modifier random_destinations: must be 1, because destinations "
	                 "are drawn from %d (RFC 2544 section 12)",
	                 shape->addresses, TEST_NETWORKS);
}

static int draw_destinations(struct traffic *traffic, const struct traffic_shape *shape, struct error *error)
{
	(void)error;
	traffic_draw_destinations(traffic, shape->routed);
	return 0;
}

static int check_routed_ipv4(const struct traffic_shape *shape, const char *what, struct error *error)
{
	if (!shape->routed)
		return error_set(error, ERROR_PLAN,
		                 "modifier %s: traffic.routed must be true: the device under test is addressed at "
		                 "x.x.x.1 in the network of its port (RFC 2544 C.2.2.1)",
		                 what);
	if (shape->frame != TRAFFIC_IPV4_UDP)
		return error_set(error, ERROR_PLAN,
		                 "modifier %s: traffic.frame must be \"%s\": the frames of RFC 2544 appendix C are of "
		                 "IPv4, not \"%s\"",
		                 what, TRAFFIC_FRAME_NAMES[TRAFFIC_IPV4_UDP], TRAFFIC_FRAME_NAMES[shape->frame]);
	return 0;
}

static int check_management(const struct traffic_shape *shape, struct error *error)
{
	const size_t octets = shape->community ? strlen(shape->community) : 0;

	if (octets < 1 || octets > TRAFFIC_COMMUNITY_OCTETS)
		return error_set(error, ERROR_PLAN, "traffic.community of %zu octets: must be 1 to %d", octets,
		                 TRAFFIC_COMMUNITY_OCTETS);
	return check_routed_ipv4(shape, "management", error);
}

static int go_to_learned(struct traffic *traffic, const struct traffic_shape *shape, struct error *error)
{
	(void)error;
	if (traffic_is_learned(shape))
		traffic_go_to_learned(traffic);
	return 0;
}

static int check_routing(const struct traffic_shape *shape, struct error *error)
{
	return check_routed_ipv4(shape, "routing", error);
}

/* The filters permit a stream of one address pair in each direction, "a practical requirement" (RFC 2544 section 12).
 * One set of them is in the device at a time. */
static int check_filters(const struct traffic_shape *shape, struct error *error)
{
	const uint32_t filters = traffic_filters(shape);
	const char *name = traffic_has(shape, TRAFFIC_FILTERS_1) ? "filters_1" : "filters_25";

	if (filters & (filters - 1))
		return error_set(error, ERROR_PLAN,
		                 "modifiers filters_1 and filters_25 cannot be combined (see each_alone): the device "
		                 "is configured with one filter, and then with 25 (RFC 2544 section 11.4)");
	if (traffic_has(shape, TRAFFIC_RANDOM_DESTINATIONS))
		return error_set(error, ERROR_PLAN,
		                 "modifiers %s and random_destinations cannot be combined: filters permit a stream of "
		                 "one address pair (RFC 2544 section 12)",
		                 name);
	if (shape->addresses != 1)
		return error_set(error, ERROR_PLAN,
		                 "traffic.addresses = %u with modifier %s: must be 1, because filters permit a stream "
		                 "of one address pair (RFC 2544 section 12)",
		                 shape->addresses, name);
	if (!pattern_is_paired(shape->pattern))
		return error_set(error, ERROR_PLAN,
		                 "traffic.pattern = \"%s\" with modifier %s: a port must send to one other, because "
		                 "filters permit one stream from each (RFC 2544 section 11.4)",
		                 TRAFFIC_PATTERN_NAMES[shape->pattern], name);
	return 0;
}

/* Its network is new only if the other frames do not go to all of those; and filters would block it. */
static int check_new_network(const struct traffic_shape *shape, struct error *error)
{
	if (!shape->routed)
		return error_set(error, ERROR_PLAN,
		                 "traffic.routed must be true: a destination network is one behind a router (RFC 2544 "
		                 "section 26.2)");
	if (traffic_has(shape, TRAFFIC_RANDOM_DESTINATIONS))
		return error_set(
		        error, ERROR_PLAN,
		        "cannot be used with modifier random_destinations: it sends to all %d networks, so none is new",
		        TEST_NETWORKS);
	if (traffic_filters(shape))
		return error_set(error, ERROR_PLAN,
		                 "cannot be used with modifiers filters_1 and filters_25: they permit one destination, "
		                 "and block a new one");
	return 0;
}

static const struct modifier MODIFIERS[] = {
        [TRAFFIC_BROADCAST] = {.name = "broadcast",
                               .words = "every 100th frame of each sending port goes to ff:ff:ff:ff:ff:ff (RFC 2544 "
                                        "section 11.1)",
                               .apply = broadcast,
                               .flows = 1},
        [TRAFFIC_RANDOM_DESTINATIONS] = {.name = "random_destinations",
                                         .words = "destinations are drawn from 256 (RFC 2544 section 12)",
                                         .check = check_random,
                                         .apply = draw_destinations},
        [TRAFFIC_MANAGEMENT] = {.name = "management",
                                .words = "the first frame of each second of one port is an SNMP query (RFC 2544 "
                                         "section 11.2)",
                                .check = check_management,
                                .flows = 1},
        [TRAFFIC_ROUTING] = {.name = "routing",
                             .words = "the first frame of each sending port is a RIP update, and so is one at every "
                                      "interval (RFC 2544 section 11.3)",
                             .check = check_routing,
                             .apply = go_to_learned,
                             .flows = 2},
        [TRAFFIC_FILTERS_1] = {.name = "filters_1",
                               .words = "the device has one filter, which permits the stream (RFC 2544 section 11.4)",
                               .check = check_filters},
        [TRAFFIC_FILTERS_25] = {.name = "filters_25",
                                .words = "the device has 25 filters, the last of which permits the stream (RFC 2544 "
                                         "section 11.4)",
                                .check = check_filters},
        [TRAFFIC_FILTER_CHECK] = {.name = "filter_check",
                                  .words = "between the frames of the stream, frames that the filters must block",
                                  .is_of_program = true},
        [TRAFFIC_NEW_NETWORK] = {.name = "new_network",
                                 .words = "the tagged frame goes to a network to which no other frame does (RFC 2544 "
                                          "section 26.2)",
                                 .check = check_new_network,
                                 .flows = 1,
                                 .is_of_program = true},
};
enum { ROWS = sizeof(MODIFIERS) / sizeof(MODIFIERS[0]) };

const char *traffic_modifier_name(unsigned row)
{
	return row < ROWS ? MODIFIERS[row].name : NULL;
}

bool traffic_modifier_is_for_plans(unsigned row)
{
	return row < ROWS && !MODIFIERS[row].is_of_program;
}

const char *traffic_modifier_words(unsigned row)
{
	return MODIFIERS[row].words;
}

const char *traffic_modifiers_text(uint32_t modifiers, char *text, size_t size)
{
	size_t length = 0;

	*text = '\0';
	for (unsigned row = 0; row < ROWS; row++)
		if (modifiers >> row & 1)
			length = text_add(text, size, length, "%s%s", length ? "+" : "", MODIFIERS[row].name);
	return text;
}

unsigned traffic_modifiers_flows(uint32_t modifiers)
{
	unsigned flows = 0;

	for (unsigned row = 0; row < ROWS; row++)
		flows += modifiers >> row & 1 ? MODIFIERS[row].flows : 0;
	return flows;
}

bool traffic_modifiers_parse(const char *text, uint32_t *modifiers)
{
	char made[TRAFFIC_MODIFIERS_TEXT];

	for (*modifiers = 1; *modifiers < UINT32_C(1) << ROWS; ++*modifiers)
		if (!strcmp(traffic_modifiers_text(*modifiers, made, sizeof(made)), text))
			return true;
	return false;
}

const char *traffic_modifiers_choices(char *text, size_t size)
{
	size_t length = 0;

	for (unsigned row = 0; row < ROWS; row++)
		if (!MODIFIERS[row].is_of_program)
			length = text_add(text, size, length, "%s\"%s\"", row ? " or " : "", MODIFIERS[row].name);
	return text;
}

int traffic_modifiers_check(const struct traffic_shape *shape, struct error *error)
{
	int status = 0;

	if (shape->modifiers >> ROWS)
		return error_set(error, ERROR_PLAN, "modifiers %#x: there are %d", shape->modifiers, ROWS);
	for (unsigned row = 0; row < ROWS && status == 0; row++)
		if (shape->modifiers >> row & 1 && MODIFIERS[row].check)
			status = MODIFIERS[row].check(shape, error);
	return status;
}

int traffic_modify(struct traffic *traffic, const struct traffic_shape *shape, struct error *error)
{
	int status = 0;

	for (unsigned row = 0; row < ROWS && status == 0; row++)
		if (shape->modifiers >> row & 1 && MODIFIERS[row].apply)
			status = MODIFIERS[row].apply(traffic, shape, error);
	return status;
}

unsigned traffic_hosts(const struct traffic_shape *shape)
{
	const bool beyond = traffic_has(shape, TRAFFIC_RANDOM_DESTINATIONS) ||
	                    traffic_has(shape, TRAFFIC_FILTER_CHECK) || traffic_has(shape, TRAFFIC_NEW_NETWORK);
	const unsigned least = shape->routed && beyond ? TEST_PHANTOM_ROUTER + 1 : 1;

	return shape->addresses > least ? shape->addresses : least;
}
