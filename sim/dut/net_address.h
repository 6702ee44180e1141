/* SPDX-License-Identifier: Apache-2.0 */
/* IPv4 and IPv6 addresses and networks, as in packets: the first octet on the line first. */
#ifndef FPGAUGE_SIM_DUT_NET_ADDRESS_H
#define FPGAUGE_SIM_DUT_NET_ADDRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { NET_IPV4 = 4, NET_IPV6 = 6, NET_OCTETS = 16 };

/* An IPv4 address is in the first four octets, and the others are 0, so that addresses are compared as a whole. */
struct net_address {
	uint8_t octet[NET_OCTETS];
	uint8_t version; /* NET_IPV4, NET_IPV6 */
};

static inline unsigned net_octets(unsigned version)
{
	return version == NET_IPV4 ? 4 : NET_OCTETS;
}

static inline struct net_address net_address_of(unsigned version, const uint8_t *octets)
{
	struct net_address address = {.version = (uint8_t)version};

	memcpy(address.octet, octets, net_octets(version));
	return address;
}

static inline bool net_equal(const struct net_address *a, const struct net_address *b)
{
	return a->version == b->version && memcmp(a->octet, b->octet, NET_OCTETS) == 0;
}

/* True if the first `bits` bits are those of the network; versions must be equal. */
bool net_matches(const struct net_address *address, const struct net_address *network, unsigned bits);

/* The bits after the first `bits` are all 0 (ones: all 1); true of a host address. */
bool net_host_bits_are(const struct net_address *address, unsigned bits, bool ones);

/* An address at the beginning of a text of this length: "198.18.1.1", "2001:2::1". False: it is none. */
bool net_parse(const char *text, size_t length, struct net_address *address);

/* "198.18.1.0/24" */
bool net_parse_prefix(const char *text, size_t length, struct net_address *address, unsigned *bits);

/* Addresses that no router takes a packet from, or sends one to, whatever its networks: RFC 1812 sections 4.2.2.11 and
 * 5.3.7, RFC 3927 section 2.6.2; RFC 4291 sections 2.5.2, 2.5.3, 2.5.6 and 2.7. Groups are among them: there is no
 * multicast routing. */
bool net_is_martian(const struct net_address *address);

#endif
