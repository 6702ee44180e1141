/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what a device under test sends in answer to a management query.
 *
 * Input: one octet that chooses the query and what follows, then a frame from its destination MAC on, or only the
 * message of SNMP, which then comes in a datagram that is right. */
#include <stdlib.h>
#include <string.h>

#include "host/traffic/protocols/snmp.h"
#include "tests/fuzz/fuzz.h"

enum { MESSAGE_ONLY = 1, OF_VERSION_1 = 2, OVER_IPV6 = 4, IN_VLAN = 8, VARIABLES_SHIFT = 4, ASKED = 3 };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_silence();
	return 0;
}

static struct management_query query_of(uint8_t choice)
{
	static const unsigned VARIABLES[] = {1 << MANAGEMENT_UP_TIME, 1 << MANAGEMENT_OUT_UNICAST, 3, MANAGEMENT_ALL};

	return (struct management_query){
	        .from = test_host(0, 0),
	        .to_mac = {0x02, 0x50, 0xAA, 0, 0, 1},
	        .to = {.is_ipv6 = choice & OVER_IPV6,
	               .ipv4 = {198, 18, 1, 1},
	               .ipv6 = {0x20, 0x01, 0, 2, 0, 0, 0, 1, [15] = 1}},
	        .tci = choice & IN_VLAN ? 5 : NEIGHBOUR_NO_TAG,
	        .version = choice & OF_VERSION_1 ? MANAGEMENT_V1 : MANAGEMENT_V2C,
	        .community = "public",
	        .variables = VARIABLES[choice >> VARIABLES_SHIFT & 3],
	        .interface = 2,
	        .request_id = 0x12345678,
	};
}

/* The datagram in which the device would send it. */
static bool wrap(const struct management_query *query, const uint8_t *message, unsigned count,
                 struct datagram_frame *frame)
{
	struct datagram datagram = {
	        .from = {.address = query->to, .port = MANAGEMENT_PORT},
	        .to = {.address.is_ipv6 = query->to.is_ipv6, .port = MANAGEMENT_OWN_PORT},
	        .tci = query->tci,
	        .hops = 64,
	};

	memcpy(datagram.from.mac, query->to_mac, MAC_OCTETS);
	memcpy(datagram.to.mac, query->from.mac, MAC_OCTETS);
	memcpy(datagram.to.address.ipv4, query->from.ipv4, IPV4_OCTETS);
	memcpy(datagram.to.address.ipv6, query->from.ipv6, IPV6_OCTETS);
	return datagram_build(&datagram, message, count, frame);
}

/* The octets are in a block of their own. */
static void read_all(const struct management_query *query, const uint8_t *octets, unsigned count, bool by_message)
{
	struct management_answer answer, again;
	const enum management_verdict verdict = management_read(query, ASKED, octets, count, &answer);

	FUZZ_EXPECT(verdict < MANAGEMENT_VERDICTS && MANAGEMENT_VERDICT_TEXTS[verdict] != NULL, "no verdict");
	FUZZ_EXPECT(!by_message || verdict == MANAGEMENT_ANSWERED || verdict >= MANAGEMENT_MALFORMED,
	            "a datagram that is right: %s", MANAGEMENT_VERDICT_TEXTS[verdict]);
	FUZZ_EXPECT(management_read(query, ASKED, octets, count, &again) == verdict &&
	                    !memcmp(&answer, &again, sizeof(answer)),
	            "another verdict on the same frame");
	if (verdict != MANAGEMENT_ANSWERED)
		return;
	FUZZ_EXPECT(answer.request_id - query->request_id < ASKED, "another request");
	FUZZ_EXPECT(answer.error_status == 0, "an error");
	for (unsigned i = 0; i < MANAGEMENT_VARIABLES; i++)
		FUZZ_EXPECT(query->variables >> i & 1 || answer.values[i] == 0, "a value of a variable not asked for");
	FUZZ_EXPECT(management_read(query, 0, octets, count, &again) == MANAGEMENT_OTHER_REQUEST, "nobody asked");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct management_query query;
	struct datagram_frame frame;
	uint8_t *octets;
	bool by_message;

	if (size == 0 || size > 1600)
		return 0;
	query = query_of(data[0]);
	by_message = data[0] & MESSAGE_ONLY && wrap(&query, data + 1, (unsigned)size - 1, &frame);
	if (by_message)
		size = frame.count;
	else
		size--;
	octets = malloc(size + 1);
	if (octets == NULL)
		return 0;
	memcpy(octets, by_message ? frame.octets : data + 1, size);
	read_all(&query, octets, (unsigned)size, by_message);
	free(octets);
	return 0;
}
