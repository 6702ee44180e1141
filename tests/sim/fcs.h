/* SPDX-License-Identifier: Apache-2.0 */
/* The FCS of IEEE 802.3 clause 3.2.9 bit by bit, as the standard has it: nothing that the product calls. */
#ifndef FPGAUGE_TESTS_SIM_FCS_H
#define FPGAUGE_TESTS_SIM_FCS_H

#include <stdint.h>

/* Returns the FCS of the octets of a frame before it; its low octet is sent first. */
static inline uint32_t fcs_of(const uint8_t *octets, uint32_t count)
{
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < count; i++) {
		crc ^= octets[i];
		for (unsigned bit = 0; bit < 8; bit++)
			crc = crc >> 1 ^ (crc & 1 ? UINT32_C(0xedb88320) : 0);
	}
	return ~crc;
}

#endif
