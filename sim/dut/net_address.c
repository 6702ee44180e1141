// SPDX-License-Identifier: Apache-2.0
/* IPv4 and IPv6 addresses and networks. */
#include "sim/dut/net_address.h"

#include <arpa/inet.h>
#include <stdlib.h>

bool net_matches(const struct net_address *address, const struct net_address *network, unsigned bits)
{
	const unsigned whole = bits / 8, rest = bits % 8;

	if (address->version != network->version || memcmp(address->octet, network->octet, whole) != 0)
		return false;
	return rest == 0 || (address->octet[whole] ^ network->octet[whole]) >> (8 - rest) == 0;
}

bool net_host_bits_are(const struct net_address *address, unsigned bits, bool ones)
{
	for (unsigned i = bits; i < 8 * net_octets(address->version); i++)
		if ((address->octet[i / 8] >> (7 - i % 8) & 1) != ones)
			return false;
	return true;
}

bool net_parse(const char *text, size_t length, struct net_address *address)
{
	char copy[INET6_ADDRSTRLEN];
	const bool is_ipv6 = memchr(text, ':', length) != NULL;

	if (length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	*address = (struct net_address){.version = is_ipv6 ? NET_IPV6 : NET_IPV4};
	return inet_pton(is_ipv6 ? AF_INET6 : AF_INET, copy, address->octet) == 1;
}

bool net_parse_prefix(const char *text, size_t length, struct net_address *address, unsigned *bits)
{
	const char *slash = memchr(text, '/', length);
	unsigned most;

	if (slash == NULL || !net_parse(text, (size_t)(slash - text), address))
		return false;
	most = 8 * net_octets(address->version);
	*bits = 0;
	if (slash + 1 == text + length)
		return false;
	for (const char *at = slash + 1; at < text + length; at++) {
		if (*at < '0' || *at > '9')
			return false;
		*bits = 10 * *bits + (unsigned)(*at - '0');
		if (*bits > most)
			return false;
	}
	return true;
}

static bool is_ipv4_martian(const uint8_t octet[4])
{
	/* "This" network, loopback, link-local; groups, reserved ones and the limited broadcast address. */
	return octet[0] == 0 || octet[0] == 127 || (octet[0] == 169 && octet[1] == 254) || octet[0] >= 224;
}

static bool is_ipv6_martian(const uint8_t octet[NET_OCTETS])
{
	static const uint8_t zeros[NET_OCTETS];

	if (memcmp(octet, zeros, NET_OCTETS - 1) == 0 && octet[NET_OCTETS - 1] <= 1) /* ::, ::1 */
		return true;
	return octet[0] == 0xff || (octet[0] == 0xfe && (octet[1] & 0xc0) == 0x80);
}

bool net_is_martian(const struct net_address *address)
{
	return address->version == NET_IPV4 ? is_ipv4_martian(address->octet) : is_ipv6_martian(address->octet);
}
