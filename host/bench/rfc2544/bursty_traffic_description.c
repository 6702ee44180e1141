/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a bursty traffic test: the smallest gap without loss for each burst size. */
#include "host/bench/rfc2544/bursty_traffic.h"
#include "host/result/common.h"

static const struct metric A_BURST[] = {
        {"burst_frames", "Burst, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS,
         .range = RANGE_ABOVE_ZERO},
        {"outcome", "Outcome", METRIC_TEXT, .choices = "found line_rate no_gap"},
        {"inter_burst_gap_octets", "Gap, octets", METRIC_OCTETS, .whole = true},
        {"inter_burst_gap_ns", "Gap, ns", METRIC_NS, .places = 2},
        {"lossy_gap_octets", "Lossy gap, octets", METRIC_OCTETS, .whole = true},
        {"lossy_gap_lost_frames", "Lost there, frames", METRIC_FRAMES, .details = true, .whole = true},
        {"load_fps", "Load, frames/s", METRIC_FPS, .places = 1},
        {"load_percent", "Load, %", METRIC_PERCENT, .places = 3},
        {"offered_frames", "Offered, frames", METRIC_FRAMES, .details = true, .whole = true},
        {"resolution_octets", "Resolution, octets", METRIC_OCTETS, .details = true, .whole = true,
         .known = KNOWN_ALWAYS},
        {"max_gap_octets", "Longest gap tried, octets", METRIC_OCTETS, .details = true, .whole = true,
         .known = KNOWN_ALWAYS},
        {"trials", "Trials", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"true_gap_octets", "True gap, octets", METRIC_OCTETS, .details = true, .whole = true},
};
static const struct metric_slice A_BURST_METRICS = METRIC_SLICE(A_BURST);

static const struct metric METRICS[] = {
        {"max_inter_burst_gap_octets", "Largest gap", METRIC_OCTETS, .whole = true, .better = BETTER_LESS,
         .step = "resolution_octets",
         .meaning = "the largest `inter_burst_gap_octets` of all burst sizes: with it, bursts of none of these sizes "
                    "lose frames. Null if no gap was enough for one of them"},
        {"resolution_octets", "Resolution", METRIC_OCTETS, .whole = true,
         .meaning = "step of the search that found this gap"},
        {"min_load_percent", "Least load", METRIC_PERCENT, .places = 3, .better = BETTER_MORE, .derived = true,
         .meaning = "the smallest `load_percent` of all burst sizes; null likewise"},
        {"bursts_without_gap", "Without a gap", METRIC_NUMBER, .sql_heading = "Burst sizes without a gap",
         .whole = true, .better = BETTER_LESS, .known = KNOWN_IF_VALID,
         .meaning = "burst sizes of which frames were lost at every gap that was tried; a flag names each"},
        {"bursts", "Gap by burst size", METRIC_LIST, .definition = "burst_gap", .items = &A_BURST_METRICS,
         .meaning =
                 "a row for each burst size, in the order of the plan: `burst_frames`; `outcome`, which is `found`, "
                 "`line_rate` if nothing was lost at the minimum gap, or `no_gap` if frames were lost at every gap; "
                 "`inter_burst_gap_octets`, the smallest gap between bursts without loss, from the last octet of one "
                 "to the preamble of the next, and the same as `inter_burst_gap_ns`; `lossy_gap_octets`, the largest "
                 "gap with loss, and `lossy_gap_lost_frames` there, in a trial of the search if these are shorter; the "
                 "average offered load at the gap found, `load_fps` of a sending port and `load_percent` of "
                 "`max_theoretical_fps`; `offered_frames` of that trial; `resolution_octets` and `max_gap_octets`, "
                 "step and upper end of the gaps; `trials` of the search; `true_gap_octets`, what follows from `truth` "
                 "for a device with one queue: 12 + N (S - L), N frames of a burst, S and L octet times for a frame at "
                 "the true throughput and at line rate; null if N is more than the longest burst, or nothing is known"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over the trials at the gaps found"},
        {"upper_counters", "Counters with loss", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over the trials at the largest gaps with loss"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_OF_EVERY_TEST,
        {"Bursts", "of {bursts} frames at the minimum gap", false},
        {"Trials",
         "final {trial_duration_s}, while searching {search_trial_duration_s}, in whole bursts[; gaps down to an "
         "average load of {least_load_percent}]",
         false},
        {0},
};

static const struct result_table TABLE = {
        .name = "bursty_traffic",
        .caption = "Bursty traffic over frame size (RFC 2544 section 21)",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "max_inter_burst_gap_octets", .sql = true},
                           {.key = "min_load_percent", .sql = true}, {.key = "bursts_without_gap", .sql = true},
                           {.key = "max_theoretical_fps", .details = true, .sql = true},
                           {.key = "counters.offered_frames", .details = true},
                           {.key = "counters.lost_frames", .details = true}, {.key = "trials", .sql = true},
                           {.key = "valid", .sql = true}),
};

static const struct result_curves CURVES = {
        .name = "bursty_traffic",
        .title = "Smallest gap between bursts without loss",
        .description = "The smallest gap between bursts at which no frame was lost, over the length of the bursts (RFC "
                       "2544 section 21). A burst size for which no gap was enough has no point. The points are in the "
                       "table below.",
        .x = "burst_frames",
        .y = "inter_burst_gap_octets",
        .x_label = "burst, frames",
        .y_label = "gap between bursts, octets",
        .x_word = "burst",
        .y_word = "gap",
};
static const struct result_listing BURST_ROWS = {
        .list = "bursts",
        .caption = "Smallest gap without loss by burst size",
        .items = &A_BURST_METRICS,
        .curves = &CURVES,
        .always = true,
};

const struct result_description BURSTY_TRAFFIC_RESULTS = {
        .test = "bursty_traffic",
        .title = "Bursty traffic",
        .clause = "RFC 2544 section 21",
        .answer = "max_inter_burst_gap_octets",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &PORT_METRICS, &COUNTER_METRICS, &EVERY_RESULT,
                                                        NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{NULL, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&BURST_ROWS, &PORT_ROWS, &FLOW_ROWS, NULL},
        .sql = "rfc2544_bursty_traffic",
};
