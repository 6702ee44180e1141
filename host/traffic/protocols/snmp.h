/* SPDX-License-Identifier: Apache-2.0 */
/* The management query of RFC 2544 section 11.2, and what the device answers. The appendix leaves the frame "to be
 * defined" (C.2.4.6), but says which variables it asks for (C.2.4.3): those of SNMP (RFC 1157, RFC 3416) that every
 * device has, of one interface. Messages are encoded and decoded by net-snmp's library, which reads no file, opens no
 * socket and prints nothing here. Its names begin with snmp_, so ours do not. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_SNMP_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_SNMP_H

#include "host/traffic/protocols/datagram.h"
#include "host/traffic/test_host.h"

/* Variables in the order in which they are asked for. */
enum management_variable {
	MANAGEMENT_UP_TIME,
	MANAGEMENT_IN_OCTETS,
	MANAGEMENT_OUT_OCTETS,
	MANAGEMENT_IN_UNICAST,
	MANAGEMENT_OUT_UNICAST,
	MANAGEMENT_VARIABLES,
	MANAGEMENT_ALL = (1 << MANAGEMENT_VARIABLES) - 1,
};

/* "sysUpTime", "ifInOctets" and so on. */
extern const char *const MANAGEMENT_VARIABLE_NAMES[MANAGEMENT_VARIABLES];

enum management_version { MANAGEMENT_V1 = 0, MANAGEMENT_V2C = 1 }; /* numbered as in the message */

enum {
	MANAGEMENT_COMMUNITY_OCTETS = 32, /* at most */
	MANAGEMENT_PORT = 161,
	MANAGEMENT_OWN_PORT = 49313, /* a dynamic port (RFC 6335): no test frame is sent from it */
	/* The INTEGER of a request id between these has four octets (X.690 section 8.3: the fewest that hold it), so
	 * that a query may differ from the next one in these octets only. */
	MANAGEMENT_FIRST_ID = 0x00800000,
	MANAGEMENT_LAST_ID = 0x7FFFFFFF,
};

struct management_query {
	struct test_host from;       /* the host that asks */
	uint8_t to_mac[MAC_OCTETS];  /* the device's address, as it says itself (neighbour_frame.h) */
	struct neighbour_address to; /* RFC 2544 C.2.2.1: that of the first input port */
	int tci;                     /* tag control information of a VLAN tag, or NEIGHBOUR_NO_TAG */
	enum management_version version;
	const char *community;
	unsigned variables; /* asked variables: bits of enum management_variable */
	uint32_t interface; /* ifIndex, from 1 */
	uint32_t request_id;
};

/* False: the community is longer than allowed, no variable is asked for, or interface or request id is out of range.
 * *request_id_at is where its four octets are in the frame, most significant first; all other octets but those of the
 * UDP checksum are the same whatever it is. Over IPv4 there is no UDP checksum, over IPv6 there must be one. */
bool management_query_frame(const struct management_query *query, struct datagram_frame *frame,
                            unsigned *request_id_at);

/* The verdict on a frame that the device sent. The order is that of the checks. */
enum management_verdict {
	MANAGEMENT_ANSWERED,
	MANAGEMENT_ANOTHER_FRAME, /* has nothing to do with the query */
	MANAGEMENT_OTHER_SENDER,
	MANAGEMENT_FRAGMENT, /* the RFC wants one response frame */
	MANAGEMENT_CUT,
	MANAGEMENT_IP_CHECKSUM,
	MANAGEMENT_UDP_CHECKSUM,
	MANAGEMENT_MALFORMED,
	MANAGEMENT_OTHER_VERSION,
	MANAGEMENT_OTHER_COMMUNITY,
	MANAGEMENT_NO_RESPONSE,
	MANAGEMENT_OTHER_REQUEST,
	MANAGEMENT_ERROR_STATUS,
	MANAGEMENT_OTHER_VARIABLES,
	MANAGEMENT_NO_VALUE,
	MANAGEMENT_OTHER_TYPE,
	MANAGEMENT_VERDICTS
};

/* Texts by enum, such as "a value of another type than the variable has". */
extern const char *const MANAGEMENT_VERDICT_TEXTS[MANAGEMENT_VERDICTS];

struct management_answer {
	uint32_t request_id;                   /* known from MANAGEMENT_OTHER_REQUEST on */
	long error_status, error_index;        /* known from MANAGEMENT_ERROR_STATUS on; RFC 3416 section 3 */
	uint32_t values[MANAGEMENT_VARIABLES]; /* values of the variables that were asked for, if answered */
};

/* Finds out whether a frame is the answer to one of `asked` queries, whose request ids begin with that of *query and go
 * up by one. The frame may be anything. The caller has to know whether an id was answered before. */
enum management_verdict management_read(const struct management_query *query, uint32_t asked, const uint8_t *octets,
                                        unsigned count, struct management_answer *answer);

#endif
