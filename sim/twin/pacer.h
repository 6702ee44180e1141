/* SPDX-License-Identifier: Apache-2.0 */
/* When frames start: hw/rtl/tx/tx_pacer.v in octet times from the origin of a trial, frame by frame and in closed form.
 *
 * The start of frame n is its ideal start rounded down to a group of 8 octets (deficit idle count). */
#ifndef FPGAUGE_SIM_TWIN_PACER_H
#define FPGAUGE_SIM_TWIN_PACER_H

#include <stdbool.h>
#include <stdint.h>

struct pacer_settings {
	uint64_t step_octets;            /* frame, preamble and the whole octets of the average gap */
	uint64_t burst_step_octets;      /* frame, preamble and the gap after the last frame of a burst */
	uint32_t numerator, denominator; /* fraction of an octet in the average gap */
	uint32_t burst_frames;           /* 0: one burst without end */
};

/* The next frame. */
struct pacer {
	struct pacer_settings settings;
	uint64_t frame;
	uint64_t ideal_octets;
	uint32_t fraction;   /* of an octet, in units of the denominator */
	uint32_t burst_left; /* frames left in the burst, including the next one; 0 if bursts have no end */
};

void pacer_init(struct pacer *pacer, const struct pacer_settings *settings);

/* Goes on to the next frame. */
static inline void pacer_step(struct pacer *pacer)
{
	const struct pacer_settings *settings = &pacer->settings;
	uint64_t sum = (uint64_t)pacer->fraction + settings->numerator;

	pacer->frame++;
	if (settings->burst_frames != 0 && pacer->burst_left-- == 1) {
		pacer->ideal_octets += settings->burst_step_octets;
		pacer->burst_left = settings->burst_frames;
		return;
	}
	pacer->ideal_octets += settings->step_octets + (sum >= settings->denominator);
	pacer->fraction = (uint32_t)(sum >= settings->denominator ? sum - settings->denominator : sum);
}

/* Ideal start of any frame; UINT64_MAX if it is out of range. */
uint64_t pacer_ideal_octets(const struct pacer_settings *settings, uint64_t frame);

/* The first frame whose ideal start is at this time or later. */
uint64_t pacer_first_from(const struct pacer_settings *settings, uint64_t octets);

/* Number of frames after which starts repeat, modulo 8 octets, at the same place in a burst; 0 if that is too long. */
uint64_t pacer_period_frames(const struct pacer_settings *settings);

/* Jumps over whole periods, with this total of frames and octets. */
static inline void pacer_jump(struct pacer *pacer, uint64_t frames, uint64_t octets)
{
	pacer->frame += frames;
	pacer->ideal_octets += octets;
}

#endif
