// SPDX-License-Identifier: Apache-2.0
/* Counts the frames and gaps of a line. */
#include "sim/twin/play/line_meter.h"

/* The hardware measures a gap with 40 bits, and it saturates. */
static const uint64_t GAP_LIMIT = (UINT64_C(1) << 40) - 1;

void line_meter_clear(struct line_meter *meter, uint64_t from_ot)
{
	*meter = (struct line_meter){.open = meter->open, .from_ot = from_ot, .counts = {.gap_min_octets = UINT64_MAX}};
}

/* hw/rtl/mac/gap_histogram.v. */
static inline size_t bin_of(uint64_t gap_octets)
{
	return gap_octets < LINE_METER_BINS - 1 ? (size_t)gap_octets : LINE_METER_BINS - 1;
}

static void count_gap(struct line_counts *counts, uint64_t gap_octets, uint64_t short_gap_octets, uint64_t *bins)
{
	if (bins != NULL)
		bins[bin_of(gap_octets)]++;
	if (gap_octets > GAP_LIMIT)
		gap_octets = GAP_LIMIT;
	counts->gaps++;
	counts->gap_sum_octets += gap_octets;
	if (gap_octets < counts->gap_min_octets && gap_octets != GAP_LIMIT)
		counts->gap_min_octets = gap_octets;
	if (gap_octets > counts->gap_max_octets)
		counts->gap_max_octets = gap_octets;
	if (gap_octets < short_gap_octets)
		counts->short_gaps++;
}

static void take_start(struct line_meter *meter, uint64_t start_ot, uint64_t short_gap_octets, uint64_t *bins)
{
	if (start_ot < meter->from_ot)
		return;
	if (!meter->started)
		meter->first_ot = start_ot;
	meter->started = true;
	meter->last_ot = start_ot;
	if (meter->ended)
		count_gap(&meter->counts, start_ot - meter->ended_ot, short_gap_octets, bins);
}

static void take_end(struct line_meter *meter, const struct dut_frame *frame)
{
	uint64_t end_ot = dut_frame_end_ot(frame);

	if (end_ot < meter->from_ot)
		return;
	meter->counts.frames++;
	meter->counts.octets += frame->octets;
	meter->ended = true;
	meter->ended_ot = end_ot;
}

/* Facts about a number of gaps. */
struct gaps {
	uint64_t count, least_octets, most_octets, sum_octets;
	uint64_t varied; /* a bit is 1 if not all gaps agree in it */
};

/* Gaps of a constant load have two lengths that are one group apart (hw/rtl/tx/tx_pacer.v), and their sum tells how
 * many there are of each. Other gaps are counted one by one. */
static void count_lengths(uint64_t *bins, const struct gaps *gaps, uint64_t ended_ot, const struct dut_frame *frames)
{
	enum { GROUP_OCTETS = 8 };
	const uint64_t more = gaps->sum_octets - gaps->count * gaps->least_octets;

	if (gaps->varied % GROUP_OCTETS == 0 && gaps->most_octets - gaps->least_octets <= GROUP_OCTETS) {
		bins[bin_of(gaps->least_octets)] += gaps->count - more / GROUP_OCTETS;
		bins[bin_of(gaps->most_octets)] += more / GROUP_OCTETS;
		return;
	}
	for (uint64_t i = 0; i < gaps->count; i++) {
		bins[bin_of(frames[i].start_ot - ended_ot)]++;
		ended_ot = dut_frame_end_ot(&frames[i]);
	}
}

/* Whole frames, once the meter is in step and no gap saturates: the same as above without its checks. The sum of the
 * gaps is the time in which nothing else was on the line. */
static inline __attribute__((always_inline)) void take_whole(struct line_meter *meter, const struct dut_frame *frames,
                                                             size_t count, uint64_t short_gap_octets, uint64_t *bins)
{
	struct line_counts *counts = &meter->counts;
	const uint64_t first_octets = frames[0].start_ot - meter->ended_ot;
	uint64_t least = UINT64_MAX, most = 0, varied = 0;
	uint64_t ended_ot = meter->ended_ot, octets = 0, short_gaps = 0;
	struct gaps gaps;

#pragma GCC unroll 4
	for (size_t i = 0; i < count; i++) {
		const uint64_t gap_octets = frames[i].start_ot - ended_ot;

		ended_ot = dut_frame_end_ot(&frames[i]);
		octets += frames[i].octets;
		least = gap_octets < least ? gap_octets : least;
		most = gap_octets > most ? gap_octets : most;
		short_gaps += gap_octets < short_gap_octets;
		if (bins != NULL)
			varied |= gap_octets ^ first_octets;
	}
	gaps = (struct gaps){.count = count,
	                     .least_octets = least,
	                     .most_octets = most,
	                     .sum_octets = ended_ot - meter->ended_ot - octets - count * DUT_PREAMBLE_OCTETS,
	                     .varied = varied};
	if (bins != NULL)
		count_lengths(bins, &gaps, meter->ended_ot, frames);
	counts->frames += count;
	counts->octets += octets;
	counts->gaps += count;
	counts->gap_sum_octets += gaps.sum_octets;
	counts->gap_min_octets = least < counts->gap_min_octets ? least : counts->gap_min_octets;
	counts->gap_max_octets = most > counts->gap_max_octets ? most : counts->gap_max_octets;
	counts->short_gaps += short_gaps;
	meter->last_ot = frames[count - 1].start_ot;
	meter->ended_ot = ended_ot;
}

void line_meter_add(struct line_meter *meter, uint64_t gap_octets, uint64_t times, uint64_t short_gap_octets,
                    uint64_t *bins)
{
	struct line_counts *counts = &meter->counts;

	if (times == 0)
		return;
	if (bins != NULL)
		bins[bin_of(gap_octets)] += times;
	counts->gaps += times;
	counts->gap_sum_octets += gap_octets * times;
	counts->gap_min_octets = gap_octets < counts->gap_min_octets ? gap_octets : counts->gap_min_octets;
	counts->gap_max_octets = gap_octets > counts->gap_max_octets ? gap_octets : counts->gap_max_octets;
	counts->short_gaps += gap_octets < short_gap_octets ? times : 0;
}

void line_meter_move(struct line_meter *meter, uint64_t frames, uint32_t frame_octets, uint64_t last_ot)
{
	meter->counts.frames += frames;
	meter->counts.octets += frames * frame_octets;
	meter->last_ot = last_ot;
	meter->ended_ot = last_ot + DUT_PREAMBLE_OCTETS + frame_octets;
}

/* Starts are so many groups or one more apart (hw/rtl/tx/tx_pacer.v), and the time that it takes from the first to the
 * last tells how often. */
size_t line_meter_take_even(struct line_meter *meter, const struct dut_frame *frames, size_t count, uint64_t end_ot,
                            uint64_t short_gap_octets, uint64_t *bins)
{
	enum { GROUP_OCTETS = 8 };
	size_t taken = line_meter_take(meter, frames, count != 0, end_ot, short_gap_octets, bins);
	const uint64_t gaps = count - 1;
	uint64_t least_ot, longer, gap_octets, groups;

	if (taken == 0 || count < 2 || !meter->started || !meter->ended || dut_frame_end_ot(&frames[gaps]) >= end_ot ||
	    frames[gaps].start_ot - frames[0].start_ot >= GAP_LIMIT)
		return taken + line_meter_take(meter, frames + taken, count - taken, end_ot, short_gap_octets, bins);
	groups = (frames[gaps].start_ot - frames[0].start_ot) / GROUP_OCTETS;
	least_ot = groups / gaps * GROUP_OCTETS;
	longer = groups % gaps;
	gap_octets = least_ot - frames[0].octets - DUT_PREAMBLE_OCTETS;
	line_meter_add(meter, gap_octets, gaps - longer, short_gap_octets, bins);
	line_meter_add(meter, gap_octets + GROUP_OCTETS, longer, short_gap_octets, bins);
	line_meter_move(meter, gaps, frames[0].octets, frames[gaps].start_ot);
	return count;
}

bool line_meter_measures(const struct line_meter *meter, const struct dut_frame *frames, size_t count, uint64_t word_ot,
                         uint64_t word_octets)
{
	bool ended = meter->ended;

	for (size_t i = 0; i < count; i++) {
		const bool started = i == 0 && meter->open;

		if (!started && frames[i].start_ot >= word_ot)
			return ended && frames[i].start_ot < word_ot + word_octets;
		ended = ended || dut_frame_end_ot(&frames[i]) >= meter->from_ot;
	}
	return false;
}

size_t line_meter_whole(const struct dut_frame *frames, size_t count, uint64_t end_ot)
{
	size_t low = 0, high = count;

	if (count == 0 || dut_frame_end_ot(&frames[count - 1]) < end_ot)
		return count;
	while (low < high) {
		const size_t middle = low + (high - low) / 2;

		if (dut_frame_end_ot(&frames[middle]) < end_ot)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

size_t line_meter_take(struct line_meter *meter, const struct dut_frame *frames, size_t count, uint64_t end_ot,
                       uint64_t short_gap_octets, uint64_t *bins)
{
	size_t i = 0;

	while (i < count) {
		if (!meter->open && meter->started && meter->ended) {
			const size_t whole = line_meter_whole(frames + i, count - i, end_ot);

			if (whole > 1 && frames[i + whole - 1].start_ot - meter->ended_ot < GAP_LIMIT) {
				if (bins != NULL)
					take_whole(meter, frames + i, whole, short_gap_octets, bins);
				else
					take_whole(meter, frames + i, whole, short_gap_octets, NULL);
				i += whole;
			}
		}
		if (i == count)
			break;
		if (!meter->open && frames[i].start_ot >= end_ot)
			break;
		if (!meter->open)
			take_start(meter, frames[i].start_ot, short_gap_octets, bins);
		meter->open = dut_frame_end_ot(&frames[i]) >= end_ot;
		if (meter->open)
			break;
		take_end(meter, &frames[i]);
		i++;
	}
	return i;
}
