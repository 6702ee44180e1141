/* SPDX-License-Identifier: Apache-2.0 */
/* The gap between frames of a load, as an exact fraction that the pacer can hold. Pure arithmetic. */
#ifndef FPGAUGE_TRIAL_PACING_GAP_H
#define FPGAUGE_TRIAL_PACING_GAP_H

#include <stdint.h>

#include "host/base/error.h"
#include "host/traffic/traffic.h"
#include "host/trial/pacing/pacing.h"

#define PACING_GAP_LIMIT (UINT64_C(1) << 40) /* width of tx_gap_octets */

/* Octets of a frame on average, over the lengths of the traffic. */
struct traffic_mean pacing_mean_octets(const struct trial_request *request);

/* The octet times of a frame period - 8 - the average length of frames; if the denominator of that does not fit in 32
 * bits, the nearest fraction above it that does. ERROR_INTERNAL if the load is 0, above line rate or too slow for the
 * device. */
int pacing_gap_of_load(const struct trial_request *request, struct rate load, uint64_t link_bps, struct pacing_gap *gap,
                       struct error *error);

#endif
