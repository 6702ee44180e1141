/* SPDX-License-Identifier: Apache-2.0 */
/* The variables of a management query as net-snmp wants them, and what else the query and its answer share: for the
 * files of this folder that use its library. */
#ifndef FPGAUGE_TRAFFIC_PROTOCOLS_SNMP_VARIABLES_H
#define FPGAUGE_TRAFFIC_PROTOCOLS_SNMP_VARIABLES_H

/* These two, and in this order, before any other of its headers. */
#include <net-snmp/net-snmp-config.h>
#include <net-snmp/net-snmp-includes.h>

#include "host/traffic/protocols/snmp.h"

enum { VARIABLE_MOST_NUMBERS = 11 };

struct variable_name {
	oid numbers[VARIABLE_MOST_NUMBERS];
	size_t count;
};

/* The instance of a variable that is asked for. */
struct variable_name variable_name(const struct management_query *query, enum management_variable variable);

/* ASN_TIMETICKS or ASN_COUNTER. */
unsigned char variable_type(enum management_variable variable);

static inline bool variable_is_asked(const struct management_query *query, enum management_variable variable)
{
	return query->variables >> variable & 1;
}

/* The query's datagram: who asks whom. */
struct datagram management_datagram(const struct management_query *query);

/* Called before anything else of the library: makes it encode in the fewest octets, and not log, for which it would
 * print on standard error. May be called again. */
void snmp_library_prepare(void);

#endif
