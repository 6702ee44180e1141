// SPDX-License-Identifier: Apache-2.0
// The sum of counting octets in closed form: two values of a table of 256 words, as hw/rtl/tx/tx_checksum.v has it.
#include "sim/tcp/payload.h"

#include "host/base/internet_checksum.h"

/* Sum of the octets 0 to n - 1: e even ones in high halves, o odd ones in low halves. */
static uint32_t sum_from_zero(uint32_t n)
{
	uint64_t blocks = n / 256, rest = n % 256;
	uint64_t even = (rest + 1) / 2, odd = rest / 2;
	uint64_t block = 256 * 128 * 127 + 128 * 128;
	return internet_fold(blocks * block + (even ? 256 * even * (even - 1) : 0) + odd * odd);
}

uint16_t tcp_payload_sum(uint32_t seq, uint32_t octets)
{
	uint32_t first = seq % 256;
	uint32_t before = sum_from_zero(first);
	// The octets before are taken off; a sum of nothing stays 0, all else is not 0.
	uint32_t sum = octets ? internet_fold((uint64_t)sum_from_zero(first + octets) + (0xffff - before)) : 0;
	if (first % 2) // words begin with the odd octet: all halves are swapped
		sum = internet_swap(sum);
	return (uint16_t)sum;
}
