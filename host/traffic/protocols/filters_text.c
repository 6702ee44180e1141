/* SPDX-License-Identifier: Apache-2.0 */
/* Filters as text. */
#include <stdio.h>

#include "host/base/text.h"
#include "host/traffic/protocols/filters.h"

enum { MAC_TEXT_SIZE = 18 };

static const char *mac_text(const uint8_t mac[MAC_OCTETS], char text[MAC_TEXT_SIZE])
{
	snprintf(text, MAC_TEXT_SIZE, "%02x:%02x:%02x:%02x:%02x:%02x", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
	return text;
}

size_t filter_text(const struct filter_set *set, char *text, size_t size)
{
	char source[NEIGHBOUR_TEXT_SIZE], destination[NEIGHBOUR_TEXT_SIZE], mac[MAC_TEXT_SIZE];
	size_t length = 0;

	for (unsigned i = 0; i < set->count; i++) {
		const struct filter_condition *condition = &set->conditions[i];
		const char *verb = condition->permit ? "forward" : "block";

		if (set->device == FILTER_BRIDGE)
			length = text_add(text, size, length, "%s %s\n", verb, mac_text(condition->mac, mac));
		else
			length = text_add(text, size, length, "%s %s to %s\n", verb,
			                  neighbour_address_text(&condition->source, source),
			                  neighbour_address_text(&condition->destination, destination));
	}
	return text_add(text, size, length, "block all else\n");
}

static size_t add_rules(const struct filter_set *set, char *text, size_t size, size_t length)
{
	const char *family = set->device == FILTER_ROUTER_IPV6 ? "ip6" : "ip";
	char source[NEIGHBOUR_TEXT_SIZE], destination[NEIGHBOUR_TEXT_SIZE], mac[MAC_TEXT_SIZE];

	for (unsigned i = 0; i < set->count; i++) {
		const struct filter_condition *condition = &set->conditions[i];
		const char *verdict = condition->permit ? "accept" : "drop";

		if (set->device == FILTER_BRIDGE)
			length = text_add(text, size, length, "\t\tether daddr %s %s\n", mac_text(condition->mac, mac),
			                  verdict);
		else
			length = text_add(text, size, length, "\t\t%s saddr %s %s daddr %s %s\n", family,
			                  neighbour_address_text(&condition->source, source), family,
			                  neighbour_address_text(&condition->destination, destination), verdict);
	}
	return text_add(text, size, length, "\t\tdrop\n");
}

/* A table that does not exist cannot be deleted, so it is made before; the file is taken as a whole or not at all. */
size_t filter_nft_none(const struct filter_set *set, char *text, size_t size)
{
	const char *family = set->device == FILTER_BRIDGE ? "bridge" : "inet";

	return text_add(text, size, 0,
	                "table %s fpgauge_port%u {}\n"
	                "delete table %s fpgauge_port%u\n",
	                family, set->port, family, set->port);
}

/* The conditions are a chain of their own, so that what comes in elsewhere costs one comparison and is not blocked. */
size_t filter_nft(const struct filter_set *set, const char *interface, char *text, size_t size)
{
	const char *family = set->device == FILTER_BRIDGE ? "bridge" : "inet";
	size_t length = filter_nft_none(set, text, size);

	length = text_add(text, size, length,
	                  "table %s fpgauge_port%u {\n"
	                  "\tchain conditions {\n",
	                  family, set->port);
	length = add_rules(set, text, size, length);
	length = text_add(text, size, length,
	                  "\t}\n"
	                  "\tchain forward {\n"
	                  "\t\ttype filter hook forward priority 0; policy accept;\n");
	if (interface != NULL)
		length = text_add(text, size, length, "\t\tiifname \"%s\" jump conditions\n", interface);
	else
		length = text_add(text, size, length, "\t\tjump conditions\n");
	return text_add(text, size, length, "\t}\n}\n");
}
