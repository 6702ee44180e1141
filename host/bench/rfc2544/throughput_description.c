/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a throughput test. With a goal that allows loss it finds something else, under a different
 * name: the conditional throughput of RFC 9971. Which of the two depends on what was asked for, not on what happened to
 * be lost. */
#include "host/bench/rfc2544/throughput.h"
#include "host/result/common.h"

static const struct metric THROUGHPUT_METRICS[] = {
        {"throughput_fps", "Throughput", METRIC_FPS, .places = 1, .better = BETTER_MORE, .known = KNOWN_IF_VALID,
         .step = "resolution_fps", .lower_limit = true,
         .meaning = "the highest load without loss in a trial of full length, as it was offered; null if the goal "
                    "allows loss, see below"},
        {"throughput_percent", "Of line rate", METRIC_PERCENT, .places = 3, .better = BETTER_MORE, .derived = true,
         .step = "parameters.resolution_percent", .lower_limit = true,
         .meaning = "the same as a percentage of `max_theoretical_fps`; 100 is line rate"},
        {"first_lossy_fps", "First lossy", METRIC_FPS, .places = 1,
         .meaning = "the lowest load that failed; null if none did, or if the goal allows loss"},
};
static const struct metric_slice THROUGHPUT_SLICE = METRIC_SLICE(THROUGHPUT_METRICS);

static const struct metric CONDITIONAL_METRICS[] = {
        {"throughput_fps", "Throughput", METRIC_FPS, .places = 1, .known = KNOWN_NEVER,
         .meaning = "null: what loses frames is not throughput"},
        {"throughput_percent", "Of line rate", METRIC_PERCENT, .places = 3, .known = KNOWN_NEVER, .meaning = "null"},
        {"first_lossy_fps", "First lossy", METRIC_FPS, .places = 1, .known = KNOWN_NEVER, .meaning = "null"},
        {"parameters.goal_loss_ratio", "Loss ratio", METRIC_RATIO, .sql_heading = "Goal loss ratio", .places = 6},
};
static const struct metric_slice CONDITIONAL_SLICE = METRIC_SLICE(CONDITIONAL_METRICS);

static const struct metric BOTH_METRICS[] = {
        {"resolution_fps", "Resolution", METRIC_FPS, .places = 1,
         .meaning = "step of the search; more, with a flag, if an external tester offered other loads than it was "
                    "asked for, and what passed and what failed are further apart"},
        {"forwarding_rate_fps", "Forwarding rate", METRIC_FPS, .places = 1, .better = BETTER_MORE, .derived = true,
         .step = "resolution_fps",
         .meaning =
                 "frames received in the trial that settled the result, divided by the time over which they arrived"},
        {"layer_1_gbps", "Layer 1", METRIC_GBPS, .places = 3, .better = BETTER_MORE, .derived = true,
         .lower_limit = true,
         .meaning = "the throughput, or the conditional throughput, in bits a second on the line: frames with their "
                    "preamble and the minimum gap, 20 octets more a frame; per sending port"},
        {"layer_2_gbps", "Layer 2", METRIC_GBPS, .places = 3, .better = BETTER_MORE, .derived = true,
         .lower_limit = true, .meaning = "the same of the frames alone, destination MAC to FCS"},
        {"final_trial_duration_s", "Final trial", METRIC_S, .presence = IN_VALID_RESULTS,
         .meaning = "measured length of that trial, first frame to last"},
        {"queue_growth_fps", "Queue growth", METRIC_FPS, .places = 1,
         .meaning = "self-check: the overload that this trial would have absorbed unnoticed if its latency grew "
                    "because a buffer was filling: the buffer fill at the end divided by the length of the trial. It "
                    "includes jitter; a flag is set if it exceeds `resolution_fps`. Null if latency was not measured"},
        {"hidden_overload_fps", "Hidden overload", METRIC_FPS, .places = 1,
         .meaning = "self-check, filled in once `back_to_back` has measured the buffer at this size: the largest "
                    "overload that a trial of `trial_duration_s` may have hidden because the buffer absorbed it"},
        {"hidden_overload_trial_s", "Trial that hides less", METRIC_S,
         .meaning = "the trial duration that brings it below the resolution"},
        {"counters", "Counters", METRIC_OBJECT, .presence = IN_VALID_RESULTS, .definition = "counters",
         .meaning = "sums over all ports of the trial that settled the result"},
};
static const struct metric_slice BOTH_SLICE = METRIC_SLICE(BOTH_METRICS);

static const struct metric JITTER_METRICS[] = {
        {"pdv_mean_ns", "PDV mean", METRIC_NS, .places = 2,
         .meaning = "jitter in the trial that settled the result, as packet delay variation (RFC 5481 section 4.2): "
                    "the latency of each frame less `latency_min_ns`; the mean"},
        {"pdv_p99_9_ns", "PDV 99.9%", METRIC_NS, .places = 2,
         .meaning = "what 99.9% of the frames do not exceed, as exact as `latency_p99_9_ns`"},
        {"pdv_max_ns", "PDV max", METRIC_NS, .places = 2, .meaning = "the largest"},
};
static const struct metric_slice JITTER_SLICE = METRIC_SLICE(JITTER_METRICS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_OF_EVERY_TEST,
        PARAMETERS_OF_A_GOAL,
        PARAMETERS_LOAD_RANGE,
        PARAMETERS_CHOSEN_DURATION("trial_duration_s"),
        {"Resolution", "{resolution_percent} of line rate", false},
        {"Trials",
         "final {trial_duration_s}[duration_chosen_for!real , chosen because the device is simulated (RFC 2544 section "
         "24, for a real one: 60 s)], while searching {search_trial_duration_s}; rates are per sending port",
         false},
        {0},
};

static const struct result_table TRIAL = {
        .name = "throughput_trial",
        .caption = "The trial that settled each result (latency: first octet in to first octet out, FIFO of RFC 1242)",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "counters.offered_frames"},
                           {.key = "counters.received_frames", .details = true}, {.key = "counters.lost_frames"},
                           {.key = "counters.duplicated_frames"}, {.key = "counters.reordered_frames"},
                           {.key = "counters.late_frames"}, {.key = "counters.bad_frames", .details = true},
                           {.key = "counters.foreign_frames"}, {.key = "latency_min_ns"}, {.key = "latency_mean_ns"},
                           {.key = "latency_max_ns"}, {.key = "hidden_overload_fps", .details = true}),
};

static const struct result_table LAYERS = {
        .name = "throughput_layers",
        .caption = "In bits a second: of layer 1 with preamble and the minimum gap, of layer 2 the frames alone; and "
                   "the jitter",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "layer_1_gbps"}, {.key = "layer_2_gbps"},
                           {.key = "pdv_mean_ns"}, {.key = "pdv_p99_9_ns"}, {.key = "pdv_max_ns"}),
        .needs = "layer_1_gbps",
};

/* -- without loss ------------------------------------------------------------------------------------------------- */

static const struct result_chart RATE_CHART = {
        .name = "throughput",
        .title = "Throughput over frame size",
        .description = "The highest load without loss at each frame size, below the rate that the link allows at that "
                       "size (RFC 2544 section 26.1, RFC 5180 A.1). The points are in the table below.",
        .series = (const struct result_series[]){{"theoretical maximum of the link", MARK_DASHES, "max_theoretical_fps",
                                                  NULL, NULL, true},
                                                 {"Throughput", MARK_LINE_POINTS, "throughput_fps", NULL, NULL, false},
                                                 {0}},
};
static const struct result_table RATE_TABLE = {
        .name = "throughput",
        .caption = "Throughput over frame size",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "throughput_fps", .sql = true},
                           {.key = "throughput_percent", .sql = true}, {.key = "max_theoretical_fps", .sql = true},
                           {.key = "first_lossy_fps", .sql = true}, {.key = "resolution_fps", .details = true},
                           {.key = "final_trial_duration_s", .details = true}, {.key = "trials", .sql = true},
                           {.key = "valid", .sql = true}),
};
static const struct result_chart LATENCY_CHART = {
        .name = "latency",
        .title = "Latency at the throughput",
        .description = LATENCY_DESCRIPTION,
        .y_label = "latency",
        .series = LATENCY_SERIES,
        .y_log = true,
};
static const struct result_table TRUTH = {
        .name = "throughput_truth",
        .caption = "Measured, and what the simulated device really does",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "truth.model"}, {.key = "throughput_fps"},
                           {.key = "truth.throughput_fps"}, {.key = "latency_min_ns"}, {.key = "truth.latency_ns"}),
        .rows = ROWS_WITH_TRUTH,
};

const struct result_description THROUGHPUT_RESULTS = {
        .test = "throughput",
        .title = "Throughput",
        .clause = "RFC 2544 section 26.1",
        .answer = "throughput_fps",
        .answer_percent = "throughput_percent",
        .metrics = (const struct metric_slice *const[]){&THROUGHPUT_SLICE, &LOAD_RANGE_METRICS, &OFFERED_LOAD_METRICS,
                                                        &BOTH_SLICE, &LATENCY_METRICS, &JITTER_SLICE, &PORT_METRICS,
                                                        &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&RATE_CHART, &RATE_TABLE, NULL},
                                              {NULL, &OFFERED_LOAD_TABLE, NULL},
                                              {NULL, &LAYERS, NULL},
                                              {&LATENCY_CHART, &TRIAL, NULL},
                                              {&LATENCY_PERCENTILES_CHART, &LATENCY_PERCENTILES_TABLE, NULL},
                                              {NULL, NULL, &LATENCY_BINS},
                                              {NULL, &TRUTH, NULL},
                                              {0}},
        .listings = (const struct result_listing *const[]){&PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc2544_throughput",
};

/* -- with a goal that allows loss --------------------------------------------------------------------------------- */

static const struct result_chart CONDITIONAL_CHART = {
        .name = "throughput",
        .title = "Conditional throughput over frame size",
        .description = "What was forwarded at the highest load that loses no more than the goal allows (RFC 9971), "
                       "below the rate that the link allows at that size (RFC 5180 A.1). This is not the throughput of "
                       "RFC 2544, which is without loss. The points are in the table below.",
        .series =
                (const struct result_series[]){
                        {"theoretical maximum of the link", MARK_DASHES, "max_theoretical_fps", NULL, NULL, true},
                        {"Conditional throughput", MARK_LINE_POINTS, "conditional_throughput_fps", NULL, NULL, false},
                        {0}},
};
static const struct result_table CONDITIONAL_TABLE = {
        .name = "throughput",
        .caption = "Conditional throughput over frame size",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "conditional_throughput_fps"},
                           {.key = "conditional_throughput_percent"}, {.key = "max_theoretical_fps"},
                           {.key = "relevant_lower_bound_fps", .details = true}, {.key = "relevant_upper_bound_fps"},
                           {.key = "resolution_fps", .details = true},
                           {.key = "final_trial_duration_s", .details = true}, {.key = "trials"}, {.key = "valid"}),
};
static const struct result_chart CONDITIONAL_LATENCY_CHART = {
        .name = "latency",
        .title = "Latency at the relevant lower bound",
        .description = LATENCY_DESCRIPTION,
        .y_label = "latency",
        .series = LATENCY_SERIES,
        .y_log = true,
};
static const struct result_table CONDITIONAL_TRUTH = {
        .name = "throughput_truth",
        .caption = "Measured, and what the simulated device really does",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "truth.model"}, {.key = "conditional_throughput_fps"},
                           {.key = "truth.throughput_fps"}, {.key = "latency_min_ns"}, {.key = "truth.latency_ns"}),
        .rows = ROWS_WITH_TRUTH,
};

const struct result_description CONDITIONAL_THROUGHPUT_RESULTS = {
        .test = "throughput",
        .when = "parameters.goal_loss_ratio",
        .title = "Conditional throughput",
        .clause = "RFC 9971; its goal allows loss, so it is not the throughput of RFC 2544",
        .qualifier = "conditional ",
        .rfc = "RFC 9971",
        .answer = "conditional_throughput_fps",
        .answer_percent = "conditional_throughput_percent",
        .metrics = (const struct metric_slice *const[]){&CONDITIONAL_RATE_METRICS, &CONDITIONAL_SLICE,
                                                        &LOAD_RANGE_METRICS, &OFFERED_LOAD_METRICS, &BOTH_SLICE,
                                                        &LATENCY_METRICS, &JITTER_SLICE, &PORT_METRICS,
                                                        &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CONDITIONAL_CHART, &CONDITIONAL_TABLE, NULL},
                                              {NULL, &OFFERED_LOAD_TABLE, NULL},
                                              {NULL, &LAYERS, NULL},
                                              {&CONDITIONAL_LATENCY_CHART, &TRIAL, NULL},
                                              {&LATENCY_PERCENTILES_CHART, &LATENCY_PERCENTILES_TABLE, NULL},
                                              {NULL, NULL, &LATENCY_BINS},
                                              {NULL, &CONDITIONAL_TRUTH, NULL},
                                              {0}},
        .listings = (const struct result_listing *const[]){&PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc9971_throughput",
        .sql_columns = COLUMNS({.key = "frame_octets"}, {.key = "parameters.goal_loss_ratio"},
                               {.key = "relevant_lower_bound_fps"}, {.key = "relevant_upper_bound_fps"},
                               {.key = "conditional_throughput_fps"}, {.key = "conditional_throughput_percent"},
                               {.key = "trials"}, {.key = "valid"}),
};
