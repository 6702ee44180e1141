// SPDX-License-Identifier: Apache-2.0
/* All values that the fields of a flow can have are gone through, and the device is asked. */
#include "sim/twin/skip/foresee.h"

#include <string.h>

#include "host/base/ethernet.h"
#include "host/base/octets.h"

enum {
	MOST_VALUES = 1 << 16, /* limit for all fields together */
	IPV4_END = 34,         /* end of a header without options */
	IPV6_END = 54,
	IPV4_FIRST = 0x45, /* version, and length of a header without options */
	IPV6_NEXT_AT = 20,
	ICMPV6 = 58,
	SIGNATURE_AND_FCS_OCTETS = 22,
	CHECKSUM_IN_USE = 1 << 15,
	CHECKSUM_OCTETS = 2,
};

/* Returns how far the device reads the frame: a header of IP, or nothing but a type that it does not know. 0: it may
 * read what differs from frame to frame. */
static uint32_t read_octets(const struct frame_flow *flow, uint32_t octets)
{
	const uint8_t *header = flow->header;
	const uint32_t type = get_be16(header + AT_TYPE);
	const uint32_t checksum = flow->checksum[1];
	uint32_t end = 0;

	if (type == TYPE_IPV4 && header[AT_TYPE + 2] == IPV4_FIRST)
		end = IPV4_END;
	else if (type == TYPE_IPV6 && header[IPV6_NEXT_AT] != ICMPV6)
		end = IPV6_END;
	else if (type != TYPE_IPV4 && type != TYPE_IPV6 && type != TYPE_ARP)
		end = ETHERNET_OCTETS;
	/* The signature, and a checksum over it, come behind. */
	if (octets < end + SIGNATURE_AND_FCS_OCTETS || (checksum & CHECKSUM_IN_USE && (checksum & 0x7e) < end))
		return 0;
	return end;
}

/* Fields that change what is read; those in the octets that say how it is read are none of these. False: they are. */
static bool find_fields(const struct post *post, uint32_t flow, uint32_t end, uint32_t choices[CONTENTS_FIELDS])
{
	const struct contents_flow *contents = &post->contents.flow[flow];
	uint64_t values = 1;

	for (unsigned i = 0; i < CONTENTS_FIELDS; i++) {
		const struct contents_field *field = &contents->field[i];
		const bool in_header_sum = post->tables.flow[flow].in_checksum[i] & 1;

		choices[i] = 1;
		if (field->kind == 0 || (field->octet >= end && !in_header_sum))
			continue;
		if (field->octet < IPV4_END - 8 && field->octet + 4 > AT_TYPE)
			return false;
		choices[i] = contents_choices(field);
		values *= choices[i];
		if (values > MOST_VALUES)
			return false;
	}
	return true;
}

/* The next choice of all fields together; false: there is none. */
static bool next_choice(const uint32_t choices[CONTENTS_FIELDS], uint32_t choice[CONTENTS_FIELDS])
{
	for (unsigned i = 0; i < CONTENTS_FIELDS; i++) {
		if (++choice[i] != choices[i])
			return true;
		choice[i] = 0;
	}
	return false;
}

enum dut_way foresee_flow(const struct dut_device *device, unsigned port, const struct post *post, uint32_t flow,
                          uint32_t octets, unsigned *output)
{
	const struct record record = {.sequence = (uint64_t)flow << RECORD_ENTRY_LSB};
	const uint32_t end = read_octets(&post->tables.flow[flow], octets);
	uint32_t choices[CONTENTS_FIELDS], choice[CONTENTS_FIELDS] = {0};
	enum dut_way way = DUT_WAY_OPEN;
	bool first = true;

	if (end == 0 || !find_fields(post, flow, end, choices))
		return DUT_WAY_OPEN;
	do {
		uint8_t header[DUT_HEADER_OCTETS] = {0};
		uint32_t values[CONTENTS_FIELDS];
		enum dut_way this_way;
		unsigned this_output = 0;

		for (unsigned i = 0; i < CONTENTS_FIELDS; i++)
			values[i] = choices[i] > 1 || post->contents.flow[flow].field[i].kind != 0
			                    ? contents_choice(&post->contents, flow, i, choice[i])
			                    : 0;
		frame_octets_make(&post->tables, &post->contents, values, &record, octets, header,
		                  octets - FCS_OCTETS < DUT_HEADER_OCTETS ? octets - FCS_OCTETS : DUT_HEADER_OCTETS);
		if (memcmp(header + AT_TYPE, post->tables.flow[flow].header + AT_TYPE, 3) != 0 ||
		    (end == IPV6_END && header[IPV6_NEXT_AT] == ICMPV6))
			return DUT_WAY_OPEN;
		this_way = dut_device_way(device, port, header, octets, &this_output);
		if (this_way == DUT_WAY_OPEN || (!first && (this_way != way || this_output != *output)))
			return DUT_WAY_OPEN;
		way = this_way;
		*output = this_output;
		first = false;
	} while (next_choice(choices, choice));
	return way;
}
