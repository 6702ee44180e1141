// SPDX-License-Identifier: Apache-2.0
// The octets of a stream, and what they add to a checksum, from their sequence numbers alone.
#ifndef FPGAUGE_SIM_TCP_PAYLOAD_H
#define FPGAUGE_SIM_TCP_PAYLOAD_H

#include <stdint.h>

/* The octet with the sequence number seq counts up as the payload of other frames does (docs/hardware-core.md): what is
 * sent again needs no memory, and a receiver can check it without knowing the connection. */
static inline uint8_t tcp_payload_octet(uint32_t seq)
{
	return (uint8_t)seq;
}

/* One's complement sum (RFC 1071) of so many octets from seq on, as big-endian words that begin with the first octet;
 * folded to 16 bits. octets: up to 65535. */
uint16_t tcp_payload_sum(uint32_t seq, uint32_t octets);

#endif
