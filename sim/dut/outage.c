// SPDX-License-Identifier: Apache-2.0
/* The times in which a device is dark. */
#include "sim/dut/outage.h"

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

int outage_read(const struct dut_setup *setup, struct outage *outage)
{
	/* Long enough for a frame that has begun to leave to finish, with its gap. */
	const uint64_t least_ot = LONGEST_ON_LINE_OT + DUT_MIN_GAP_OCTETS;
	struct sim_option_value values[RULES];
	uint64_t from_ot;

	*outage = (struct outage){.count = 0};
	if (!setup->named[DUT_RESET])
		return 0;
	if (sim_options_read(setup->options, table, RULES, values) != 0)
		return -1;
	outage->length_ot = dut_latency_ot(&values[RULE_DARK_FOR_NS].number, setup->link_bps);
	if (outage->length_ot < least_ot)
		return sim_options_refuse(setup->options, table[RULE_DARK_FOR_NS].name,
		                          "%s: must be %.0f or more on this link", values[RULE_DARK_FOR_NS].text,
		                          ceil((double)least_ot * 8e9 / (double)setup->link_bps));
	if (!values[RULE_DARK_AT_NS].set)
		return 0;
	from_ot = dut_latency_ot(&values[RULE_DARK_AT_NS].number, setup->link_bps);
	outage->count = 1;
	outage->times[0] = (struct dark_time){.from_ot = from_ot, .until_ot = from_ot + outage->length_ot};
	return 0;
}

/* -- frames -------------------------------------------------------------------------------------------------------- */

static void remove_time(struct outage *outage, size_t number)
{
	outage->count--;
	memmove(&outage->times[number], &outage->times[number + 1],
	        (outage->count - number) * sizeof(outage->times[0]));
}

size_t outage_lose(struct outage *outage, const struct dut_frame *in, size_t count)
{
	size_t lost = 0;

	while (lost < count && in[lost].start_ot < outage->times[0].until_ot)
		lost++;
	if (lost < count) {
		outage->on = false;
		remove_time(outage, 0);
	}
	return lost;
}

size_t outage_before(const struct outage *outage, const struct dut_frame *in, size_t count)
{
	const uint64_t from_ot = outage_from_ot(outage);

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
bool outage_command(struct outage *outage, uint64_t from_ot)
{
	struct dark_time added = {.from_ot = from_ot, .until_ot = from_ot + outage->length_ot};
	bool unseen = false;
	size_t place = 0;

	while (outage->count != 0 && is_over(&outage->times[0], from_ot)) {
		unseen = unseen || !outage->on;
		outage->on = false;
		remove_time(outage, 0);
	}
	for (size_t i = outage->count; i-- > 0;) {
		const struct dark_time *time = &outage->times[i];

		if (!touch(time, &added))
			continue;
		added.from_ot = time->from_ot < added.from_ot ? time->from_ot : added.from_ot;
		added.until_ot = time->until_ot > added.until_ot ? time->until_ot : added.until_ot;
		remove_time(outage, i);
	}
	while (place < outage->count && outage->times[place].from_ot < added.from_ot)
		place++;
	memmove(&outage->times[place + 1], &outage->times[place], (outage->count - place) * sizeof(outage->times[0]));
	outage->times[place] = added;
	outage->count++;
	return unseen;
}
