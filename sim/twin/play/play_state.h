/* SPDX-License-Identifier: Apache-2.0 */
/* State of what is played: the senders of all ports, what is between them, and the receivers. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_PLAY_STATE_H
#define FPGAUGE_SIM_TWIN_PLAY_PLAY_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/sim_abi.h"
#include "sim/dut/device.h"
#include "sim/twin/play/cable_end.h"
#include "sim/twin/play/direction.h"
#include "sim/twin/play/post.h"
#include "sim/twin/play/relay.h"
#include "sim/twin/play/skip.h"

enum { PLAY_MOST_PORTS = FPGAUGE_MAX_PORTS };
_Static_assert(FPGAUGE_MAX_PORTS == RECORD_SOURCES, "every port may be the source of a frame");

struct play {
	unsigned port_count;
	struct dut_device *device;
	uint64_t exchanged_clock, exchanged_ot; /* progress of a device that reads frames */
	const struct ports_skips *skips;        /* skips ports that are played together; NULL: every frame is played */
	struct ports_skip *skip;
	bool tcp;                   /* some port has TCP connections, so that ports are played together */
	uint64_t tcp_clock, tcp_ot; /* pairs of ports: as far as they have been */
	struct relay relay;
	struct cable cable; /* leads to another twin, in place of a device */
	/* arrays by port, port_count of each */
	struct dut *duts[PLAY_MOST_PORTS];  /* the device's DUT from port i to its partner; NULL: it has no pairs */
	struct dut *turns[PLAY_MOST_PORTS]; /* wires without delay, for loopback */
	bool looped[PLAY_MOST_PORTS];
	struct post *posts[PLAY_MOST_PORTS]; /* contents of the frames that port i sends */
	struct records *records;             /* and one more: of the frames that the device makes */
	struct direction *directions;        /* leads from the sender of port i to wherever that is connected now */
	struct receiver *receivers;
	struct receiver *unseen; /* takes the frames of port i while no port listens to them */
	struct connections *connections;
	char error[256];
};

/* Something from outside changes what ports do that are played together. */
static inline void play_disturb(struct play *play)
{
	if (play->skips != NULL)
		play->skips->forget(play);
}

/* True if the port sends to a device that reads frames, and receives from it, with other ports. */
static inline bool play_exchanges(const struct play *play, unsigned port)
{
	return play->device->reads_frames && !play->looped[port];
}

/* True if it is known without playing that all frames which come to the port by this clock have our signature. */
static inline bool play_is_calm(const struct play *play, unsigned port, uint64_t clock)
{
	return play_exchanges(play, port) && play->skips != NULL && play->skips->is_calm(play, clock);
}

#endif
