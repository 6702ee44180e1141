/* SPDX-License-Identifier: Apache-2.0 */
/* Computes when frames start: hw/rtl/tx/tx_pacer.v in octet times from the origin of a trial, frame by frame.
 *
 * The start of a frame is its ideal start rounded down to a group of 8 octets (deficit idle count). */
#ifndef FPGAUGE_SIM_TWIN_PLAY_PACER_H
#define FPGAUGE_SIM_TWIN_PLAY_PACER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/dut.h"
#include "sim/twin/play/clocks.h"

enum { PACER_PHASES = 7 };

/* The average gap: octets + numerator / denominator. */
struct pacer_gap {
	uint64_t octets;
	uint32_t numerator, denominator;
};

struct pacer_settings {
	uint64_t offset_octets; /* ideal start of the first frame */
	uint32_t burst_frames;  /* 0: one burst without end */
	uint64_t burst_gap_octets;
	uint32_t phases;                         /* number of phases that follow phase 0 */
	struct pacer_gap gap[1 + PACER_PHASES];  /* gap of each phase */
	uint64_t phase_octets[1 + PACER_PHASES]; /* when it begins; that of phase 0 is not used */
};

/* The next frame. */
struct pacer {
	uint64_t frame;
	uint64_t ideal_octets;
	struct pacer_gap gap;
	uint32_t fraction;   /* part of an octet, in units of the denominator */
	uint32_t burst_left; /* frames left in the burst, including the next one; 0 if bursts have no end */
	uint32_t phase;
	uint64_t due_octets; /* the first frame that starts at this time or later begins the next phase */
};

void pacer_init(struct pacer *pacer, const struct pacer_settings *settings);

/* The next frame begins the next phase, which is due. */
void pacer_begin_phase(struct pacer *pacer, const struct pacer_settings *settings);

static inline uint64_t pacer_start_octets(const struct pacer *pacer)
{
	return pacer->ideal_octets / GROUP_OCTETS * GROUP_OCTETS;
}

/* Goes on to the frame after one of this length. */
static inline void pacer_step(struct pacer *pacer, const struct pacer_settings *settings, uint32_t frame_octets)
{
	uint64_t sum;

	pacer->frame++;
	pacer->ideal_octets += DUT_PREAMBLE_OCTETS + frame_octets;
	if (settings->burst_frames != 0 && pacer->burst_left-- == 1) {
		pacer->ideal_octets += settings->burst_gap_octets;
		pacer->burst_left = settings->burst_frames;
		return;
	}
	sum = (uint64_t)pacer->fraction + pacer->gap.numerator;
	pacer->ideal_octets += pacer->gap.octets + (sum >= pacer->gap.denominator);
	pacer->fraction = (uint32_t)(sum >= pacer->gap.denominator ? sum - pacer->gap.denominator : sum);
}

/* Number of frames after which starts repeat within the phase, modulo 8 octets and at the same place in a burst; 0:
 * more than `most`. The lengths repeat after round_frames, which have round_octets together. *octets: the time that it
 * takes, a multiple of 8. */
uint64_t pacer_period_frames(const struct pacer *pacer, const struct pacer_settings *settings, uint64_t round_frames,
                             uint64_t round_octets, uint64_t most, uint64_t *octets);

/* Jumps over whole periods, with this total of frames and octets. */
static inline void pacer_jump(struct pacer *pacer, uint64_t frames, uint64_t octets)
{
	pacer->frame += frames;
	pacer->ideal_octets += octets;
}

#endif
