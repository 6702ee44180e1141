/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what is said to neighbours and heard from them. Frames are written down octet by octet from RFC 826, RFC 4861
 * and RFC 8200; the checksums are worked out by hand. Host 2 of port 0 is 02:46:47:00:00:02, 198.18.1.4 and
 * 2001:2:0:1::4; the router is 02:50:aa:00:00:01, 198.18.1.1 and 2001:2:0:1::1. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/internet_checksum.h"
#include "host/traffic/protocols/answer.h"
#include "host/traffic/protocols/foreign_frame.h"
#include "host/traffic/protocols/nd.h"

enum { LONGEST = 256, ICMP = 14 + 40 };

#define HOST "024647000002"
#define ROUTER "0250aa000001"
#define HOST6 "20010002000000010000000000000004"
#define ROUTER6 "20010002000000010000000000000001"

#define ARP_REQUEST                                                                                                    \
	"ffffffffffff" ROUTER "0806"                                                                                   \
	"0001080006040001" ROUTER "c6120101"                                                                           \
	"000000000000"                                                                                                 \
	"c6120104"
#define ARP_REPLY                                                                                                      \
	ROUTER HOST "0806"                                                                                             \
	            "0001080006040002" HOST "c6120104" ROUTER "c6120101"
#define SOLICITATION                                                                                                   \
	"3333ff000004" ROUTER "86dd"                                                                                   \
	"6000000000203aff" ROUTER6 "ff0200000000000000000001ff000004"                                                  \
	"87008d3c00000000" HOST6 "0101" ROUTER
#define ADVERTISEMENT                                                                                                  \
	ROUTER HOST "86dd"                                                                                             \
	            "6000000000203aff" HOST6 ROUTER6 "88006c4660000000" HOST6 "0201" HOST
#define UNSPECIFIED_SOLICITATION                                                                                       \
	"3333ff000004" ROUTER "86dd"                                                                                   \
	"6000000000183aff00000000000000000000000000000000ff0200000000000000000001ff000004"                             \
	"87005a9c00000000" HOST6

static const struct neighbour_hosts HOSTS = {.range = {.port = 0, .count = 3}, .vlan = NEIGHBOUR_NO_TAG};

/* A frame in a block of its own, so that a sanitizer sees a read behind its end. */
struct frame {
	uint8_t *octets;
	unsigned count;
};

static struct frame frame;

static void tear_down(void)
{
	free(frame.octets);
	frame = (struct frame){0};
}

TestSuite(neighbours, .fini = tear_down);

static void receive(const char *hex)
{
	tear_down();
	frame.count = (unsigned)strlen(hex) / 2;
	frame.octets = malloc(frame.count ? frame.count : 1);
	cr_assert_not_null(frame.octets);
	for (unsigned i = 0; i < frame.count; i++) {
		unsigned octet;

		cr_assert_eq(sscanf(hex + 2 * (size_t)i, "%2x", &octet), 1);
		frame.octets[i] = (uint8_t)octet;
	}
}

static bool answers(const struct neighbour_hosts *hosts, struct neighbour_frame *answer)
{
	return neighbour_answer(hosts, frame.octets, frame.count, answer);
}

/* The octets, and behind them only padding. */
static void expect_frame(const struct neighbour_frame *got, const char *hex)
{
	char text[2 * NEIGHBOUR_OCTETS + 1], padded[2 * NEIGHBOUR_OCTETS + 1];

	for (unsigned i = 0; i < NEIGHBOUR_OCTETS; i++)
		snprintf(text + 2 * (size_t)i, 3, "%02x", got->octets[i]);
	memset(padded, '0', sizeof(padded) - 1);
	padded[sizeof(padded) - 1] = 0;
	memcpy(padded, hex, strlen(hex));
	cr_expect_str_eq(text, padded);
}

/* Puts another value into the frame, and a checksum that is right, by the rule of RFC 1071: the sum changes by as
 * much. */
static void change(unsigned octet, uint8_t value)
{
	const unsigned shift = octet % 2 ? 0 : 8;
	uint32_t sum = get_be16(frame.octets + ICMP + 2);

	sum = (~sum & 0xFFFF) + (~((uint32_t)frame.octets[octet] << shift) & 0xFFFF) + ((uint32_t)value << shift);
	frame.octets[octet] = value;
	put_be16(frame.octets + ICMP + 2, ~internet_fold(sum));
}

Test(neighbours, a_request_for_a_host_is_answered_by_that_host)
{
	struct neighbour_frame answer;

	receive(ARP_REQUEST);
	cr_assert(answers(&HOSTS, &answer));
	expect_frame(&answer, ARP_REPLY);
}

Test(neighbours, a_solicitation_is_answered_to_the_one_who_asks)
{
	struct neighbour_frame answer;

	receive(SOLICITATION);
	cr_assert(answers(&HOSTS, &answer));
	expect_frame(&answer, ADVERTISEMENT);
}

/* RFC 4861 7.2.4: to all nodes, and not solicited. */
Test(neighbours, whoever_wants_the_address_of_a_host_for_itself_is_told_with_all_others)
{
	struct neighbour_frame answer;

	receive(UNSPECIFIED_SOLICITATION);
	cr_assert(answers(&HOSTS, &answer));
	expect_frame(&answer, "333300000001" HOST "86dd"
	                      "6000000000203aff" HOST6 "ff020000000000000000000000000001"
	                      "8800cd4720000000" HOST6 "0201" HOST);
}

Test(neighbours, a_host_asks_in_a_way_that_also_says_where_it_is)
{
	struct neighbour_address router = {.ipv4 = {198, 18, 1, 1},
	                                   .ipv6 = {0x20, 0x01, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}};
	struct neighbour_frame asked;
	char text[NEIGHBOUR_TEXT_SIZE];

	neighbour_ask(&HOSTS, 2, &router, &asked);
	expect_frame(&asked, "ffffffffffff" HOST "0806"
	                     "0001080006040001" HOST "c6120104"
	                     "000000000000"
	                     "c6120101");
	cr_expect_str_eq(neighbour_address_text(&router, text), "198.18.1.1");
	router.is_ipv6 = true;
	neighbour_ask(&HOSTS, 2, &router, &asked);
	expect_frame(&asked, "3333ff000001" HOST "86dd"
	                     "6000000000203aff" HOST6 "ff0200000000000000000001ff000001"
	                     "8700f04800000000" ROUTER6 "0101" HOST);
	cr_expect_str_eq(neighbour_address_text(&router, text), "2001:2:0:1:0:0:0:1");
}

Test(neighbours, where_a_neighbour_is_is_heard_from_its_answer_and_from_its_question)
{
	const struct neighbour_address host = {.ipv4 = {198, 18, 1, 4}}, router = {.ipv4 = {198, 18, 1, 1}};
	const struct neighbour_address host6 = {.is_ipv6 = true,
	                                        .ipv6 = {0x20, 0x01, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4}};
	static const uint8_t HOST_MAC[] = {0x02, 0x46, 0x47, 0, 0, 2}, ROUTER_MAC[] = {0x02, 0x50, 0xAA, 0, 0, 1};
	uint8_t mac[MAC_OCTETS];

	receive(ARP_REPLY);
	cr_assert(neighbour_heard(&HOSTS, &host, frame.octets, frame.count, mac));
	cr_expect_arr_eq(mac, HOST_MAC, MAC_OCTETS);
	cr_expect_not(neighbour_heard(&HOSTS, &router, frame.octets, frame.count, mac), "the one who is told");
	receive(ARP_REQUEST);
	cr_assert(neighbour_heard(&HOSTS, &router, frame.octets, frame.count, mac));
	cr_expect_arr_eq(mac, ROUTER_MAC, MAC_OCTETS);
	receive(ADVERTISEMENT);
	cr_assert(neighbour_heard(&HOSTS, &host6, frame.octets, frame.count, mac));
	cr_expect_arr_eq(mac, HOST_MAC, MAC_OCTETS);
	receive(SOLICITATION);
	cr_expect_not(neighbour_heard(&HOSTS, &host6, frame.octets, frame.count, mac), "asks for it");
	receive("024647000002" ROUTER "0806");
	cr_expect_not(neighbour_heard(&HOSTS, &host, frame.octets, frame.count, mac));
}

Test(neighbours, what_was_heard_of_a_neighbour_stays_when_another_one_speaks)
{
	const struct neighbour_address host = {.ipv4 = {198, 18, 1, 4}};
	static const uint8_t HEARD[] = {2, 3, 5, 7, 11, 13};
	uint8_t mac[MAC_OCTETS];

	memcpy(mac, HEARD, MAC_OCTETS);
	receive(ARP_REQUEST);
	cr_assert_not(neighbour_heard(&HOSTS, &host, frame.octets, frame.count, mac));
	cr_expect_arr_eq(mac, HEARD, MAC_OCTETS);
}

Test(neighbours, addresses_that_no_host_has_are_not_answered)
{
	static const uint8_t LAST_OCTETS[] = {0, 1, 5, 100, 254, 255};
	struct neighbour_frame answer;

	for (unsigned i = 0; i < sizeof(LAST_OCTETS); i++) {
		receive(ARP_REQUEST);
		frame.octets[41] = LAST_OCTETS[i];
		cr_expect_not(answers(&HOSTS, &answer), "198.18.1.%u", LAST_OCTETS[i]);
		receive(SOLICITATION);
		change(ICMP + 23, LAST_OCTETS[i]);
		cr_expect_not(answers(&HOSTS, &answer), "2001:2:0:1::%x", LAST_OCTETS[i]);
	}
	receive(ARP_REPLY);
	cr_expect_not(answers(&HOSTS, &answer), "a reply");
	receive(ADVERTISEMENT);
	cr_expect_not(answers(&HOSTS, &answer), "an advertisement");
}

/* Every check of RFC 4861 7.1.1, one at a time, in a message that is right but for that. */
Test(neighbours, a_solicitation_that_fails_one_check_is_discarded)
{
	static const struct {
		unsigned octet;
		uint8_t value;
		const char *what;
	} WRONG[] = {
	        {ICMP + 1, 1, "code"},
	        {ICMP + 8, 0xFF, "a multicast target"},
	        {ICMP + 25, 0, "an option of length 0"},
	        {ICMP + 25, 2, "an option that goes beyond the end"},
	        {ICMP + 26, 0x03, "the MAC address of a group"},
	        {14 + 8, 0xFF, "a multicast source"},
	        {ICMP, 134, "another type"},
	};
	struct nd_message message;
	struct neighbour_frame answer;

	for (unsigned i = 0; i < sizeof(WRONG) / sizeof(*WRONG); i++) {
		receive(SOLICITATION);
		change(WRONG[i].octet, WRONG[i].value);
		cr_expect_not(answers(&HOSTS, &answer), "%s", WRONG[i].what);
		cr_expect_not(nd_parse(frame.octets + 14, frame.count - 14, &message), "%s", WRONG[i].what);
	}
	receive(SOLICITATION);
	change(ICMP + 31, 7); /* the same way of changing, and it stays right */
	cr_expect(answers(&HOSTS, &answer));
	for (unsigned i = 0; i < 3; i++) {
		static const unsigned OCTET[] = {14 + 7, 14 + 6, 14}; /* hop limit, next header, version */

		receive(SOLICITATION);
		frame.octets[OCTET[i]] ^= 0x11;
		cr_expect_not(answers(&HOSTS, &answer), "octet %u", OCTET[i]);
	}
	for (unsigned octet = 14 + 8; octet < 14 + 72; octet++) {
		receive(SOLICITATION);
		frame.octets[octet] ^= 0x40;
		cr_expect_not(answers(&HOSTS, &answer), "octet %u: a wrong checksum", octet);
	}
}

Test(neighbours, without_an_address_of_its_own_nobody_gives_a_mac_nor_asks_anywhere_else)
{
	struct neighbour_frame answer;

	receive("3333ff000004" ROUTER "86dd"
	        "6000000000203aff00000000000000000000000000000000ff0200000000000000000001ff000004"
	        "8700000000000000" HOST6 "0101" ROUTER);
	frame.octets[ICMP + 2] = 0xAD; /* 8d3c without the source 2001:2:0:1::1, which adds up to 2005 */
	frame.octets[ICMP + 3] = 0x41;
	cr_expect_not(answers(&HOSTS, &answer), "with the option");
	change(ICMP + 24, 14); /* a nonce, which is not looked at */
	cr_expect(answers(&HOSTS, &answer), "the checksum above is right");
	receive(UNSPECIFIED_SOLICITATION);
	change(14 + 24 + 12, 0xFE);
	cr_expect_not(answers(&HOSTS, &answer), "not to a solicited-node address");
}

/* RFC 4861 7.1.2. */
Test(neighbours, an_advertisement_to_all_that_says_it_is_solicited_is_discarded)
{
	const struct neighbour_address host6 = {.is_ipv6 = true,
	                                        .ipv6 = {0x20, 0x01, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 4}};
	uint8_t mac[MAC_OCTETS];

	receive("333300000001" HOST "86dd"
	        "6000000000203aff" HOST6 "ff020000000000000000000000000001"
	        "8800cd4720000000" HOST6 "0201" HOST);
	cr_expect(neighbour_heard(&HOSTS, &host6, frame.octets, frame.count, mac));
	change(ICMP + 4, 0x60);
	cr_expect_not(neighbour_heard(&HOSTS, &host6, frame.octets, frame.count, mac));
}

Test(neighbours, a_request_that_is_not_for_ipv4_on_ethernet_is_not_answered)
{
	static const unsigned OCTETS[] = {15, 16, 18, 19, 21};
	struct neighbour_frame answer;

	for (unsigned i = 0; i < sizeof(OCTETS) / sizeof(*OCTETS); i++) {
		receive(ARP_REQUEST);
		frame.octets[OCTETS[i]] ^= 0x10;
		cr_expect_not(answers(&HOSTS, &answer), "octet %u", OCTETS[i]);
	}
	receive(ARP_REQUEST);
	frame.octets[22] |= 1;
	cr_expect_not(answers(&HOSTS, &answer), "from the MAC address of a group");
	receive(ARP_REQUEST);
	frame.octets[6] |= 1;
	cr_expect_not(answers(&HOSTS, &answer), "in a frame from the MAC address of a group");
}

Test(neighbours, a_frame_cut_anywhere_is_not_answered)
{
	static const char *const FRAMES[] = {ARP_REQUEST, SOLICITATION, UNSPECIFIED_SOLICITATION};
	struct neighbour_frame answer;

	for (unsigned f = 0; f < 3; f++) {
		const unsigned octets = (unsigned)strlen(FRAMES[f]) / 2;

		for (unsigned cut = 0; cut < octets; cut++) {
			char text[2 * LONGEST + 1];

			snprintf(text, sizeof(text), "%.*s", (int)(2 * cut), FRAMES[f]);
			receive(text);
			cr_expect_not(answers(&HOSTS, &answer), "%u octets of frame %u", cut, f);
		}
	}
}

Test(neighbours, hosts_in_a_vlan_are_asked_and_answer_there)
{
	const struct neighbour_hosts tagged = {.range = {.port = 0, .count = 3}, .vlan = 77};
	struct neighbour_frame answer;

	receive("ffffffffffff" ROUTER "8100604d0806" /* priority 3 */
	        "0001080006040001" ROUTER "c6120101"
	        "000000000000"
	        "c6120104");
	cr_assert(answers(&tagged, &answer));
	expect_frame(&answer, ROUTER HOST "8100004d0806"
	                                  "0001080006040002" HOST "c6120104" ROUTER "c6120101");
	cr_expect_not(answers(&HOSTS, &answer), "hosts without a tag");
	frame.octets[15] = 78;
	cr_expect_not(answers(&tagged, &answer), "another VLAN");
	frame.octets[15] = 0;
	cr_expect(answers(&HOSTS, &answer), "a priority tag is no VLAN");
	receive(ARP_REQUEST);
	cr_expect_not(answers(&tagged, &answer), "without a tag");
	receive("ffffffffffff" ROUTER "8100004d810000050806"
	        "0001080006040001" ROUTER "c6120101"
	        "000000000000"
	        "c6120104");
	cr_expect_not(answers(&tagged, &answer), "with one more tag");
}

Test(neighbours, each_of_many_hosts_and_none_beyond_them_is_found_by_its_addresses)
{
	static const unsigned COUNTS[] = {1, 2, 252, 253, 254, 256, 2048, 65536};

	for (unsigned c = 0; c < sizeof(COUNTS) / sizeof(*COUNTS); c++)
		for (unsigned port = 0; port < 16; port += 3) {
			const struct test_host_range range = {port, COUNTS[c], COUNTS[c] > TEST_HOSTS};
			const struct test_host_range more = {port, COUNTS[c] + 1, COUNTS[c] > TEST_HOSTS};
			struct test_host host, found;

			for (unsigned entry = 0; entry < COUNTS[c]; entry++) {
				host = test_host_in(&range, entry);
				cr_assert(test_host_of_ipv6(&range, host.ipv6, &found) &&
				                  !memcmp(&host, &found, sizeof(host)),
				          "host %u of %u", entry, COUNTS[c]);
				if (entry < TEST_HOSTS_MANY_IPV4)
					cr_assert(test_host_of_ipv4(&range, host.ipv4, &found) &&
					                  !memcmp(&host, &found, sizeof(host)),
					          "host %u of %u", entry, COUNTS[c]);
			}
			if (COUNTS[c] == TEST_HOSTS || COUNTS[c] == TEST_HOSTS_MANY)
				continue;
			host = test_host_in(&more, COUNTS[c]);
			cr_expect_not(test_host_of_ipv4(&range, host.ipv4, &found));
			cr_expect_not(test_host_of_ipv6(&range, host.ipv6, &found));
		}
}

Test(neighbours, frames_are_named_by_kind)
{
	static const struct {
		const char *hex;
		enum foreign_kind kind;
	} FRAMES[] = {
	        {ARP_REQUEST, FOREIGN_ARP},
	        {SOLICITATION, FOREIGN_ND},
	        {"0180c200000e" ROUTER "88cc0207", FOREIGN_LLDP},
	        {"0180c200000e" ROUTER "8100000188a8000288cc", FOREIGN_LLDP},
	        {"0180c2000000" ROUTER "0026424203000000", FOREIGN_STP},
	        {"01000ccccccd" ROUTER "810000010032aaaa0300000c010b", FOREIGN_STP},
	        {"0180c2000001" ROUTER "88080001ffff", FOREIGN_PAUSE},
	        /* others */
	        {"01000ccccccc" ROUTER "0032aaaa0300000c2000", FOREIGN_OTHER}, /* CDP */
	        {"0180c2000000" ROUTER "0026424202", FOREIGN_OTHER},
	        {"0180c2000000" ROUTER "00264242", FOREIGN_OTHER},
	        {"333300000001" ROUTER "86dd6000000000203aff" ROUTER6 ROUTER6 "80", FOREIGN_OTHER}, /* echo */
	        {"333300000001" ROUTER "86dd60000000002011ff" ROUTER6 ROUTER6 "87", FOREIGN_OTHER}, /* UDP */
	        {"333300000001" ROUTER "86dd6000000000203aff" ROUTER6 ROUTER6, FOREIGN_OTHER},
	        {"333300000001" ROUTER "86dd6000000000203aff" ROUTER6 ROUTER6 "84", FOREIGN_OTHER},
	        {"333300000002" ROUTER "86dd6000000000203aff" ROUTER6 ROUTER6 "85", FOREIGN_ND}, /* router sol. */
	        {"333300000001" ROUTER "86dd6000000000203aff" ROUTER6 ROUTER6 "86", FOREIGN_ND}, /* router adv. */
	        {"333300000001" ROUTER "86dd6000000000203aff" ROUTER6 ROUTER6 "89", FOREIGN_ND}, /* redirect */
	        {"333300000001" ROUTER "86dd6000000000203aff" ROUTER6 ROUTER6 "8a", FOREIGN_OTHER},
	        {"333300000001" ROUTER "08", FOREIGN_OTHER},
	        {"333300000001" ROUTER "810000", FOREIGN_OTHER},
	        {"", FOREIGN_OTHER},
	};

	for (unsigned i = 0; i < sizeof(FRAMES) / sizeof(*FRAMES); i++) {
		receive(FRAMES[i].hex);
		cr_expect_eq(foreign_kind(frame.octets, frame.count), FRAMES[i].kind, "%s", FRAMES[i].hex);
	}
}
