/* SPDX-License-Identifier: Apache-2.0 */
/* The host's verdict on a trial of pairs on a card with two ports, for testbenches in C++. */
#ifndef FPGAUGE_TESTS_RTL_CARD_VERDICT_H
#define FPGAUGE_TESTS_RTL_CARD_VERDICT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hw/regs/fpgauge_regs.h"

#ifdef __cplusplus
extern "C" {
#endif

struct card_trial {
	uint32_t frame_octets, gap_octets;
	uint64_t frames;                            /* frames of each port: a burst */
	uint64_t counter[2][FPGAUGE_COUNTER_COUNT]; /* counters by port */
	uint64_t sent[2];                           /* frames of the one stream of each port, by the port that sends
	                                             * it */
	uint64_t received[2], lost[2], duplicated[2], late[2], next[2];
	uint32_t link_status[2];
};

/* Returns whether the trial is valid; then lost_frames, else why. */
bool card_verdict(const struct card_trial *trial, uint64_t *lost_frames, char *why, size_t why_size);

#ifdef __cplusplus
}
#endif

#endif
