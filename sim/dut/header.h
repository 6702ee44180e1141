/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses of a frame, for a device that reads no more of it. */
#ifndef FPGAUGE_SIM_DUT_HEADER_H
#define FPGAUGE_SIM_DUT_HEADER_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

/* The first octets of a frame; the octet that is first on the wire is the highest of 48 bits. */
struct dut_addresses {
	uint64_t destination, source;
};

/* Bit of either address: it stands for several stations (IEEE 802.3 clause 3.2.3). */
static const uint64_t DUT_GROUP_ADDRESS = UINT64_C(1) << 40;

/* header: 12 octets. They are read in the pieces in which they are likely to have been written: a read across two
 * writes would wait for both. */
static inline struct dut_addresses dut_addresses_of(const uint8_t *header)
{
	struct dut_addresses addresses;
	uint64_t first;
	uint32_t last;

	memcpy(&first, header, sizeof(first));
	memcpy(&last, header + sizeof(first), sizeof(last));
	first = be64toh(first);
	addresses.destination = first >> 16;
	addresses.source = (first & UINT16_MAX) << 32 | be32toh(last);
	return addresses;
}

#endif
