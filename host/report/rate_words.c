/* SPDX-License-Identifier: Apache-2.0 */
/* By the goal that was asked for, valid or not: what a rate is called must not depend on what happened to be lost. */
#include "host/report/rate_words.h"

#include "host/report/value.h"

static const struct rate_words WITHOUT_LOSS = {
        .name = "Throughput",
        .clause = "RFC 2544 section 26.1",
        .rate_key = "throughput_fps",
        .percent_key = "throughput_percent",
        .bound = "First lossy",
        .bound_key = "first_lossy_fps",
        .latency = "Latency at the throughput",
        .description = "The highest load without loss at each frame size, below the rate that the link allows at that "
                       "size (RFC 2544 section 26.1, RFC 5180 A.1). The points are in the table below.",
};
static const struct rate_words WITH_LOSS = {
        .loss = true,
        .name = "Conditional throughput",
        .clause = "RFC 9971; its goal allows loss, so it is not the throughput of RFC 2544",
        .rate_key = "conditional_throughput_fps",
        .percent_key = "conditional_throughput_percent",
        .bound = "Relevant upper bound",
        .bound_key = "relevant_upper_bound_fps",
        .latency = "Latency at the relevant lower bound",
        .description = "What was forwarded at the highest load that loses no more than the goal allows (RFC 9971), "
                       "below the rate that the link allows at that size (RFC 5180 A.1). This is not the throughput of "
                       "RFC 2544, which is without loss. The points are in the table below.",
};

const struct rate_words *rate_words(const json_t *result)
{
	return value_number(json_object_get(result, "parameters"), "goal_loss_ratio") > 0 ? &WITH_LOSS : &WITHOUT_LOSS;
}
