/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/tcp_load.h"

#include "host/base/rate.h"
#include "host/traffic/packet.h"

enum {
	GROUP_OCTETS = 8,
	SEGMENT_CLOCKS = 12, /* a segment that arrives, with what it is answered with: tcp.v, sim/tcp/port.c */
	TURN_CLOCKS = 7,     /* a segment that is sent otherwise */
};

/* Clocks of the engine, one a word of the line, for each segment on it. A sender may have an acknowledgement of each,
 * which is answered with nothing while its line is behind. */
static unsigned least_clocks(enum tcp_load load)
{
	return load == TCP_LOAD_FITS ? SEGMENT_CLOCKS + TURN_CLOCKS : load == TCP_LOAD_DEPENDS ? SEGMENT_CLOCKS : 0;
}

static unsigned line_octets(unsigned mss, unsigned header_octets)
{
	return mss + header_octets + FCS_OCTETS + LINE_OVERHEAD_OCTETS;
}

static unsigned clock_octets(const struct device_identity *identity)
{
	return GROUP_OCTETS * identity->groups;
}

unsigned tcp_load_least_mss(enum tcp_load load, unsigned header_octets, const struct device_identity *identity)
{
	const unsigned least = least_clocks(load) * clock_octets(identity), others = line_octets(0, header_octets);

	return least > others ? least - others : 1;
}

enum tcp_load tcp_load_of(unsigned mss, unsigned header_octets, const struct device_identity *identity)
{
	enum tcp_load load = TCP_LOAD_FITS;

	while (load != TCP_LOAD_TOO_MUCH && mss < tcp_load_least_mss(load, header_octets, identity))
		load++;
	return load;
}
