// SPDX-License-Identifier: Apache-2.0
/* BER (X.690) of SNMP: Message { version, community, PDU { request-id, error-status, error-index, { { name, value } ...
 * } }
 * }. */
#include "sim/dut/router_agent.h"

#include <string.h>

#include "host/base/octets.h"

enum {
	TAG_INTEGER = 0x02,
	TAG_OCTETS = 0x04,
	TAG_OID = 0x06,
	TAG_SEQUENCE = 0x30,
	TAG_COUNTER = 0x41,
	TAG_TICKS = 0x43,
	TAG_NO_INSTANCE = 0x81, /* noSuchInstance, version 2c */
	TAG_GET = 0xa0,
	TAG_RESPONSE = 0xa2,
	LONG_LENGTH = 0x80,
	VERSION_2C = 1,
	NO_SUCH_NAME = 2, /* error-status, version 1 */
	MOST_NAMES = 8,
};

/* -- reading ------------------------------------------------------------------------------------------------------- */

struct span {
	const uint8_t *at;
	uint32_t octets;
};

/* The contents of the next element, which must have this tag; false: it is not whole, or another. */
static bool take(struct span *from, uint8_t tag, struct span *contents)
{
	uint32_t head = 2, length;

	if (from->octets < head || from->at[0] != tag)
		return false;
	length = from->at[1];
	if (length & LONG_LENGTH) {
		head += length & 0x7f;
		if (head > 4 || from->octets < head)
			return false;
		length = (uint32_t)get_be(from->at + 2, head - 2);
	}
	if (length > from->octets - head)
		return false;
	*contents = (struct span){from->at + head, length};
	from->at += head + length;
	from->octets -= head + length;
	return true;
}

/* 1.3.6.1.2.1.1.3.0, and 1.3.6.1.2.1.2.2.1.column.interface with an interface below 128. */
static bool find(const struct span *name, const struct agent_values *values, uint8_t *tag, uint32_t *value)
{
	static const uint8_t up_time[] = {0x2b, 6, 1, 2, 1, 1, 3, 0}, interfaces[] = {0x2b, 6, 1, 2, 1, 2, 2, 1};
	const struct agent_counters *counters;

	*tag = TAG_COUNTER;
	if (name->octets == sizeof(up_time) && memcmp(name->at, up_time, sizeof(up_time)) == 0) {
		*tag = TAG_TICKS;
		*value = values->up_time;
		return true;
	}
	if (name->octets != sizeof(interfaces) + 2 || memcmp(name->at, interfaces, sizeof(interfaces)) != 0)
		return false;
	counters = values->counters(values->user, name->at[sizeof(interfaces) + 1]);
	if (counters == NULL)
		return false;
	switch (name->at[sizeof(interfaces)]) {
	case 10:
		*value = counters->in_octets;
		return true;
	case 11:
		*value = counters->in_unicast;
		return true;
	case 16:
		*value = counters->out_octets;
		return true;
	case 17:
		*value = counters->out_unicast;
		return true;
	default:
		return false;
	}
}

/* -- writing, from the end to the beginning -------------------------------------------------------------------------
 */

struct writer {
	uint8_t *octets;
	uint32_t first; /* first octet written so far; a message is written from its end */
	bool full;
};

static void put(struct writer *writer, const void *octets, uint32_t count)
{
	if (count > writer->first) {
		writer->full = true;
		return;
	}
	writer->first -= count;
	memcpy(writer->octets + writer->first, octets, count);
}

static void put_octet(struct writer *writer, uint32_t octet)
{
	put(writer, &(uint8_t){(uint8_t)octet}, 1);
}

/* Writes the head in front of the contents that begin here and end at `end`. */
static void put_head(struct writer *writer, uint8_t tag, uint32_t end)
{
	const uint32_t length = end - writer->first;

	put_octet(writer, length);
	if (length >= LONG_LENGTH)
		put_octet(writer, LONG_LENGTH | 1);
	put_octet(writer, tag);
}

static void put_element(struct writer *writer, uint8_t tag, const struct span *contents)
{
	const uint32_t end = writer->first;

	put(writer, contents->at, contents->octets);
	put_head(writer, tag, end);
}

/* The fewest octets that hold it as a number with a sign. */
static void put_number(struct writer *writer, uint8_t tag, uint32_t value)
{
	const uint32_t end = writer->first;
	uint64_t rest = value;

	do {
		put_octet(writer, (uint32_t)(rest & 0xff));
		rest >>= 8;
	} while (rest != 0);
	if (!writer->full && writer->octets[writer->first] & 0x80)
		put_octet(writer, 0);
	put_head(writer, tag, end);
}

/* -- a message ----------------------------------------------------------------------------------------------------- */

struct request {
	struct span version, community, id;
	uint32_t names;
	struct span name[MOST_NAMES];
};

static bool read_request(struct span message, struct request *request)
{
	struct span all, pdu, ignored, list, variable;

	if (!take(&message, TAG_SEQUENCE, &all) || message.octets != 0 || !take(&all, TAG_INTEGER, &request->version) ||
	    request->version.octets != 1 || request->version.at[0] > VERSION_2C ||
	    !take(&all, TAG_OCTETS, &request->community) || !take(&all, TAG_GET, &pdu) || all.octets != 0 ||
	    !take(&pdu, TAG_INTEGER, &request->id) || !take(&pdu, TAG_INTEGER, &ignored) ||
	    !take(&pdu, TAG_INTEGER, &ignored) || !take(&pdu, TAG_SEQUENCE, &list) || pdu.octets != 0)
		return false;
	for (request->names = 0; list.octets != 0; request->names++)
		if (request->names == MOST_NAMES || !take(&list, TAG_SEQUENCE, &variable) ||
		    !take(&variable, TAG_OID, &request->name[request->names]))
			return false;
	return true;
}

/* The number of the first name that there is not, from 1; 0: there are all. */
static uint32_t first_unknown(const struct request *request, const struct agent_values *values)
{
	uint32_t value;
	uint8_t tag;

	for (uint32_t i = 0; i < request->names; i++)
		if (!find(&request->name[i], values, &tag, &value))
			return i + 1;
	return 0;
}

static void put_variables(struct writer *writer, const struct request *request, const struct agent_values *values)
{
	for (uint32_t i = request->names; i-- != 0;) {
		const uint32_t end = writer->first;
		uint32_t value;
		uint8_t tag;

		if (find(&request->name[i], values, &tag, &value))
			put_number(writer, tag, value);
		else
			put_head(writer, TAG_NO_INSTANCE, end);
		put_element(writer, TAG_OID, &request->name[i]);
		put_head(writer, TAG_SEQUENCE, end);
	}
}

uint32_t agent_answer(const uint8_t *message, uint32_t octets, const char *community, const struct agent_values *values,
                      uint8_t answer[AGENT_MESSAGE_OCTETS])
{
	struct writer writer = {.octets = answer, .first = AGENT_MESSAGE_OCTETS};
	struct request request;
	uint32_t error;

	if (!read_request((struct span){message, octets}, &request) || request.community.octets != strlen(community) ||
	    memcmp(request.community.at, community, request.community.octets) != 0)
		return 0;
	error = request.version.at[0] == VERSION_2C ? 0 : first_unknown(&request, values);
	put_variables(&writer, &request, values);
	put_head(&writer, TAG_SEQUENCE, AGENT_MESSAGE_OCTETS);
	put_number(&writer, TAG_INTEGER, error);
	put_number(&writer, TAG_INTEGER, error != 0 ? NO_SUCH_NAME : 0);
	put_element(&writer, TAG_INTEGER, &request.id);
	put_head(&writer, TAG_RESPONSE, AGENT_MESSAGE_OCTETS);
	put_element(&writer, TAG_OCTETS, &request.community);
	put_element(&writer, TAG_INTEGER, &request.version);
	put_head(&writer, TAG_SEQUENCE, AGENT_MESSAGE_OCTETS);
	memmove(answer, answer + writer.first, AGENT_MESSAGE_OCTETS - writer.first);
	return writer.full ? 0 : AGENT_MESSAGE_OCTETS - writer.first;
}
