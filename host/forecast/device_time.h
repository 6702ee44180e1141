/* SPDX-License-Identifier: Apache-2.0 */
/* Bounds the device time that the trials of a test spend sending and waiting, and their number, by arithmetic on the
 * plan. The bounds hold if all trials are valid: one that is not is repeated, or ends its test. */
#ifndef FPGAUGE_FORECAST_DEVICE_TIME_H
#define FPGAUGE_FORECAST_DEVICE_TIME_H

#include "host/bench/extent.h"

struct extent device_time_of_test(const struct plan_test *test, uint64_t link_bps);

/* False: the device alone decides how many trials there are. */
bool device_time_is_bounded(const struct extent *extent);

#endif
