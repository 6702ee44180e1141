/* SPDX-License-Identifier: Apache-2.0 */
/* Which sender leads to which receiver: through a pair of the device, over a wire in loopback, or over a cable. */
#ifndef FPGAUGE_SIM_TWIN_WIRING_H
#define FPGAUGE_SIM_TWIN_WIRING_H

#include "sim/twin/twin.h"

enum { NO_PORT = TWIN_MOST_PORTS };

/* Ports are wired in pairs, so the last one of an odd number is alone. */
static inline unsigned twin_partner_of(const struct twin *twin, unsigned port)
{
	return (port ^ 1) < twin->port_count ? port ^ 1 : NO_PORT;
}

/* True if the cable leads to a port of another twin. */
static inline bool twin_is_joined(const struct twin *twin, unsigned port)
{
	return twin->cable.peer != NULL && port < twin->cable.peer->port_count;
}

/* Leads the sender of a port to where it leads now, depending on the loopback of both ports. */
void twin_connect(struct twin *twin, unsigned port);

/* The direction that leads to the receiver of a port; NULL: none does, or several. */
struct direction *twin_feeder(struct twin *twin, unsigned port);

/* Records of the frames at the receiver of a port, as receiver_count() takes them. */
const struct records *twin_records(struct twin *twin, unsigned port);

#endif
