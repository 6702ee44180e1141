// SPDX-License-Identifier: Apache-2.0
/* The times in which a device is dark. */
#include "sim/dut/darkness.h"

#include <math.h>
#include <string.h>

/* No frame takes longer than this to come in. */
static const uint64_t LONGEST_ON_LINE_OT = DUT_PREAMBLE_OCTETS + DUT_MAX_FRAME_OCTETS;

/* -- settings ------------------------------------------------------------------------------------------------------ */

enum { RULE_DARK_AT_NS, RULE_DARK_FOR_NS, RULES };

static const struct sim_option_rule table[RULES] = {
        [RULE_DARK_AT_NS] =
                {.name = "dut.dark_at_ns", .kind = SIM_OPTION_NUMBER, .min = 0, .max = 1000000000000000, .unit = "ns"},
        [RULE_DARK_FOR_NS] = {.name = "dut.dark_for_ns",
                              .fallback = "1000000",
                              .kind = SIM_OPTION_NUMBER,
                              .min = 20000,
                              .max = 100000000000,
                              .unit = "ns"},
};
const struct dut_rules reset_rules = {table, RULES};

int darkness_read(const struct dut_setup *setup, struct darkness *darkness)
{
	/* Long enough for a frame that has begun to leave to finish, with its gap. */
	const uint64_t least_ot = LONGEST_ON_LINE_OT + DUT_MIN_GAP_OCTETS;
	struct sim_option_value values[RULES];
	uint64_t from_ot;

	*darkness = (struct darkness){.count = 0};
	if (!setup->named[DUT_RESET])
		return 0;
	if (sim_options_read(setup->options, table, RULES, values) != 0)
		return -1;
	darkness->length_ot = dut_latency_ot(&values[RULE_DARK_FOR_NS].number, setup->link_bps);
	if (darkness->length_ot < least_ot)
		return sim_options_refuse(setup->options, table[RULE_DARK_FOR_NS].name,
		                          "%s: must be %.0f or more on this link", values[RULE_DARK_FOR_NS].text,
		                          ceil((double)least_ot * 8e9 / (double)setup->link_bps));
	if (!values[RULE_DARK_AT_NS].set)
		return 0;
	from_ot = dut_latency_ot(&values[RULE_DARK_AT_NS].number, setup->link_bps);
	darkness->count = 1;
	darkness->times[0] = (struct dark_time){.from_ot = from_ot, .until_ot = from_ot + darkness->length_ot};
	return 0;
}

/* -- frames -------------------------------------------------------------------------------------------------------- */

static void remove_time(struct darkness *darkness, size_t number)
{
	darkness->count--;
	memmove(&darkness->times[number], &darkness->times[number + 1],
	        (darkness->count - number) * sizeof(darkness->times[0]));
}

size_t darkness_lose(struct darkness *darkness, const struct dut_frame *in, size_t count)
{
	size_t lost = 0;

	while (lost < count && in[lost].start_ot < darkness->times[0].until_ot)
		lost++;
	if (lost < count) {
		darkness->on = false;
		remove_time(darkness, 0);
	}
	return lost;
}

size_t darkness_before(const struct darkness *darkness, const struct dut_frame *in, size_t count)
{
	const uint64_t from_ot = darkness_from_ot(darkness);

	while (count > 0 && dut_frame_end_ot(&in[count - 1]) >= from_ot)
		count--;
	return count;
}

/* -- on command ---------------------------------------------------------------------------------------------------- */

/* True if no frame still to come can have any octet in this time. Now is DUT_RESET_LEAD_OT before from_ot. */
static bool is_over(const struct dark_time *time, uint64_t from_ot)
{
	return time->until_ot + LONGEST_ON_LINE_OT + DUT_RESET_LEAD_OT <= from_ot;
}

static bool touch(const struct dark_time *a, const struct dark_time *b)
{
	return a->from_ot <= b->until_ot && b->from_ot <= a->until_ot;
}

/* There is always room: before from_ot, at most three times are not over, because they do not touch, each is longer
 * than the longest frame, and they end within less than three times that; after it there is only the one from the
 * settings. */
bool darkness_command(struct darkness *darkness, uint64_t from_ot)
{
	struct dark_time added = {.from_ot = from_ot, .until_ot = from_ot + darkness->length_ot};
	bool unseen = false;
	size_t place = 0;

	while (darkness->count != 0 && is_over(&darkness->times[0], from_ot)) {
		unseen = unseen || !darkness->on;
		darkness->on = false;
		remove_time(darkness, 0);
	}
	for (size_t i = darkness->count; i-- > 0;) {
		const struct dark_time *time = &darkness->times[i];

		if (!touch(time, &added))
			continue;
		added.from_ot = time->from_ot < added.from_ot ? time->from_ot : added.from_ot;
		added.until_ot = time->until_ot > added.until_ot ? time->until_ot : added.until_ot;
		remove_time(darkness, i);
	}
	while (place < darkness->count && darkness->times[place].from_ot < added.from_ot)
		place++;
	memmove(&darkness->times[place + 1], &darkness->times[place],
	        (darkness->count - place) * sizeof(darkness->times[0]));
	darkness->times[place] = added;
	darkness->count++;
	return unseen;
}
