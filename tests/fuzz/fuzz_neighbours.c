/* SPDX-License-Identifier: Apache-2.0 */
/* Frames that a device under test sends, as the slow path reads them: kind, answer, and who is heard.
 *
 * Input: one octet that chooses the hosts, then a frame from its destination MAC on. */
#include <stdlib.h>
#include <string.h>

#include "host/traffic/protocols/answer.h"
#include "host/traffic/protocols/arp.h"
#include "host/traffic/protocols/foreign_frame.h"
#include "host/traffic/protocols/nd.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_silence();
	return 0;
}

/* Bit 0: VLAN 5; bits 1 and 2: how many hosts; bits 3 to 6: the port. */
static struct neighbour_hosts hosts_of(uint8_t choice)
{
	static const unsigned COUNTS[] = {1, 3, TEST_HOSTS, TEST_HOSTS_MANY};
	const unsigned count = COUNTS[choice >> 1 & 3];

	return (struct neighbour_hosts){.range = {.port = choice >> 3 & 15, .count = count, .many = count > TEST_HOSTS},
	                                .vlan = choice & 1 ? 5 : NEIGHBOUR_NO_TAG};
}

/* Our answer is a message by our own rules, about a host that we play, and no question. */
static void check_answer(const struct neighbour_hosts *hosts, const struct neighbour_frame *answer)
{
	struct foreign_layers layers;
	struct neighbour_frame again;
	struct arp_message arp;
	struct nd_message nd;
	struct test_host host;
	const uint8_t *payload;

	FUZZ_EXPECT(foreign_layers(answer->octets, NEIGHBOUR_OCTETS, &layers), "no type");
	payload = answer->octets + layers.payload;
	if (foreign_kind(answer->octets, NEIGHBOUR_OCTETS) == FOREIGN_ARP) {
		FUZZ_EXPECT(arp_parse(payload, NEIGHBOUR_OCTETS - layers.payload, &arp), "no ARP");
		FUZZ_EXPECT(!arp.request && test_host_of_ipv4(&hosts->range, arp.sender_ipv4, &host), "another's");
		FUZZ_EXPECT(!memcmp(arp.sender_mac, host.mac, MAC_OCTETS), "another MAC address");
	} else {
		FUZZ_EXPECT(nd_parse(payload, NEIGHBOUR_OCTETS - layers.payload, &nd), "no neighbour discovery");
		FUZZ_EXPECT(!nd.solicitation && test_host_of_ipv6(&hosts->range, nd.target, &host), "another's");
		FUZZ_EXPECT(nd.has_mac && !memcmp(nd.mac, host.mac, MAC_OCTETS), "another MAC address");
	}
	FUZZ_EXPECT(!memcmp(answer->octets + MAC_OCTETS, host.mac, MAC_OCTETS), "from another MAC address");
	FUZZ_EXPECT(!(answer->octets[0] & 1) || answer->octets[0] == 0x33, "ARP to a group");
	FUZZ_EXPECT(!neighbour_answer(hosts, answer->octets, NEIGHBOUR_OCTETS, &again), "answers itself");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct neighbour_address ROUTER = {.ipv4 = {198, 18, 1, 1}},
	                                      ROUTER6 = {.is_ipv6 = true,
	                                                 .ipv6 = {0x20, 0x01, 0, 2, 0, 0, 0, 1, [15] = 1}};
	struct neighbour_hosts hosts;
	struct neighbour_frame answer;
	uint8_t mac[MAC_OCTETS];
	unsigned count;

	if (size == 0 || size > 1600)
		return 0;
	hosts = hosts_of(data[0]);
	count = (unsigned)size - 1;
	FUZZ_EXPECT(foreign_kind(data + 1, count) < FOREIGN_KINDS, "no kind");
	if (count > FOREIGN_HEAD_OCTETS)
		FUZZ_EXPECT(foreign_kind(data + 1, count) == foreign_kind(data + 1, FOREIGN_HEAD_OCTETS),
		            "the kind is not in the head");
	if (neighbour_answer(&hosts, data + 1, count, &answer))
		check_answer(&hosts, &answer);
	if (neighbour_heard(&hosts, &ROUTER, data + 1, count, mac))
		FUZZ_EXPECT(!(mac[0] & 1), "the MAC address of a group");
	if (neighbour_heard(&hosts, &ROUTER6, data + 1, count, mac))
		FUZZ_EXPECT(!(mac[0] & 1), "the MAC address of a group");
	return 0;
}
