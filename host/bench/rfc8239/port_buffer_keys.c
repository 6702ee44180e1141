/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of the tests of buffers, and what they must be. */
#include "host/bench/rfc8239/port_buffer_keys.h"

#include "host/bench/rfc8239/buffer_places.h"
#include "host/plan/key_slices.h"

#define SETTINGS struct port_buffer_settings

static const struct plan_key KEYS[] = {
        {.name = "oversubscription",
         .value = QUANTITY(oversubscription),
         .ranges = {{"0.01%", "100%"}},
         .default_text = "1%",
         .doc = "Load of the port that sends more than the egress port can forward, in percent of line rate (RFC 8239 "
                "section 3.2: a known low amount, 1% recommended)."},
        {.name = "max_frames",
         .value = WHOLE(max_frames),
         .ranges = {{"1 frame", "100M frames"}},
         .unit = "frames",
         .default_text = "1M frames",
         .doc = "Largest buffer that is looked for: frames that oversubscribe."},
        {.name = "dscp",
         .value = COUNT(dscp),
         .ranges = {{"0", "63"}},
         .default_text = "0",
         .doc = "Differentiated Services Code Point of all frames (RFC 8239 section 3.2: the series may be repeated "
                "with "
                "others)."},
        {.name = "cos",
         .value = COUNT(cos),
         .ranges = {{"0", "7"}},
         .default_text = "0",
         .doc = "Class of Service of all frames, in their VLAN tag: traffic.vlan must be set for others than 0; 0 "
                "there "
                "is a priority tag."},
};
const struct key_slice PORT_BUFFER_KEYS = {OWN_SLICE(KEYS)};

#define POSITIONS(default_positions, what)                                                                             \
	{                                                                                                              \
		.name = "positions", .value = COUNT(positions), .ranges = {{"0", "16"}}, .unit = "positions",          \
		.default_text = (default_positions), .doc = (what)                                                     \
	}
#define EGRESS_PORTS "How many ports are the egress port, one after the other, from port 1 on; 0: all of them."
static const struct plan_key ALL_PORTS[] = {POSITIONS("0", EGRESS_PORTS)};
const struct key_slice BUFFER_ALL_PORTS_KEYS = {OWN_SLICE(ALL_PORTS)};
static const struct plan_key ONE_PORT[] = {POSITIONS("1", EGRESS_PORTS)};
const struct key_slice BUFFER_ONE_PORT_KEYS = {OWN_SLICE(ONE_PORT)};
static const struct plan_key LAST_PORTS[] = {POSITIONS(
        "0", "How many ports are the egress port, one after the other, the last port first; 0: all of them.")};
const struct key_slice BUFFER_LAST_PORTS_KEYS = {OWN_SLICE(LAST_PORTS)};
static const struct plan_key PLACES[] = {POSITIONS(
        "1", "To how many places on the device all ports move, by one port each time (RFC 8239 section 3.2: varied in "
             "multiple tests); 0: until each port was the first.")};
const struct key_slice BUFFER_PLACES_KEYS = {OWN_SLICE(PLACES)};

/* The class of service has to be in the frames. */
static int check_marks(const struct plan_test *test, const struct node *group, struct error *error)
{
	const struct port_buffer_settings *settings = port_buffer_settings(test);

	if (settings->dscp && test->shape.frame == TRAFFIC_ETHERNET)
		return plan_complain(error, node_child(group, "dscp"), "dscp",
		                     "must be 0 with traffic.frame = \"ethernet\": these frames have no IP header (RFC "
		                     "2474 section 3)");
	if (settings->cos && test->shape.vlan == TRAFFIC_NO_VLAN)
		return plan_complain(error, node_child(group, "cos"), "cos",
		                     "must be 0 without traffic.vlan: the class of service is in the VLAN tag (IEEE "
		                     "802.1Q); vlan = 0 is a priority tag");
	return 0;
}

int port_buffer_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	const struct quantity *over = &port_buffer_settings(test)->oversubscription;
	const struct buffer_share most = MANY_TO_ONE.share(over, TRAFFIC_MAX_PORTS);

	if (over->numerator > UINT32_MAX || over->denominator > UINT32_MAX || most.of > UINT32_MAX)
		return plan_complain(error, node_child(group, "oversubscription"), "oversubscription",
		                     "must have fewer decimal places");
	if (check_marks(test, group, error))
		return error->code;
	return rfc8239_refuse_program(plan, test, group, error);
}

int device_buffer_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	if (many_to_one_excess(&port_buffer_settings(test)->oversubscription) <= 0)
		return plan_complain(error, node_child(group, "oversubscription"), "oversubscription",
		                     "must be above 0.02%% for test = \"%s\": it is added to 99.98%% of line rate (RFC "
		                     "8239 section 3.2, procedure 4)",
		                     plan_test_name(test));
	return port_buffer_finish(plan, test, group, error);
}
