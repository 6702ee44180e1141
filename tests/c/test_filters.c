/* SPDX-License-Identifier: Apache-2.0 */
/* The filters of RFC 2544 11.4: what is permitted is the test stream, what is blocked has no address of any test host,
 * and the order is that of the RFC. docs/traffic.md, "Addresses", says which addresses hosts have. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "host/traffic/protocols/filters.h"
#include "host/traffic/test_host.h"

enum { PORTS = 16, DEVICES = FILTER_BRIDGE + 1 };

static bool same_ipv4(const uint8_t a[IPV4_OCTETS], const uint8_t b[IPV4_OCTETS])
{
	return !memcmp(a, b, IPV4_OCTETS);
}

static bool same_ipv6(const uint8_t a[IPV6_OCTETS], const uint8_t b[IPV6_OCTETS])
{
	return !memcmp(a, b, IPV6_OCTETS);
}

/* The number in its row of the condition that permits; fails unless there is exactly one. */
static unsigned permit_of(const struct filter_set *set)
{
	unsigned permits = 0, at = 0;

	for (unsigned i = 0; i < set->count; i++)
		if (set->conditions[i].permit) {
			permits++;
			at = i + 1;
		}
	cr_assert_eq(permits, 1);
	return at;
}

Test(filters, there_is_one_condition_or_there_are_25_and_the_one_that_permits_is_the_last_or_the_13th)
{
	for (unsigned device = 0; device < DEVICES; device++) {
		struct filter_set set = filter_set(device, FILTER_ONE, 0, 1);

		cr_expect_eq(set.count, 1);
		cr_expect_eq(permit_of(&set), 1);
		set = filter_set(device, FILTER_25_PERMIT_LAST, 0, 1);
		cr_expect_eq(set.count, 25);
		cr_expect_eq(permit_of(&set), 25);
		set = filter_set(device, FILTER_25_PERMIT_MIDDLE, 0, 1);
		cr_expect_eq(set.count, 25);
		cr_expect_eq(permit_of(&set), 13);
	}
}

Test(filters, the_stream_of_host_0_is_permitted_between_any_two_ports)
{
	for (unsigned from = 0; from < PORTS; from++)
		for (unsigned to = 0; to < PORTS; to++) {
			const struct test_host sender = test_host(from, 0), receiver = test_host(to, 0);
			struct filter_set set = filter_set(FILTER_ROUTER_IPV4, FILTER_ONE, from, to);
			const struct filter_condition *permit = set.conditions;

			cr_expect_eq(set.port, from);
			cr_expect(same_ipv4(permit->source.ipv4, sender.ipv4) && !permit->source.is_ipv6);
			cr_expect(same_ipv4(permit->destination.ipv4, receiver.ipv4) && !permit->destination.is_ipv6);
			set = filter_set(FILTER_ROUTER_IPV6, FILTER_ONE, from, to);
			cr_expect(same_ipv6(permit->source.ipv6, sender.ipv6) && permit->source.is_ipv6);
			cr_expect(same_ipv6(permit->destination.ipv6, receiver.ipv6) && permit->destination.is_ipv6);
			set = filter_set(FILTER_BRIDGE, FILTER_ONE, from, to);
			cr_expect_arr_eq(permit->mac, receiver.mac, MAC_OCTETS);
		}
}

/* Returns whether the address is one that frames of tests can have, as source or as destination: asked of the addresses
 * that hosts have, one after the other, and not of the formula by which they are found. */
static bool hosts_have(enum filter_device device, const struct filter_condition *condition, bool many, unsigned count)
{
	for (unsigned port = 0; port < PORTS; port++) {
		const struct test_host_range range = {.port = port, .count = count, .many = many};

		for (unsigned i = 0; i < count; i++) {
			const struct test_host host = test_host_in(&range, i);

			if (device == FILTER_BRIDGE) {
				if (!memcmp(condition->mac, host.mac, MAC_OCTETS))
					return true;
			} else if (device == FILTER_ROUTER_IPV4) {
				if (same_ipv4(condition->source.ipv4, host.ipv4) ||
				    same_ipv4(condition->destination.ipv4, host.ipv4))
					return true;
			} else if (same_ipv6(condition->source.ipv6, host.ipv6) ||
			           same_ipv6(condition->destination.ipv6, host.ipv6)) {
				return true;
			}
		}
	}
	return false;
}

static void expect_no_host_is_blocked(enum filter_device device, unsigned from, unsigned to)
{
	const unsigned many = device == FILTER_ROUTER_IPV4 ? TEST_HOSTS_MANY_IPV4 : TEST_HOSTS_MANY;
	const struct filter_set set = filter_set(device, FILTER_25_PERMIT_LAST, from, to);

	for (unsigned i = 0; i < set.count; i++) {
		const struct filter_condition *condition = &set.conditions[i];

		cr_expect_eq(hosts_have(device, condition, false, TEST_HOSTS), condition->permit,
		             "device %u, %u to %u, condition %u", device, from, to, i);
		cr_expect(condition->permit || !hosts_have(device, condition, true, many),
		          "many: device %u, %u to %u, condition %u", device, from, to, i);
	}
}

/* "The 24 input and output protocol addresses SHOULD not be any that are represented in the test data stream." What is
 * blocked depends on the halves of the addresses of the ports only, as the next test shows. */
Test(filters, no_host_of_any_port_has_an_address_that_is_blocked)
{
	for (unsigned from = 0; from < 2; from++)
		for (unsigned to = 0; to < 2; to++)
			expect_no_host_is_blocked(FILTER_ROUTER_IPV4, from, to);
	expect_no_host_is_blocked(FILTER_ROUTER_IPV6, 0, 1);
	expect_no_host_is_blocked(FILTER_ROUTER_IPV6, 1, 0);
	expect_no_host_is_blocked(FILTER_BRIDGE, 0, 1);
}

static bool same_end(const struct neighbour_address *a, const struct neighbour_address *b)
{
	return a->is_ipv6 == b->is_ipv6 && (a->is_ipv6 ? same_ipv6(a->ipv6, b->ipv6) : same_ipv4(a->ipv4, b->ipv4));
}

Test(filters, what_is_blocked_is_the_same_for_all_ports_of_a_half)
{
	for (unsigned device = 0; device < DEVICES; device++)
		for (unsigned from = 0; from < PORTS; from++)
			for (unsigned to = 0; to < PORTS; to++) {
				const bool is_v6 = device == FILTER_ROUTER_IPV6;
				const struct filter_set set = filter_set(device, FILTER_25_PERMIT_LAST, from, to),
				                        first = filter_set(device, FILTER_25_PERMIT_LAST, from % 2,
				                                           to % 2);

				for (unsigned i = 0; i < 24; i++) {
					const struct filter_condition *a = &set.conditions[i],
					                              *b = &first.conditions[i];

					cr_expect_arr_eq(a->mac, b->mac, MAC_OCTETS);
					cr_expect(device == FILTER_BRIDGE ||
					          (same_end(&a->source, &b->source) &&
					           same_end(&a->destination, &b->destination)));
					cr_expect_eq(a->source.is_ipv6, is_v6);
				}
			}
}

Test(filters, no_two_conditions_of_a_set_are_the_same)
{
	for (unsigned device = 0; device < DEVICES; device++) {
		const struct filter_set set = filter_set(device, FILTER_25_PERMIT_MIDDLE, 0, 1);

		for (unsigned i = 0; i < set.count; i++)
			for (unsigned j = 0; j < i; j++) {
				const struct filter_condition *a = &set.conditions[i], *b = &set.conditions[j];

				if (device == FILTER_BRIDGE)
					cr_expect_arr_neq(a->mac, b->mac, MAC_OCTETS);
				else
					cr_expect(!same_end(&a->source, &b->source) &&
					          !same_end(&a->destination, &b->destination));
			}
	}
}

/* Source and destination go up together, as in 11.4.1; written down by hand. */
Test(filters, the_report_has_the_words_of_the_rfc)
{
	char text[FILTER_TEXT_SIZE];
	struct filter_set set = filter_set(FILTER_ROUTER_IPV4, FILTER_ONE, 0, 1);

	cr_expect_eq(filter_text(&set, text, sizeof(text)), strlen(text));
	cr_expect_str_eq(text, "forward 198.18.1.2 to 198.19.1.2\nblock all else\n");
	set = filter_set(FILTER_BRIDGE, FILTER_ONE, 1, 0);
	filter_text(&set, text, sizeof(text));
	cr_expect_str_eq(text, "forward 02:46:47:00:00:00\nblock all else\n");
	set = filter_set(FILTER_ROUTER_IPV6, FILTER_25_PERMIT_LAST, 1, 2);
	filter_text(&set, text, sizeof(text));
	cr_expect_eq(strncmp(text, "block 2001:2:0:8101:0:0:0:1 to 2001:2:0:201:0:0:0:1\n", 52), 0);
	set = filter_set(FILTER_ROUTER_IPV4, FILTER_25_PERMIT_MIDDLE, 0, 1);
	filter_text(&set, text, sizeof(text));
	cr_expect_eq(strncmp(text, "block 198.18.24.1 to 198.19.152.1\nblock 198.18.25.2 to 198.19.153.2\n", 68), 0);
	cr_expect_not_null(strstr(text, "block 198.18.35.12 to 198.19.163.12\n"
	                                "forward 198.18.1.2 to 198.19.1.2\n"
	                                "block 198.18.36.13 to 198.19.164.13\n"));
	cr_expect_not_null(strstr(text, "block 198.18.47.24 to 198.19.175.24\nblock all else\n"));
}

Test(filters, nft_gets_a_table_for_the_port_with_the_conditions_in_a_chain_of_their_own)
{
	char text[FILTER_TEXT_SIZE];
	struct filter_set set = filter_set(FILTER_ROUTER_IPV6, FILTER_ONE, 2, 3);

	cr_expect_eq(filter_nft(&set, "eth0", text, sizeof(text)), strlen(text));
	cr_expect_str_eq(text, "table inet fpgauge_port2 {}\n"
	                       "delete table inet fpgauge_port2\n"
	                       "table inet fpgauge_port2 {\n"
	                       "\tchain conditions {\n"
	                       "\t\tip6 saddr 2001:2:0:2:0:0:0:2 ip6 daddr 2001:2:0:8002:0:0:0:2 accept\n"
	                       "\t\tdrop\n"
	                       "\t}\n"
	                       "\tchain forward {\n"
	                       "\t\ttype filter hook forward priority 0; policy accept;\n"
	                       "\t\tiifname \"eth0\" jump conditions\n"
	                       "\t}\n"
	                       "}\n");
	set = filter_set(FILTER_BRIDGE, FILTER_25_PERMIT_LAST, 0, 1);
	filter_nft(&set, NULL, text, sizeof(text));
	cr_expect_not_null(strstr(text, "table bridge fpgauge_port0 {\n"
	                                "\tchain conditions {\n"
	                                "\t\tether daddr 02:46:47:ff:00:01 drop\n"));
	cr_expect_not_null(strstr(text, "\t\tether daddr 02:46:47:ff:00:18 drop\n"
	                                "\t\tether daddr 02:46:47:01:00:00 accept\n"
	                                "\t\tdrop\n"));
	cr_expect_not_null(strstr(text, ";\n\t\tjump conditions\n"));
}

Test(filters, nft_removes_the_table_whether_it_is_there_or_not)
{
	char text[FILTER_TEXT_SIZE];
	struct filter_set set = filter_set(FILTER_ROUTER_IPV4, FILTER_ONE, 5, 4);

	cr_expect_eq(filter_nft_none(&set, text, sizeof(text)), strlen(text));
	cr_expect_str_eq(text, "table inet fpgauge_port5 {}\ndelete table inet fpgauge_port5\n");
	set = filter_set(FILTER_BRIDGE, FILTER_ONE, 5, 4);
	filter_nft_none(&set, text, sizeof(text));
	cr_expect_str_eq(text, "table bridge fpgauge_port5 {}\ndelete table bridge fpgauge_port5\n");
}

Test(filters, every_text_fits_and_one_that_was_cut_says_so)
{
	for (unsigned device = 0; device < DEVICES; device++)
		for (unsigned kind = 0; kind < FILTER_KINDS; kind++) {
			const struct filter_set set = filter_set(device, kind, 15, 14);
			char text[FILTER_TEXT_SIZE], cut[10];
			const size_t length = filter_nft(&set, "fifteen-octets.", text, sizeof(text));

			cr_expect_lt(length, sizeof(text));
			cr_expect_geq(filter_nft(&set, "fifteen-octets.", cut, sizeof(cut)), sizeof(cut));
			cr_expect_eq(strncmp(cut, text, sizeof(cut) - 1), 0);
			cr_expect_lt(filter_text(&set, text, sizeof(text)), sizeof(text));
		}
}
