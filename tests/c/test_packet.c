/* SPDX-License-Identifier: Apache-2.0 */
/* Lengths and checksums of whole frames: what the device makes of a packet's constants (docs/hardware-core.md) is put
 * into frames of random lengths, and then checked as a receiver does, who knows nothing of constants: lengths are
 * counted, and a sum over all that a checksum covers is all ones (RFC 1071). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "host/base/octets.h"
#include "host/traffic/frame_template.h"
#include "host/traffic/packet.h"
#include "host/traffic/packet_checksum.h"

enum { SIGNATURE = 18, FCS = 4, MOST = 9216 };

static uint64_t state = 20240611;

static uint32_t random32(void)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 32);
}

static unsigned below(unsigned count)
{
	return random32() % count;
}

/* RFC 1071, octet by octet, written anew as it judges the sums of the host; `at` tells which half of a word the first
 * is. */
static unsigned ones_sum(unsigned sum, const uint8_t *octets, unsigned count, unsigned at)
{
	for (unsigned i = 0; i < count; i++) {
		sum += (at + i) % 2 ? octets[i] : (unsigned)octets[i] << 8;
		sum = (sum & 0xFFFF) + (sum >> 16);
	}
	return sum;
}

/* ---------------------------------------------------------------- what the device does */

struct varying {
	unsigned octet, value; /* 16 bits at an even octet, 0 in the packet; octet 0: none */
};

struct frame {
	uint8_t octets[MOST];
	unsigned count; /* length without FCS */
};

/* Sums are kept as the registers say: constant, times, fields, payload, signature. */
static void device_makes(struct frame *frame, const struct packet *packet, unsigned frame_octets, bool measured,
                         const struct varying *varying)
{
	const struct packet_length lengths[] = {packet_length1(packet), packet_length2(packet)};
	const struct packet_checksum one = packet_checksum1(packet), two = packet_checksum2(packet);
	const unsigned end = frame_octets - FCS, signature = measured ? end - SIGNATURE : end;
	unsigned sum1 = one.constant, sum2 = two.constant;

	frame->count = end;
	for (unsigned i = 0; i < end; i++)
		frame->octets[i] = i < packet->header_octets ? packet->octets[i] : (uint8_t)(i - packet->header_octets);
	for (unsigned i = signature; i < end; i++)
		frame->octets[i] = (uint8_t)random32();
	for (unsigned i = 0; i < 2; i++)
		if (lengths[i].used) {
			cr_assert_eq(get_be16(frame->octets + lengths[i].octet), 0, "device ORs");
			put_be16(frame->octets + lengths[i].octet, frame_octets - lengths[i].base);
		}
	if (one.used && lengths[0].used)
		sum1 += frame_octets - lengths[0].base;
	sum2 += two.times * (frame_octets - lengths[1].base);
	sum2 = ones_sum(sum2, frame->octets + packet->header_octets, end - packet->header_octets,
	                packet->header_octets);
	if (varying->octet) {
		put_be16(frame->octets + varying->octet, varying->value);
		sum1 += packet_checksum1_covers(packet, varying->octet) ? varying->value : 0;
		sum2 += packet_checksum2_covers(packet, varying->octet) ? varying->value : 0;
	}
	sum1 = (sum1 & 0xFFFF) + (sum1 >> 16);
	sum2 = (sum2 & 0xFFFF) + (sum2 >> 16);
	sum1 = ~((sum1 & 0xFFFF) + (sum1 >> 16)) & 0xFFFF;
	sum2 = ~((sum2 & 0xFFFF) + (sum2 >> 16)) & 0xFFFF;
	if (one.used)
		put_be16(frame->octets + one.octet, sum1);
	if (two.used)
		put_be16(frame->octets + two.octet, sum2 == 0 && two.zero_as_ones ? 0xFFFF : sum2);
}

/* ---------------------------------------------------------------- what a receiver checks */

enum {
	KIND_UDP4,
	KIND_UDP4_SUM,
	KIND_UDP6,
	KIND_TCP4,
	KIND_TCP6,
	KIND_ICMP4,
	KIND_ICMP6,
	KIND_BARE4,
	KIND_BARE6,
	KINDS
};

static bool is_ipv6(unsigned kind)
{
	return kind == KIND_UDP6 || kind == KIND_TCP6 || kind == KIND_ICMP6 || kind == KIND_BARE6;
}

/* Steps over extension headers, each by the unit of its own length (RFC 8200 4, RFC 4302 2.2), to the transport. */
static unsigned step_over(const uint8_t *ip, unsigned *l4)
{
	unsigned next = ip[6], at = 40;

	for (unsigned steps = 0; next == 0 || next == 43 || next == 44 || next == 51 || next == 60; steps++) {
		const uint8_t *header = ip + at;

		cr_assert_lt(steps, 8);
		cr_assert(next != 0 || steps == 0, "hop-by-hop comes first");
		at += next == 44 ? 8 : next == 51 ? 4 * (header[1] + 2u) : 8 * (header[1] + 1u);
		if (next == 44)
			cr_assert_eq(get_be16(header + 2), 0, "a whole packet");
		if (next == 43)
			cr_assert_eq(header[3], 0, "the destination is the last one");
		next = header[0];
	}
	*l4 += at - 40;
	return next;
}

static void receiver_checks(const struct frame *frame, unsigned kind, unsigned tags)
{
	const unsigned l3 = 14 + 4 * tags, header = is_ipv6(kind) ? 40 : 20;
	const uint8_t *ip = frame->octets + l3, *transport;
	static const unsigned PROTOCOLS[] = {17, 17, 17, 6, 6, 1, 58, 59, 59};
	unsigned protocol = PROTOCOLS[kind], sum = 0, l4 = l3 + header, octets;

	if (is_ipv6(kind))
		cr_assert_eq(step_over(ip, &l4), protocol);
	transport = frame->octets + l4;
	octets = frame->count - l4; /* octets of the transport packet */
	cr_assert_eq(get_be16(ip - 2), is_ipv6(kind) ? 0x86DD : 0x0800);
	if (is_ipv6(kind)) {
		cr_assert_eq(ip[0] >> 4, 6);
		cr_assert_eq(get_be16(ip + 4), frame->count - l3 - header, "payload length");
		sum = ones_sum(0, ip + 8, 32, 0);
	} else {
		cr_assert_eq(ip[0], 0x45);
		cr_assert_eq(get_be16(ip + 2), octets + 20, "total length");
		cr_assert_eq(ip[9], protocol);
		cr_assert_eq(ones_sum(0, ip, 20, 0), 0xFFFF, "header checksum");
		sum = ones_sum(0, ip + 12, 8, 0);
	}
	if (protocol == 17)
		cr_assert_eq(get_be16(transport + 4), octets, "UDP length");
	if (kind == KIND_UDP4)
		cr_assert_eq(get_be16(transport + 6), 0, "no checksum");
	if (kind == KIND_UDP4 || protocol == 59)
		return;
	if (protocol == 17)
		cr_assert_neq(get_be16(transport + 6), 0, "0 would mean none");
	sum = protocol == 1 ? 0 : (sum + octets + protocol);
	cr_assert_eq(ones_sum(sum, transport, octets, 0), 0xFFFF, "checksum of kind %u, %u octets", kind, octets);
}

/* ---------------------------------------------------------------- random packets */

static void random_octets(uint8_t *octets, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		octets[i] = (uint8_t)random32();
}

static void add_network(struct packet *packet, unsigned kind, enum packet_transport transport)
{
	uint8_t source[16], destination[16];

	random_octets(source, 16);
	random_octets(destination, 16);
	destination[14] = destination[15] = destination[2] = destination[3] = 0; /* a field varies there */
	if (is_ipv6(kind))
		packet_add_ipv6(packet, source, destination, transport, 1 + below(255));
	else
		packet_add_ipv4(packet, source, destination, transport, 1 + below(255));
}

static void add_extensions(struct packet *packet)
{
	static const enum packet_extension FIRST[] = {PACKET_HOP_BY_HOP, PACKET_ROUTING, PACKET_FRAGMENT,
	                                              PACKET_AUTHENTICATION, PACKET_DESTINATION_OPTIONS};

	for (unsigned i = below(4), first = 0; i > 0; i--, first = 1)
		packet_add_extension(packet, FIRST[first + below(5 - first)]);
}

static void random_packet(struct packet *packet, unsigned kind, unsigned tags)
{
	static const enum packet_transport TRANSPORTS[] = {PACKET_UDP,    PACKET_UDP,          PACKET_UDP,
	                                                   PACKET_TCP,    PACKET_TCP,          PACKET_ICMP,
	                                                   PACKET_ICMPV6, PACKET_NO_TRANSPORT, PACKET_NO_TRANSPORT};
	uint8_t mac[2][6], more[24];

	random_octets(mac[0], 6);
	random_octets(mac[1], 6);
	packet_begin(packet, mac[0], mac[1], is_ipv6(kind) ? TYPE_IPV6 : TYPE_IPV4);
	if (tags == 2)
		packet_add_tag(packet, TYPE_VLAN, 7);
	add_network(packet, kind, TRANSPORTS[kind]);
	if (is_ipv6(kind))
		add_extensions(packet);
	if (TRANSPORTS[kind] == PACKET_UDP)
		packet_add_udp(packet, random32() & 0xFFFF, random32() & 0xFFFF, kind != KIND_UDP4);
	if (TRANSPORTS[kind] == PACKET_TCP)
		packet_add_tcp(packet, random32() & 0xFFFF, random32() & 0xFFFF, random32());
	if (TRANSPORTS[kind] == PACKET_ICMP || TRANSPORTS[kind] == PACKET_ICMPV6)
		packet_add_echo(packet, random32() & 0xFFFF, random32() & 0xFFFF);
	if (below(3) == 0) {
		random_octets(more, sizeof(more));
		packet_add_octets(packet, more, 2 * below(13));
	}
	if (tags) /* the tag comes last, because it moves everything */
		packet_add_tag(packet, tags == 2 ? TYPE_SERVICE : TYPE_VLAN, 100);
}

/* The last two octets of the destination address. */
static unsigned destination_octet(const struct packet *packet, unsigned kind)
{
	return packet->l3 + (is_ipv6(kind) ? 38u : 18u);
}

Test(packet, lengths_and_checksums_of_frames_of_any_length_are_right)
{
	static struct frame frame;
	unsigned zeros = 0;

	for (unsigned round = 0; round < 40000; round++) {
		const unsigned kind = below(KINDS), tags = below(3);
		const bool measured = below(4) != 0;
		struct varying varying = {0, random32() & 0xFFFF};
		struct packet packet;
		uint32_t least, octets;

		random_packet(&packet, kind, tags);
		cr_assert(!packet.full);
		least = packet_least_octets(&packet, measured);
		octets = below(8) ? least + below(600) : least + below(MOST - least + 1);
		if (below(2) && (is_ipv6(kind) || packet.octets[destination_octet(&packet, kind)] == 0)) {
			varying.octet = destination_octet(&packet, kind);
			packet.octets[varying.octet] = packet.octets[varying.octet + 1] = 0;
		}
		device_makes(&frame, &packet, octets, measured, &varying);
		receiver_checks(&frame, kind, tags);
		if (packet_checksum2(&packet).used)
			zeros += get_be16(frame.octets + packet_checksum2(&packet).octet) == 0xFFFF;
	}
	cr_log_info("%u checksums of ffff", zeros);
}

/* UDP: 0 is sent as ffff (RFC 768). Found by varying the signature until the sum is 0. */
Test(packet, a_udp_checksum_of_zero_is_sent_as_all_ones)
{
	static struct frame frame;
	struct packet packet;
	unsigned found = 0;

	random_packet(&packet, KIND_UDP6, 0);
	cr_assert(packet_checksum2(&packet).zero_as_ones);
	for (unsigned round = 0; round < 1000000 && found < 2; round++) {
		device_makes(&frame, &packet, packet_least_octets(&packet, true), true, &(struct varying){0});
		if (get_be16(frame.octets + packet_checksum2(&packet).octet) == 0xFFFF) {
			receiver_checks(&frame, KIND_UDP6, 0);
			found++;
		}
	}
	cr_assert_eq(found, 2);
	random_packet(&packet, KIND_TCP6, 0);
	cr_assert(!packet_checksum2(&packet).zero_as_ones);
}

Test(packet, constant_lengths_give_the_same_frames)
{
	static struct frame by_device, by_host;

	for (unsigned round = 0; round < 5000; round++) {
		const unsigned kind = below(2) ? KIND_UDP4 : below(2) ? KIND_BARE4 : KIND_BARE6, tags = below(3);
		struct packet packet, fixed;
		unsigned octets;

		random_packet(&packet, kind, tags);
		octets = packet_least_octets(&packet, false) + below(2000);
		fixed = packet;
		cr_assert(packet_is_fixable(&fixed));
		packet_fix(&fixed, octets);
		cr_assert(!packet_length1(&fixed).used && !packet_length2(&fixed).used);
		cr_assert(!packet_checksum1(&fixed).used && !packet_checksum2(&fixed).used);
		device_makes(&by_device, &packet, octets, false, &(struct varying){0});
		device_makes(&by_host, &fixed, octets, false, &(struct varying){0});
		cr_assert_arr_eq(by_device.octets, by_host.octets, by_device.count);
		packet_fix(&fixed, octets + 1); /* another length takes the place of the first */
		packet_unfix(&fixed);
		cr_assert_arr_eq(fixed.octets, packet.octets, sizeof(packet.octets));
		cr_assert_eq(fixed.fixed_octets, 0);
	}
}

Test(packet, a_checksum_over_the_payload_cannot_be_constant)
{
	struct packet packet;

	for (unsigned kind = 0; kind < KINDS; kind++) {
		random_packet(&packet, kind, 0);
		cr_expect_eq(packet_is_fixable(&packet), kind == KIND_UDP4 || kind >= KIND_BARE4, "kind %u", kind);
	}
}

Test(packet, what_has_no_room_is_left_out_and_said)
{
	static const uint8_t MANY[PACKET_MAX_OCTETS] = {1};
	struct packet packet;

	random_packet(&packet, KIND_TCP6, 0);
	packet.header_octets = 74;
	packet_add_octets(&packet, MANY, 118);
	cr_assert(!packet.full && packet.header_octets == 192);
	packet_add_octets(&packet, MANY, 1);
	cr_assert(packet.full && packet.header_octets == 192);
	random_packet(&packet, KIND_TCP6, 0);
	packet.header_octets = 189;
	packet_add_tag(&packet, TYPE_VLAN, 1);
	cr_assert(packet.full && packet.l3 == 14);
}

Test(packet, an_outer_tag_stands_before_the_inner_one)
{
	static const uint8_t WANT[] = {0x88, 0xA8, 0x00, 0x64, 0x81, 0x00, 0x00, 0x07, 0x08, 0x00, 0x45};
	struct packet packet;

	random_packet(&packet, KIND_UDP4, 2);
	cr_assert_arr_eq(packet.octets + 12, WANT, sizeof(WANT));
	cr_assert_eq(packet.l3, 22);
	cr_assert_eq(packet.l4, 42);
}

/* RFC 5180: 2001:2::/48, one half of it behind even ports, the other behind odd ones; ::1 is the DUT. */
Test(packet, hosts_have_ipv6_addresses_for_benchmarks)
{
	static struct test_host hosts[16 * TEST_HOSTS];
	const unsigned count = sizeof(hosts) / sizeof(*hosts);
	static const uint8_t WANT[16] = {0x20, 0x01, 0, 2, 0, 0, 0x80, 3, 0, 0, 0, 0, 0, 0, 1, 1};

	for (unsigned i = 0; i < count; i++) {
		hosts[i] = test_host(i / TEST_HOSTS, i % TEST_HOSTS);
		cr_assert_eq(hosts[i].ipv6[6] >> 7, i / TEST_HOSTS % 2);
		cr_assert(get_be16(hosts[i].ipv6 + 14) >= 2);
		for (unsigned j = 0; j < i; j++)
			cr_assert(memcmp(hosts[i].ipv6, hosts[j].ipv6, 16), "hosts %u and %u", i, j);
	}
	cr_expect_arr_eq(test_host(5, 255).ipv6, WANT, 16);
}

Test(packet, the_test_frame_of_ipv6_is_the_one_of_ipv4_with_another_network_header)
{
	const struct test_host source = test_host(0, 0), destination = test_host(1, 0);
	struct packet v4, v6;

	test_frame_ipv4(&v4, &source, &destination);
	test_frame_ipv6(&v6, &source, &destination);
	cr_assert_arr_eq(v4.octets, v6.octets, 12);
	cr_assert_arr_eq(v4.octets + v4.l4, v6.octets + v6.l4, 8);
	cr_assert_eq(packet_least_octets(&v4, true), 64);
	cr_assert_eq(packet_least_octets(&v6, true), 84);
	cr_assert_arr_eq(v6.octets + 22, source.ipv6, 16);
	cr_assert_arr_eq(v6.octets + 38, destination.ipv6, 16);
	cr_assert_eq(v6.octets[20], 17);
	cr_assert_eq(v6.octets[21], 10);
}
