/* SPDX-License-Identifier: Apache-2.0 */
#include "host/traffic/protocols/neighbour_frame.h"

#include <string.h>

#include "host/base/octets.h"
#include "host/traffic/packet.h"

unsigned neighbour_frame_begin(struct neighbour_frame *frame, const uint8_t destination[MAC_OCTETS],
                               const uint8_t source[MAC_OCTETS], int tci, unsigned type)
{
	unsigned at = AT_TYPE;

	*frame = (struct neighbour_frame){0};
	memcpy(frame->octets, destination, MAC_OCTETS);
	memcpy(frame->octets + MAC_OCTETS, source, MAC_OCTETS);
	if (tci != NEIGHBOUR_NO_TAG) {
		put_be16(frame->octets + at, TYPE_VLAN);
		put_be16(frame->octets + at + 2, (unsigned)tci);
		at += TAG_OCTETS;
	}
	put_be16(frame->octets + at, type);
	return at + 2;
}
