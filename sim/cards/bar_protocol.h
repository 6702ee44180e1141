/* SPDX-License-Identifier: Apache-2.0 */
/* The protocol on the socket between a trapped BAR (trapbar.c) and the card (front_bar.c): one packet per access, on a
 * SOCK_SEQPACKET socket. A write has no answer, as on PCI Express, where it is posted; a read is answered with its
 * value, four octets. Both ends are on the same machine, so its own byte order is used. */
#ifndef FPGAUGE_SIM_CARDS_BAR_PROTOCOL_H
#define FPGAUGE_SIM_CARDS_BAR_PROTOCOL_H

#include <stdint.h>

enum bar_operation { BAR_READ32 = 1, BAR_WRITE32 = 2 };

struct bar_request {
	uint32_t operation; /* enum bar_operation */
	uint32_t offset;    /* octets into the BAR */
	uint32_t value;     /* value of a write */
};

#endif
