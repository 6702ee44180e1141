/* SPDX-License-Identifier: Apache-2.0 */
/* The table of metrics. What a key means: docs/results.md. */
#include "host/base/metric.h"

#include <string.h>

const struct metric METRICS[] = {
        {"throughput_fps", "throughput", METRIC_FPS, true, true},
        {"throughput_percent", "throughput", METRIC_PERCENT, true, false},
        {"forwarding_rate_fps", "throughput back_to_back", METRIC_FPS, true, false},
        {"latency_min_ns", "throughput", METRIC_NS, false, false},
        {"latency_mean_ns", "throughput", METRIC_NS, false, false},
        {"latency_max_ns", "throughput", METRIC_NS, false, false},
        {"average_frames", "back_to_back", METRIC_FRAMES, true, true},
        {"min_frames", "back_to_back", METRIC_FRAMES, true, false},
        {"max_frames", "back_to_back", METRIC_FRAMES, true, false},
        {"stddev_frames", "back_to_back", METRIC_FRAMES, false, false},
        {"implied_buffer_s", "back_to_back", METRIC_S, true, false},
        {"corrected_buffer_s", "back_to_back", METRIC_S, true, false},
        {"actual_buffer_s", "back_to_back", METRIC_S, true, false},
        {"buffer_frames", "back_to_back", METRIC_FRAMES, true, false},
        {"buffer_octets", "back_to_back", METRIC_OCTETS, true, false},
        {"conditional_throughput_fps", "mlrsearch throughput", METRIC_FPS, true, true},
        {"conditional_throughput_percent", "mlrsearch throughput", METRIC_PERCENT, true, false},
        {"relevant_lower_bound_fps", "mlrsearch throughput", METRIC_FPS, true, false},
        {"relevant_upper_bound_fps", "mlrsearch throughput", METRIC_FPS, true, false},
};
const size_t METRIC_COUNT = sizeof(METRICS) / sizeof(METRICS[0]);

bool metric_is_of(const struct metric *metric, const char *test)
{
	size_t length = strlen(test);

	if (length == 0 || strchr(test, ' ')) /* of a document that somebody else made */
		return false;
	for (const char *at = metric->tests; (at = strstr(at, test)) != NULL; at += length) {
		bool begins = at == metric->tests || at[-1] == ' ';

		if (begins && (at[length] == 0 || at[length] == ' '))
			return true;
	}
	return false;
}

const struct metric *metric_find(const char *test, const char *key)
{
	for (size_t i = 0; i < METRIC_COUNT; i++) {
		if (!strcmp(METRICS[i].key, key) && metric_is_of(&METRICS[i], test))
			return &METRICS[i];
	}
	return NULL;
}
