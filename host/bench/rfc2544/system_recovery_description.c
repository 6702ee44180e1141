/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a system recovery test: the table of RFC 2544 section 26.5, and what it is based on. */
#include "host/bench/rfc2544/system_recovery.h"
#include "host/result/common.h"

static const struct metric METRICS[] = {
        {"outcome", "Outcome", METRIC_TEXT, .choices = "recovered no_loss not_recovered not_measured",
         .meaning = "`recovered`; `no_loss` if nothing was lost at the overload, so that there is nothing to recover "
                    "from; `not_recovered` if in any trial frames were lost in the second half of the time at the "
                    "lower rate, or none came at its end"},
        {"recovery_s", "Recovery time", METRIC_S, .places = 10, .better = BETTER_LESS, .samples = "values_s",
         .spread = 0.02, .meaning = "mean of `values_s`; null unless the outcome is `recovered`"},
        {"recovery_min_s", "Min", METRIC_S, .places = 10, .better = BETTER_LESS, .derived = true,
         .meaning = "the smallest of `values_s`"},
        {"recovery_max_s", "Max", METRIC_S, .places = 10, .better = BETTER_LESS, .derived = true,
         .meaning = "the largest of `values_s`"},
        {"recovery_stddev_s", "StdDev", METRIC_S, .places = 10, .better = BETTER_LESS, .derived = true,
         .meaning = "sample standard deviation (N - 1) of the values; null for one value"},
        {"values_s", "Values of the trials, in order", METRIC_S_LIST,
         .meaning = "of each trial that recovered: time of arrival of the frame after the last one lost, less the time "
                    "at which the first frame left at the lower rate. It includes the time which that frame spent in "
                    "the device. 0 if the last frame was lost before"},
        {"recovered_trials", "Recovered", METRIC_NUMBER, .sql_heading = "Recovered, trials", .whole = true,
         .known = KNOWN_ALWAYS, .meaning = "trials that recovered"},
        {"lossless_trials", "Without loss", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS,
         .meaning = "trials in which nothing was lost"},
        {"unrecovered_trials", "Not recovered", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS,
         .meaning = "trials that did not recover"},
        {"backlog_frames", "Backlog", METRIC_FRAMES, .places = 1,
         .meaning =
                 "frames that were queued for a port at the overload, calculated: growth of latency in the last trial "
                 "x `throughput_fps`, and one. For a single queue with a constant rate; null unless a trial recovered"},
        {"backlog_drain_s", "Drains in", METRIC_S, .places = 10,
         .meaning = "how long such a queue takes to empty at the lower rate, calculated: `backlog_frames` / "
                    "(`throughput_fps` - `reduced_fps`). Latency is back to normal only then; frames are not lost that "
                    "long"},
        {"throughput_fps", "Throughput", METRIC_FPS, .places = 1,
         .meaning = "the throughput of the same run, for the same size and traffic"},
        {"overload_fps", "Overload", METRIC_FPS, .places = 1,
         .meaning = "110% of it, or `max_theoretical_fps` if that is less"},
        {"overload_percent", "Of line rate", METRIC_PERCENT, .places = 3,
         .meaning = "the same as a percentage of `max_theoretical_fps`"},
        {"overload_at_maximum", "At the maximum", METRIC_YES_NO,
         .meaning = "the overload is `max_theoretical_fps`, and less than 110% of the throughput"},
        {"reduced_fps", "Afterwards", METRIC_FPS, .places = 1, .meaning = "50% of the overload"},
        {"counters", "Counters", METRIC_OBJECT, .presence = IN_VALID_RESULTS, .definition = "counters",
         .meaning = "sums over all trials"},
};
static const struct metric_slice RECOVERY = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        {"Repetitions", "N = {repetitions}", false},
        {"Trials",
         "{overload_duration_s} at the overload, then {recovery_duration_s} at half of it; rates are per sending port",
         false},
        PARAMETERS_WITHOUT_SEARCH,
        {0},
};

static const struct result_chart CHART = {
        .name = "system_recovery",
        .title = "System recovery time over frame size",
        .description = "Time from the reduction of the load to the last frame lost (RFC 2544 section 26.5), mean of "
                       "the trials with the smallest and the largest. The values are in the table below.",
        .y_label = "recovery time",
        .series = (const struct result_series[]){{"mean, with minimum and maximum", MARK_RANGES, "recovery_s",
                                                  "recovery_min_s", "recovery_max_s", false},
                                                 {0}},
};
static const struct result_table TABLE = {
        .name = "system_recovery",
        .caption = "System recovery (RFC 2544 section 26.5)",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "throughput_fps"}, {.key = "overload_fps"},
                           {.key = "reduced_fps", .details = true}, {.key = "recovery_s"},
                           {.key = "recovery_min_s", .details = true}, {.key = "recovery_max_s", .details = true},
                           {.key = "recovery_stddev_s", .details = true}, {.key = "outcome"}, {.key = "valid"}),
};
static const struct result_table VALUES_TABLE = {
        .name = "recoveries",
        .caption = "Recovery time of every trial, s (x: times in a row)",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "values_s", .heading = "Values, in order"},
                           {.key = "recovered_trials"}, {.key = "lossless_trials"}, {.key = "unrecovered_trials"}),
};
static const struct result_table LOSS_TABLE = {
        .name = "recovery_loss",
        .caption = "Frames of all trials, and latency of the last one",
        .columns =
                COLUMNS({.key = "frame_octets"}, {.key = "counters.offered_frames"},
                        {.key = "counters.received_frames", .details = true}, {.key = "counters.lost_frames"},
                        {.key = "backlog_frames"}, {.key = "backlog_drain_s"},
                        {.key = "overload_percent", .details = true}, {.key = "overload_at_maximum", .details = true},
                        {.key = "latency_min_ns"}, {.key = "latency_max_ns"}, {.key = "trials"}),
};

const struct result_description SYSTEM_RECOVERY_RESULTS = {
        .test = "system_recovery",
        .title = "System recovery",
        .clause = "RFC 2544 section 26.5",
        .answer = "recovery_s",
        .metrics = (const struct metric_slice *const[]){&RECOVERY, &LATENCY_METRICS, &PORT_METRICS, &COUNTER_METRICS,
                                                        &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views =
                (const struct result_view[]){
                        {&CHART, &TABLE, NULL}, {NULL, &VALUES_TABLE, NULL}, {NULL, &LOSS_TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc2544_system_recovery",
        .sql_columns =
                COLUMNS({.key = "frame_octets"}, {.key = "throughput_fps"}, {.key = "overload_fps"},
                        {.key = "recovery_s"}, {.key = "outcome"}, {.key = "recovered_trials"}, {.key = "valid"}),
};
