/* SPDX-License-Identifier: Apache-2.0 */
/* Turns what the flows of a trial lost into what the groups did. */
#include "host/base/json_write.h"
#include "host/base/ratio.h"
#include "host/bench/rfc8239/head_of_line_blocking.h"

#include <math.h>

#include "host/bench/result.h"

/* Port number `of` of a group, from 0. */
static unsigned port_of(const struct holb *measured, unsigned group, unsigned of)
{
	return (group * GROUP_PORTS + of + measured->position) % measured->ports;
}

static unsigned bit_of_each(const struct holb *measured, unsigned of)
{
	unsigned bits = 0;

	for (unsigned group = 0; group < measured->groups; group++)
		bits |= 1u << port_of(measured, group, of);
	return bits;
}

static double percent(uint64_t lost, uint64_t offered)
{
	return ratio_percent(lost, offered);
}

static void note_group(struct holb *measured, unsigned number, const struct trial_result *trial)
{
	const unsigned free_ports = bit_of_each(measured, 2);
	struct holb_counts *group = &measured->group[number];
	uint64_t offered = 0, lost = 0;

	for (unsigned i = 0; i < trial->flows && i < TRIAL_MAX_FLOWS; i++) {
		const struct trial_flow *flow = &trial->flow[i];
		const bool first = flow->port == port_of(measured, number, 0);

		if (first && (flow->arrives & free_ports)) {
			offered += flow->offered_frames;
			lost += flow->lost_frames;
		} else if (first || flow->port == port_of(measured, number, 1)) {
			group->congested_offered += flow->offered_frames;
			group->congested_lost += flow->lost_frames;
		}
	}
	group->offered += offered;
	group->lost += lost;
	group->loss_percent[measured->count] = percent(lost, offered);
	measured->worst_percent[measured->count] =
	        fmax(measured->worst_percent[measured->count], group->loss_percent[measured->count]);
}

void holb_note(struct holb *measured, const struct trial_result *trial)
{
	measured->flows_missing |= trial->flow_count != trial->flows;
	for (unsigned group = 0; group < measured->groups; group++)
		note_group(measured, group, trial);
	measured->count++;
}

static json_t *row_of(const struct holb *measured, unsigned number)
{
	const struct holb_counts *group = &measured->group[number];
	const struct variation variation = variation_of(group->loss_percent, measured->count);
	json_t *row = json_object();

	result_count(row, "position", measured->position);
	result_count(row, "first_port", port_of(measured, number, 0));
	result_count(row, "second_port", port_of(measured, number, 1));
	result_count(row, "free_port", port_of(measured, number, 2));
	result_count(row, "congested_port", port_of(measured, number, 3));
	result_count(row, "offered_frames", group->offered);
	result_count(row, "lost_frames", group->lost);
	result_number(row, "loss_percent", percent(group->lost, group->offered));
	result_number(row, "congested_loss_percent", percent(group->congested_lost, group->congested_offered));
	variation_report(&variation, row);
	return row;
}

void holb_note_position(struct holb *measured)
{
	for (unsigned number = 0; number < measured->groups; number++) {
		struct holb_counts *group = &measured->group[number];

		json_add(measured->rows, row_of(measured, number));
		measured->lost += group->lost;
		measured->offered += group->offered;
		measured->uncongested += group->congested_lost == 0;
		*group = (struct holb_counts){.loss_percent = group->loss_percent};
	}
}

static double worst_loss(const struct holb *measured)
{
	double worst = 0;
	const json_t *row;
	size_t i;

	json_array_foreach(measured->rows, i, row) worst = fmax(worst, result_get(row, "loss_percent"));
	return worst;
}

void holb_report(const struct holb *measured, bool finished, json_t *result)
{
	const bool known = finished && !measured->flows_missing;
	const struct variation unknown = {NAN, NAN, NAN, NAN};
	const struct variation variation =
	        known ? variation_of(measured->worst_percent, measured->repetitions) : unknown;

	if (known)
		json_put(result, "head_of_line_blocking", json_boolean(measured->lost != 0));
	result_number(result, "loss_percent", known ? worst_loss(measured) : NAN);
	result_number(result, "mean_loss_percent", known ? percent(measured->lost, measured->offered) : NAN);
	result_count(result, "lost_frames", known ? measured->lost : UINT64_MAX);
	json_put_shared(result, "groups", measured->rows);
	variation_report(&variation, result);
	variation_flag(&variation, "the loss", result);
	if (known && measured->uncongested)
		result_flag(result,
		            "no frame for a congested port was lost in %u of %zu groups: the trials were too short to "
		            "fill its buffer, or the device held the senders back; this says little of blocking",
		            measured->uncongested, json_array_size(measured->rows));
	if (measured->flows_missing)
		result_invalid(result,
		               "the trials had more flows than %d, and what each of them lost is not known: use fewer "
		               "addresses",
		               TRIAL_MAX_FLOWS);
}
