/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in frames, most significant octet first. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_OCTETS_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_OCTETS_H

#include <stdint.h>

static inline unsigned get16(const uint8_t *octets)
{
	return (unsigned)octets[0] << 8 | octets[1];
}

static inline void put16(uint8_t *octets, unsigned value)
{
	octets[0] = (uint8_t)(value >> 8);
	octets[1] = (uint8_t)value;
}

#endif
