/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that the tester offered what was requested: how many frames, of which lengths, at which gaps. Pure. */
#ifndef FPGAUGE_TRIAL_JUDGING_SENT_H
#define FPGAUGE_TRIAL_JUDGING_SENT_H

#include "host/trial/judging/check.h"

/* INVALID where frames of the host took too many places of test frames. */
void trial_check_host_frames(const struct trial_request *request, const struct trial_counters *counters, unsigned port,
                             struct trial_result *result);

/* INVALID where a port that sends was late, sent other frames than the pacing has, or at other gaps. */
void trial_check_sent(const struct trial_request *request, const struct pacing *pacing,
                      const struct trial_counters *counters, unsigned port, struct trial_result *result);

#endif
