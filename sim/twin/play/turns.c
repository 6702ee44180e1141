// SPDX-License-Identifier: Apache-2.0
/* Turns as a whole: what they have in common, and when they repeat. */
#include "sim/twin/play/turns.h"

#include <string.h>

#include "sim/twin/play/divisor.h"

void turns_init(struct turns *turns, const struct turns_settings *settings)
{
	memset(turns, 0, sizeof(*turns));
	turns->every_left = settings->every;
	turns->draw = turns_xorshift32(settings->seed == 0 ? 1 : settings->seed);
	turns->size_draw = turns_xorshift32(settings->size_seed == 0 ? 1 : settings->size_seed);
}

/* Counts how often each flow has its turn before the turns begin again; drawn flows once each. Returns the number of
 * turns. */
static uint64_t count_turns(const struct turns_settings *settings, const struct turns_tables *tables,
                            uint64_t shares[TURNS_FLOWS])
{
	const uint32_t asked = settings->order == ORDER_TABLE ? settings->turns : settings->flows;
	const uint32_t turns = asked - 1 < TURNS_MOST ? asked : TURNS_MOST;

	memset(shares, 0, TURNS_FLOWS * sizeof(*shares));
	if (settings->flows == 0)
		return 0;
	for (uint32_t turn = 0; turn < turns; turn++)
		shares[settings->order == ORDER_TABLE ? tables->turn[turn] : turn % TURNS_FLOWS]++;
	return turns;
}

/* The same for frames: also those without a turn, which come after every (settings->every - 1) with one. */
static uint64_t count_frames(const struct turns_settings *settings, const struct turns_tables *tables,
                             uint64_t shares[TURNS_FLOWS])
{
	const uint64_t turns = count_turns(settings, tables, shares);
	uint64_t others, rounds;

	if (settings->every == 0 || turns == 0)
		return turns;
	others = turns / common_divisor(turns, settings->every - 1);
	rounds = others * (settings->every - 1) / turns;
	for (uint32_t i = 0; i < TURNS_FLOWS; i++)
		shares[i] *= rounds;
	shares[settings->every_flow] += others;
	return others * settings->every;
}

void turns_summarise(const struct turns_settings *settings, const struct turns_tables *tables,
                     struct turns_summary *summary)
{
	uint64_t shares[TURNS_FLOWS];

	count_frames(settings, tables, shares);
	*summary = (struct turns_summary){.fixed_octets = true};
	for (uint32_t i = 0; i < TURNS_FLOWS; i++) {
		const bool own = tables->flow[i].how != HOW_FRAME_OCTETS;

		if (shares[i] == 0)
			continue;
		summary->flows = i + 1;
		summary->flags |= tables->flow[i].flags;
		summary->fixed_octets = summary->fixed_octets && !own;
		summary->uses_frame_octets = summary->uses_frame_octets || !own;
	}
}

static uint32_t at_least(uint32_t octets)
{
	return octets < TURNS_LEAST_OCTETS ? TURNS_LEAST_OCTETS : octets;
}

/* Entries of the table of lengths that a flow in turn goes through. */
static uint32_t entries_of(const struct flow *flow)
{
	return flow->count - 1u < TURNS_LENGTHS ? flow->count : TURNS_LENGTHS;
}

static uint64_t octets_of_list(const struct flow *flow, const struct turns_tables *tables)
{
	uint64_t octets = 0;

	for (uint32_t i = 0; i < entries_of(flow); i++)
		octets += at_least(tables->octets[(flow->first + i) % TURNS_LENGTHS]);
	return octets;
}

/* Rounds of frames after which every list is at its beginning again; 0: too many. */
static uint64_t rounds_of_lists(const struct turns_tables *tables, const uint64_t shares[TURNS_FLOWS], uint64_t most)
{
	uint64_t rounds = 1;

	for (uint32_t i = 0; i < TURNS_FLOWS && rounds != 0; i++) {
		const struct flow *flow = &tables->flow[i];

		if (shares[i] == 0 || flow->how == HOW_FRAME_OCTETS)
			continue;
		if (flow->how != HOW_IN_TURN)
			return 0; /* drawn */
		rounds = least_common_multiple(rounds, entries_of(flow) / common_divisor(entries_of(flow), shares[i]),
		                               most);
	}
	return rounds;
}

uint64_t turns_period_frames(const struct turns_settings *settings, const struct turns_tables *tables, uint64_t most,
                             uint64_t *octets)
{
	uint64_t shares[TURNS_FLOWS];
	const uint64_t frames = count_frames(settings, tables, shares);
	const uint64_t rounds = frames - 1 < most ? rounds_of_lists(tables, shares, most / frames) : 0;

	*octets = 0;
	if (rounds == 0 || (settings->order == ORDER_DRAWN && settings->flows > 1))
		return 0;
	for (uint32_t i = 0; i < TURNS_FLOWS; i++) {
		const struct flow *flow = &tables->flow[i];

		if (shares[i] != 0 && flow->how == HOW_FRAME_OCTETS)
			*octets += rounds * shares[i] * at_least(settings->frame_octets);
		else if (shares[i] != 0)
			*octets += rounds * shares[i] / entries_of(flow) * octets_of_list(flow, tables);
	}
	return rounds * frames;
}
