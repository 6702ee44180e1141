// SPDX-License-Identifier: Apache-2.0
/* Functions of the twin that all its parts need. */
#include "sim/twin/twin.h"

#include "sim/twin/play/clocks.h"

uint64_t twin_now_ot(const struct twin *twin)
{
	return twin->clock * WORD_OCTETS;
}

/* The table has 256 entries for each source, and as many sources as the next power of 2. */
uint64_t twin_stream_sweep_clocks(const struct twin *twin)
{
	uint64_t entries = RECEIVER_STREAMS;

	while (entries < (uint64_t)RECEIVER_STREAMS * twin->play.port_count)
		entries *= 2;
	return entries;
}

/* The tables are cleared in parallel; the longest one decides. */
uint64_t twin_sweep_clocks(const struct twin *twin)
{
	const uint64_t of_streams = twin_stream_sweep_clocks(twin);

	return of_streams > RX_SWEEP_CLOCKS ? of_streams : RX_SWEEP_CLOCKS;
}

bool twin_keeps_mail(const struct twin *twin)
{
	for (unsigned i = 0; i < twin->play.port_count; i++)
		if (twin->ports[i].value[PORT_RX_MAIL_FILTER] != 0)
			return true;
	return false;
}
