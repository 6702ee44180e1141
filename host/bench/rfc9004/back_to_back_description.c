/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a back-to-back test: Table 1 of RFC 9004 section 7 as given there, then everything it is
 * based on. */
#include "host/bench/rfc9004/back_to_back.h"
#include "host/result/common.h"

static const struct metric BURST_METRICS[] = {
        {"skipped", "Skipped", METRIC_YES_NO, .presence = IN_EVERY_RESULT,
         .meaning = "true: the RFC leaves this size out (section 6.1)"},
        {"average_frames", "Longest burst", METRIC_FRAMES, .places = 2, .better = BETTER_MORE,
         .samples = "values_frames", .step = "step_frames",
         .meaning = "longest burst without loss, mean over all searches"},
        {"min_frames", "Min", METRIC_FRAMES, .better = BETTER_MORE, .derived = true, .whole = true,
         .step = "step_frames", .spread = 0.05, .meaning = "the smallest value of a search"},
        {"max_frames", "Max", METRIC_FRAMES, .better = BETTER_MORE, .derived = true, .whole = true,
         .step = "step_frames", .spread = 0.05, .meaning = "the largest value of a search"},
        {"stddev_frames", "StdDev", METRIC_FRAMES, .places = 2, .better = BETTER_LESS, .derived = true,
         .step = "step_frames", .spread = 0.5, .meaning = "sample standard deviation (N - 1) of the values"},
        {"values_frames", "Values of the searches, in order", METRIC_FRAMES_LIST,
         .meaning = "the value of each search in frames, in order (section 6.3)"},
        {"repetitions", "N", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS,
         .meaning = "number of searches made, N"},
        {"confidence95_low_frames", "95% confidence from", METRIC_FRAMES, .places = 2,
         .meaning = "lower end of the 95% confidence interval of the average"},
        {"confidence95_high_frames", "to", METRIC_FRAMES, .places = 2, .meaning = "upper end of that interval"},
        {"step_frames", "Step", METRIC_FRAMES, .whole = true, .meaning = "minimum step size"},
        {"max_burst_frames", "Longest allowed", METRIC_FRAMES, .whole = true, .meaning = "longest burst allowed"},
        {"search_bracket", "Bracket", METRIC_TEXT, .choices = "doubling limit",
         .meaning = "`doubling` from `first_burst_frames`, or `limit`: started at `max_burst_frames`"},
};
static const struct metric_slice BURSTS = METRIC_SLICE(BURST_METRICS);

static const struct metric BUFFER_METRICS[] = {
        {"throughput_fps", "Throughput", METRIC_FPS, .places = 1, .presence = IN_EVERY_RESULT,
         .meaning = "rate used to correct the buffer time; also in the result of a size that was left out"},
        {"throughput_source", "Rate from", METRIC_TEXT, .choices = "throughput forwarding_rate",
         .meaning = "`throughput`, or `forwarding_rate` if there is no valid throughput without loss for the same size "
                    "and traffic (section 6.4)"},
        {"forwarding_rate_fps", "Forwarding rate", METRIC_FPS, .places = 1, .better = BETTER_MORE, .spread = 0.02,
         .meaning = "forwarding rate during the bursts"},
        {"implied_buffer_s", "Implied", METRIC_S, .places = 10, .better = BETTER_MORE, .derived = true,
         .meaning = "`average_frames` / `max_theoretical_fps`"},
        {"corrected_buffer_s", "Corrected", METRIC_S, .places = 10, .better = BETTER_MORE, .derived = true,
         .meaning = "implied x (1 - `throughput_fps` / `max_theoretical_fps`)"},
        {"actual_rate_fps", "Actual rate", METRIC_FPS, .places = 1, .presence = IN_SOME_RESULTS,
         .meaning = "the rate that the plan asks for (section 7); null if it does not"},
        {"actual_buffer_s", "Actual", METRIC_S, .places = 10, .presence = IN_SOME_RESULTS, .better = BETTER_MORE,
         .derived = true, .meaning = "corrected x `max_theoretical_fps` / `actual_rate_fps`"},
        {"buffer_frames", "Buffer", METRIC_FRAMES, .places = 1, .better = BETTER_MORE, .derived = true,
         .meaning = "corrected x `max_theoretical_fps`"},
        {"buffer_octets", "Buffer", METRIC_OCTETS, .better = BETTER_MORE, .derived = true,
         .meaning = "the same times `frame_octets`"},
        {"corrected_buffer_error_frames", "Right within", METRIC_FRAMES, .places = 1,
         .meaning = "error bound of `buffer_frames`, for a single queue: step, throughput resolution and hidden "
                    "overload combined"},
        {"latency_buffer_frames", "From latency", METRIC_FRAMES, .places = 1,
         .meaning = "second, independent estimate: growth of latency during the longest bursts, divided by the spacing "
                    "of the received frames"},
        {"filling_rate_fps", "Filling rate", METRIC_FPS, .places = 1, .meaning = "maximum rate less throughput"},
        {"fill_time_s", "Fill time", METRIC_S, .places = 10,
         .meaning = "`latency_buffer_frames` / filling rate, to compare with `implied_buffer_s` (section 4, item 4)"},
        {"hidden_overload_fps", "Hidden overload", METRIC_FPS, .places = 1, .presence = IN_SOME_RESULTS,
         .meaning = "as in `throughput`"},
        {"hidden_overload_trial_s", "Trial that hides less", METRIC_S, .presence = IN_SOME_RESULTS,
         .meaning = "as in `throughput`"},
};
static const struct metric_slice BUFFER = METRIC_SLICE(BUFFER_METRICS);

static const struct metric PROOF_METRICS[] = {
        {"gap_min_octets", "Gap min", METRIC_OCTETS, .whole = true,
         .meaning = "smallest gap of all bursts, measured at the line"},
        {"gap_mean_octets", "Gap mean", METRIC_OCTETS, .places = 4, .meaning = "mean of these gaps"},
        {"gap_max_octets", "Gap max", METRIC_OCTETS, .whole = true, .meaning = "largest of these gaps"},
        {"gap_histogram", "Histogram of gaps", METRIC_LIST, .definition = "gap_bin", .items = &GAP_BIN_METRICS,
         .meaning = "the gaps of these bursts by length, a list of the lengths that occurred: `from_octets`, "
                    "`to_octets` (exclusive), `gaps`. Bins are one octet wide up to 63, with one more for everything "
                    "longer. Empty for an external program"},
        {"bursts_proven", "Bursts proven", METRIC_NUMBER, .whole = true,
         .meaning = "bursts whose measured frame count and gaps were as requested; all others were repeated"},
        {"bursts_unproven", "not proven", METRIC_NUMBER, .whole = true, .presence = IN_SOME_RESULTS,
         .meaning = "bursts of an external tester that did not report its gaps; also in `flags`"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over the trials that settled the longest burst that passed"},
        {"upper_counters", "Counters of failed bursts", METRIC_OBJECT, .definition = "counters",
         .meaning = "the same over those that settled the shortest burst that failed"},
};
static const struct metric_slice PROOF = METRIC_SLICE(PROOF_METRICS);

/* Static and configuration parameters (section 7). */
static const struct result_line PARAMETERS[] = {
        {"Repetitions", "N = {repetitions}", false},
        {"Minimum step size", "{step_frames} (frames)", false},
        {"Longest burst", "{max_burst_s} (RFC 9004 section 6.2); in frames, see Proof", false},
        {"First burst", "{first_burst_frames} frames[ (bracket: {search_bracket})]", false},
        PARAMETERS_OF_EVERY_TEST,
        {0},
};

/* Section 7: "and report this value, properly labeled". A throughput trial hides an overload of up to buffer /
 * duration, because the buffer absorbs it. */
static const struct result_line REMARKS[] = {
        {NULL, "Actual Buffer Time at an Actual Frame Rate of {actual_rate_fps:1} fps: {actual_buffer_s:10} Sec",
         false},
        {"Self-check",
         "throughput trials may have hidden an overload of up to {hidden_overload_fps:fps} in this buffer; trials of "
         "{hidden_overload_trial_s} bring it below the resolution",
         false},
        {"Self-check",
         "[buffer in frames is right within {corrected_buffer_error_frames:1}; ]rate of the correction: "
         "{throughput_source}",
         false},
        {0},
};

static const struct result_chart BURST_CHART = {
        .name = "back_to_back",
        .title = "Longest burst without loss over frame size",
        .description = "Average of the searches at each frame size, with the shortest and the longest value that a "
                       "search found (RFC 9004 section 6.4). The points are in Table 1.",
        .y_label = "burst of a sending port",
        .series = (const struct result_series[]){{"average, with minimum and maximum", MARK_RANGES, "average_frames",
                                                  "min_frames", "max_frames", false},
                                                 {0}},
};
static const struct result_table TABLE_1 = {
        .name = "back_to_back",
        .caption = "Table 1: Back-to-Back Frame Results (RFC 9004 section 7)",
        .columns = COLUMNS({.key = "frame_octets", .heading = "Frame Size, octets", .sql = true},
                           {.key = "average_frames", .heading = "Ave B2B Length, frames", .sql = true},
                           {.key = "min_frames,max_frames,stddev_frames", .heading = "Min,Max,StdDev", .sql = true},
                           {.key = "corrected_buffer_s", .heading = "Corrected Buff Time, Sec", .sql = true},
                           {.key = "repetitions", .details = true}, {.key = "confidence95_low_frames", .details = true},
                           {.key = "confidence95_high_frames", .details = true}, {.key = "valid", .sql = true}),
        .rows = ROWS_TESTED,
};
static const struct result_chart BUFFER_CHART = {
        .name = "buffer_time",
        .title = "Buffer time over frame size",
        .description = "Implied: the average burst over the maximum rate of the link. Corrected: less what the device "
                       "forwarded while the burst came in (RFC 9004 section 6.4). The values are in the table below.",
        .y_label = "buffer time",
        .series = (const struct result_series[]){{"implied", MARK_BARS, "implied_buffer_s", NULL, NULL, false},
                                                 {"corrected", MARK_BARS, "corrected_buffer_s", NULL, NULL, false},
                                                 {0}},
};
static const struct result_table BUFFER_TABLE = {
        .name = "buffer",
        .caption = "Buffer (implied and corrected time, RFC 9004 section 6.4; actual: at the rate the plan asks for, "
                   "section 7; filling rate, section 4)",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "implied_buffer_s"}, {.key = "corrected_buffer_s"},
                           {.key = "actual_buffer_s", .details = true}, {.key = "buffer_frames"},
                           {.key = "corrected_buffer_error_frames", .details = true}, {.key = "latency_buffer_frames"},
                           {.key = "buffer_octets"}, {.key = "throughput_fps"}, {.key = "filling_rate_fps"},
                           {.key = "fill_time_s"}, {.key = "throughput_source", .details = true}),
        .rows = ROWS_TESTED,
};
static const struct result_chart GAP_CHART = {
        .name = "gaps",
        .title = "Gaps between the frames of bursts",
        .description = "Smallest, mean and largest gap as measured at the line, sent and received, over all bursts. At "
                       "the minimum gap the mean is 12 octets; single gaps differ, because frames begin on whole "
                       "groups of octets (deficit idle count). The values are in the table below.",
        .y_label = "gap",
        .series = (const struct result_series[]){{"sent", MARK_RANGES, "gap_mean_octets", "gap_min_octets",
                                                  "gap_max_octets", false},
                                                 {"received", MARK_RANGES, "received_gap_mean_octets",
                                                  "received_gap_min_octets", "received_gap_max_octets", false},
                                                 {0}},
        .y_log = true,
};
static const struct result_table PROOF_TABLE = {
        .name = "gaps",
        .caption = "Proof of the bursts (gaps as measured at the line; nobody measured those of unproven bursts)",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "bursts_proven"}, {.key = "bursts_unproven"},
                           {.key = "gap_min_octets"}, {.key = "gap_mean_octets"}, {.key = "gap_max_octets"},
                           {.key = "received_gap_min_octets", .details = true},
                           {.key = "received_gap_mean_octets", .details = true},
                           {.key = "received_gap_max_octets", .details = true}, {.key = "forwarding_rate_fps"},
                           {.key = "max_burst_frames"}, {.key = "trials"}),
        .rows = ROWS_TESTED,
};
/* Section 6.3: each value must be made available. */
static const struct result_table VALUES_TABLE = {
        .name = "searches",
        .caption = "Longest burst of every search, frames (RFC 9004 section 6.3; x: times in a row)",
        .columns = COLUMNS(
                {.key = "frame_octets"}, {.key = "values_frames", .heading = "Values, in order"},
                {.key = "confidence95_low_frames,confidence95_high_frames", .heading = "95% confidence from, to"}),
        .rows = ROWS_TESTED,
};
static const struct result_table TRUTH = {
        .name = "back_to_back_truth",
        .caption = "Measured, and what the simulated device really has",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "truth.model"}, {.key = "average_frames"},
                           {.key = "truth.longest_burst_frames"}, {.key = "buffer_frames"},
                           {.key = "truth.buffer_frames"}),
        .rows = ROWS_WITH_TRUTH,
};

const struct result_description BACK_TO_BACK_RESULTS = {
        .test = "back_to_back",
        .title = "Back-to-back frames",
        .clause = "RFC 9004",
        .answer = "average_frames",
        .answer_unit = "frames of burst",
        .metrics = (const struct metric_slice *const[]){&BURSTS, &BUFFER, &PROOF, &PORT_METRICS, &COUNTER_METRICS,
                                                        &RECEIVED_GAP_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .remarks = REMARKS,
        .views = (const struct result_view[]){{&BURST_CHART, &TABLE_1, NULL},
                                              {&BUFFER_CHART, &BUFFER_TABLE, NULL},
                                              {&GAP_CHART, &PROOF_TABLE, &GAP_BINS},
                                              {NULL, &VALUES_TABLE, NULL},
                                              {NULL, &TRUTH, NULL},
                                              {0}},
        .listings = (const struct result_listing *const[]){&PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc9004_table_1",
};
