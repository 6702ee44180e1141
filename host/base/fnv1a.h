/* SPDX-License-Identifier: Apache-2.0 */
/* FNV-1a of 64 bits (Fowler, Noll and Vo), a hash that goes on from any other. */
#ifndef FPGAUGE_BASE_FNV1A_H
#define FPGAUGE_BASE_FNV1A_H

#include <stddef.h>
#include <stdint.h>

static const uint64_t FNV1A_OF_NOTHING = UINT64_C(0xcbf29ce484222325);

static inline uint64_t fnv1a(uint64_t hash, const void *memory, size_t size)
{
	const uint8_t *octets = memory;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ octets[i]) * UINT64_C(0x100000001b3);
	return hash;
}

#endif
