// SPDX-License-Identifier: Apache-2.0
/* Computes what a switch passes without loss, in closed form where there is one. docs/dut-models.md derives it.
 *
 * In all of it, a frame is decided on at T and its start character leaves at D >= T, so that it occupies the buffer
 * from T until D + 8 + L. Decisions are on times r before a group of 8, the same r for all frames of a length. */
#include <math.h>
#include <stdio.h>

#include "host/base/rate.h"
#include "sim/dut/line_out.h"
#include "sim/dut/switch_truth.h"

struct load {
	uint64_t offered_ot, leaving_ot; /* time from start to start at the minimum gap: the tester's, the switch's */
	uint64_t held_ot; /* time from the decision on a lone frame until its buffer is free: r + 8 + L */
	uint64_t senders;
	uint64_t queue; /* frames that one queue can hold, if no other holds any */
};

static uint64_t times(uint64_t n, uint64_t ot)
{
	return dut_group_down(n * ot);
}

/* Frames of a queue that has a shared buffer for itself: one more is admitted while n x cost is below the threshold. */
static uint64_t queue_frames(const struct switch_settings *settings, uint32_t frame_octets)
{
	const uint64_t cost = switch_cost(settings, frame_octets), room = settings->buffer / cost;
	const uint64_t p = settings->alpha_numerator, q = settings->alpha_denominator;
	uint64_t below;

	if (!settings->shared || q == 0)
		return room;
	below = (p * settings->buffer + cost * (p + q) - 1) / (cost * (p + q));
	return below < room ? below : room;
}

/* Queues at their own pace, `receivers` of them, hold at most two frames each, and the one that is offered a frame at
 * most one. */
static bool share_is_enough(const struct switch_settings *settings, const struct dut_load *load)
{
	const uint64_t cost = switch_cost(settings, load->frame_octets);
	const uint64_t used = cost * (2 * (uint64_t)load->receivers - 1);

	if (!settings->shared || load->receivers == 1)
		return true;
	return used + cost <= settings->buffer &&
	       (settings->alpha_denominator == 0 ||
	        cost * settings->alpha_denominator < settings->alpha_numerator * (settings->buffer - used));
}

/* Octet times between the frames of a sender at its highest load without loss. */
static uint64_t lossless_period(const struct load *load)
{
	uint64_t period = load->senders * load->leaving_ot;

	if (period < load->offered_ot)
		period = load->offered_ot;
	/* One place: the frame before must be gone, however near the rounding to groups brings the next. */
	if (load->queue == 1 && period < dut_group_up(load->held_ot))
		period = dut_group_up(load->held_ot);
	return period;
}

/* True if frame n of each sender, from 0, finds the queue full with at least one of the frames of that instant. The
 * last of them needs the place of the frame `queue` before it on the line. */
static bool loses(const struct load *load, uint64_t n)
{
	const uint64_t last = n * load->senders + load->senders - 1;

	if (last < load->queue)
		return false;
	return times(last - load->queue, load->leaving_ot) + load->held_ot > times(n, load->offered_ot);
}

/* The first n that loses. The line falls behind by `behind` octet times a frame, so that all n up to the first estimate
 * are safe: roundings are below 8 each. */
static uint64_t longest_burst(const struct load *load)
{
	const uint64_t arriving_ot = load->offered_ot, serving_ot = load->senders * load->leaving_ot;
	const uint64_t behind_ot = serving_ot > arriving_ot ? serving_ot - arriving_ot : 0;
	uint64_t n, safe_ot;

	if (load->queue == 0)
		return 0;
	if (behind_ot == 0) {
		/* The pattern of roundings repeats after 8 frames. */
		for (n = 0; n <= 8 && load->queue == 1; n++)
			if (loses(load, n))
				return n;
		return UINT64_MAX;
	}
	safe_ot = load->queue * load->leaving_ot;
	if (safe_ot < load->held_ot + serving_ot)
		safe_ot = load->held_ot + serving_ot;
	n = (safe_ot - load->held_ot - serving_ot) / behind_ot;
	while (!loses(load, n))
		n++;
	return n;
}

/* Queues of a switch with head-of-line blocking are at the inputs, and take turns if there are several senders. Pause
 * frames take their place among the frames that leave. */
static bool has_closed_form(const struct switch_settings *settings, const struct dut_load *of, const struct load *load)
{
	if (settings->back_pressure)
		return false;
	if (of->senders > 1 && (settings->head_of_line_blocking || load->queue < of->senders + 1))
		return false;
	if (of->senders > 1 && settings->shared && of->receivers > 1)
		return false;
	return share_is_enough(settings, of);
}

static void forwarded_truth(const struct switch_settings *settings, uint64_t link_bps, const struct dut_load *of,
                            const struct load *load, struct fpgauge_sim_truth *truth)
{
	if (!has_closed_form(settings, of, load)) {
		truth->throughput_fps = NAN;
		truth->longest_burst_frames = FPGAUGE_SIM_TRUTH_NONE;
		return;
	}
	truth->throughput_fps = (double)link_bps / 8 / (double)lossless_period(load);
	truth->longest_burst_frames = longest_burst(load);
	/* Several queues that grow share the buffer as their frames come. */
	if (settings->shared && of->receivers > 1 && load->leaving_ot > load->offered_ot)
		truth->longest_burst_frames = FPGAUGE_SIM_TRUTH_NONE;
}

void switch_settings_truth(const struct switch_settings *settings, uint64_t link_bps, const struct dut_load *of,
                           struct fpgauge_sim_truth *truth)
{
	const struct dut_frame lone = {.octets = of->frame_octets};
	const uint64_t decided_ot = switch_arrival_ot(settings->cut_through, &lone) + settings->latency_ot;
	const struct load load = {
	        .offered_ot = line_out_octets(of->frame_octets),
	        .leaving_ot = (uint64_t)of->frame_octets + DUT_PREAMBLE_OCTETS + settings->gap_octets,
	        .held_ot = dut_group_up(decided_ot) - decided_ot + DUT_PREAMBLE_OCTETS + of->frame_octets,
	        .senders = of->senders,
	        .queue = queue_frames(settings, of->frame_octets),
	};

	snprintf(truth->model, sizeof(truth->model), "%s", DUT_SWITCH);
	truth->latency_ot = dut_group_up(decided_ot);
	truth->buffer_frames = load.queue;
	if (load.queue != 0 && switch_forwards_length(settings, of->frame_octets)) {
		forwarded_truth(settings, link_bps, of, &load, truth);
	} else {
		truth->throughput_fps = 0;
		truth->longest_burst_frames = 0;
	}
}
