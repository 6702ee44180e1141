/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a line-rate test: RFC 8239 section 2.3. */
#include "host/bench/rfc8239/line_rate.h"
#include "host/result/common.h"

static const struct metric A_REPETITION[] = {
        {"repetition", "Repetition", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "offered_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"received_percent", "Received, %", METRIC_PERCENT, .places = 4},
        {"layer_1_gbps", "Layer 1, Gb/s", METRIC_GBPS, .places = 3, .details = true},
        {"layer_2_gbps", "Layer 2, Gb/s", METRIC_GBPS, .places = 3, .details = true},
        {.key = "delivered_percent", .unit = METRIC_PERCENT},
        {"lost_frames", "Lost, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "loss_percent", .unit = METRIC_PERCENT},
        {.key = "loss_of_line_percent", .unit = METRIC_PERCENT},
        LATENCY_ITEMS,
        {.key = "jitter_min_ns", .unit = METRIC_NS},
        {.key = "jitter_mean_ns", .heading = "Jitter mean", .unit = METRIC_NS},
        {.key = "jitter_max_ns", .heading = "Jitter max", .unit = METRIC_NS},
};
static const struct metric_slice A_REPETITION_METRICS = METRIC_SLICE(A_REPETITION);

static const struct metric RATES[] = {
        {"load_percent", "Load", METRIC_PERCENT, .sql_heading = "Load, % of line rate", .places = 3,
         .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO,
         .meaning = "load of each sending port, as a percentage of `max_theoretical_fps`"},
        {"received_percent", "Received", METRIC_PERCENT, .sql_heading = "Received, % of line rate", .places = 4,
         .better = BETTER_MORE, .known = KNOWN_IF_VALID, .spread = 0.00001,
         .meaning = "throughput received as a percentage of bandwidth (RFC 8239 section 2.3): test frames from the "
                    "first to the last at each port, over the time between them, as a percentage of line rate at all "
                    "ports that have to receive any. This, and what follows, is of the repetition that lost most"},
        LAYER_METRICS("", "", "the rate received, per receiving port,"),
        {"delivered_percent", "Of frames sent", METRIC_PERCENT, .places = 5, .better = BETTER_MORE, .derived = true,
         .known = KNOWN_IF_VALID, .meaning = "frames received as a percentage of the frames transmitted"},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .better = BETTER_LESS, .known = KNOWN_IF_VALID,
         .meaning = "frames that did not arrive"},
        {"loss_percent", "Loss", METRIC_PERCENT, .sql_heading = "Loss, % of frames sent", .places = 5,
         .better = BETTER_LESS, .derived = true, .known = KNOWN_IF_VALID,
         .meaning = "the same as a percentage of the frames transmitted"},
        {"loss_of_line_percent", "Loss of line rate", METRIC_PERCENT, .places = 5, .better = BETTER_LESS,
         .derived = true, .known = KNOWN_IF_VALID, .meaning = "the same as a percentage of line rate"},
};
static const struct metric_slice RATE_METRICS = METRIC_SLICE(RATES);

static const struct metric JITTER[] = {
        {"jitter_min_ns", "Jitter min", METRIC_NS, .places = 2,
         .meaning = "smallest jitter of the same trial. Jitter of a frame is its latency less `latency_min_ns` (packet "
                    "delay variation, RFC 8238 section 3.1, RFC 5481 section 4.2), so this is 0; null through a snake"},
        {"jitter_mean_ns", "Jitter mean", METRIC_NS, .places = 2, .better = BETTER_LESS, .derived = true,
         .meaning = "mean jitter"},
        {"jitter_max_ns", "Jitter max", METRIC_NS, .places = 2, .better = BETTER_LESS, .derived = true,
         .meaning = "largest jitter"},
        {"jitter_histogram", "Histogram of jitter", METRIC_LIST, .definition = "jitter_bin",
         .items = &LATENCY_BIN_METRICS,
         .meaning = "the bins of `latency_histogram`, each less `latency_min_ns`: `from_ns`, `to_ns` (exclusive), "
                    "`frames`"},
        {"reported_repetition", "Repetition", METRIC_NUMBER, .whole = true,
         .meaning = "the one of which rates, latency and jitter are reported above, from 1: the first that lost most"},
        {"repetitions", "Every repetition", METRIC_LIST, .definition = "line_rate_repetition",
         .items = &A_REPETITION_METRICS,
         .meaning = "the same of each repetition, in order: latency and jitter are those of the trial of its rates"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of the repetition that is reported"},
};
static const struct metric_slice JITTER_METRICS = METRIC_SLICE(JITTER);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_WITHOUT_SEARCH,
        RFC8239_PARAMETERS,
        {"Trials", "{trial_duration_s} each", false},
        PARAMETERS_CHOSEN_DURATION("trial_duration_s"),
        {"Latency", "first octet in to first octet out; jitter: what it is above the smallest of the same trial",
         false},
        {0},
};

static const struct result_chart CHART = {
        .name = "line_rate",
        .title = "Received rate over frame size",
        .description = "What was received, as a percentage of line rate at each port that receives, and what was sent. "
                       "The values are in the table below.",
        .series = (const struct result_series[]){{"sent", MARK_DASHES, "load_percent", NULL, NULL, true},
                                                 {"received", MARK_LINE_POINTS, "received_percent", NULL, NULL, false},
                                                 {0}},
};
static const struct result_table TABLE = {
        .name = "line_rate",
        .caption = "Received rate and frames lost",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "load_percent"}, {.key = "received_percent"},
                           {.key = "layer_1_gbps"}, {.key = "layer_2_gbps"}, {.key = "delivered_percent"},
                           {.key = "lost_frames"}, {.key = "loss_percent", .details = true},
                           {.key = "loss_of_line_percent"}, {.key = "valid"}),
};
static const struct result_chart JITTER_CHART = {
        .name = "line_rate_latency",
        .title = "Latency and jitter over frame size",
        .description = "Smallest, mean and largest latency, and mean jitter, of every frame of one trial. The values "
                       "are in the table below.",
        .y_label = "time",
        .series = (const struct result_series[]){{"latency: mean, with minimum and maximum", MARK_RANGES,
                                                  "latency_mean_ns", "latency_min_ns", "latency_max_ns", false},
                                                 {"jitter, mean", MARK_POINTS, "jitter_mean_ns", NULL, NULL, false},
                                                 {0}},
        .needs = "latency_mean_ns",
        .y_log = true,
};
static const struct result_table JITTER_TABLE = {
        .name = "line_rate_latency",
        .caption = "Latency and jitter of one trial, that of these rates",
        .columns =
                COLUMNS({.key = "frame_octets"}, {.key = "latency_min_ns"}, {.key = "latency_mean_ns"},
                        {.key = "latency_max_ns"}, {.key = "jitter_min_ns", .details = true}, {.key = "jitter_mean_ns"},
                        {.key = "jitter_max_ns"}, {.key = "reported_repetition", .details = true}),
        .needs = "latency_mean_ns",
};
static const struct result_table VARIATION_TABLE = {
        .name = "line_rate_variation",
        .caption = "Repeatability of the received rate",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "variation_percent.min"}, {.key = "variation_percent.mean"},
                           {.key = "variation_percent.max"}, {.key = "relative_stddev_percent"}),
};
static const struct result_bins JITTER_BINS = {
        .list = "jitter_histogram",
        .from = "from_ns",
        .to = "to_ns",
        .count = "frames",
        .title = "Histogram of jitter",
        .lead = "How many frames had which jitter: their latency less the smallest one of the trial.",
        .x_label = "jitter",
        .y_label = "frames",
        .headings = {"From", "To", "Frames"},
        .unit = METRIC_NS,
};
static const struct result_listing REPETITION_ROWS = {
        .list = "repetitions",
        .caption = "Every repetition",
        .items = &A_REPETITION_METRICS,
        .worst = "lost_frames",
        .most = 4,
        .which = "those that lost most",
        .always = true,
};

const struct result_description LINE_RATE_RESULTS = {
        .test = "rfc8239.line_rate",
        .title = "Line rate",
        .clause = "RFC 8239 section 2",
        .answer = "received_percent",
        .metrics = (const struct metric_slice *const[]){&RATE_METRICS, &LATENCY_METRICS, &JITTER_METRICS,
                                                        &VARIATION_METRICS, &PORT_METRICS, &COUNTER_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL},
                                              {&JITTER_CHART, &JITTER_TABLE, NULL},
                                              {NULL, NULL, &JITTER_BINS},
                                              {NULL, NULL, &LATENCY_BINS},
                                              {NULL, &VARIATION_TABLE, NULL},
                                              {0}},
        .listings = (const struct result_listing *const[]){&REPETITION_ROWS, &PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc8239_line_rate",
        .sql_columns = COLUMNS(
                {.key = "frame_octets"}, {.key = "load_percent"}, {.key = "received_percent"}, {.key = "lost_frames"},
                {.key = "loss_percent"}, {.key = "latency_min_ns", .heading = "Latency: min, ns"},
                {.key = "latency_mean_ns", .heading = "mean, ns"}, {.key = "latency_max_ns", .heading = "max, ns"},
                {.key = "jitter_mean_ns", .heading = "Jitter: mean, ns"},
                {.key = "jitter_max_ns", .heading = "max, ns"}, {.key = "relative_stddev_percent"}, {.key = "valid"}),
};
