/* SPDX-License-Identifier: Apache-2.0 */
/* The test frame: UDP echo request over IPv4 on Ethernet (RFC 2544 Appendix C.2.6.4), and the addresses of test
 * hosts. Nothing else knows either of them. The hardware adds the payload beyond these octets, the signature and the
 * FCS. */
#ifndef FPGAUGE_TRIAL_FRAME_TEMPLATE_H
#define FPGAUGE_TRIAL_FRAME_TEMPLATE_H

#include <stdint.h>

enum {
	TEMPLATE_OCTETS = 64,         /* size of a destination entry in the device */
	TEMPLATE_PAYLOAD_OFFSET = 42, /* 14 Ethernet, 20 IPv4, 8 UDP */
	TEMPLATE_MAX_ENTRIES = 256,
};

/* A test host as seen from a port of the tester. */
struct test_host {
	uint8_t mac[6];
	uint8_t ipv4[4];
};

/* Host number `entry` (0 to TEMPLATE_MAX_ENTRIES - 1) behind tester port `port` (0 to 15). */
struct test_host test_host(unsigned port, unsigned entry);

/* The first TEMPLATE_OCTETS octets of a frame of frame_octets (FCS included, at least 64) from host `entry` of
 * source_port to host `entry` of destination_port. */
void frame_template(uint8_t octets[TEMPLATE_OCTETS], unsigned source_port, unsigned destination_port, unsigned entry,
                    uint32_t frame_octets);

#endif
