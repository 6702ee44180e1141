/* SPDX-License-Identifier: Apache-2.0 */
/* The answer. Nothing of it is believed before all that stands before it was found right. */
#include <stdlib.h>
#include <string.h>

#include "host/traffic/protocols/snmp.h"
#include "host/traffic/protocols/snmp_variables.h"

const char *const MANAGEMENT_VERDICT_TEXTS[MANAGEMENT_VERDICTS] = {
        [MANAGEMENT_ANSWERED] = "an answer",
        [MANAGEMENT_ANOTHER_FRAME] = "a frame that is not for who asked",
        [MANAGEMENT_OTHER_SENDER] = "not from the address and port that was asked",
        [MANAGEMENT_FRAGMENT] = "a fragment: the answer must fit into one frame",
        [MANAGEMENT_CUT] = "shorter than its headers say",
        [MANAGEMENT_IP_CHECKSUM] = "a wrong checksum of the IPv4 header",
        [MANAGEMENT_UDP_CHECKSUM] = "a wrong UDP checksum, or none over IPv6",
        [MANAGEMENT_MALFORMED] = "no message of SNMP, or one that is badly encoded",
        [MANAGEMENT_OTHER_VERSION] = "another version of SNMP than that of the query",
        [MANAGEMENT_OTHER_COMMUNITY] = "another community than that of the query",
        [MANAGEMENT_NO_RESPONSE] = "a message of SNMP that is no response",
        [MANAGEMENT_OTHER_REQUEST] = "a response to a request id that was not used",
        [MANAGEMENT_ERROR_STATUS] = "an error status in place of values",
        [MANAGEMENT_OTHER_VARIABLES] = "other variables than those that were asked for",
        [MANAGEMENT_NO_VALUE] = "a variable without a value",
        [MANAGEMENT_OTHER_TYPE] = "a value of another type than the variable has",
};

static const enum management_verdict OF_FAULT[] = {
        [DATAGRAM_SOUND] = MANAGEMENT_ANSWERED,
        [DATAGRAM_ANOTHER] = MANAGEMENT_ANOTHER_FRAME,
        [DATAGRAM_OTHER_SENDER] = MANAGEMENT_OTHER_SENDER,
        [DATAGRAM_FRAGMENT] = MANAGEMENT_FRAGMENT,
        [DATAGRAM_CUT] = MANAGEMENT_CUT,
        [DATAGRAM_IP_CHECKSUM] = MANAGEMENT_IP_CHECKSUM,
        [DATAGRAM_UDP_CHECKSUM] = MANAGEMENT_UDP_CHECKSUM,
};

/* RFC 3416 section 3 and RFC 1157 section 4.1: a type without a value, or one of the exceptions in place of it. */
static bool has_value(const netsnmp_variable_list *variable)
{
	return variable->type != ASN_NULL && variable->type != SNMP_NOSUCHOBJECT &&
	       variable->type != SNMP_NOSUCHINSTANCE && variable->type != SNMP_ENDOFMIBVIEW;
}

/* All that were asked for, in the order of the query (RFC 1157 section 4.1.2), and no others. */
static enum management_verdict read_variables(const struct management_query *query,
                                              const netsnmp_variable_list *variable, struct management_answer *answer)
{
	const netsnmp_variable_list *first = variable;

	for (unsigned i = 0; i < MANAGEMENT_VARIABLES; i++) {
		const struct variable_name name = variable_name(query, i);

		if (!variable_is_asked(query, i))
			continue;
		if (variable == NULL ||
		    snmp_oid_compare(variable->name, variable->name_length, name.numbers, name.count))
			return MANAGEMENT_OTHER_VARIABLES;
		variable = variable->next_variable;
	}
	if (variable != NULL)
		return MANAGEMENT_OTHER_VARIABLES;
	for (variable = first; variable != NULL; variable = variable->next_variable)
		if (!has_value(variable))
			return MANAGEMENT_NO_VALUE;
	variable = first;
	for (unsigned i = 0; i < MANAGEMENT_VARIABLES; i++) {
		if (!variable_is_asked(query, i))
			continue;
		if (variable->type != variable_type(i) || variable->val.integer == NULL)
			return MANAGEMENT_OTHER_TYPE;
		answer->values[i] = (uint32_t)*variable->val.integer;
		variable = variable->next_variable;
	}
	return MANAGEMENT_ANSWERED;
}

static enum management_verdict read_pdu(const struct management_query *query, uint32_t asked, const netsnmp_pdu *pdu,
                                        struct management_answer *answer)
{
	if (pdu->command != SNMP_MSG_RESPONSE)
		return MANAGEMENT_NO_RESPONSE;
	answer->request_id = (uint32_t)pdu->reqid;
	if (pdu->reqid < 0 || pdu->reqid < (long)query->request_id || pdu->reqid - (long)query->request_id >= asked)
		return MANAGEMENT_OTHER_REQUEST;
	answer->error_status = pdu->errstat;
	answer->error_index = pdu->errindex;
	if (pdu->errstat != SNMP_ERR_NOERROR)
		return MANAGEMENT_ERROR_STATUS;
	return read_variables(query, pdu->variables, answer);
}

static bool is_community(const struct management_query *query, const u_char *community, size_t count)
{
	return count == strlen(query->community) && !memcmp(community, query->community, count);
}

/* The library wants to be free to write into what it reads: a copy. */
static enum management_verdict read_message(const struct management_query *query, uint32_t asked, u_char *octets,
                                            size_t count, struct management_answer *answer)
{
	u_char community[COMMUNITY_MAX_LEN + 1], type;
	size_t room = sizeof(community) - 1, left = count, whole = count;
	enum management_verdict verdict = MANAGEMENT_MALFORMED;
	const u_char *inside = asn_parse_header(octets, &whole, &type);
	netsnmp_pdu *pdu;
	u_char *behind;
	long version;

	/* Octets behind the message are not looked at by the library. */
	if (inside == NULL || inside + whole != octets + count)
		return MANAGEMENT_MALFORMED;
	behind = snmp_comstr_parse(octets, &left, community, &room, &version);
	if (behind == NULL)
		return MANAGEMENT_MALFORMED;
	if (version != (long)query->version)
		return MANAGEMENT_OTHER_VERSION;
	if (!is_community(query, community, room))
		return MANAGEMENT_OTHER_COMMUNITY;
	pdu = snmp_pdu_create(SNMP_MSG_RESPONSE);
	if (pdu == NULL)
		return MANAGEMENT_MALFORMED;
	if (snmp_pdu_parse(pdu, behind, &left) == 0)
		verdict = read_pdu(query, asked, pdu, answer);
	snmp_free_pdu(pdu);
	return verdict;
}

enum management_verdict management_read(const struct management_query *query, uint32_t asked, const uint8_t *octets,
                                        unsigned count, struct management_answer *answer)
{
	const struct datagram sent = management_datagram(query), expected = datagram_answer_to(&sent);
	struct datagram_payload payload;
	const enum datagram_fault fault = datagram_read(&expected, octets, count, &payload);
	enum management_verdict verdict;
	u_char *message;

	*answer = (struct management_answer){0};
	if (fault != DATAGRAM_SOUND)
		return OF_FAULT[fault];
	message = malloc(payload.count + 1); /* never of size 0 */
	if (message == NULL)
		return MANAGEMENT_MALFORMED;
	snmp_library_prepare();
	memcpy(message, payload.octets, payload.count);
	verdict = read_message(query, asked, message, payload.count, answer);
	free(message);
	return verdict;
}
