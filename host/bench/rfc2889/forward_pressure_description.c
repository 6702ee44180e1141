/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a forward pressure test (RFC 2889 sections 5.6.4 and 5.6.5). */
#include "host/bench/rfc2889/forward_pressure.h"
#include "host/bench/rfc2889/rfc2889_common.h"
#include "host/result/common.h"

static const struct metric A_RECEIVER[] = {
        {"port", "Port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "forward_pressure_detected", .unit = METRIC_YES_NO, .known = KNOWN_ALWAYS},
        {"forwarding_rate_fps", "Forwarding rate, frames/s", METRIC_FPS, .places = 1},
        {"received_frames", "Received, frames", METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {"gaps", "Gaps", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"gap_min_octets", "Smallest", METRIC_OCTETS, .whole = true},
        {"gap_mean_octets", "Mean", METRIC_OCTETS, .places = 4},
        {"gap_max_octets", "Largest", METRIC_OCTETS, .whole = true},
};
static const struct metric_slice A_RECEIVER_METRICS = METRIC_SLICE(A_RECEIVER);

static const struct metric METRICS[] = {
        {"forward_pressure_detected", "Forward pressure", METRIC_YES_NO, .or_null = true,
         .meaning = "true: the device sent with gaps below 96 bits on average, or faster than the line allows, at some "
                    "port; null if no port received two frames, and so no gap"},
        {"forwarding_rate_fps", "Forwarding rate", METRIC_FPS, .places = 1, .better = BETTER_MORE, .spread = 0.001,
         .meaning = "of all receiving ports together; null if none received two frames"},
        {"theoretical_fps", "MOL", METRIC_FPS, .places = 1, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO,
         .meaning = "the theoretical maximum of the receiving ports, at gaps of 96 bits, which the forwarding rate "
                    "must not exceed"},
        {"intended_load_fps", "ILoad", METRIC_FPS, .places = 1, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO,
         .meaning = "all sending ports with gaps of 88 bits"},
        {"offered_load_fps", "Oload", METRIC_FPS, .places = 1,
         .meaning = "what they offered, by their counters and clocks"},
        {"sent_gap_mean_octets", "Sent gap mean", METRIC_OCTETS, .places = 4,
         .meaning = "the gaps sent, measured at the line: 11 octets are 88 bits"},
        {"gap_min_octets", "Received gap min", METRIC_OCTETS, .whole = true,
         .meaning = "smallest gap of the device at any port, measured at the line. Frames begin on groups of 8 octets, "
                    "so single gaps may be 7 octets shorter than the average"},
        {"gap_mean_octets", "Received gap mean", METRIC_OCTETS, .sql_heading = "Mean gap, octets", .places = 4,
         .meaning = "average gap of the device, at the port where it is smallest; 12 octets are 96 bits"},
        {"gap_histogram", "Histogram of received gaps", METRIC_LIST, .definition = "gap_bin", .items = &GAP_BIN_METRICS,
         .meaning = "all gaps of the device by length, of all receiving ports together, a list of the lengths that "
                    "occurred: `from_octets`, `to_octets` (exclusive), `gaps`. Bins are one octet wide for 64 octets "
                    "from the smallest gap on, with one more for everything longer. Empty for an invalid trial"},
        {"loss_percent", "Frame loss", METRIC_PERCENT, .places = 5,
         .meaning = "a device without forward pressure loses what it cannot send: an octet of each frame, once its "
                    "buffer is full"},
        {"flood_frames", "Flooded", METRIC_FRAMES, .whole = true, .better = BETTER_LESS,
         .meaning = "test frames at ports to which they do not belong"},
        {"receivers", "Receiving ports", METRIC_LIST, .definition = "pressed_receiver", .items = &A_RECEIVER_METRICS,
         .meaning = "each port that received test frames: `port`, `forward_pressure_detected`, `forwarding_rate_fps`, "
                    "`received_frames` without duplicates, and the `gaps` of the device: how many, and the smallest, "
                    "mean and largest"},
        {"counters", "Counters", METRIC_OBJECT, .definition = "counters",
         .meaning = "sums over all ports of the trial"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_WITHOUT_SEARCH,
        RFC2889_PARAMETERS,
        {"Trials", "{trial_duration_s}; rates are of all ports together", false},
        {0},
};
static const struct result_chart CHART = {
        .name = "forward_pressure",
        .title = "Forwarding rate under forward pressure",
        .description =
                "The forwarding rate of a device to which frames come with gaps of 88 bits, and the rate that the line "
                "allows at gaps of 96 bits (RFC 2889 section 5.6.5). The points are in the table below.",
        .y_label = "rate of all ports together",
        .series =
                (const struct result_series[]){
                        {"theoretical maximum", MARK_DASHES, "theoretical_fps", NULL, NULL, true},
                        {"forwarding rate", MARK_LINE_POINTS, "forwarding_rate_fps", NULL, NULL, false},
                        {0}},
};
static const struct result_table TABLE = {
        .name = "forward_pressure",
        .caption = "Forwarding rate and gaps of the device, overloaded by an octet a frame",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "forward_pressure_detected", .sql = true},
                           {.key = "forwarding_rate_fps", .sql = true}, {.key = "theoretical_fps", .sql = true},
                           {.key = "offered_load_fps"}, {.key = "gap_mean_octets", .sql = true},
                           {.key = "gap_min_octets", .details = true}, {.key = "sent_gap_mean_octets", .details = true},
                           {.key = "loss_percent", .sql = true}, {.key = "flood_frames", .details = true},
                           {.key = "valid", .sql = true}),
};
static const struct result_bins BINS = {
        .list = "gap_histogram",
        .from = "from_octets",
        .to = "to_octets",
        .count = "gaps",
        .title = "Histogram of gaps of the device",
        .lead = "Every gap between frames that the device sent, by its length, all receiving ports together. Frames "
                "begin on whole groups of octets, so single gaps of a device that keeps 96 bits are shorter than 12 "
                "octets: they are 12 on average.",
        .x_label = "gap",
        .y_label = "gaps",
        .headings = {"From, octets", "to below, octets", "Gaps"},
        .unit = METRIC_OCTETS,
};
static const struct result_listing RECEIVER_ROWS = {
        .list = "receivers",
        .caption = "Gaps of the device by receiving port, in octets",
        .items = &A_RECEIVER_METRICS,
        .always = true,
};
const struct result_description FORWARD_PRESSURE_RESULTS = {
        .test = "rfc2889.forward_pressure",
        .title = "Forward pressure",
        .clause = "RFC 2889 section 5.6.3.2",
        .answer = "forwarding_rate_fps",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &COUNTER_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {NULL, NULL, &BINS}, {0}},
        .listings = (const struct result_listing *const[]){&RECEIVER_ROWS, NULL},
        .sql = "rfc2889_forward_pressure",
};
