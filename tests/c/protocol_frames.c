/* SPDX-License-Identifier: Apache-2.0 */
/* A program for the system tests: what host/traffic/protocols makes, as hex or text, and what it says of frames.
 *
 *   protocol_frames query VERSION ADDRESS COMMUNITY INTERFACE ID TCI     the frame of a management query
 *   protocol_frames read  VERSION ADDRESS COMMUNITY INTERFACE ID TCI     of each frame on standard input, in hex, a
 * line: verdict, request id, error status, values protocol_frames rip PORT STATE an update of host 0 of the port
 *   protocol_frames filter DEVICE KIND FROM TO text|nft [INTERFACE]
 *
 * VERSION is 0 or 1, as in the message; ADDRESS is 4 or 6, of the router of port 0; TCI is -1 without a tag; STATE,
 * DEVICE and KIND are numbers of the enums. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/traffic/protocols/filters.h"
#include "host/traffic/protocols/rip.h"
#include "host/traffic/protocols/snmp.h"

enum { QUERY_ARGUMENTS = 8, LINE_SIZE = 8192 };

static unsigned number(const char *text)
{
	return (unsigned)strtoul(text, NULL, 0);
}

static void print_frame(const struct datagram_frame *frame)
{
	for (unsigned i = 0; i < frame->count; i++)
		printf("%02x", frame->octets[i]);
	printf("\n");
}

static struct management_query query_of(char **words)
{
	const struct test_host router = test_gateway(0);
	struct management_query query = {
	        .from = test_host(0, 0),
	        .to_mac = {0x02, 0x50, 0xAA, 0, 0, 1},
	        .to.is_ipv6 = number(words[1]) == 6,
	        .tci = atoi(words[5]),
	        .version = number(words[0]),
	        .community = words[2],
	        .variables = MANAGEMENT_ALL,
	        .interface = number(words[3]),
	        .request_id = number(words[4]),
	};

	memcpy(query.to.ipv4, router.ipv4, IPV4_OCTETS);
	memcpy(query.to.ipv6, router.ipv6, IPV6_OCTETS);
	return query;
}

static int print_query(char **words)
{
	const struct management_query query = query_of(words);
	struct datagram_frame frame;
	unsigned id_at;

	if (!management_query_frame(&query, &frame, &id_at))
		return EXIT_FAILURE;
	print_frame(&frame);
	return EXIT_SUCCESS;
}

static int read_answers(char **words)
{
	const struct management_query query = query_of(words);
	char line[LINE_SIZE];

	while (fgets(line, sizeof(line), stdin) != NULL) {
		uint8_t octets[LINE_SIZE / 2];
		unsigned count = 0, octet;
		struct management_answer answer;
		enum management_verdict verdict;

		while (sscanf(line + 2 * (size_t)count, "%2x", &octet) == 1)
			octets[count++] = (uint8_t)octet;
		verdict = management_read(&query, 1, octets, count, &answer);
		printf("%s\t%u\t%ld", MANAGEMENT_VERDICT_TEXTS[verdict], answer.request_id, answer.error_status);
		for (unsigned i = 0; i < MANAGEMENT_VARIABLES; i++)
			printf("\t%u", answer.values[i]);
		printf("\n");
	}
	return EXIT_SUCCESS;
}

static int print_update(unsigned port, enum rip_state state)
{
	const struct rip_sender sender = {.host = test_host(port, 0), .tci = NEIGHBOUR_NO_TAG};
	struct rip_route routes[RIP_STATE_ROUTES];
	struct datagram_frame frame;

	rip_state_routes(port, state, routes);
	if (!rip_update(&sender, routes, RIP_STATE_ROUTES, &frame))
		return EXIT_FAILURE;
	print_frame(&frame);
	return EXIT_SUCCESS;
}

static int print_filter(char **words, const char *interface)
{
	const struct filter_set set =
	        filter_set(number(words[0]), number(words[1]), number(words[2]), number(words[3]));
	char text[FILTER_TEXT_SIZE];

	if (strcmp(words[4], "nft") == 0)
		filter_nft(&set, interface, text, sizeof(text));
	else
		filter_text(&set, text, sizeof(text));
	fputs(text, stdout);
	return EXIT_SUCCESS;
}

int main(int count, char **words)
{
	if (count == QUERY_ARGUMENTS && strcmp(words[1], "query") == 0)
		return print_query(words + 2);
	if (count == QUERY_ARGUMENTS && strcmp(words[1], "read") == 0)
		return read_answers(words + 2);
	if (count == 4 && strcmp(words[1], "rip") == 0)
		return print_update(number(words[2]), number(words[3]));
	if ((count == 7 || count == 8) && strcmp(words[1], "filter") == 0)
		return print_filter(words + 2, count == 8 ? words[7] : NULL);
	fprintf(stderr, "protocol_frames: wrong arguments; its source has them\n");
	return 2;
}
