/* SPDX-License-Identifier: Apache-2.0 */
/* Rates in bits a second beside frames a second: of layer 1, as a share of line rate, with the preamble and the minimum
 * gap of each frame, and of layer 2, the frames alone from destination MAC to FCS. */
#ifndef FPGAUGE_BENCH_LAYERS_H
#define FPGAUGE_BENCH_LAYERS_H

#include <jansson.h>

#include "host/base/rate.h"

/* 10^9 bits a second; NAN of a rate that is NAN. line: frames a second at line rate of one port, of a mix too; the rate
 * may be that of several ports. */
struct layers {
	double layer_1_gbps, layer_2_gbps;
};

struct layers layers_of(double fps, struct rate line, uint64_t link_bps);
struct layers layers_of_rate(struct rate rate, struct rate line, uint64_t link_bps); /* the nearest doubles */

/* Sets layer_1_gbps and layer_2_gbps of an object, or, with a prefix "mfr_", mfr_layer_1_gbps and mfr_layer_2_gbps. */
void layers_report(json_t *object, const char *prefix, struct layers layers);

#endif
