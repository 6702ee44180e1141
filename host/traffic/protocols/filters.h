/* SPDX-License-Identifier: Apache-2.0 */
/* The filters of RFC 2544 sections 11.4 and 11.4.1, which whoever configures the device under test must give it: one
 * condition or 25, of which one permits the test stream of one direction, from host 0 of a port to host 0 of another
 * (section 12: "for some conditions like the filters, a practical requirement"). The others block addresses that no
 * test host has. Behind them, all else is blocked. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_FILTERS_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_FILTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/traffic/protocols/answer.h"

enum filter_device { FILTER_ROUTER_IPV4, FILTER_ROUTER_IPV6, FILTER_BRIDGE };

enum filter_kind {
	FILTER_ONE,
	FILTER_25_PERMIT_LAST,   /* section 11.4: all 25 conditions must be checked */
	FILTER_25_PERMIT_MIDDLE, /* the sequence of 11.4.1: as 13th, which shows devices that sort their conditions */
	FILTER_KINDS
};

enum { FILTER_MOST_CONDITIONS = 25 };

struct filter_condition {
	bool permit;                                  /* else block */
	struct neighbour_address source, destination; /* a router's condition */
	uint8_t mac[MAC_OCTETS];                      /* a bridge's condition: the destination */
};

struct filter_set {
	enum filter_device device;
	unsigned port; /* the tester's port that the stream comes from */
	unsigned count;
	struct filter_condition conditions[FILTER_MOST_CONDITIONS]; /* ordered as they are entered */
};

/* The set for the stream between two ports (0 to 15). The opposite direction needs a set of its own. */
struct filter_set filter_set(enum filter_device device, enum filter_kind kind, unsigned from_port, unsigned to_port);

/* Writes the set for the report, a condition a line, as section 11.4 writes them: "block 198.18.24.1 to 198.19.152.1".
 * The last line is "block all else". Returns its length, without the NUL; size or more: it was cut. */
size_t filter_text(const struct filter_set *set, char *text, size_t size);

/* Writes the set as a file for "nft -f" of Linux: a table of its own, in place of the one that was there for that port.
 * With an interface, where the stream comes in, the set is for nothing that comes in elsewhere, and sets of several
 * ports go together; NULL: for all that is forwarded. Otherwise as filter_text(). */
size_t filter_nft(const struct filter_set *set, const char *interface, char *text, size_t size);

/* The same, to remove what filter_nft() made. */
size_t filter_nft_none(const struct filter_set *set, char *text, size_t size);

enum { FILTER_TEXT_SIZE = 4096 }; /* enough for either, with interface names of Linux */

#endif
