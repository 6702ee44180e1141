/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/layers.h"

#include <stdio.h>

#include "host/bench/result.h"

enum { KEY_SIZE = 64 };

struct layers layers_of(double fps, struct rate line, uint64_t link_bps)
{
	const double layer_1_bps = fps / rate_fps(line) * (double)link_bps;

	return (struct layers){.layer_1_gbps = layer_1_bps / 1e9,
	                       .layer_2_gbps = (layer_1_bps - fps * 8 * LINE_OVERHEAD_OCTETS) / 1e9};
}

void layers_report(json_t *object, const char *prefix, double fps, struct rate line, uint64_t link_bps)
{
	const struct layers layers = layers_of(fps, line, link_bps);
	char key[KEY_SIZE];

	snprintf(key, sizeof(key), "%slayer_1_gbps", prefix);
	result_number(object, key, layers.layer_1_gbps);
	snprintf(key, sizeof(key), "%slayer_2_gbps", prefix);
	result_number(object, key, layers.layer_2_gbps);
}
