/* SPDX-License-Identifier: Apache-2.0 */
/* Words for the parameters `frame` and `vlan`. */
#include "host/report/frames.h"

#include <stdio.h>
#include <string.h>

#include "host/report/value.h"

static const struct {
	const char *name, *words;
} FRAMES[] = {
        {"ipv4_udp", "UDP echo over IPv4 (RFC 2544 Appendix C.2.6.4)"},
        {"ipv6_udp", "UDP echo over IPv6 (addresses of RFC 5180 section 5.2)"},
        {"ipv6_hop_by_hop", "UDP echo over IPv6 with a hop-by-hop options header (RFC 5180 section 5.3)"},
        {"ipv6_destination_options", "UDP echo over IPv6 with a destination options header (RFC 5180 section 5.3)"},
        {"ipv6_routing", "UDP echo over IPv6 with a routing header (RFC 5180 section 5.3)"},
        {"ipv6_fragment", "UDP echo over IPv6 with a fragment header (RFC 5180 section 5.3)"},
        {"ipv6_authentication", "UDP echo over IPv6 with an authentication header (RFC 5180 section 5.3)"},
        {"ipv6_chain",
         "UDP echo over IPv6 with routing, destination options and fragment headers (RFC 5180 section 5.3)"},
        {"ethernet", "Ethernet of type 88B5, without a network layer"},
};

static const char *words_of(const json_t *parameters)
{
	const json_t *frame = json_object_get(parameters, "frame");

	for (size_t i = 0; json_is_string(frame) && i < sizeof(FRAMES) / sizeof(FRAMES[0]); i++) {
		if (!strcmp(json_string_value(frame), FRAMES[i].name))
			return FRAMES[i].words;
	}
	return json_is_string(frame) ? json_string_value(frame) : FRAMES[0].words;
}

static bool is_routed(const json_t *parameters)
{
	return json_is_true(json_object_get(parameters, "routed"));
}

struct frames_text frames_text(const json_t *parameters)
{
	struct frames_text out;
	size_t length;

	snprintf(out.text, sizeof(out.text), "%s%s", words_of(parameters),
	         is_routed(parameters) ? ", through a router" : "");
	length = strlen(out.text);
	if (!value_known(parameters, "vlan"))
		return out;
	if (value_number(parameters, "vlan") == 0) /* VID 0 names no VLAN (IEEE 802.1Q) */
		snprintf(out.text + length, sizeof(out.text) - length, ", with a priority tag");
	else
		snprintf(out.text + length, sizeof(out.text) - length, ", VLAN %s",
		         value_text(parameters, "vlan", 0).text);
	return out;
}

bool frames_are_plain(const json_t *parameters)
{
	return !value_known(parameters, "vlan") && !is_routed(parameters) && words_of(parameters) == FRAMES[0].words;
}

struct frames_text frames_of_report(const json_t *report)
{
	const json_t *results = json_object_get(report, "results"), *result;
	struct frames_text first = frames_text(json_object_get(json_array_get(results, 0), "parameters"));
	size_t i;

	if (!strcmp(value_string(json_object_get(report, "device"), "backend"), "exec")) {
		snprintf(first.text, sizeof(first.text), "as the program makes them");
		return first;
	}
	json_array_foreach(results, i, result)
	{
		if (strcmp(frames_text(json_object_get(result, "parameters")).text, first.text) != 0) {
			snprintf(first.text, sizeof(first.text), "%s where a test does not say otherwise",
			         words_of(NULL));
			break;
		}
	}
	return first;
}
