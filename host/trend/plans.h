/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which runs are of one plan, and their measures. Private to host/trend. */
#ifndef FPGAUGE_TREND_PLANS_H
#define FPGAUGE_TREND_PLANS_H

#include <jansson.h>

/* A list of plans, each with its `runs` by date and its `series`, which are not tested yet. NULL: out of memory. */
json_t *plans_of(const json_t *runs);

#endif
