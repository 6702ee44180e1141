// SPDX-License-Identifier: Apache-2.0
#include "sim/twin/play/wiring.h"

/* Leads a port over the cable to the port of the same number. */
static void connect_cable(struct play *play, unsigned port)
{
	struct direction *direction = &play->directions[port];
	const bool joined = play_is_joined(play, port);

	direction->dut = joined ? play->cable.wires[port] : play->duts[port];
	direction->receiver = joined ? &play->cable.peer->receivers[port] : &play->unseen[port];
	direction->map = joined ? &play->cable.map : NULL;
}

void play_connect(struct play *play, unsigned port)
{
	const unsigned partner = play_partner_of(play, port);
	struct direction *direction = &play->directions[port];

	direction->dut = play->looped[port] ? play->turns[port] : play->duts[port];
	direction->map = NULL;
	if (cable_is_there(&play->cable))
		connect_cable(play, port);
	else if (play->looped[port])
		direction->receiver = &play->receivers[port];
	else if (partner == NO_PORT || play->looped[partner])
		direction->receiver = &play->unseen[port];
	else
		direction->receiver = &play->receivers[partner];
	direction_disturb(direction);
	play_disturb(play);
}

struct direction *play_feeder(struct play *play, unsigned port)
{
	const unsigned partner = play_partner_of(play, port);

	if (cable_is_there(&play->cable))
		return play_is_joined(play, port) ? &play->cable.peer->directions[port] : NULL;
	if (play->looped[port])
		return &play->directions[port];
	if (play_exchanges(play, port))
		return NULL;
	return partner == NO_PORT || play->looped[partner] ? NULL : &play->directions[partner];
}

const struct records *play_records(struct play *play, unsigned port)
{
	const struct direction *feeder = play_feeder(play, port);

	return feeder != NULL ? feeder->records : play->records; /* if none leads there, the queue is empty */
}
