/* SPDX-License-Identifier: Apache-2.0 */
/* Packets of a router: what it reads in a frame, what it writes into one that it forwards, and the frames that it
 * makes. Ethernet without tags; IPv4 and ARP (RFC 791, RFC 826), IPv6 and neighbour discovery (RFC 8200, RFC 4861). MAC
 * addresses are big-endian numbers. */
#ifndef FPGAUGE_SIM_DUT_ROUTER_PACKET_H
#define FPGAUGE_SIM_DUT_ROUTER_PACKET_H

#include <stdbool.h>
#include <stdint.h>

#include "host/base/ethernet.h"
#include "sim/dut/net_address.h"

enum {
	ROUTER_ARP_OCTETS = 64,       /* length of an ARP frame, with its FCS */
	ROUTER_DISCOVERY_OCTETS = 90, /* the same with one option */
	ROUTER_OWN_OCTETS = 256,      /* longest frame of the router: an answer of its agent */
};

enum router_kind {
	ROUTER_OTHER, /* nothing that a router takes, or with an error in it */
	ROUTER_PACKET,
	ROUTER_ARP_REQUEST,
	ROUTER_ARP_REPLY,
	ROUTER_SOLICITATION,
	ROUTER_ADVERTISEMENT,
};

struct router_header {
	enum router_kind kind;
	uint64_t to_mac;
	struct net_address source, destination; /* ARP: the sender's, and the one asked for */
	uint8_t hops;                           /* TTL, hop limit */
	/* neighbour discovery and ARP */
	struct net_address target; /* asked for, or told of */
	uint64_t mac;              /* MAC of the sender, or of the target that is told of; 0: not said */
	bool overrides;            /* may change what is known */
};

static const uint64_t ROUTER_BROADCAST_MAC = UINT64_C(0xffffffffffff);

/* octets: of the frame with its FCS. header: as many of them as are there, at most DUT_HEADER_OCTETS. */
struct router_header router_read(const uint8_t *header, uint32_t octets);

/* Changes the header of a packet that is forwarded: RFC 1812 section 5.2.1.2, RFC 8200 section 3. */
void router_rewrite(uint8_t *header, uint64_t to_mac, uint64_t from_mac);

/* Sender and receiver of a frame of the router. */
struct router_ends {
	uint64_t from_mac, to_mac;
	struct net_address from, to;
};

/* Write frames without their FCS, and return their length with it. ARP request: to_mac is not used. Solicitation: of
 * ends->to. Advertisement: of ends->from; to the unspecified address: to all nodes. */
uint32_t router_make_arp(uint8_t *octets, const struct router_ends *ends, bool reply);
uint32_t router_make_solicitation(uint8_t *octets, const struct router_ends *ends);
uint32_t router_make_advertisement(uint8_t *octets, const struct router_ends *ends);

/* RFC 4291 section 2.7.1, RFC 2464 section 7: the group in which an address is asked for, and the MAC of a group. */
struct net_address router_solicited_group(const struct net_address *address);
uint64_t router_group_mac(const struct net_address *group);

/* RFC 4291 section 2.5.6, RFC 2464 section 5: made from a MAC address. */
struct net_address router_link_local(uint64_t mac);

#endif
