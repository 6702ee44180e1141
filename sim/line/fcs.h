/* SPDX-License-Identifier: Apache-2.0 */
/* The frame check sequence of a frame as octets: CRC-32, sent low octet first (IEEE 802.3 clause 3.2.9). zlib has it.
 */
#ifndef FPGAUGE_SIM_LINE_FCS_H
#define FPGAUGE_SIM_LINE_FCS_H

#include <stdbool.h>
#include <stdint.h>
#include <zlib.h>

#include "host/base/ethernet.h"
#include "host/base/octets.h"

/* Writes the FCS of the first `length` octets behind them. */
static inline void line_put_fcs(uint8_t *octets, uint32_t length)
{
	put_le(octets + length, crc32(0, octets, length), FCS_OCTETS);
}

/* True if the last octets are the FCS of those before: over a frame and its own FCS, CRC-32 has always the same value.
 */
static inline bool line_has_right_fcs(const uint8_t *octets, uint32_t length)
{
	const uLong residue = 0x2144df1c;

	return length > FCS_OCTETS && crc32(0, octets, length) == residue;
}

#endif
