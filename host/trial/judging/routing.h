/* SPDX-License-Identifier: Apache-2.0 */
/* Judges whether the routing update before a trial was processed. Pure. */
#ifndef FPGAUGE_TRIAL_JUDGING_ROUTING_H
#define FPGAUGE_TRIAL_JUDGING_ROUTING_H

#include "host/trial/tester.h"

/* Makes a trial invalid in which no frame arrived at a port where some must: the update was not processed, or the
 * device forwards nothing at all. */
void trial_judge_routing(const struct trial_request *request, const uint64_t expected[TRIAL_MAX_PORTS],
                         struct trial_result *result);

#endif
