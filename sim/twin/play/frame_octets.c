// SPDX-License-Identifier: Apache-2.0
/* All octets of frames. */
#include "sim/twin/play/frame_octets.h"

#include <stdbool.h>
#include <string.h>

#include "host/base/internet_checksum.h"
#include "host/base/octets.h"
#include "sim/twin/play/clocks.h"

enum {
	INSERTS_OCTETS = 2 * FRAME_HEADER_OCTETS, /* fields, lengths and checksums reach so far */
	FIELD_OCTETS = 4,
	WORD_16_OCTETS = 2,
	SIGNATURE_OCTETS = 18,
	IN_USE_BIT = 15, /* the checksum is in use */
	ZERO_AS_ONES_BIT = 14,
	COUNT_BLOCK = 256,
	COUNT_BLOCK_SUM = 256 * 128 * 127 + 128 * 128, /* sum of 00 01 ... ff as big-endian words */
	OCTETS_MASK = 0x3fff,
};

/* -- FCS ----------------------------------------------------------------------------------------------------------- */

/* CRC-32 of IEEE 802.3 clause 3.2.9, four bits at a time. */
static uint32_t fcs_of(const uint8_t *octets, uint32_t count)
{
	static const uint32_t table[16] = {0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
	                                   0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
	                                   0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
	uint32_t crc = UINT32_MAX;

	for (uint32_t i = 0; i < count; i++) {
		crc ^= octets[i];
		crc = crc >> 4 ^ table[crc & 15];
		crc = crc >> 4 ^ table[crc & 15];
	}
	return ~crc;
}

static void put_fcs(uint8_t *frame, uint32_t octets, bool wrong)
{
	const uint32_t end = octets - FCS_OCTETS;
	const uint32_t fcs = fcs_of(frame, end) ^ (wrong ? UINT32_MAX : 0);

	put_le(frame + end, fcs, FCS_OCTETS);
}

void frame_put_fcs(uint8_t *frame, uint32_t octets)
{
	put_fcs(frame, octets, false);
}

/* -- signature ----------------------------------------------------------------------------------------------------- */

/* hw/rtl/core/fpgauge_signature.vh */
static void make_signature(const struct record *record, uint32_t octets, uint8_t signature[SIGNATURE_OCTETS])
{
	const uint64_t time_groups = (record->start & RECORD_START_MASK) / GROUP_OCTETS;
	const uint32_t tag = record->start & RECORD_TAG ? 0x8000 : 0;

	put_be(signature, 0xf9a6, 2);
	signature[2] = (uint8_t)(record->sequence >> RECORD_RUN_LSB);
	signature[3] = (uint8_t)(record_source(record) << 4);
	signature[4] = (uint8_t)(record->sequence >> RECORD_ENTRY_LSB);
	put_be(signature + 5, record->sequence, 6);
	put_be(signature + 11, time_groups, 5);
	put_be(signature + 16, tag | octets, 2);
}

/* -- sums ---------------------------------------------------------------------------------------------------------- */

static uint32_t sum_of_octets(const uint8_t *octets, uint32_t count, bool odd)
{
	const uint32_t sum = internet_sum(octets, count, 0);

	return odd ? internet_swap(sum) : sum;
}

static uint64_t sum_of_count(uint32_t octets)
{
	const uint64_t rest = octets % COUNT_BLOCK, even = (rest + 1) / 2, odd = rest / 2;

	return (uint64_t)(octets / COUNT_BLOCK) * COUNT_BLOCK_SUM + (even != 0 ? 256 * even * (even - 1) : 0) +
	       odd * odd;
}

static uint64_t sum_of_fields(const struct frame_flow *flow, const struct contents_flow *contents,
                              const uint32_t *values, unsigned checksum)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < CONTENTS_FIELDS; i++) {
		uint8_t octets[FIELD_OCTETS];

		if (!(flow->in_checksum[i] >> checksum & 1))
			continue;
		put_be(octets, values[i], FIELD_OCTETS);
		sum += sum_of_octets(octets, FIELD_OCTETS, contents->field[i].octet % 2 != 0);
	}
	return sum;
}

static uint32_t length_of(const struct contents_length *length, uint32_t octets)
{
	return (octets - length->uncounted) & 0xffff;
}

/* Sum of payload and signature; where the payload is said to begin after its end, as the core has it. */
static uint64_t sum_of_rest(const struct frame_flow *flow, const struct record *record, uint32_t octets)
{
	const bool has_signature = !(record->start & RECORD_UNSIGNED);
	const uint32_t end = octets - FCS_OCTETS - (has_signature ? SIGNATURE_OCTETS : 0);
	const uint32_t counted = (end - flow->payload) & OCTETS_MASK;
	uint8_t signature[SIGNATURE_OCTETS];

	if (!has_signature)
		return sum_of_count(counted);
	make_signature(record, octets, signature);
	return sum_of_count(counted) + sum_of_octets(signature, SIGNATURE_OCTETS, counted % 2 != 0);
}

static uint32_t checksum_of(const struct frame_flow *flow, const struct contents_flow *contents, const uint32_t *values,
                            const struct record *record, uint32_t octets, unsigned which)
{
	const uint32_t setting = flow->checksum[which], times = setting >> 12 & 3;
	uint64_t sum = (setting >> 16) + sum_of_fields(flow, contents, values, which);
	uint32_t folded;

	if (which == 0)
		sum += contents->length[0].in_use ? length_of(&contents->length[0], octets) : 0;
	else
		sum += (uint64_t)(times < 2 ? times : 2) * length_of(&contents->length[1], octets) +
		       sum_of_rest(flow, record, octets);
	folded = internet_fold(sum);
	if (which == 1 && folded == 0xffff && (setting >> ZERO_AS_ONES_BIT & 1))
		return 0xffff;
	return ~folded & 0xffff;
}

/* -- the frame ----------------------------------------------------------------------------------------------------- */

/* Puts a value by OR into the header and the first entry of the body. */
static void insert(uint8_t *image, uint32_t image_octets, uint32_t at, uint32_t value, uint32_t octets)
{
	for (uint32_t i = 0; i < octets && at + i < image_octets; i++)
		image[at + i] |= (uint8_t)(value >> 8 * (octets - 1 - i));
}

static void put_inserts(const struct frame_flow *flow, const struct contents_flow *contents, const uint32_t *values,
                        const struct record *record, uint32_t octets, uint8_t *image, uint32_t image_octets)
{
	for (unsigned i = 0; i < CONTENTS_FIELDS; i++)
		if (values[i] != 0)
			insert(image, image_octets, contents->field[i].octet, values[i], FIELD_OCTETS);
	for (unsigned i = 0; i < CONTENTS_LENGTHS; i++)
		if (contents->length[i].in_use)
			insert(image, image_octets, contents->length[i].octet, length_of(&contents->length[i], octets),
			       WORD_16_OCTETS);
	for (unsigned i = 0; i < 2; i++)
		if (flow->checksum[i] >> IN_USE_BIT & 1)
			insert(image, image_octets, flow->checksum[i] & 0x7e,
			       checksum_of(flow, contents, values, record, octets, i), WORD_16_OCTETS);
}

static void put_signature(const struct record *record, uint32_t octets, uint8_t *to, uint32_t count)
{
	const uint32_t at = octets - FCS_OCTETS - SIGNATURE_OCTETS;
	uint8_t signature[SIGNATURE_OCTETS];

	if (record->start & RECORD_UNSIGNED || at >= count)
		return;
	make_signature(record, octets, signature);
	memcpy(to + at, signature, count - at < SIGNATURE_OCTETS ? count - at : SIGNATURE_OCTETS);
}

void frame_octets_make(const struct frame_tables *tables, const struct contents *contents, const uint32_t *values,
                       const struct record *record, uint32_t octets, uint8_t *to, uint32_t count)
{
	const uint32_t number = record->sequence >> RECORD_ENTRY_LSB & (TURNS_FLOWS - 1);
	const struct frame_flow *flow = &tables->flow[number];
	const struct contents_flow *of = &contents->flow[number];
	const uint32_t body_end = FRAME_HEADER_OCTETS * (1u + flow->body_entries);
	uint8_t image[INSERTS_OCTETS];
	uint32_t i = body_end < INSERTS_OCTETS ? body_end : INSERTS_OCTETS;

	memcpy(image, flow->header, FRAME_HEADER_OCTETS);
	if (flow->body_entries != 0)
		memcpy(image + FRAME_HEADER_OCTETS, tables->body[flow->body_first], FRAME_HEADER_OCTETS);
	put_inserts(flow, of, values, record, octets, image,
	            flow->body_entries != 0 ? INSERTS_OCTETS : FRAME_HEADER_OCTETS);
	i = i < count ? i : count;
	memcpy(to, image, i);
	for (; i < count && i < body_end; i++)
		to[i] = tables->body[(flow->body_first + i / FRAME_HEADER_OCTETS - 1) % FRAME_BODIES]
		                    [i % FRAME_HEADER_OCTETS];
	for (; i < count; i++)
		to[i] = (uint8_t)(i - flow->payload);
	put_signature(record, octets, to, count);
	if (count == octets)
		put_fcs(to, octets, (record->start & RECORD_BAD_FCS) != 0);
}
