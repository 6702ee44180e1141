/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the bursts that were found into the numbers of the report. */
#include "host/base/json_write.h"
#include "host/bench/rfc8239/microburst.h"

#include <math.h>

#include "host/bench/repeat.h"
#include "host/bench/result.h"

/* True if more is sent than the receivers can take: else bursts of any length may come through. */
static bool is_congested(const struct microburst *measured, const struct microburst_case *found)
{
	return found->senders * measured->intensity > found->receivers * (1 + 1e-9);
}

void microburst_note(struct microburst *measured, const struct microburst_case *found)
{
	const struct repeated frames = repeated_statistics(found->frames, found->count);
	const struct variation variation = variation_of(found->frames, found->count);
	const bool ends = found->limited == 0;
	const double sum = frames.mean * found->senders;
	json_t *row = json_object();

	result_count(row, "senders", found->senders);
	result_count(row, "receivers", found->receivers);
	json_put(row, "sending_ports", port_list(port_plan_senders(&found->plan)));
	json_put(row, "receiving_ports", port_list(port_plan_receivers(&found->plan)));
	result_number(row, "burst_per_port_frames", ends ? frames.mean : NAN);
	result_number(row, "burst_frames", ends ? sum : NAN);
	result_number(row, "min_burst_frames", ends ? frames.min * found->senders : NAN);
	result_number(row, "max_burst_frames", ends ? frames.max * found->senders : NAN);
	json_put(row, "reached_limit", json_boolean(!ends));
	variation_report(&variation, row);
	json_add(measured->rows, row);
	measured->missing += !ends && is_congested(measured, found);
	if (!ends || (measured->has_least && sum >= measured->least_sum))
		return;
	measured->has_least = true;
	measured->least_sum = sum;
	measured->least_senders = found->senders;
	measured->least_receivers = found->receivers;
	measured->variation = variation;
}

static void flag(const struct microburst *measured, bool finished, json_t *result)
{
	const bool all = json_array_size(measured->rows) != 0;

	if (measured->missing)
		result_invalid(
		        result,
		        "with %u of %zu choices of ports bursts of max_burst lost nothing, although more was sent "
		        "than the receivers can take: repeat with a longer max_burst, or none of them was "
		        "congested",
		        measured->missing, json_array_size(measured->rows));
	else if (finished && all && !measured->has_least)
		result_flag(result,
		            "no burst up to max_burst lost frames: not more was sent than the receivers can take");
}

void microburst_report(const struct microburst *measured, bool finished, json_t *result)
{
	const bool known = measured->has_least && finished;
	const struct variation unknown = {NAN, NAN, NAN, NAN};
	const double sum = known ? measured->least_sum : NAN;

	result_number(result, "burst_frames", sum);
	result_number(result, "burst_octets", sum * measured->session->frame_octets);
	result_number(result, "burst_per_port_frames", known ? sum / measured->least_senders : NAN);
	result_count(result, "senders", known ? measured->least_senders : UINT64_MAX);
	result_count(result, "receivers", known ? measured->least_receivers : UINT64_MAX);
	json_put_shared(result, "bursts", measured->rows);
	variation_report(known ? &measured->variation : &unknown, result);
	if (known)
		variation_flag(&measured->variation, "the burst", result);
	flag(measured, finished, result);
}
