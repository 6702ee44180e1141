/* SPDX-License-Identifier: Apache-2.0 */
#include "host/traffic/protocols/snmp_variables.h"

#include <string.h>

enum { INTERNET = 1, MGMT = 2, MIB_2 = 1, SYSTEM = 1, INTERFACES = 2, PREFIX_NUMBERS = 6 };

/* 1.3.6.1.2.1: iso.org.dod.internet.mgmt.mib-2 of RFC 1213. */
static const oid PREFIX[PREFIX_NUMBERS] = {1, 3, 6, INTERNET, MGMT, MIB_2};

/* RFC 1213, and the same in RFC 3418 and RFC 2863. */
static const struct {
	unsigned column; /* column of interfaces.ifTable.ifEntry; 0: system.sysUpTime */
	unsigned char type;
} VARIABLES[MANAGEMENT_VARIABLES] = {
        [MANAGEMENT_UP_TIME] = {0, ASN_TIMETICKS},    [MANAGEMENT_IN_OCTETS] = {10, ASN_COUNTER},
        [MANAGEMENT_OUT_OCTETS] = {16, ASN_COUNTER},  [MANAGEMENT_IN_UNICAST] = {11, ASN_COUNTER},
        [MANAGEMENT_OUT_UNICAST] = {17, ASN_COUNTER},
};

const char *const MANAGEMENT_VARIABLE_NAMES[MANAGEMENT_VARIABLES] = {
        [MANAGEMENT_UP_TIME] = "sysUpTime",          [MANAGEMENT_IN_OCTETS] = "ifInOctets",
        [MANAGEMENT_OUT_OCTETS] = "ifOutOctets",     [MANAGEMENT_IN_UNICAST] = "ifInUcastPkts",
        [MANAGEMENT_OUT_UNICAST] = "ifOutUcastPkts",
};

struct variable_name variable_name(const struct management_query *query, enum management_variable variable)
{
	const unsigned column = VARIABLES[variable].column;
	const oid up_time[] = {SYSTEM, 3, 0}, of_interface[] = {INTERFACES, 2, 1, column, query->interface};
	struct variable_name name = {.count = PREFIX_NUMBERS};

	memcpy(name.numbers, PREFIX, sizeof(PREFIX));
	if (column) {
		memcpy(name.numbers + name.count, of_interface, sizeof(of_interface));
		name.count += sizeof(of_interface) / sizeof(of_interface[0]);
	} else {
		memcpy(name.numbers + name.count, up_time, sizeof(up_time));
		name.count += sizeof(up_time) / sizeof(up_time[0]);
	}
	return name;
}

unsigned char variable_type(enum management_variable variable)
{
	return VARIABLES[variable].type;
}

void snmp_library_prepare(void)
{
	static bool prepared;

	if (prepared)
		return;
	prepared = true;
	netsnmp_ds_set_boolean(NETSNMP_DS_LIBRARY_ID, NETSNMP_DS_LIB_REVERSE_ENCODE, 1);
	netsnmp_register_loghandler(NETSNMP_LOGHANDLER_NONE, LOG_EMERG);
}
