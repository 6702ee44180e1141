/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which frames leave a port, and when, at the gaps of a pacing. Pure arithmetic. */
#ifndef FPGAUGE_TRIAL_PACING_FRAMES_H
#define FPGAUGE_TRIAL_PACING_FRAMES_H

#include <stdint.h>

#include "host/base/uint128.h"
#include "host/trial/pacing/pacing.h"

enum { START_ALIGN_OCTETS = 8 }; /* frames start on a group: a single gap is up to 7 octets off, the average is not */

#define PACING_FRAMES_LIMIT (UINT64_C(1) << 48) /* width of tx_stop_frames */

/* The gap of a port, before the load changes. */
static inline struct pacing_gap pacing_gap_of(const struct pacing *pacing, unsigned port)
{
	return pacing->own[port].denominator
	               ? pacing->own[port]
	               : (struct pacing_gap){pacing->gap_octets, pacing->numerator, pacing->denominator};
}

/* Returns by how much the gaps between so many bursts, and one behind them, are longer than those within them. */
uint128 pacing_between_bursts(const struct pacing *pacing, uint64_t bursts);

/* The ideal start of a port's frame n, counted from 0, in octet times from the first one, times the denominator. */
uint128 pacing_scaled_start(const struct trial_request *request, const struct pacing *pacing, unsigned port,
                            uint64_t n);

/* Test frames of a load that leave a sending port when so many others take places before them, of which all together
 * have so many octets: those of pacing->frames if there are none; 0 if the others take all of the time. */
uint64_t pacing_frames_beside(const struct trial_request *request, const struct pacing *pacing, unsigned port,
                              uint64_t others, uint64_t other_octets);

/* Sets the frames of each port, those before the load changes, and how long all ports send. */
void pacing_count_frames(const struct trial_request *request, struct pacing *pacing);

#endif
