/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of MLRsearch: goals, bounds, conditional throughput. */
#include "host/bench/rfc9971/mlrsearch.h"
#include "host/result/common.h"

static const struct metric TRIAL[] = {
        {.key = "load_fps", .unit = METRIC_FPS},
        {.key = "duration_s", .unit = METRIC_S},
        {.key = "effective_duration_s", .unit = METRIC_S},
        {.key = "offered_frames", .unit = METRIC_FRAMES, .whole = true},
        {.key = "lost_frames", .unit = METRIC_FRAMES, .whole = true},
        {.key = "unoffered_frames", .unit = METRIC_FRAMES, .whole = true, .presence = IN_SOME_RESULTS},
        {.key = "loss_ratio", .unit = METRIC_RATIO},
        {.key = "high_loss", .unit = METRIC_YES_NO},
        {.key = "full_length", .unit = METRIC_YES_NO},
};
static const struct metric_slice TRIAL_METRICS = METRIC_SLICE(TRIAL);

static const struct metric GOAL_METRICS[] = {
        {"goal", "Goal", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO,
         .meaning = "number of the goal, from 1"},
        {"regular", "Regular", METRIC_YES_NO, .meaning = "both bounds exist, and their width is at most the goal's"},
        {"end", "End", METRIC_TEXT, .meaning = "how the search for this goal ended"},
        {"width", "Width", METRIC_RATIO, .places = 5, .meaning = "(upper - lower) / upper bound"},
        {"traffic_s", "Traffic", METRIC_S,
         .meaning = "sum of the durations of all trials of the search, which its goals share"},
        {"trial_results", "Trials", METRIC_LIST, .definition = "trial_result", .items = &TRIAL_METRICS,
         .items_open = true,
         .meaning = "all trials in order: `load_fps`, `duration_s` (requested), `effective_duration_s`, "
                    "`offered_frames`, `lost_frames`, `loss_ratio`, and for this goal `high_loss`, `full_length`. "
                    "`unoffered_frames`, only where an external tester offered less than was intended by more than the "
                    "goal width: those that are missing, which count as lost (RFC 9971 section 4.9.1)"},
        {"parameters.goal_loss_ratio", "Loss ratio", METRIC_RATIO, .sql_heading = "Goal loss ratio", .places = 6},
};
static const struct metric_slice GOALS = METRIC_SLICE(GOAL_METRICS);

static const struct metric LAYERS[] = {LAYER_METRICS("", "", "the conditional throughput, per sending port,")};
static const struct metric_slice LAYERS_SLICE = METRIC_SLICE(LAYERS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_OF_EVERY_TEST,
        {NULL, "{waits_deviation}", false},
        PARAMETERS_OF_A_GOAL,
        PARAMETERS_CHOSEN_DURATION("goal_final_trial_duration_s"),
        {"Width", "{width}", false},
        {"Loads", "{min_load_fps:1} to {max_load_fps:1} fps at {frame_octets} octets; rates are {load}", false},
        {"Warm-up", "[?warm_up_s {warm_up_s} at the highest load]", false},
        {0},
};

static const struct result_chart CHART = {
        .name = "mlrsearch",
        .title = "Conditional throughput over frame size",
        .description = "For each goal, the conditional throughput between the relevant lower and the relevant upper "
                       "bound (RFC 9971), below the rate that the link allows. The points are in the table below.",
        .series = (const struct result_series[]){{"theoretical maximum", MARK_DASHES, "max_theoretical_fps", NULL, NULL,
                                                  true},
                                                 {"goal", MARK_RANGES, "conditional_throughput_fps",
                                                  "relevant_lower_bound_fps", "relevant_upper_bound_fps", false},
                                                 {0}},
        .by = "goal",
};
static const struct result_table TABLE = {
        .name = "mlrsearch",
        .caption = "Bounds and conditional throughput of each goal",
        .columns = COLUMNS(
                {.key = "frame_octets", .sql = true}, {.key = "goal", .sql = true},
                {.key = "parameters.goal_loss_ratio", .details = true, .sql = true},
                {.key = "relevant_lower_bound_fps", .sql = true}, {.key = "relevant_upper_bound_fps", .sql = true},
                {.key = "conditional_throughput_fps", .sql = true}, {.key = "conditional_throughput_percent"},
                {.key = "max_theoretical_fps", .details = true}, {.key = "width"}, {.key = "trials"},
                {.key = "traffic_s"}, {.key = "regular", .sql = true}, {.key = "valid", .sql = true}),
};
static const struct result_table LAYERS_TABLE = {
        .name = "mlrsearch_layers",
        .caption = "Conditional throughput in bits a second: of layer 1 with preamble and the minimum gap, of layer 2 "
                   "the frames alone",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "goal"}, {.key = "layer_1_gbps"}, {.key = "layer_2_gbps"}),
        .needs = "layer_1_gbps",
};

const struct result_description MLRSEARCH_RESULTS = {
        .test = "mlrsearch",
        .title = "MLRsearch",
        .clause = "RFC 9971",
        .answer = "conditional_throughput_fps",
        .answer_percent = "conditional_throughput_percent",
        .metrics = (const struct metric_slice *const[]){&GOALS, &CONDITIONAL_RATE_METRICS, &LAYERS_SLICE,
                                                        &LOAD_RANGE_METRICS, &OFFERED_LOAD_METRICS, &PORT_METRICS,
                                                        &UPPER_PORT_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views =
                (const struct result_view[]){
                        {&CHART, &TABLE, NULL}, {NULL, &OFFERED_LOAD_TABLE, NULL}, {NULL, &LAYERS_TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&PORT_ROWS, &FLOW_ROWS, &UPPER_PORT_ROWS, &UPPER_FLOW_ROWS,
                                                           NULL},
        .sql = "rfc9971_mlrsearch",
};
