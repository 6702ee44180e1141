/* SPDX-License-Identifier: Apache-2.0 */
/* Test frames from the addresses of two hosts. */
#include "host/traffic/frame_template.h"

/* The UDP checksum stays 0, which means none (RFC 768). UDP length: total length minus the IPv4 header. C.2.6.4 prints
 * 9A for its low octet from 256 on: a misprint, because its own 1518 row (05DC, 05C8) follows this rule. */
void test_frame_ipv4(struct packet *packet, const struct test_host *source, const struct test_host *destination)
{
	packet_begin(packet, destination->mac, source->mac, TYPE_IPV4);
	packet_add_ipv4(packet, source->ipv4, destination->ipv4, PACKET_UDP, TEST_FRAME_TTL);
	packet_add_udp(packet, TEST_FRAME_SOURCE_PORT, TEST_FRAME_ECHO_PORT, false);
}

enum { MOST_EXTENSIONS = 3 };

static const struct {
	unsigned count;
	enum packet_extension extension[MOST_EXTENSIONS];
} EXTENSIONS[] = {
        [TRAFFIC_IPV6_UDP] = {0},
        [TRAFFIC_IPV6_HOP_BY_HOP] = {1, {PACKET_HOP_BY_HOP}},
        [TRAFFIC_IPV6_DESTINATION_OPTIONS] = {1, {PACKET_DESTINATION_OPTIONS}},
        [TRAFFIC_IPV6_ROUTING] = {1, {PACKET_ROUTING}},
        [TRAFFIC_IPV6_FRAGMENT] = {1, {PACKET_FRAGMENT}},
        [TRAFFIC_IPV6_AUTHENTICATION] = {1, {PACKET_AUTHENTICATION}},
        [TRAFFIC_IPV6_CHAIN] = {3, {PACKET_ROUTING, PACKET_DESTINATION_OPTIONS, PACKET_FRAGMENT}},
};

void test_frame_extended(struct packet *packet, enum traffic_frame frame, const struct test_host *source,
                         const struct test_host *destination)
{
	packet_begin(packet, destination->mac, source->mac, TYPE_IPV6);
	packet_add_ipv6(packet, source->ipv6, destination->ipv6, PACKET_UDP, TEST_FRAME_TTL);
	for (unsigned i = 0; i < EXTENSIONS[frame].count; i++)
		packet_add_extension(packet, EXTENSIONS[frame].extension[i]);
	packet_add_udp(packet, TEST_FRAME_SOURCE_PORT, TEST_FRAME_ECHO_PORT, true);
}

void test_frame_ipv6(struct packet *packet, const struct test_host *source, const struct test_host *destination)
{
	test_frame_extended(packet, TRAFFIC_IPV6_UDP, source, destination);
}

void test_frame_ethernet(struct packet *packet, const struct test_host *source, const struct test_host *destination)
{
	packet_begin(packet, destination->mac, source->mac, TYPE_TEST);
}

void test_frame(struct packet *packet, enum traffic_frame frame, const struct test_host *source,
                const struct test_host *destination)
{
	switch (frame) {
	case TRAFFIC_IPV4_UDP:
		test_frame_ipv4(packet, source, destination);
		return;
	case TRAFFIC_ETHERNET:
		test_frame_ethernet(packet, source, destination);
		return;
	default:
		test_frame_extended(packet, frame, source, destination);
		return;
	}
}

void frame_template(uint8_t octets[TEMPLATE_OCTETS], unsigned source_port, unsigned destination_port, unsigned entry,
                    uint32_t frame_octets)
{
	const struct test_host source = test_host(source_port, entry);
	const struct test_host destination = test_host(destination_port, entry);
	struct packet packet;

	test_frame_ipv4(&packet, &source, &destination);
	packet_fix(&packet, frame_octets);
	for (unsigned i = 0; i < TEMPLATE_OCTETS; i++)
		octets[i] = packet_octet(&packet, i);
}
