/* SPDX-License-Identifier: Apache-2.0 */
/* The management query. Messages are written down octet by octet from RFC 1157, RFC 1901 and the basic encoding rules
 * (X.690); checksums were worked out apart from the code. Host 0 of port 0, 02:46:47:00:00:00, 198.18.1.2 and
 * 2001:2:0:1::2, asks 02:50:aa:00:00:01, 198.18.1.1 and 2001:2:0:1::1. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "host/traffic/protocols/snmp.h"

enum { TEXT_SIZE = 2400, MESSAGE = 14 + 20 + 8, ID = 0x12345678 };

#define ASKER "024647000000"
#define DEVICE "0250aa000001"
#define ASKER6 "20010002000000010000000000000002"
#define DEVICE6 "20010002000000010000000000000001"

/* RFC 1213: sysUpTime.0 is 1.3.6.1.2.1.1.3.0; ifEntry is 1.3.6.1.2.1.2.2.1, of it ifInOctets 10, ifInUcastPkts 11,
 * ifOutOctets 16 and ifOutUcastPkts 17; here of interface 2. With NULL as value. */
#define ASK_UP_TIME "300c06082b060102010103000500"
#define ASK(column) "300e060a2b06010201020201" column "020500"
#define ASK_ALL ASK_UP_TIME ASK("0a") ASK("10") ASK("0b") ASK("11")
/* SEQUENCE; version 1, which is v2c; "public"; GetRequest; request id; error status and index 0; variables. */
#define QUERY                                                                                                          \
	"3069020101"                                                                                                   \
	"04067075626c6963"                                                                                             \
	"a05c020412345678020100020100"                                                                                 \
	"304e" ASK_ALL

static struct management_query query(void)
{
	struct management_query query = {
	        .from = test_host(0, 0),
	        .to_mac = {0x02, 0x50, 0xAA, 0, 0, 1},
	        .to = {.ipv4 = {198, 18, 1, 1}, .ipv6 = {0x20, 0x01, 0, 2, 0, 0, 0, 1, [15] = 1}},
	        .tci = NEIGHBOUR_NO_TAG,
	        .version = MANAGEMENT_V2C,
	        .community = "public",
	        .variables = MANAGEMENT_ALL,
	        .interface = 2,
	        .request_id = ID,
	};
	return query;
}

static void expect_octets(const uint8_t *octets, unsigned count, const char *hex)
{
	char text[TEXT_SIZE];

	for (unsigned i = 0; i < count; i++)
		snprintf(text + 2 * (size_t)i, 3, "%02x", octets[i]);
	cr_expect_str_eq(text, hex);
}

Test(snmp, a_query_asks_for_the_variables_of_appendix_c_in_one_datagram)
{
	const struct management_query asked = query();
	struct datagram_frame frame;
	unsigned id_at;

	cr_assert(management_query_frame(&asked, &frame, &id_at));
	expect_octets(frame.octets, frame.count,
	              DEVICE ASKER "0800"
	                           "45000087000000004011ec3ec6120102c6120101"
	                           "c0a100a100730000" QUERY);
	cr_expect_eq(id_at, MESSAGE + 17);
}

Test(snmp, over_ipv6_a_query_has_a_checksum_and_in_a_vlan_a_tag)
{
	struct management_query asked = query();
	struct datagram_frame frame;
	unsigned id_at;

	asked.to.is_ipv6 = true;
	asked.tci = 0x6005;
	cr_assert(management_query_frame(&asked, &frame, &id_at));
	expect_octets(frame.octets, frame.count,
	              DEVICE ASKER "8100600586dd"
	                           "6000000000731140" ASKER6 DEVICE6 "c0a100a100736d88" QUERY);
	cr_expect_eq(id_at, 18 + 40 + 8 + 17);
	cr_expect_eq(frame.udp_checksum, 18 + 40 + 6);
}

Test(snmp, version_1_differs_by_its_number_only)
{
	struct management_query asked = query();
	struct datagram_frame frame;
	unsigned id_at;

	asked.version = MANAGEMENT_V1;
	asked.variables = 1 << MANAGEMENT_UP_TIME;
	cr_assert(management_query_frame(&asked, &frame, &id_at));
	expect_octets(frame.octets + MESSAGE, frame.count - MESSAGE,
	              "3029020100"
	              "04067075626c6963"
	              "a01c020412345678020100020100"
	              "300e" ASK_UP_TIME);
}

/* The transmitter can then count in it. */
Test(snmp, two_queries_differ_in_the_four_octets_of_the_request_id_only)
{
	struct management_query asked = query();
	struct datagram_frame first, last;
	unsigned first_at, last_at;

	asked.request_id = MANAGEMENT_FIRST_ID;
	cr_assert(management_query_frame(&asked, &first, &first_at));
	asked.request_id = MANAGEMENT_LAST_ID;
	cr_assert(management_query_frame(&asked, &last, &last_at));
	cr_assert_eq(first.count, last.count);
	cr_assert_eq(first_at, last_at);
	expect_octets(first.octets + first_at, 4, "00800000");
	expect_octets(last.octets + first_at, 4, "7fffffff");
	memcpy(last.octets + first_at, first.octets + first_at, 4);
	cr_expect_arr_eq(first.octets, last.octets, first.count);
}

/* A message of more than 127 octets has its length in another form, and the highest interface needs five octets. */
Test(snmp, the_request_id_is_found_in_the_longest_query_too)
{
	struct management_query asked = query();
	struct datagram_frame frame;
	unsigned id_at;

	asked.community = "12345678901234567890123456789012";
	asked.interface = INT32_MAX;
	cr_assert(management_query_frame(&asked, &frame, &id_at));
	expect_octets(frame.octets + frame.payload, 9, "308193020101042031");
	cr_expect_eq(frame.count, MESSAGE + 3 + 0x93);
	expect_octets(frame.octets + id_at - 4, 8, "a06c020412345678");
}

Test(snmp, what_cannot_be_asked_is_refused)
{
	struct management_query wrong[8];
	struct datagram_frame frame;
	unsigned at;

	for (unsigned i = 0; i < 8; i++)
		wrong[i] = query();
	wrong[0].community = "";
	wrong[1].community = "123456789012345678901234567890123";
	wrong[2].variables = 0;
	wrong[3].variables = 1 << MANAGEMENT_VARIABLES;
	wrong[4].interface = 0;
	wrong[5].interface = UINT32_C(1) << 31;
	wrong[6].request_id = MANAGEMENT_FIRST_ID - 1;
	wrong[7].request_id = (uint32_t)MANAGEMENT_LAST_ID + 1;
	for (unsigned i = 0; i < 8; i++) {
		cr_expect_not(management_query_frame(&wrong[i], &frame, &at), "case %u", i);
	}
}
