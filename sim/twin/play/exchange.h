/* SPDX-License-Identifier: Apache-2.0 */
/* Plays all ports together, because a device between them reads their frames. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_EXCHANGE_H
#define FPGAUGE_SIM_TWIN_PLAY_EXCHANGE_H

#include <stdbool.h>
#include <stdint.h>

struct play;

/* Makes the frames that start before until_ot, and counts what takes effect by this clock. Promises to the device never
 * go back, so a request for less than has been made is one for as much. Not to the end: what more time makes easier may
 * be left for later, so that waits shorter than a period do not play all of it; however short they are, no moment is
 * missed. 0, or -1: out of memory. */
int exchange_play(struct play *play, uint64_t clock, uint64_t until_ot, bool to_the_end);

/* True if all that a port has sent has been counted, and all that was sent to it. */
bool exchange_at_rest(struct play *play, unsigned port);

#endif
