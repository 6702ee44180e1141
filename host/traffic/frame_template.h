/* SPDX-License-Identifier: Apache-2.0 */
/* The test frame of RFC 2544: a UDP echo request over IPv4 on Ethernet (Appendix C.2.6.4). The hardware adds the
 * payload beyond these octets, the signature and the FCS. */
#ifndef FPGAUGE_TRAFFIC_FRAME_TEMPLATE_H
#define FPGAUGE_TRAFFIC_FRAME_TEMPLATE_H

#include <stdint.h>

#include "host/traffic/packet.h"
#include "host/traffic/shape.h"
#include "host/traffic/test_host.h"

enum {
	TEMPLATE_OCTETS = 64,         /* size of the header of a flow in the device */
	TEMPLATE_PAYLOAD_OFFSET = 42, /* 14 Ethernet, 20 IPv4, 8 UDP */
	TEMPLATE_MAX_ENTRIES = TEST_HOSTS,
};

enum {
	TEST_FRAME_TTL = 10, /* C.2.6.4 */
	TEST_FRAME_SOURCE_PORT = 0xC020,
	TEST_FRAME_ECHO_PORT = 7,
};

/* Makes the headers of that frame, of any length and without a UDP checksum. */
void test_frame_ipv4(struct packet *packet, const struct test_host *source, const struct test_host *destination);

/* The same over IPv6 (RFC 5180), with the UDP checksum that RFC 8200 8.1 demands. */
void test_frame_ipv6(struct packet *packet, const struct test_host *source, const struct test_host *destination);

/* The same with extension headers (RFC 5180 5.3): all of the kinds of frames that are IPv6. */
void test_frame_extended(struct packet *packet, enum traffic_frame frame, const struct test_host *source,
                         const struct test_host *destination);

/* Ethernet addresses, a type that no device knows, and payload. */
void test_frame_ethernet(struct packet *packet, const struct test_host *source, const struct test_host *destination);

/* Makes the one of these that `frame` says. */
void test_frame(struct packet *packet, enum traffic_frame frame, const struct test_host *source,
                const struct test_host *destination);

/* The first TEMPLATE_OCTETS octets of an IPv4 frame of frame_octets (FCS included, at least 64) from host `entry` (0 to
 * TEMPLATE_MAX_ENTRIES - 1) of source_port to host `entry` of destination_port. */
void frame_template(uint8_t octets[TEMPLATE_OCTETS], unsigned source_port, unsigned destination_port, unsigned entry,
                    uint32_t frame_octets);

#endif
