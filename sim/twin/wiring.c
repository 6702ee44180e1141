// SPDX-License-Identifier: Apache-2.0
#include "sim/twin/wiring.h"

/* To the port of the same number. */
static void connect_cable(struct twin *twin, unsigned port)
{
	struct direction *direction = &twin->directions[port];
	const bool joined = twin_is_joined(twin, port);

	direction->dut = joined ? twin->cable.wires[port] : twin->duts[port];
	direction->receiver = joined ? &twin->cable.peer->receivers[port] : &twin->unseen[port];
	direction->map = joined ? &twin->cable.map : NULL;
}

void twin_connect(struct twin *twin, unsigned port)
{
	const unsigned partner = twin_partner_of(twin, port);
	struct direction *direction = &twin->directions[port];

	direction->dut = twin->looped[port] ? twin->turns[port] : twin->duts[port];
	direction->map = NULL;
	if (cable_is_there(&twin->cable))
		connect_cable(twin, port);
	else if (twin->looped[port])
		direction->receiver = &twin->receivers[port];
	else if (partner == NO_PORT || twin->looped[partner])
		direction->receiver = &twin->unseen[port];
	else
		direction->receiver = &twin->receivers[partner];
	direction_disturb(direction);
	twin_disturb_ports(twin);
}

struct direction *twin_feeder(struct twin *twin, unsigned port)
{
	const unsigned partner = twin_partner_of(twin, port);

	if (cable_is_there(&twin->cable))
		return twin_is_joined(twin, port) ? &twin->cable.peer->directions[port] : NULL;
	if (twin->looped[port])
		return &twin->directions[port];
	if (twin_exchanges(twin, port))
		return NULL;
	return partner == NO_PORT || twin->looped[partner] ? NULL : &twin->directions[partner];
}

const struct records *twin_records(struct twin *twin, unsigned port)
{
	const struct direction *feeder = twin_feeder(twin, port);

	return feeder != NULL ? feeder->records : twin->records; /* if none leads there, the queue is empty */
}
