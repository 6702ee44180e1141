/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in octets: be has the most significant octet first, as frames have it; le the least significant one. */
#ifndef FPGAUGE_BASE_OCTETS_H
#define FPGAUGE_BASE_OCTETS_H

#include <stdint.h>

static inline uint32_t get_be16(const uint8_t *octets)
{
	return (uint32_t)octets[0] << 8 | octets[1];
}

static inline void put_be16(uint8_t *octets, uint32_t value)
{
	octets[0] = (uint8_t)(value >> 8);
	octets[1] = (uint8_t)value;
}

static inline uint64_t get_be(const uint8_t *octets, unsigned count)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count; i++)
		value = value << 8 | octets[i];
	return value;
}

static inline void put_be(uint8_t *octets, uint64_t value, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		octets[i] = (uint8_t)(value >> 8 * (count - 1 - i));
}

static inline uint64_t get_le(const uint8_t *octets, unsigned count)
{
	uint64_t value = 0;

	for (unsigned i = 0; i < count; i++)
		value |= (uint64_t)octets[i] << 8 * i;
	return value;
}

static inline void put_le(uint8_t *octets, uint64_t value, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		octets[i] = (uint8_t)(value >> 8 * i);
}

#endif
