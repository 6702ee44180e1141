/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a frame loss rate test: the loss at each load, with the graph that RFC 2544 section 26.3
 * asks for. */
#include "host/bench/rfc2544/frame_loss_rate.h"
#include "host/result/common.h"

static const struct metric A_POINT[] = {
        {"load_percent", "Load, %", METRIC_PERCENT, .places = 3, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
        {"load_fps", "Load, frames/s", METRIC_FPS, .places = 1, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
        {.key = "intended_load_fps", .unit = METRIC_FPS, .presence = IN_SOME_RESULTS, .range = RANGE_ABOVE_ZERO},
        {"layer_1_gbps", "Layer 1, Gb/s", METRIC_GBPS, .places = 3, .details = true},
        {"layer_2_gbps", "Layer 2, Gb/s", METRIC_GBPS, .places = 3},
        {"offered_frames", "Offered, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"received_frames", "Received", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"loss_percent", "Loss, %", METRIC_PERCENT, .places = 5},
};
static const struct metric_slice A_POINT_METRICS = METRIC_SLICE(A_POINT);

static const struct metric METRICS[] = {
        {"line_rate_loss_percent", "Loss at line rate", METRIC_PERCENT, .places = 5, .better = BETTER_LESS,
         .meaning = "the loss of the first trial, at 100% of `max_theoretical_fps`; null if max_load of the plan is "
                    "below that, or what an external tester offered"},
        {"max_load_loss_percent", "Loss at the highest load", METRIC_PERCENT, .places = 5, .better = BETTER_LESS,
         .presence = IN_SOME_RESULTS,
         .meaning = "only then: the loss of the first trial, at the highest load of the steps that is not above "
                    "max_load, or at what was offered for line rate"},
        {"max_loss_percent", "Largest loss", METRIC_PERCENT, .places = 5, .better = BETTER_LESS, .derived = true,
         .known = KNOWN_IF_VALID, .meaning = "the largest loss at any of the loads"},
        {"loss_free_load_percent", "Loss-free load", METRIC_PERCENT, .places = 3, .better = BETTER_MORE,
         .step = "parameters.step_percent", .lower_limit = true,
         .meaning = "the higher of the two successive loads without loss at which the test ended, as a percentage of "
                    "`max_theoretical_fps`; null if there were no two, and a flag says so"},
        {"loss_free_load_fps", "Loss-free load", METRIC_FPS, .places = 1, .better = BETTER_MORE, .derived = true,
         .lower_limit = true,
         .meaning = "the same load in frames a second. Not the throughput: the loads are a whole step apart"},
        LAYER_METRICS("loss_free_load_", "Loss-free load, ", "the same, per sending port,"),
        {"points", "Loss by load", METRIC_LIST, .definition = "loss_point", .items = &A_POINT_METRICS,
         .meaning = "every load in the order of the trials, from the highest down: `load_percent` of "
                    "`max_theoretical_fps`, `load_fps` of a sending port, as they were offered, `intended_load_fps` "
                    "only where an external tester was asked for another load than it offered, the load as "
                    "`layer_1_gbps` and `layer_2_gbps`, `offered_frames`, `received_frames` without duplicates, "
                    "`lost_frames`, and `loss_percent` = 100 x lost / offered"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of all these trials"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_OF_EVERY_TEST,
        {"Loads", "from line rate down in steps of {step_percent} of it, until two successive trials lose nothing",
         false},
        PARAMETERS_LOAD_RANGE,
        PARAMETERS_CHOSEN_DURATION("trial_duration_s"),
        {"Trials", "{trial_duration_s} each; rates are per sending port", false},
        {0},
};

static const struct result_table TABLE = {
        .name = "frame_loss_rate",
        .caption = "Frame loss rate over frame size",
        .columns = COLUMNS(
                {.key = "frame_octets", .sql = true}, {.key = "line_rate_loss_percent", .sql = true},
                {.key = "max_loss_percent", .sql = true}, {.key = "loss_free_load_percent", .sql = true},
                {.key = "loss_free_load_fps", .details = true}, {.key = "loss_free_load_layer_1_gbps", .details = true},
                {.key = "loss_free_load_layer_2_gbps", .details = true}, {.key = "max_theoretical_fps", .sql = true},
                {.key = "counters.offered_frames", .details = true}, {.key = "counters.lost_frames", .details = true},
                {.key = "counters.duplicated_frames", .details = true},
                {.key = "counters.reordered_frames", .details = true}, {.key = "counters.late_frames", .details = true},
                {.key = "trials", .sql = true}, {.key = "valid", .sql = true}),
};

/* Both axes begin at 0 and end at 100 percent, as the clause demands. */
static const struct result_curves CURVES = {
        .name = "frame_loss_rate",
        .title = "Frame loss rate",
        .description = "The share of the frames that was lost at each load, from 100% of the theoretical rate of the "
                       "link at that frame size down in equal steps until two successive trials lost nothing (RFC 2544 "
                       "section 26.3). The points are in the table below.",
        .x = "load_percent",
        .y = "loss_percent",
        .x_label = "input rate, % of the theoretical rate at that frame size",
        .y_label = "frames lost, %",
        .x_word = "load",
        .y_word = "loss",
        .x_end = 100,
        .y_end = 100,
};
static const struct result_listing POINT_ROWS = {
        .list = "points",
        .caption = "Frame loss rate by load",
        .items = &A_POINT_METRICS,
        .curves = &CURVES,
        .always = true,
};

const struct result_description FRAME_LOSS_RATE_RESULTS = {
        .test = "frame_loss_rate",
        .title = "Frame loss rate",
        .clause = "RFC 2544 section 26.3",
        .answer = "line_rate_loss_percent",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &LOAD_RANGE_METRICS, &OFFERED_LOAD_METRICS,
                                                        &PORT_METRICS, &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{NULL, &TABLE, NULL}, {NULL, &OFFERED_LOAD_TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&POINT_ROWS, &PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc2544_frame_loss_rate",
};
