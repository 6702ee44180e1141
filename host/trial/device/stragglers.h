/* SPDX-License-Identifier: Apache-2.0 */
/* Test frames of a trial that arrive after it was judged, in its settle time: they were not lost. */
#ifndef FPGAUGE_TRIAL_DEVICE_STRAGGLERS_H
#define FPGAUGE_TRIAL_DEVICE_STRAGGLERS_H

#include "host/trial/device/steps.h"
#include "host/trial/judging/check.h"

/* Called at the end of the settle time. Makes the trial invalid if frames came in it, and says which drain would do. A
 * trial all of whose frames came in the drain costs nothing, another one a snapshot and two accesses for each port. */
int device_stragglers_judge(const struct device_steps *steps, const struct trial_request *request,
                            const struct trial_counters *counters, struct trial_result *result, struct error *error);

#endif
