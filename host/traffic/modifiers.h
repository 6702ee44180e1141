/* SPDX-License-Identifier: Apache-2.0 */
/* The modifiers that a plan can name (RFC 2544 sections 11 and 12), as a table: a row for each, with what it does to
 * traffic. Sets of them are masks, of a bit for each row. */
#ifndef FPGAUGE_TRAFFIC_MODIFIERS_H
#define FPGAUGE_TRAFFIC_MODIFIERS_H

#include <stddef.h>

#include "host/traffic/traffic.h"

enum {
	TRAFFIC_BROADCAST_EVERY = 100, /* RFC 2544 section 11.1 */
	TRAFFIC_COMMUNITY_OCTETS = 32, /* at most: the query has to fit into a flow of the transmitter */
	TRAFFIC_MODIFIERS_TEXT = 128
};

/* The name of a row: "broadcast"; NULL after the last. */
const char *traffic_modifier_name(unsigned row);

/* Returns whether a plan can name it; else only the program does. */
bool traffic_modifier_is_for_plans(unsigned row);

/* Returns what a row does, for reports: "every 100th frame of ..." */
const char *traffic_modifier_words(unsigned row);

/* Names in the order of the rows, "broadcast+random_destinations"; "" without any. Returns text. */
const char *traffic_modifiers_text(uint32_t modifiers, char *text, size_t size);

/* Returns how many flows of a port these modifiers take at most, besides those of test frames. */
unsigned traffic_modifiers_flows(uint32_t modifiers);

/* The set that has this text, and no other; false: none has. */
bool traffic_modifiers_parse(const char *text, uint32_t *modifiers);

/* Names of the modifiers for plans: "\"broadcast\" or \"random_destinations\"", for complaints. Returns text. */
const char *traffic_modifiers_choices(char *text, size_t size);

/* Checks that a shape can have its modifiers. Returns 0, or ERROR_PLAN with value and limit. */
int traffic_modifiers_check(const struct traffic_shape *shape, struct error *error);

/* Applies the modifiers of the shape to the traffic made of the rest of it; frames of protocols are added by
 * host/trial/protocols.h. */
int traffic_modify(struct traffic *traffic, const struct traffic_shape *shape, struct error *error);

/* Returns how many hosts a port plays, of which the first are those that send: with random destinations through a
 * router, and with frames that its filters must block, the router before other networks is among them. */
unsigned traffic_hosts(const struct traffic_shape *shape);

#endif
