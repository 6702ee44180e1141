/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a learning rate test (RFC 2889 section 5.8.5). */
#include "host/bench/rfc2889/learning_rate.h"
#include "host/bench/rfc2889/learning_trial.h"
#include "host/result/common.h"

static const struct metric METRICS[] = {
        {"learning_rate_fps", "Learning rate", METRIC_FPS, .places = 1, .better = BETTER_MORE,
         .step = "parameters.rate_step_fps",
         .meaning = "the highest rate of new addresses at which all of them were learned; null if there was none"},
        {"failed_rate_fps", "Too fast", METRIC_FPS, .places = 1, .derived = true,
         .meaning =
                 "the lowest rate at which some were not, one step higher; null if there was none, and a flag says so"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_table TABLE = {
        .name = "learning_rate",
        .caption = "Address learning rate",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "learning_rate_fps", .sql = true},
                           {.key = "failed_rate_fps", .sql = true}, {.key = "flood_frames", .sql = true},
                           {.key = "ageing_s", .sql = true}, {.key = "trials", .sql = true},
                           {.key = "valid", .sql = true}),
};

const struct result_description LEARNING_RATE_RESULTS = {
        .test = "rfc2889.learning_rate",
        .title = "Address learning rate",
        .clause = "RFC 2889 section 5.8",
        .answer = "learning_rate_fps",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &LEARNING_METRICS, &COUNTER_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters =
                (const struct result_line[]){
                        LEARNING_PARAMETERS,
                        {"Search",
                         "{addresses} addresses; rates from {initial_rate_fps} on, doubled until an iteration fails, "
                         "then bisected; {min_rate_fps} to {max_rate_fps} in steps of {rate_step_fps} frames a second",
                         false},
                        {0}},
        .views = (const struct result_view[]){{NULL, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&LEARNING_ROWS, NULL},
        .sql = "rfc2889_learning_rate",
};
