/* SPDX-License-Identifier: Apache-2.0 */
/* Leads each sender to a receiver: through a pair of the device, over a wire in loopback, or over a cable. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_WIRING_H
#define FPGAUGE_SIM_TWIN_PLAY_WIRING_H

#include "sim/twin/play/play_state.h"

enum { NO_PORT = PLAY_MOST_PORTS };

/* Ports are wired in pairs, so the last one of an odd number is alone. */
static inline unsigned play_partner_of(const struct play *play, unsigned port)
{
	return (port ^ 1) < play->port_count ? port ^ 1 : NO_PORT;
}

/* True if the cable leads to a port of another twin. */
static inline bool play_is_joined(const struct play *play, unsigned port)
{
	return play->cable.peer != NULL && port < play->cable.peer->port_count;
}

/* Leads the sender of a port to where it leads now, depending on the loopback of both ports. */
void play_connect(struct play *play, unsigned port);

/* The direction that leads to the receiver of a port; NULL: none does, or several. */
struct direction *play_feeder(struct play *play, unsigned port);

/* Records of the frames at the receiver of a port, as receiver_count() takes them. */
const struct records *play_records(struct play *play, unsigned port);

#endif
