/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a latency test: the latency of tagged frames, which is what RFC 2544 section 26.2 asks for,
 * and that of every other frame. */
#include "host/bench/rfc2544/latency.h"
#include "host/result/common.h"

static const struct metric LOAD[] = {
        {"load_fps", "Load", METRIC_FPS, .places = 1, .known = KNOWN_IF_VALID,
         .meaning = "load of the streams: the throughput that the run found before, or the plan's `load`"},
        {"load_percent", "Of line rate", METRIC_PERCENT, .places = 3, .known = KNOWN_IF_VALID,
         .meaning = "the same as a percentage of `max_theoretical_fps`"},
        {"load_source", "Load from", METRIC_TEXT, .choices = "throughput plan none",
         .meaning = "`throughput` or `plan`; `none`: there was no throughput, and nothing was tested"},
        {"repetitions", "Repetitions", METRIC_NUMBER, .whole = true, .meaning = "number of streams, N"},
};
static const struct metric_slice LOAD_SLICE = METRIC_SLICE(LOAD);

static const struct metric A_TAG[] = {
        {"repetition", "Stream", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"source_port", "From port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "latency_ns", .heading = "Latency", .unit = METRIC_NS},
};
static const struct metric_slice A_TAG_METRICS = METRIC_SLICE(A_TAG);

static const struct metric TAGGED[] = {
        {"tagged_latency_mean_ns", "Tagged mean", METRIC_NS, .sql_heading = "Latency, ns", .places = 2,
         .better = BETTER_LESS, .known = KNOWN_IF_VALID, .samples = "tagged_latency_ns", .at_answer = true, .spread = 2,
         .meaning = "the latency of RFC 2544 section 26.2: mean of `tagged_latency_ns`, by `reference`"},
        {"tagged_latency_stddev_ns", "StdDev", METRIC_NS, .places = 2,
         .meaning = "sample standard deviation (N - 1) of these values; null for one"},
        {"tagged_latency_ns", "Tagged frames", METRIC_NS_LIST,
         .meaning = "the latency of the tagged frame of each stream, in order, by `reference`; if several ports sent, "
                    "the mean of theirs; null where none came back"},
        {"tags", "Every tagged frame", METRIC_LIST, .definition = "latency_tag", .items = &A_TAG_METRICS,
         .meaning = "each of them: `repetition` from 1, `source_port` that sent it, `latency_ns` by `reference`"},
        {"new_network_latency_mean_ns", "New network", METRIC_NS, .places = 2, .better = BETTER_LESS,
         .presence = IN_SOME_RESULTS, .samples = "new_network_latency_ns", .at_answer = true, .spread = 2,
         .meaning = "with `tagged_destination` = `same and new network`: mean of `new_network_latency_ns`; null where "
                    "no such frame came back"},
        {"new_network_latency_stddev_ns", "StdDev, new network", METRIC_NS, .places = 2, .presence = IN_SOME_RESULTS,
         .meaning = "sample standard deviation (N - 1) of these values; null for one"},
        {"new_network_latency_ns", "To new networks", METRIC_NS_LIST, .presence = IN_SOME_RESULTS,
         .meaning = "as `tagged_latency_ns`, of N more streams, of which the tagged frame goes to a network to which "
                    "no other frame goes"},
        {"new_network_tags", "Every tagged frame to a new network", METRIC_LIST, .presence = IN_SOME_RESULTS,
         .definition = "latency_tag", .items = &A_TAG_METRICS, .meaning = "as `tags`, of these streams"},
        {"reference", "Reference", METRIC_TEXT, .choices = "fifo",
         .meaning =
                 "between which two instants the latencies of this result are, unless the key says another pair: "
                 "`fifo`, first octet in to first octet out, latency of bit forwarding devices (RFC 1242 section 3.8)"},
        {"tagged_fifo_ns", "Bit forwarding (FIFO)", METRIC_NS, .places = 2,
         .meaning = "`tagged_latency_mean_ns` from the first octet in to the first octet out: latency of bit "
                    "forwarding devices (RFC 1242 section 3.8)"},
        {"tagged_lifo_ns", "Store and forward (LIFO)", METRIC_NS, .sql_heading = "Store and forward, ns", .places = 2,
         .meaning = "the same from the last octet in to the first octet out: latency of store and forward devices (RFC "
                    "1242 section 3.8). Below 0 where the device began to send before it had the whole frame. Null for "
                    "a mix of sizes"},
        {"tagged_filo_ns", "FILO", METRIC_NS, .places = 2,
         .meaning = "the same from the first octet in to the last octet out; null for a mix of sizes"},
        {"tagged_lilo_ns", "LILO", METRIC_NS, .places = 2,
         .meaning = "the same from the last octet in to the last octet out; equal to FIFO, as both lines are equally "
                    "fast"},
};
static const struct metric_slice TAGGED_SLICE = METRIC_SLICE(TAGGED);

static const struct metric VARIATION[] = {
        {"pdv_mean_ns", "PDV mean", METRIC_NS, .places = 2,
         .meaning = "packet delay variation (RFC 5481 section 4.2) of every frame of all streams, its latency less "
                    "`latency_min_ns`: the mean"},
        {"pdv_p99_9_ns", "PDV 99.9%", METRIC_NS, .places = 2,
         .meaning = "the value that 99.9% of the frames do not exceed, as exact as `latency_p99_9_ns`"},
        {"pdv_max_ns", "PDV max", METRIC_NS, .places = 2, .meaning = "the largest"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of all streams"},
};
static const struct metric_slice VARIATION_SLICE = METRIC_SLICE(VARIATION);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_OF_EVERY_TEST,
        {"Definition",
         "first octet in to first octet out, latency of bit forwarding devices (RFC 1242); others as named", false},
        {"Streams",
         "N = {repetitions}, {trial_duration_s} each, a frame of each sending port tagged after {tag_after_s}", false},
        PARAMETERS_CHOSEN_DURATION("trial_duration_s"),
        {"Tagged frame to", "{tagged_destination}: N streams each", false},
        {0},
};

static const struct result_chart TAGGED_CHART = {
        .name = "tagged_latency",
        .title = "Latency over frame size",
        .description = "Mean latency of the tagged frames, and the smallest, mean and largest latency of every frame "
                       "of all streams: first octet in to first octet out (bit forwarding devices, RFC 1242). The "
                       "values are in the tables below.",
        .y_label = "frame latency",
        .series = (const struct result_series[]){{"tagged frames, mean", MARK_LINE_POINTS, "tagged_latency_mean_ns",
                                                  NULL, NULL, false},
                                                 {"every frame: mean, with minimum and maximum", MARK_RANGES,
                                                  "latency_mean_ns", "latency_min_ns", "latency_max_ns", false},
                                                 {0}},
        .y_log = true,
};
static const struct result_table TAGGED_TABLE = {
        .name = "tagged_latency",
        .caption = "Latency of tagged frames (RFC 2544 section 26.2), by the definitions of RFC 1242",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "load_fps"}, {.key = "load_percent"},
                           {.key = "load_source", .details = true}, {.key = "tagged_latency_mean_ns", .details = true},
                           {.key = "tagged_latency_stddev_ns"}, {.key = "tagged_fifo_ns"}, {.key = "tagged_lifo_ns"},
                           {.key = "tagged_filo_ns", .details = true}, {.key = "tagged_lilo_ns", .details = true},
                           {.key = "repetitions"}, {.key = "valid"}),
};
static const struct result_table NEW_NETWORK_TABLE = {
        .name = "new_network_latency",
        .caption = "Latency of tagged frames to the destination of the others, and to a new network each (first octet "
                   "in to first octet out)",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "load_fps"},
                           {.key = "tagged_latency_mean_ns", .heading = "Same, mean"},
                           {.key = "tagged_latency_stddev_ns", .heading = "Same, StdDev"},
                           {.key = "new_network_latency_mean_ns", .heading = "New network, mean"},
                           {.key = "new_network_latency_stddev_ns", .heading = "New network, StdDev"},
                           {.key = "repetitions"}),
        .needs = "new_network_latency_mean_ns",
};
static const struct result_table EVERY_FRAME_TABLE = {
        .name = "latency_every_frame",
        .caption = "Latency of every frame of all streams (first octet in to first octet out), and its variation",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "latency_min_ns"}, {.key = "latency_mean_ns"},
                           {.key = "latency_max_ns"}, {.key = "pdv_mean_ns"}, {.key = "pdv_p99_9_ns"},
                           {.key = "pdv_max_ns"}, {.key = "counters.offered_frames", .details = true},
                           {.key = "counters.lost_frames"}),
};
static const struct result_table TRUTH = {
        .name = "latency_truth",
        .caption = "Measured, and what the simulated device really does",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "truth.model"}, {.key = "latency_min_ns"},
                           {.key = "truth.latency_ns"}),
        .rows = ROWS_WITH_TRUTH,
};
#define SLOWEST_TAGS .items = &A_TAG_METRICS, .worst = "latency_ns", .most = 8, .which = "the slowest", .always = true
static const struct result_listing TAG_ROWS = {
        .list = "tags",
        .caption = "Every tagged frame",
        SLOWEST_TAGS,
};
static const struct result_listing NEW_NETWORK_TAG_ROWS = {
        .list = "new_network_tags",
        .caption = "Every tagged frame to a new network",
        SLOWEST_TAGS,
};

const struct result_description LATENCY_RESULTS = {
        .test = "latency",
        .title = "Latency",
        .clause = "RFC 2544 section 26.2",
        .answer = "tagged_latency_mean_ns",
        .metrics = (const struct metric_slice *const[]){&LOAD_SLICE, &TAGGED_SLICE, &LATENCY_METRICS, &VARIATION_SLICE,
                                                        &PORT_METRICS, &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&TAGGED_CHART, &TAGGED_TABLE, NULL},
                                              {NULL, &NEW_NETWORK_TABLE, NULL},
                                              {NULL, &EVERY_FRAME_TABLE, NULL},
                                              {&LATENCY_PERCENTILES_CHART, &LATENCY_PERCENTILES_TABLE, NULL},
                                              {NULL, NULL, &LATENCY_BINS},
                                              {NULL, &TRUTH, NULL},
                                              {0}},
        .listings =
                (const struct result_listing *const[]){&TAG_ROWS, &NEW_NETWORK_TAG_ROWS, &PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc2544_latency",
        .sql_columns =
                COLUMNS({.key = "frame_octets"}, {.key = "load_fps"}, {.key = "tagged_latency_mean_ns"},
                        {.key = "tagged_lifo_ns"}, {.key = "latency_min_ns", .heading = "Every frame: min, ns"},
                        {.key = "latency_mean_ns", .heading = "mean, ns"},
                        {.key = "latency_max_ns", .heading = "max, ns"}, {.key = "repetitions"}, {.key = "valid"}),
};
