/* SPDX-License-Identifier: Apache-2.0 */
/* Test frames from the addresses of two hosts. */
#include "host/traffic/frame_template.h"

/* The UDP checksum stays 0, which means none (RFC 768). UDP length: total length minus the IPv4 header. C.2.6.4 prints
 * 9A for its low octet from 256 on: a misprint, because its own 1518 row (05DC, 05C8) follows this rule. */
void test_frame_ipv4(struct packet *packet, const struct test_host *source, const struct test_host *destination)
{
	packet_begin(packet, destination->mac, source->mac, PACKET_TYPE_IPV4);
	packet_add_ipv4(packet, source->ipv4, destination->ipv4, PACKET_UDP, TEST_FRAME_TTL);
	packet_add_udp(packet, TEST_FRAME_SOURCE_PORT, TEST_FRAME_ECHO_PORT, false);
}

void test_frame_ipv6(struct packet *packet, const struct test_host *source, const struct test_host *destination)
{
	packet_begin(packet, destination->mac, source->mac, PACKET_TYPE_IPV6);
	packet_add_ipv6(packet, source->ipv6, destination->ipv6, PACKET_UDP, TEST_FRAME_TTL);
	packet_add_udp(packet, TEST_FRAME_SOURCE_PORT, TEST_FRAME_ECHO_PORT, true);
}

void test_frame_ethernet(struct packet *packet, const struct test_host *source, const struct test_host *destination)
{
	packet_begin(packet, destination->mac, source->mac, PACKET_TYPE_TEST);
}

void test_frame(struct packet *packet, enum traffic_frame frame, const struct test_host *source,
                const struct test_host *destination)
{
	switch (frame) {
	case TRAFFIC_IPV4_UDP:
		test_frame_ipv4(packet, source, destination);
		return;
	case TRAFFIC_IPV6_UDP:
		test_frame_ipv6(packet, source, destination);
		return;
	case TRAFFIC_ETHERNET:
		test_frame_ethernet(packet, source, destination);
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
