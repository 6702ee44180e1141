/* SPDX-License-Identifier: Apache-2.0 */
/* Test frames against RFC 2544 Appendix C.2.6.4, octet by octet. */
#include <criterion/criterion.h>
#include <string.h>

#include "host/base/internet_checksum.h"
#include "host/traffic/frame_template.h"

/* RFC 1071: the ones' complement sum over a header with its checksum is all ones. */
static unsigned header_sum(const uint8_t *octets)
{
	return internet_sum(octets + 14, 20, 0);
}

Test(frame_template, a_frame_of_64_octets_is_the_one_that_the_appendix_prints)
{
	static const uint8_t want[TEMPLATE_OCTETS] = {
	        0x02, 'F',  'G',  1,    0,   0,  0x02, 'F', 'G',  0,    0,    0,    0x08, 0x00, /* Ethernet */
	        0x45, 0x00, 0x00, 0x2E, 0,   0,  0,    0,   0x0A, 0x11, 0x22, 0x96,             /* IPv4 */
	        198,  18,   1,    2,    198, 19, 1,    2,   0xC0, 0x20, 0x00, 0x07, 0x00, 0x1A, 0x00, 0x00, /* UDP */
	        0,    1,    2,    3,    4,   5,  6,    7,   8,    9,    10,   11,   12,   13,   14,   15,
	        16,   17,   18,   19,   20,  21};
	uint8_t octets[TEMPLATE_OCTETS];

	frame_template(octets, 0, 1, 0, 64);
	for (unsigned i = 0; i < TEMPLATE_OCTETS; i++)
		cr_expect_eq(octets[i], want[i], "octet %u is %02x, want %02x", i, octets[i], want[i]);
}

Test(frame_template, lengths_are_those_of_the_appendix)
{
	/* The UDP lengths for 256 to 1280 are misprinted there (009A, 019A ...): total length - 20 is meant. */
	static const unsigned rows[][3] = {{64, 0x002E, 0x001A},   {128, 0x006E, 0x005A},  {256, 0x00EE, 0x00DA},
	                                   {512, 0x01EE, 0x01DA},  {768, 0x02EE, 0x02DA},  {1024, 0x03EE, 0x03DA},
	                                   {1280, 0x04EE, 0x04DA}, {1518, 0x05DC, 0x05C8}, {9216, 9198, 9178}};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		uint8_t octets[TEMPLATE_OCTETS];

		frame_template(octets, 0, 1, 0, rows[i][0]);
		cr_expect_eq(get_be16(octets + 16), rows[i][1], "total length of %u", rows[i][0]);
		cr_expect_eq(get_be16(octets + 38), rows[i][2], "UDP length of %u", rows[i][0]);
	}
}

Test(frame_template, every_header_checksum_is_right)
{
	for (uint32_t size = 64; size <= 9216; size++) {
		uint8_t octets[TEMPLATE_OCTETS];

		frame_template(octets, size % 16, (size + 1) % 16, size % TEMPLATE_MAX_ENTRIES, size);
		cr_assert_eq(header_sum(octets), 0xFFFF, "size %u", size);
	}
}

Test(frame_template, no_two_hosts_share_an_address)
{
	static struct test_host hosts[16 * TEMPLATE_MAX_ENTRIES];
	const unsigned count = sizeof(hosts) / sizeof(*hosts);

	for (unsigned i = 0; i < count; i++) {
		hosts[i] = test_host(i / TEMPLATE_MAX_ENTRIES, i % TEMPLATE_MAX_ENTRIES);
		cr_assert_eq(hosts[i].mac[0] & 3, 2, "locally administered, unicast");
		cr_assert_eq(hosts[i].ipv4[0], 198);
		cr_assert_eq(hosts[i].ipv4[1] & 0xFE, 18, "198.18.0.0/15 (RFC 6890)");
		cr_assert(hosts[i].ipv4[2] >= 1 && hosts[i].ipv4[2] <= 64, "RFC 2544 C.2.2.1");
		cr_assert(hosts[i].ipv4[3] >= 2 && hosts[i].ipv4[3] <= 254, "node 1 is the router");
	}
	for (unsigned i = 0; i < count; i++)
		for (unsigned j = i + 1; j < count; j++)
			cr_assert(memcmp(hosts[i].mac, hosts[j].mac, 6) && memcmp(hosts[i].ipv4, hosts[j].ipv4, 4),
			          "hosts %u and %u", i, j);
}

Test(frame_template, the_answer_to_a_stream_is_the_stream_of_the_partner)
{
	uint8_t there[TEMPLATE_OCTETS], back[TEMPLATE_OCTETS];

	frame_template(there, 2, 3, 77, 128);
	frame_template(back, 3, 2, 77, 128);
	cr_assert_arr_eq(there, back + 6, 6);
	cr_assert_arr_eq(there + 6, back, 6);
	cr_assert_arr_eq(there + 26, back + 30, 4);
	cr_assert_arr_eq(there + 30, back + 26, 4);
}
