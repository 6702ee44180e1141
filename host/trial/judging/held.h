/* SPDX-License-Identifier: Apache-2.0 */
/* A port that obeys pause frames (IEEE 802.3 annex 31B) sends less than was intended: by what it counted as held, and
 * by no more. Pure. */
#ifndef FPGAUGE_TRIAL_JUDGING_HELD_H
#define FPGAUGE_TRIAL_JUDGING_HELD_H

#include "host/trial/judging/check.h"

/* INVALID where a port was held that obeys nothing, without a pause frame, or for longer than the pause frames that
 * came can ask for. */
void trial_check_held(const struct trial_request *request, const struct trial_counters *counters, unsigned port,
                      struct trial_result *result);

/* The request in which a port has only the time that no pause took from it. */
struct trial_request trial_less_held(const struct trial_request *request, const struct trial_counters *counters,
                                     unsigned port);

#endif
