/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/rfc2544/silence.h"

/* Frames for a port need not be evenly spread, and those for it may not be the very last. */
enum { SILENT_PERIODS = 64 };

uint64_t silence_end_ot(const struct trial_result *trial)
{
	uint64_t end = UINT64_MAX;

	for (unsigned i = 0; i < trial->ports; i++)
		if (trial->port[i].sent && trial->port[i].tx_last_ot < end)
			end = trial->port[i].tx_last_ot;
	return end;
}

unsigned silence_receivers(const struct trial_result *trial)
{
	unsigned ports = 0;

	for (unsigned i = 0; i < trial->flows; i++)
		ports |= trial->flow[i].arrives;
	return ports;
}

bool silence_at_end(const struct trial_result *trial, double period_ot)
{
	const unsigned expected = silence_receivers(trial);
	const double end = (double)silence_end_ot(trial), silent_ot = SILENT_PERIODS * period_ot;

	for (unsigned i = 0; i < trial->ports; i++)
		if (expected >> i & 1 &&
		    (trial->port[i].received_frames == 0 || (double)trial->port[i].rx_last_ot + silent_ot < end))
			return true;
	return false;
}
