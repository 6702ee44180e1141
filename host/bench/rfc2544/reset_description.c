/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a reset test: a statement for each kind of reset (RFC 2544 section 26.6), with the
 * parameters of RFC 6201 section 1.4. */
#include "host/bench/rfc2544/reset.h"
#include "host/result/common.h"

static const struct metric METRICS[] = {
        {"kind", "Kind of reset", METRIC_TEXT, .sql_heading = "Kind", .choices = "hardware software power",
         .meaning = "what the plan says that the reset is (RFC 6201 section 4)"},
        {"outcome", "Outcome", METRIC_TEXT, .choices = "recovered no_loss not_recovered not_measured",
         .meaning = "`recovered`; `no_loss` if forwarding was not interrupted (RFC 6201 section 3); `not_recovered` if "
                    "a port was silent at the end of any trial"},
        {"reset_s", "Reset time", METRIC_S, .places = 10, .better = BETTER_LESS, .samples = "values_s", .spread = 0.02,
         .meaning = "mean of `values_s`; null if the outcome is `not_recovered`"},
        {"reset_ms", "Reset time, ms", METRIC_NUMBER, .sql_heading = "Reset time (average), ms", .places = 6,
         .better = BETTER_LESS, .derived = true, .meaning = "the same in milliseconds, as RFC 6201 section 1.4 asks"},
        {"reset_min_s", "Min", METRIC_S, .places = 10, .better = BETTER_LESS, .derived = true,
         .meaning = "the smallest of `values_s`"},
        {"reset_max_s", "Max", METRIC_S, .places = 10, .better = BETTER_LESS, .derived = true,
         .meaning = "the largest of `values_s`"},
        {"reset_stddev_s", "StdDev", METRIC_S, .places = 10, .better = BETTER_LESS, .derived = true,
         .meaning = "sample standard deviation (N - 1) of the values; null for one value"},
        {"values_s", "Values of the trials, in order", METRIC_S_LIST,
         .meaning = "of each trial that came back: the longest silence at a port, from the start of the last frame "
                    "received before it to that of the first one after it (RFC 6201 section 1.3, timestamp method); 0 "
                    "without loss"},
        {"reset_by_loss_s", "By loss", METRIC_S, .places = 10, .better = BETTER_LESS, .derived = true,
         .meaning = "mean of frames lost / offered rate (RFC 6201 section 1.3, frame-loss method)"},
        {"average_lost_frames", "Lost", METRIC_FRAMES, .sql_heading = "Loss (average), frames", .places = 1,
         .better = BETTER_LESS, .derived = true, .meaning = "frames lost, mean of the trials, sum of all ports"},
        {"stop_delay_s", "Until it stopped", METRIC_S, .places = 10,
         .meaning = "from when the reset was begun (the command started) to the last frame received, mean of the "
                    "trials with an interruption"},
        {"throughput_fps", "Throughput", METRIC_FPS, .places = 1,
         .meaning = "the rate at which frames were sent: the throughput of the same run, size and traffic"},
        {"throughput_bits_per_second", "Throughput, bit/s", METRIC_NUMBER,
         .meaning = "the same in bits of frames, destination MAC to FCS; 0 for a mix"},
        {"recovered_trials", "Came back", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS,
         .meaning = "trials with an interruption that ended"},
        {"lossless_trials", "Without loss", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS,
         .meaning = "trials in which nothing was lost"},
        {"unrecovered_trials", "Did not", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS,
         .meaning = "trials in which the device did not come back"},
        {"counters", "Counters", METRIC_OBJECT, .presence = IN_VALID_RESULTS, .definition = "counters",
         .meaning = "sums over all trials"},
};
static const struct metric_slice TIMES = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        {"Reset", "{kind}, by {reset_by}; N = {repetitions} trials", false},
        {"Trials", "{before_reset_s} before the reset, {after_reset_s} after it; rates are per sending port", false},
        PARAMETERS_WITHOUT_SEARCH,
        {0},
};

/* RFC 2544 26.6: a simple set of statements, one for each reset type. */
static const struct result_line REMARKS[] = {
        {"Statement",
         "reset time {reset_ms:6} ms ({kind} reset), {average_lost_frames:1} frames lost, {recovered_trials} trials, "
         "at {throughput_fps:fps}",
         false},
        {0},
};

static const struct result_chart CHART = {
        .name = "reset",
        .title = "Reset time",
        .description = "From the last frame before the interruption to the first one after it (RFC 6201 section 1.3), "
                       "mean of the trials with the smallest and the largest. The values are in the table below.",
        .y_label = "reset time",
        .series = (const struct result_series[]){{"mean, with minimum and maximum", MARK_RANGES, "reset_s",
                                                  "reset_min_s", "reset_max_s", false},
                                                 {0}},
};
static const struct result_table TABLE = {
        .name = "reset",
        .caption = "Reset time (RFC 2544 section 26.6, RFC 6201)",
        .columns =
                COLUMNS({.key = "frame_octets", .sql = true}, {.key = "kind", .sql = true},
                        {.key = "throughput_fps", .sql = true}, {.key = "throughput_bits_per_second", .details = true},
                        {.key = "average_lost_frames", .sql = true}, {.key = "reset_ms", .sql = true},
                        {.key = "reset_s", .details = true}, {.key = "reset_min_s", .details = true},
                        {.key = "reset_max_s", .details = true}, {.key = "reset_stddev_s"},
                        {.key = "outcome", .sql = true}, {.key = "valid", .sql = true}),
};
static const struct result_table VALUES_TABLE = {
        .name = "resets",
        .caption = "Reset time of every trial, s (x: times in a row)",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "values_s", .heading = "Values, in order"},
                           {.key = "reset_by_loss_s"}, {.key = "stop_delay_s"}, {.key = "recovered_trials"},
                           {.key = "lossless_trials"}, {.key = "unrecovered_trials"}),
};

const struct result_description RESET_RESULTS = {
        .test = "reset",
        .title = "Reset",
        .clause = "RFC 2544 section 26.6, RFC 6201",
        .answer = "reset_s",
        .metrics = (const struct metric_slice *const[]){&TIMES, &PORT_METRICS, &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .remarks = REMARKS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {NULL, &VALUES_TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc2544_reset",
};
