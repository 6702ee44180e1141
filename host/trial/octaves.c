/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of octave bins. Device data are not trusted: whatever they are, no access is out of range. */
#include "host/trial/octaves.h"

enum { GROUP_OCTETS = 8, PER_OCTAVE_LOG2 = 5, PER_OCTAVE = 1 << PER_OCTAVE_LOG2 };

/* The bin, with v the latency in groups and e the number of its highest bit, is v below 32, else (e - 4) x 32 + v /
 * 2^(e - 5) - 32. Here, v / 2^shift has its highest bit, which stands for 32 bins, at bit 5. */
uint32_t octave_bin(uint64_t latency_ot)
{
	const uint64_t groups = latency_ot / GROUP_OCTETS;
	uint32_t shift = 0;

	while (groups >> shift >= 2 * PER_OCTAVE)
		shift++;
	if (shift * PER_OCTAVE + (groups >> shift) >= OCTAVE_BINS)
		return OCTAVE_BINS - 1;
	return shift * PER_OCTAVE + (uint32_t)(groups >> shift);
}

uint64_t octave_low_ot(uint64_t bin)
{
	const uint64_t shift = bin < 2 * PER_OCTAVE ? 0 : bin / PER_OCTAVE - 1;

	return bin < OCTAVE_BINS ? (bin - shift * PER_OCTAVE) * GROUP_OCTETS << shift : UINT64_MAX;
}

bool octaves_needed(const struct histogram *histogram, uint64_t least, uint64_t most)
{
	const uint64_t end = histogram->first + histogram->bins * histogram->width;

	return least < EQUAL_BINS_FROM * histogram->width || most >= end || histogram->beyond != 0;
}

uint64_t octaves_total(const struct octaves *octaves)
{
	uint64_t total = 0;

	for (uint64_t i = 0; i < octaves->bins && i < OCTAVE_BINS; i++)
		total += octaves->count[i];
	return total;
}
