/* SPDX-License-Identifier: Apache-2.0 */
/* The addresses of the hosts that a port of the tester plays. Nothing else knows them. */
#ifndef FPGAUGE_TRAFFIC_TEST_HOST_H
#define FPGAUGE_TRAFFIC_TEST_HOST_H

#include <stdbool.h>
#include <stdint.h>

enum {
	TEST_HOSTS = 256,        /* a port's hosts, each with headers of its own */
	TEST_HOSTS_ROUTED = 253, /* a port's hosts in one network with its router */
	TEST_HOSTS_MANY = 65536, /* a port's hosts that differ in a varying field: the low 16 bits of the MAC address */
	TEST_HOSTS_MANY_IPV4 = 2048, /* 198.18.0.0/15 has not more for 16 ports */
};

struct test_host {
	uint8_t mac[6];
	uint8_t ipv4[4];
	uint8_t ipv6[16];
};

/* Host number `entry` (0 to TEST_HOSTS - 1) behind tester port `port` (0 to 15). */
struct test_host test_host(unsigned port, unsigned entry);

/* Host 0 of the many behind a port. Host n has the same addresses with n put into their low bits, which are 0 here: 16
 * bits of MAC and IPv6, 11 of IPv4. */
struct test_host test_host_many(unsigned port);

/* The router of a port, by RFC 2544 C.2.2.2 (node 1 of the first network of its hosts) and RFC 5180 (::1). Its MAC
 * address is not known here: 0. */
struct test_host test_gateway(unsigned port);

/* The router that a port plays for networks that are not at the port itself: node 10 (RFC 2544 C.2.2.2), which is this
 * host. */
enum { TEST_PHANTOM_ROUTER = 8 };

/* Node 2 of the first of the 256 networks behind that router. Number n (RFC 2544 section 12) has n in 8 bits that are 0
 * here: bits 11 to 4 of the IPv4 address, bits 71 to 64 of the IPv6 address. */
enum { TEST_NETWORKS = 256 };
struct test_host test_host_beyond(unsigned port);

/* Node 2 of network number n of them, modulo TEST_NETWORKS. */
struct test_host test_host_in_network(unsigned port, unsigned network);

/* The third octet of the network of class C behind a port of which the device knows by routing updates only: 65 and
 * more (RFC 2544 C.2.2.2). */
uint8_t test_learned_network(unsigned port);

/* Addresses for tests of address tables (RFC 2889 sections 5.7 and 5.8), of hosts of no port in particular: number n
 * has n in its last three octets, which are 0 here. */
enum { TEST_NUMBERED_MACS = 1 << 24 };
extern const uint8_t TEST_NUMBERED_MAC[6];

/* The hosts that a port plays in a trial: 0 to count - 1. */
struct test_host_range {
	unsigned port, count;
	bool many; /* numbered as by test_host_many(), else as by test_host() */
};

/* Host number `entry` of them. */
struct test_host test_host_in(const struct test_host_range *range, unsigned entry);

/* The host that has the address. False: none of them, and *host is undefined. */
bool test_host_of_ipv4(const struct test_host_range *range, const uint8_t ipv4[4], struct test_host *host);
bool test_host_of_ipv6(const struct test_host_range *range, const uint8_t ipv6[16], struct test_host *host);

#endif
