// SPDX-License-Identifier: Apache-2.0
/* A router, as plainly as possible. */
#include "tests/sim/plain_router.h"

#include <criterion/criterion.h>
#include <string.h>

enum { MAC = 6, MOST_NEIGHBOURS = 4096 };

struct neighbour {
	unsigned port, version;
	uint8_t address[16], mac[MAC];
	bool known;
	uint64_t asked_ot;
};

struct waiting {
	struct plain_router_frame frame;
	unsigned port, version;
	uint8_t address[16];
	uint64_t until_ot;
	bool gone;
};

static struct {
	const struct plain_router *settings;
	struct plain_router_counts *counts;
	struct neighbour neighbour[MOST_NEIGHBOURS];
	size_t neighbours;
	struct waiting waiting[PLAIN_ROUTER_FRAMES];
	size_t waitings; /* ever */
	uint64_t line_ot[PLAIN_ROUTER_PORTS], own_frames[PLAIN_ROUTER_PORTS];
	struct plain_router_frame out[PLAIN_ROUTER_PORTS][PLAIN_ROUTER_OUT / 4];
	uint64_t left_ot[PLAIN_ROUTER_PORTS][PLAIN_ROUTER_OUT / 4];
	size_t outs[PLAIN_ROUTER_PORTS];
	struct {
		const struct plain_router_frame *frame;
		uint64_t due_ot;
	} lookup[PLAIN_ROUTER_FRAMES]; /* ordered as they end */
	size_t lookups, lookups_over;
} s;

/* -- octets -------------------------------------------------------------------------------------------------------- */

static unsigned octets_of(unsigned version)
{
	return version == 4 ? 4 : 16;
}

/* RFC 1071, written anew as it judges the sums of the router. */
static uint32_t sum(const uint8_t *octets, unsigned count, uint32_t from)
{
	for (unsigned i = 0; i < count; i++)
		from += (uint32_t)octets[i] * (i % 2 ? 1 : 256);
	while (from > 65535)
		from = from / 65536 + from % 65536;
	return from;
}

static bool same_bits(const uint8_t *a, const uint8_t *b, unsigned bits)
{
	for (unsigned i = 0; i < bits; i++)
		if ((a[i / 8] & 128 >> i % 8) != (b[i / 8] & 128 >> i % 8))
			return false;
	return true;
}

static void mac_of_port(unsigned port, uint8_t *mac)
{
	memcpy(mac, (uint8_t[]){0x02, 0x52, 0x54, 0x00, 0x00, (uint8_t)port}, MAC);
}

static bool is_mac_of_port(unsigned port, const uint8_t *mac)
{
	uint8_t own[MAC];

	mac_of_port(port, own);
	return memcmp(own, mac, MAC) == 0;
}

static const struct plain_network *own_address(unsigned version, const uint8_t *address)
{
	for (size_t i = 0; i < s.settings->own_count; i++)
		if (s.settings->own[i].version == version &&
		    memcmp(s.settings->own[i].address, address, octets_of(version)) == 0)
			return &s.settings->own[i];
	return NULL;
}

/* Returns the network at a port that holds the address; of several, the one that was named first. */
static const struct plain_network *network_at(unsigned port, unsigned version, const uint8_t *address)
{
	for (size_t i = 0; i < s.settings->own_count; i++) {
		const struct plain_network *own = &s.settings->own[i];

		if (own->port == port && own->version == version && same_bits(own->address, address, own->bits))
			return own;
	}
	return NULL;
}

/* -- leaving ------------------------------------------------------------------------------------------------------- */

static bool send(unsigned port, struct plain_router_frame *frame, uint64_t now_ot)
{
	uint64_t line_octets = frame->octets + 8 + s.settings->gap_octets, inside = 0, start_ot = 0;

	for (size_t i = 0; i < s.outs[port]; i++)
		inside += s.left_ot[port][i] > now_ot;
	if (inside >= s.settings->buffer) {
		s.counts->lost++;
		return false;
	}
	if (s.settings->fps != 0)
		while (line_octets * s.settings->fps < 12500000000u)
			line_octets++;
	start_ot = (now_ot > s.line_ot[port] ? now_ot : s.line_ot[port]) / 8 * 8;
	while (start_ot < now_ot || start_ot + 8 <= s.line_ot[port])
		start_ot += 8;
	if (s.line_ot[port] < start_ot)
		s.line_ot[port] = start_ot;
	s.line_ot[port] += line_octets;
	cr_assert(s.outs[port] < PLAIN_ROUTER_OUT / 4);
	frame->start_ot = start_ot;
	frame->port = port;
	s.left_ot[port][s.outs[port]] = start_ot + 8 + frame->octets;
	s.out[port][s.outs[port]++] = *frame;
	return true;
}

static bool send_own(unsigned port, struct plain_router_frame *frame, uint64_t now_ot)
{
	frame->from = s.settings->ports;
	frame->id = s.own_frames[port];
	mac_of_port(port, frame->header + 6);
	if (!send(port, frame, now_ot))
		return false;
	s.own_frames[port]++;
	return true;
}

/* The header anew: RFC 791, RFC 8200. */
static void forward(unsigned port, const struct plain_router_frame *frame, const uint8_t *mac, uint64_t now_ot)
{
	struct plain_router_frame leaves = *frame;
	uint8_t *header = leaves.header;

	leaves.from = frame->port;
	memcpy(header, mac, MAC);
	mac_of_port(port, header + 6);
	if (header[12] == 0x08) {
		uint32_t checksum;

		header[22]--;
		header[24] = header[25] = 0;
		checksum = 65535 - sum(header + 14, (header[14] & 15u) * 4, 0);
		header[24] = (uint8_t)(checksum / 256);
		header[25] = (uint8_t)(checksum % 256);
	} else {
		header[21]--;
	}
	if (send(port, &leaves, now_ot))
		*(frame->header[12] == 0x08 ? &s.counts->forwarded_ipv4 : &s.counts->forwarded_ipv6) += 1;
}

/* -- ARP and neighbour discovery ----------------------------------------------------------------------------------- */

static void make_arp(struct plain_router_frame *frame, unsigned operation, unsigned port, const uint8_t *from,
                     const uint8_t *to_mac, const uint8_t *to)
{
	static const uint8_t zeros[MAC];

	*frame = (struct plain_router_frame){.octets = 64};
	if (operation == 1)
		memset(frame->header, 0xff, MAC);
	else
		memcpy(frame->header, to_mac, MAC);
	memcpy(frame->header + 12, (uint8_t[]){8, 6, 0, 1, 8, 0, 6, 4, 0, (uint8_t)operation}, 10);
	mac_of_port(port, frame->header + 22);
	memcpy(frame->header + 28, from, 4);
	memcpy(frame->header + 32, operation == 1 ? zeros : to_mac, MAC);
	memcpy(frame->header + 38, to, 4);
}

/* An ICMPv6 message of 32 octets: RFC 4861 section 4.3 and 4.4. */
static void make_discovery(struct plain_router_frame *frame, uint8_t type, uint8_t flags, unsigned port,
                           const uint8_t *to_mac, const uint8_t *from, const uint8_t *to, const uint8_t *target)
{
	uint8_t *header = frame->header;
	uint32_t checksum;

	*frame = (struct plain_router_frame){.octets = 90};
	memcpy(header, to_mac, MAC);
	memcpy(header + 12, (uint8_t[]){0x86, 0xdd, 0x60, 0, 0, 0, 0, 32, 58, 255}, 10);
	memcpy(header + 22, from, 16);
	memcpy(header + 38, to, 16);
	header[54] = type;
	header[58] = flags;
	memcpy(header + 62, target, 16);
	header[78] = type == 135 ? 1 : 2;
	header[79] = 1;
	mac_of_port(port, header + 80);
	checksum = 65535 - sum(header + 54, 32, sum(header + 22, 32, 32 + 58));
	header[56] = (uint8_t)(checksum / 256);
	header[57] = (uint8_t)(checksum % 256);
}

static void group_of(const uint8_t *address, uint8_t *group, uint8_t *mac)
{
	memset(group, 0, 16);
	group[0] = 0xff;
	group[1] = 0x02;
	group[11] = 0x01;
	group[12] = 0xff;
	memcpy(group + 13, address + 13, 3);
	memcpy(mac, (uint8_t[]){0x33, 0x33, 0xff, address[13], address[14], address[15]}, MAC);
}

static void ask(struct neighbour *neighbour, const uint8_t *own, uint64_t now_ot)
{
	struct plain_router_frame frame;
	uint8_t group[16], mac[MAC];

	neighbour->asked_ot = now_ot;
	if (neighbour->version == 4) {
		make_arp(&frame, 1, neighbour->port, own, NULL, neighbour->address);
		s.counts->asked += send_own(neighbour->port, &frame, now_ot);
		return;
	}
	group_of(neighbour->address, group, mac);
	make_discovery(&frame, 135, 0, neighbour->port, mac, own, group, neighbour->address);
	s.counts->solicited += send_own(neighbour->port, &frame, now_ot);
}

static struct neighbour *find(unsigned port, unsigned version, const uint8_t *address)
{
	for (size_t i = 0; i < s.neighbours; i++)
		if (s.neighbour[i].port == port && s.neighbour[i].version == version &&
		    memcmp(s.neighbour[i].address, address, octets_of(version)) == 0)
			return &s.neighbour[i];
	return NULL;
}

static struct neighbour *add(unsigned port, unsigned version, const uint8_t *address)
{
	struct neighbour *neighbour = &s.neighbour[s.neighbours];

	if (s.neighbours == s.settings->neighbours) {
		s.counts->table_full++;
		return NULL;
	}
	cr_assert(s.neighbours++ < MOST_NEIGHBOURS);
	*neighbour = (struct neighbour){.port = port, .version = version};
	memcpy(neighbour->address, address, octets_of(version));
	return neighbour;
}

static void expire(uint64_t now_ot)
{
	for (size_t i = 0; i < s.waitings; i++)
		if (!s.waiting[i].gone && s.waiting[i].until_ot <= now_ot) {
			s.waiting[i].gone = true;
			s.counts->expired++;
		}
}

static void wait(const struct plain_router_frame *frame, const struct neighbour *neighbour, uint64_t now_ot)
{
	size_t inside = 0, oldest = 0;
	struct waiting *waiting;

	for (size_t i = s.waitings; i-- > 0;)
		if (!s.waiting[i].gone) {
			inside++;
			oldest = i;
		}
	if (s.settings->waiting == 0)
		return;
	if (inside == s.settings->waiting) {
		s.waiting[oldest].gone = true;
		s.counts->displaced++;
	}
	waiting = &s.waiting[s.waitings++];
	*waiting = (struct waiting){.frame = *frame,
	                            .port = neighbour->port,
	                            .version = neighbour->version,
	                            .until_ot = now_ot + s.settings->ask_every_ot};
	memcpy(waiting->address, neighbour->address, 16);
	s.counts->waited++;
}

static void learn(unsigned port, unsigned version, const uint8_t *address, const uint8_t *mac, bool adds,
                  bool overrides, uint64_t now_ot)
{
	struct neighbour *neighbour;
	bool was_known;

	if (mac == NULL || memcmp(mac, (uint8_t[MAC]){0}, MAC) == 0 || network_at(port, version, address) == NULL ||
	    own_address(version, address) != NULL)
		return;
	neighbour = find(port, version, address);
	if (neighbour == NULL && adds)
		neighbour = add(port, version, address);
	if (neighbour == NULL)
		return;
	was_known = neighbour->known;
	if (was_known && memcmp(neighbour->mac, mac, MAC) != 0)
		*(overrides ? &s.counts->changed : &s.counts->refused_change) += 1;
	if (was_known && !overrides)
		return;
	neighbour->known = true;
	memcpy(neighbour->mac, mac, MAC);
	s.counts->learned += !was_known;
	for (size_t i = 0; i < s.waitings; i++) {
		struct waiting *waiting = &s.waiting[i];

		if (waiting->gone || waiting->port != port || waiting->version != version ||
		    memcmp(waiting->address, neighbour->address, 16) != 0)
			continue;
		waiting->gone = true;
		forward(port, &waiting->frame, mac, now_ot);
	}
}

static void arp(const struct plain_router_frame *frame, uint64_t now_ot)
{
	const uint8_t *header = frame->header;
	const struct plain_network *own = own_address(4, header + 38);
	const bool is_ours = own != NULL && own->port == frame->port;
	struct plain_router_frame reply;

	if (memcmp(header + 14, (uint8_t[]){0, 1, 8, 0, 6, 4, 0}, 7) != 0 || header[21] < 1 || header[21] > 2 ||
	    (header[22] & 1)) {
		s.counts->other++;
		return;
	}
	if (!is_mac_of_port(frame->port, header) && memcmp(header, "\xff\xff\xff\xff\xff\xff", MAC) != 0) {
		s.counts->not_for_us++;
		return;
	}
	learn(frame->port, 4, header + 28, header + 22, is_ours, true, now_ot);
	if (!is_ours || header[21] != 1)
		return;
	make_arp(&reply, 2, frame->port, own->address, header + 22, header + 28);
	s.counts->answered += send_own(frame->port, &reply, now_ot);
}

/* The option with a MAC; NULL: there is none. */
static const uint8_t *option(const uint8_t *header, unsigned length, uint8_t type, bool *wrong)
{
	const uint8_t *found = NULL;
	unsigned at = 24;

	while (at < length) {
		const unsigned octets = at + 1 < length ? header[54 + at + 1] * 8u : 0;

		*wrong = *wrong || octets == 0 || at + octets > length;
		if (*wrong)
			return NULL;
		if (header[54 + at] == type)
			found = header + 54 + at + 2;
		at += octets;
	}
	return found;
}

static void solicitation(const struct plain_router_frame *frame, const uint8_t *mac, uint64_t now_ot)
{
	const uint8_t *header = frame->header, *target = header + 62;
	const struct plain_network *own = own_address(6, target);
	const bool from_none = sum(header + 22, 16, 0) == 0;
	uint8_t link_local[16] = {0xfe, 0x80, [8] = 0x00, 0x52, 0x54, 0xff, 0xfe, 0, 0, (uint8_t)frame->port};
	uint8_t group[16], group_mac[MAC];
	const struct neighbour *asks;
	struct plain_router_frame reply;

	group_of(target, group, group_mac);
	if (from_none && (mac != NULL || memcmp(header + 38, group, 16) != 0)) {
		s.counts->wrong_header++;
		return;
	}
	if (!is_mac_of_port(frame->port, header) &&
	    !(header[38] == 0xff && memcmp(header, (uint8_t[]){0x33, 0x33}, 2) == 0 &&
	      memcmp(header + 2, header + 50, 4) == 0)) {
		s.counts->not_for_us++;
		return;
	}
	if (!(own != NULL && own->port == frame->port) && memcmp(target, link_local, 16) != 0)
		return;
	if (memcmp(header + 38, target, 16) != 0 && memcmp(header + 38, group, 16) != 0)
		return;
	if (from_none) {
		static const uint8_t all[16] = {0xff, 0x02, [15] = 1}, all_mac[MAC] = {0x33, 0x33, 0, 0, 0, 1};

		make_discovery(&reply, 136, 0xa0, frame->port, all_mac, target, all, target);
		s.counts->advertised += send_own(frame->port, &reply, now_ot);
		return;
	}
	learn(frame->port, 6, header + 22, mac, true, true, now_ot);
	asks = find(frame->port, 6, header + 22);
	if (mac == NULL && asks != NULL && asks->known)
		mac = asks->mac;
	if (mac == NULL)
		return;
	make_discovery(&reply, 136, 0xe0, frame->port, mac, target, header + 22, target);
	s.counts->advertised += send_own(frame->port, &reply, now_ot);
}

static void discovery(const struct plain_router_frame *frame, unsigned length, uint64_t now_ot)
{
	const uint8_t *header = frame->header;
	bool wrong = header[21] != 255 || header[55] != 0 || header[62] == 0xff ||
	             sum(header + 54, length, sum(header + 22, 32, length + 58)) != 65535;
	const uint8_t *mac = wrong ? NULL : option(header, length, header[54] == 135 ? 1 : 2, &wrong);

	if (wrong || (mac != NULL && (mac[0] & 1)) ||
	    (header[54] == 136 && header[38] == 0xff && (header[58] & 0x40))) {
		s.counts->wrong_header++;
		return;
	}
	if (header[54] == 135) {
		solicitation(frame, mac, now_ot);
		return;
	}
	if (!is_mac_of_port(frame->port, header) &&
	    !(header[38] == 0xff && memcmp(header, (uint8_t[]){0x33, 0x33}, 2) == 0 &&
	      memcmp(header + 2, header + 50, 4) == 0))
		return;
	learn(frame->port, 6, header + 62, mac, false, (header[58] & 0x20) != 0, now_ot);
}

/* -- packets ------------------------------------------------------------------------------------------------------- */

static bool is_martian(unsigned version, const uint8_t *a)
{
	static const uint8_t none[16], loopback[16] = {[15] = 1};

	if (version == 4)
		return a[0] == 0 || a[0] == 127 || a[0] >= 224 || (a[0] == 169 && a[1] == 254);
	return memcmp(a, none, 16) == 0 || memcmp(a, loopback, 16) == 0 || a[0] == 0xff ||
	       (a[0] == 0xfe && a[1] >= 0x80 && a[1] <= 0xbf);
}

static void deliver(const struct plain_router_frame *frame, const struct plain_network *at, const uint8_t *to,
                    uint64_t now_ot)
{
	struct neighbour *neighbour = find(at->port, at->version, to);
	const bool is_new = neighbour == NULL;

	if (is_new)
		neighbour = add(at->port, at->version, to);
	if (neighbour == NULL)
		return;
	if (neighbour->known) {
		forward(at->port, frame, neighbour->mac, now_ot);
		return;
	}
	wait(frame, neighbour, now_ot);
	if (is_new || now_ot - neighbour->asked_ot >= s.settings->ask_every_ot)
		ask(neighbour, at->address, now_ot);
}

/* The first one to its destination of those that any network has. */
static bool is_first(const struct plain_router_frame *frame, unsigned version, const uint8_t *to)
{
	bool is_reached = false;

	for (size_t i = 0; i < s.lookups; i++)
		if ((s.lookup[i].frame->header[12] == 0x08) == (version == 4) &&
		    memcmp(s.lookup[i].frame->header + (to - frame->header), to, octets_of(version)) == 0)
			return false;
	for (size_t i = 0; i < s.settings->own_count; i++)
		is_reached |= s.settings->own[i].version == version &&
		              same_bits(s.settings->own[i].address, to, s.settings->own[i].bits);
	for (size_t i = 0; i < s.settings->far_count; i++)
		is_reached |= s.settings->far[i].version == version &&
		              same_bits(s.settings->far[i].address, to, s.settings->far[i].bits);
	return is_reached;
}

/* The longest prefix; networks of ports and others never have the same. */
static void route(const struct plain_router_frame *frame, unsigned version, const uint8_t *to, uint64_t now_ot)
{
	const struct plain_network *best = NULL, *hop = NULL;

	for (size_t i = 0; i < s.settings->own_count + s.settings->far_count; i++) {
		const bool is_own = i < s.settings->own_count;
		const struct plain_network *network =
		        is_own ? &s.settings->own[i] : &s.settings->far[i - s.settings->own_count];

		if (network->version == version && same_bits(network->address, to, network->bits) &&
		    (best == NULL || network->bits > best->bits)) {
			best = network;
			hop = is_own ? NULL : network;
		}
	}
	if (best == NULL) {
		s.counts->no_route++;
		return;
	}
	if (hop != NULL) {
		/* the network of a port with the longest prefix for the next hop */
		const struct plain_network *near = NULL;

		for (size_t i = 0; i < s.settings->own_count; i++) {
			const struct plain_network *own = &s.settings->own[i];

			if (own->version == version && same_bits(own->address, hop->next_hop, own->bits) &&
			    (near == NULL || own->bits > near->bits))
				near = own;
		}
		s.counts->by_next_hop++;
		deliver(frame, near, hop->next_hop, now_ot);
		return;
	}
	if (version == 4 && best->bits < 31) {
		unsigned ones = 0;

		for (unsigned i = best->bits; i < 32; i++)
			ones += (to[i / 8] >> (7 - i % 8)) & 1;
		if (ones == 0 || ones == 32 - best->bits) {
			s.counts->directed_broadcasts++;
			return;
		}
	}
	deliver(frame, best, to, now_ot);
}

static bool is_permitted(unsigned version, const uint8_t *from, const uint8_t *to)
{
	const size_t octets = version == 4 ? 4 : 16;

	if (s.settings->filter_count == 0)
		return true;
	for (size_t i = 0; i < s.settings->filter_count; i++) {
		const struct plain_filter *filter = &s.settings->filter[i];

		if (filter->version == version && memcmp(filter->from, from, octets) == 0 &&
		    memcmp(filter->to, to, octets) == 0) {
			s.counts->permitted += filter->forwards;
			return filter->forwards;
		}
	}
	return false;
}

static void packet(const struct plain_router_frame *frame, unsigned version, bool is_looked_up, uint64_t now_ot)
{
	const uint8_t *header = frame->header;
	const uint8_t *from = header + (version == 4 ? 26 : 22), *to = header + (version == 4 ? 30 : 38);

	if (!is_mac_of_port(frame->port, header)) {
		s.counts->not_for_us++;
	} else if (s.settings->first_lookup_ot != 0 && !is_looked_up && own_address(version, to) == NULL &&
	           is_first(frame, version, to)) {
		s.lookup[s.lookups].frame = frame;
		s.lookup[s.lookups++].due_ot = now_ot + s.settings->first_lookup_ot;
		s.counts->looked_up++;
	} else if (is_martian(version, from) || is_martian(version, to)) {
		s.counts->martians++;
	} else if (header[version == 4 ? 22 : 21] <= 1) {
		s.counts->old++;
	} else if (own_address(version, from) != NULL || own_address(version, to) != NULL) {
		s.counts->ours++;
	} else if (!is_permitted(version, from, to)) {
		s.counts->blocked++;
	} else {
		route(frame, version, to, now_ot);
	}
}

static void ipv4(const struct plain_router_frame *frame, uint64_t now_ot)
{
	const uint8_t *header = frame->header;
	const unsigned own = (header[14] & 15u) * 4, length = header[16] * 256u + header[17];

	if (header[14] / 16 != 4 || own < 20 || length < own || length > frame->octets - 18 ||
	    sum(header + 14, own, 0) != 65535)
		s.counts->wrong_header++;
	else
		packet(frame, 4, false, now_ot);
}

static void ipv6(const struct plain_router_frame *frame, uint64_t now_ot)
{
	const uint8_t *header = frame->header;
	const unsigned length = header[18] * 256u + header[19];

	if (header[14] / 16 != 6 || length + 40 > frame->octets - 18)
		s.counts->wrong_header++;
	else if (header[20] == 58 && length >= 24 && length <= 74 && (header[54] == 135 || header[54] == 136))
		discovery(frame, length, now_ot);
	else
		packet(frame, 6, false, now_ot);
}

static void decide(const struct plain_router_frame *frame, uint64_t now_ot)
{
	const unsigned type = frame->header[12] * 256u + frame->header[13];

	expire(now_ot);
	if (frame->bad_fcs || frame->octets < 64 || frame->octets > 9216)
		s.counts->errors++;
	else if (frame->header[6] & 1)
		s.counts->other++;
	else if (type == 0x0806)
		arp(frame, now_ot);
	else if (type == 0x0800)
		ipv4(frame, now_ot);
	else if (type == 0x86dd)
		ipv6(frame, now_ot);
	else
		s.counts->other++;
}

static void end_lookups(uint64_t until_ot)
{
	while (s.lookups_over < s.lookups && s.lookup[s.lookups_over].due_ot <= until_ot) {
		const struct plain_router_frame *frame = s.lookup[s.lookups_over].frame;

		expire(s.lookup[s.lookups_over].due_ot);
		packet(frame, frame->header[12] == 0x08 ? 4 : 6, true, s.lookup[s.lookups_over++].due_ot);
	}
}

size_t plain_router_play(const struct plain_router *settings, const struct plain_router_frame *in, size_t count,
                         struct plain_router_frame *out, struct plain_router_counts *counts)
{
	static bool done[PLAIN_ROUTER_FRAMES];
	size_t given = 0;

	cr_assert(count <= PLAIN_ROUTER_FRAMES);
	s.neighbours = s.waitings = s.lookups = s.lookups_over = 0;
	memset(s.line_ot, 0, sizeof(s.line_ot));
	memset(s.own_frames, 0, sizeof(s.own_frames));
	memset(s.outs, 0, sizeof(s.outs));
	memset(done, 0, sizeof(done));
	s.settings = settings;
	s.counts = counts;
	for (size_t round = 0; round < count; round++) {
		size_t next = count;
		uint64_t next_ot = UINT64_MAX;

		for (size_t i = 0; i < count; i++) {
			const uint64_t at_ot = in[i].start_ot + 8 + in[i].octets + settings->latency_ot;

			if (!done[i] && (at_ot < next_ot || (at_ot == next_ot && in[i].port < in[next].port))) {
				next = i;
				next_ot = at_ot;
			}
		}
		done[next] = true;
		end_lookups(next_ot);
		decide(&in[next], next_ot);
	}
	end_lookups(UINT64_MAX);
	for (unsigned i = 0; i < settings->ports; i++) {
		memcpy(out + given, s.out[i], s.outs[i] * sizeof(*out));
		given += s.outs[i];
	}
	return given;
}
