/* SPDX-License-Identifier: Apache-2.0 */
/* Finds when a device lost its last frame after an overload, from the times of the hardware. */
#include "host/bench/rfc2544/silence.h"
#include "host/bench/rfc2544/system_recovery.h"

static uint64_t first_change_ot(const struct trial_result *trial)
{
	uint64_t first = UINT64_MAX;

	for (unsigned i = 0; i < trial->ports; i++)
		if (trial->port[i].next_load_ot && trial->port[i].next_load_ot < first)
			first = trial->port[i].next_load_ot;
	return first;
}

struct recovery recovery_of(const struct trial_result *trial, double period_ot)
{
	struct recovery recovery = {.change_ot = first_change_ot(trial)};
	const uint64_t end = silence_end_ot(trial);
	const uint64_t middle = recovery.change_ot + (end > recovery.change_ot ? (end - recovery.change_ot) / 2 : 0);

	for (unsigned i = 0; i < trial->ports; i++)
		if (trial->port[i].last_loss_ot > recovery.last_loss_ot)
			recovery.last_loss_ot = trial->port[i].last_loss_ot;
	if (trial->lost_frames == 0)
		recovery.outcome = RECOVERY_NO_LOSS;
	else if (recovery.last_loss_ot >= middle || silence_at_end(trial, period_ot))
		recovery.outcome = RECOVERY_NEVER;
	return recovery;
}

uint64_t recovery_ot(const struct recovery *recovery)
{
	return recovery->last_loss_ot > recovery->change_ot ? recovery->last_loss_ot - recovery->change_ot : 0;
}
