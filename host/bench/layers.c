/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/layers.h"

#include <math.h>
#include <stdio.h>

#include "host/base/ratio.h"
#include "host/bench/result.h"

enum { KEY_SIZE = 64, GBIT = 1000000000 /* bits */ };

struct layers layers_of(double fps, struct rate line, uint64_t link_bps)
{
	const double layer_1_bps = fps / rate_fps(line) * (double)link_bps;

	return (struct layers){.layer_1_gbps = layer_1_bps / 1e9,
	                       .layer_2_gbps = (layer_1_bps - fps * 8 * LINE_OVERHEAD_OCTETS) / 1e9};
}

struct layers layers_of_rate(struct rate rate, struct rate line, uint64_t link_bps)
{
	const uint64_t overhead_bps = (uint64_t)8 * LINE_OVERHEAD_OCTETS * line.numerator;
	const struct rate layer_1 = rate_scale(rate, line.denominator, line.numerator);
	const struct rate layer_2 = rate_scale(rate, link_bps * line.denominator - overhead_bps, line.numerator);

	if (rate.denominator == 0)
		return (struct layers){NAN, NAN};
	return (struct layers){.layer_1_gbps = ratio_nearest((uint128)layer_1.numerator * link_bps,
	                                                     (uint128)layer_1.denominator * GBIT),
	                       .layer_2_gbps = ratio_nearest(layer_2.numerator, (uint128)layer_2.denominator * GBIT)};
}

void layers_report(json_t *object, const char *prefix, struct layers layers)
{
	char key[KEY_SIZE];

	snprintf(key, sizeof(key), "%slayer_1_gbps", prefix);
	result_number(object, key, layers.layer_1_gbps);
	snprintf(key, sizeof(key), "%slayer_2_gbps", prefix);
	result_number(object, key, layers.layer_2_gbps);
}
