/* SPDX-License-Identifier: Apache-2.0 */
/* Finds when a device was out of operation, from the times of the hardware (RFC 6201 1.3, timestamp method). */
#include "host/bench/rfc2544/reset.h"
#include "host/bench/rfc2544/silence.h"

struct reset_time reset_time_of(const struct trial_result *trial, double period_ot)
{
	const unsigned receivers = silence_receivers(trial);
	struct reset_time time = {.begun_ot = trial->reset_ot};
	uint64_t longest = 0;

	for (unsigned i = 0; i < trial->ports; i++) {
		const struct trial_port *port = &trial->port[i];

		if (!(receivers >> i & 1) || port->silence_max_ot <= longest)
			continue;
		longest = port->silence_max_ot;
		time.last_ot = port->silence_ot;
		time.first_ot = port->silence_ot + port->silence_max_ot;
	}
	if (trial->lost_frames == 0)
		time.outcome = RESET_NO_LOSS;
	else if (silence_at_end(trial, period_ot))
		time.outcome = RESET_NEVER;
	else if (time.first_ot < trial->reset_ot)
		time.outcome = RESET_ELSEWHERE;
	return time;
}
