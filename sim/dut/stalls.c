// SPDX-License-Identifier: Apache-2.0
/* The times of stalls, one after the other. */
#include "sim/dut/stalls.h"

#include "sim/dut/random.h"

void stalls_none(struct stalls *stalls)
{
	*stalls = (struct stalls){.start_ot = UINT64_MAX, .end_ot = UINT64_MAX};
}

void stalls_init(struct stalls *stalls, uint64_t length_ot, uint64_t every_ot, bool at_random, uint64_t draws)
{
	*stalls = (struct stalls){.length_ot = length_ot, .every_ot = every_ot, .at_random = at_random, .draws = draws};
	if (at_random) {
		stalls_next(stalls);
	} else {
		stalls->start_ot = every_ot;
		stalls->end_ot = every_ot + length_ot;
	}
}

void stalls_next(struct stalls *stalls)
{
	if (stalls->at_random)
		stalls->start_ot = stalls->end_ot + random_exponential_ot(&stalls->draws, stalls->every_ot);
	else
		stalls->start_ot += stalls->every_ot;
	stalls->end_ot = stalls->start_ot + stalls->length_ot;
}

void stalls_skip_to(struct stalls *stalls, uint64_t ot)
{
	if (!stalls->at_random && stalls->end_ot <= ot) {
		stalls->start_ot += (ot - stalls->end_ot) / stalls->every_ot * stalls->every_ot;
		stalls->end_ot = stalls->start_ot + stalls->length_ot;
	}
	while (stalls->end_ot <= ot)
		stalls_next(stalls);
}
