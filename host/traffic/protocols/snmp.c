/* SPDX-License-Identifier: Apache-2.0 */
/* The query. A message is Message { version, community, GetRequest-PDU { request-id, 0, 0, variables with NULL } } (RFC
 * 1157 section 4, RFC 1901 section 3). */
#include "host/traffic/protocols/snmp.h"

#include <stdlib.h>
#include <string.h>

#include "host/traffic/protocols/snmp_variables.h"

enum {
	TTL = 64, /* RFC 1700, "IP time to live parameter" */
	TLV = 2,  /* tag and length, in the short form */
};

static bool is_allowed(const struct management_query *query)
{
	return strlen(query->community) <= MANAGEMENT_COMMUNITY_OCTETS && query->community[0] &&
	       query->variables & MANAGEMENT_ALL && query->interface >= 1 && query->interface <= INT32_MAX &&
	       query->request_id >= MANAGEMENT_FIRST_ID && query->request_id <= MANAGEMENT_LAST_ID;
}

/* NULL: out of memory. */
static netsnmp_pdu *make_pdu(const struct management_query *query)
{
	netsnmp_pdu *pdu = snmp_pdu_create(SNMP_MSG_GET);

	if (pdu == NULL)
		return NULL;
	pdu->version = query->version;
	pdu->reqid = query->request_id;
	for (unsigned i = 0; i < MANAGEMENT_VARIABLES; i++) {
		const struct variable_name name = variable_name(query, i);

		if (variable_is_asked(query, i) && snmp_add_null_var(pdu, name.numbers, name.count) == NULL) {
			snmp_free_pdu(pdu);
			return NULL;
		}
	}
	return pdu;
}

/* A message in a block of memory that the library makes longer as it needs; it fills it from the end. */
struct message {
	u_char *block;
	size_t size, count;
};

static bool encode(const struct management_query *query, struct message *message)
{
	netsnmp_session session = {.version = query->version};
	netsnmp_pdu *pdu = make_pdu(query);
	int status = -1;

	if (pdu == NULL)
		return false;
	session.community = (u_char *)(uintptr_t)query->community; /* only read */
	session.community_len = strlen(query->community);
	message->size = DATAGRAM_PAYLOAD_OCTETS;
	message->block = malloc(message->size);
	if (message->block != NULL)
		status = snmp_build(&message->block, &message->size, &message->count, &session, pdu);
	snmp_free_pdu(pdu);
	return status == 0;
}

/* Finds where the request id is in a message: the first thing in its PDU. */
static unsigned find_request_id(u_char *octets, size_t count)
{
	u_char community[MANAGEMENT_COMMUNITY_OCTETS + 1], type;
	size_t room = sizeof(community), left = count;
	long version;
	u_char *pdu = snmp_comstr_parse(octets, &left, community, &room, &version);

	return (unsigned)(asn_parse_header(pdu, &left, &type) - octets) + TLV;
}

/* The message of the query, in `octets`. Returns how long it is; 0: it cannot be. */
static unsigned make_message(const struct management_query *query, uint8_t octets[DATAGRAM_PAYLOAD_OCTETS],
                             unsigned *request_id_at)
{
	struct message message = {0};
	unsigned count = 0;

	snmp_library_prepare();
	if (is_allowed(query) && encode(query, &message) && message.count <= DATAGRAM_PAYLOAD_OCTETS) {
		count = (unsigned)message.count;
		memcpy(octets, message.block + message.size - message.count, count);
		*request_id_at = find_request_id(octets, count);
	}
	free(message.block);
	return count;
}

/* Returns the two ends of the query, which are those of its answer too. */
struct datagram management_datagram(const struct management_query *query)
{
	struct datagram datagram = {
	        .from = {.address.is_ipv6 = query->to.is_ipv6, .port = MANAGEMENT_OWN_PORT},
	        .to = {.address = query->to, .port = MANAGEMENT_PORT},
	        .tci = query->tci,
	        .hops = TTL,
	        .unchecked = !query->to.is_ipv6,
	};

	memcpy(datagram.from.mac, query->from.mac, MAC_OCTETS);
	memcpy(datagram.from.address.ipv4, query->from.ipv4, IPV4_OCTETS);
	memcpy(datagram.from.address.ipv6, query->from.ipv6, IPV6_OCTETS);
	memcpy(datagram.to.mac, query->to_mac, MAC_OCTETS);
	return datagram;
}

bool management_query_frame(const struct management_query *query, struct datagram_frame *frame, unsigned *request_id_at)
{
	const struct datagram datagram = management_datagram(query);
	uint8_t message[DATAGRAM_PAYLOAD_OCTETS];
	const unsigned count = make_message(query, message, request_id_at);

	if (count == 0 || !datagram_build(&datagram, message, count, frame))
		return false;
	*request_id_at += frame->payload;
	return true;
}
