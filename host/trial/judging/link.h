/* SPDX-License-Identifier: Apache-2.0 */
/* Judges what a card did with the frames between the core, which counts them, and the line: a link that was down, a MAC
 * that was late. Pure. */
#ifndef FPGAUGE_TRIAL_JUDGING_LINK_H
#define FPGAUGE_TRIAL_JUDGING_LINK_H

#include "host/trial/judging/check.h"

/* Makes the trial invalid, by the names of the causes, if a port that takes part has not sent exactly what its core
 * counted, or anything has happened that may have cost a frame. Where the device under test was reset in the trial, its
 * link may go down: then frames are not sent, and are lost as in any device that restarts. */
void trial_check_link(const struct trial_request *request, const struct trial_counters *counters,
                      struct trial_result *result);

#endif
