/* SPDX-License-Identifier: Apache-2.0 */
/* The Internet checksum (RFC 1071): the inverted one's complement sum of octets as 16-bit words. */
#ifndef FPGAUGE_BASE_INTERNET_CHECKSUM_H
#define FPGAUGE_BASE_INTERNET_CHECKSUM_H

#include "host/base/octets.h"

/* Folds a sum to 16 bits: 0 only of 0. */
static inline uint32_t internet_fold(uint64_t sum)
{
	while (sum >> 16 != 0)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint32_t)sum;
}

/* The folded sum of up to 65535 octets, on top of another sum below 2^17: 0xffff if they have their checksum in them
 * and it is right. */
static inline uint32_t internet_sum(const uint8_t *octets, uint32_t count, uint32_t sum)
{
	for (uint32_t i = 0; i + 1 < count; i += 2)
		sum += get_be16(octets + i);
	if (count % 2 != 0)
		sum += (uint32_t)octets[count - 1] << 8;
	return internet_fold(sum);
}

/* Turns a folded sum into that of the same octets behind an odd number of others: its halves are swapped. */
static inline uint32_t internet_swap(uint32_t sum)
{
	return (sum << 8 | sum >> 8) & 0xffff;
}

static inline uint32_t internet_checksum(const uint8_t *octets, uint32_t count, uint32_t sum)
{
	return ~internet_sum(octets, count, sum) & 0xffff;
}

#endif
