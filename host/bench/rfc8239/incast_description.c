/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the results of a test of TCP incast: RFC 8239 section 6.3. */
#include "host/bench/rfc8239/incast.h"
#include "host/result/common.h"

#define WHICH_PORTS                                                                                                    \
	{.key = "iteration", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},                             \
	        {.key = "stateful", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},                      \
	        {.key = "stateless", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},                     \
	        {.key = "stateful_ports", .unit = METRIC_NUMBERS}, {.key = "stateless_ports", .unit = METRIC_NUMBERS}, \
	{                                                                                                              \
		.key = "egress_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS                      \
	}

static const struct metric AN_ITERATION[] = {
        WHICH_PORTS,
        {.key = "goodput_gbps", .unit = METRIC_GBPS},
        {.key = "min_goodput_gbps", .unit = METRIC_GBPS},
        {.key = "max_goodput_gbps", .unit = METRIC_GBPS},
        {.key = "least_connection_gbps", .unit = METRIC_GBPS},
        {.key = "most_connection_gbps", .unit = METRIC_GBPS},
        {.key = "segments", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "again_segments", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "lost_segments", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        VARIATION_ITEMS,
};
static const struct metric_slice AN_ITERATION_METRICS = METRIC_SLICE(AN_ITERATION);

static const struct metric A_LATENCY[] = {
        WHICH_PORTS,
        LATENCY_ITEMS,
        {.key = "offered_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "lost_frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "loss_percent", .unit = METRIC_PERCENT},
        VARIATION_ITEMS,
};
static const struct metric_slice A_LATENCY_METRICS = METRIC_SLICE(A_LATENCY);

static const struct metric METRICS[] = {
        {"goodput_gbps", "Goodput", METRIC_GBPS, .places = 4, .better = BETTER_MORE, .spread = 0.01,
         .meaning = "octets of all TCP connections that arrived in order, per second of the time that was measured, as "
                    "a mean of the repetitions: in the iteration where that is least"},
        {"goodput_percent", "Of the most", METRIC_PERCENT, .places = 2, .better = BETTER_MORE, .derived = true,
         .meaning = "the same of `max_theoretical_goodput_gbps`"},
        {"max_theoretical_goodput_gbps", "Most possible", METRIC_GBPS, .places = 4,
         .meaning =
                 "what the line of the egress port carries of streams, in segments of `mss` octets and nothing else"},
        {"latency_max_ns", "Latency max", METRIC_NS, .places = 0, .better = BETTER_LESS, .spread = 0.01,
         .meaning = "largest latency of a stateless frame in any iteration. Null if none arrived"},
        {"stateful", "Stateful", METRIC_NUMBER, .sql_heading = "Stateful ports", .whole = true,
         .meaning = "ingress ports with TCP connections in the iteration with the least goodput"},
        {"stateless", "Stateless", METRIC_NUMBER, .sql_heading = "Stateless ports", .whole = true,
         .meaning = "ingress ports with a microburst in it"},
        {"again_segments", "Sent again", METRIC_NUMBER, .whole = true, .better = BETTER_LESS, .derived = true,
         .meaning = "segments of streams that were sent again, in all iterations"},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true, .better = BETTER_LESS, .derived = true,
         .meaning = "stateless frames that were lost, in all iterations"},
        {"iterations", "Goodput of every iteration", METRIC_LIST, .definition = "incast_iteration",
         .items = &AN_ITERATION_METRICS,
         .meaning =
                 "each choice of ports, as RFC 8239 section 6.2 orders them: its number, `iteration`; how many "
                 "`stateful` and `stateless` ingress ports, `stateful_ports`, `stateless_ports`, `egress_port`; "
                 "`goodput_gbps` of all connections, mean of the repetitions, `min_goodput_gbps`, `max_goodput_gbps`; "
                 "of single connections in any repetition `least_connection_gbps` and `most_connection_gbps`; "
                 "`segments` that the stateful ports sent, `again_segments` of them again, `lost_segments` in either "
                 "direction; `variation_percent` and `relative_stddev_percent` of the goodput"},
        {"latencies", "Stateless latency of every iteration", METRIC_LIST, .definition = "incast_latency",
         .items = &A_LATENCY_METRICS,
         .meaning = "the microbursts of the same: `latency_min_ns`, `latency_mean_ns` and `latency_max_ns` over all "
                    "repetitions, null if no frame arrived; `offered_frames`, `lost_frames`, `loss_percent`; "
                    "`variation_percent` and `relative_stddev_percent` of the mean latency of a repetition"},
};
static const struct metric_slice OWN_METRICS = METRIC_SLICE(METRICS);

static const struct result_line PARAMETERS[] = {
        PARAMETERS_WAITS,
        RFC8239_PARAMETERS,
        RFC8239_TRAFFIC,
        {"Stateful",
         "{connections} TCP connections a port, from its start; MSS {mss_octets}, window {window_octets}, scale "
         "{window_scale}, initial window {initial_window_segments} segments, an acknowledgement for "
         "{ack_every_segments} or after {ack_delay_s}",
         false},
        {"Timeout",
         "at least {min_rto_s}, and {initial_rto_s} before a round trip was measured (RFC 6298); NewReno without SACK",
         false},
        {"Stateless",
         "a microburst of {burst_frames} frames a port at {intensity_percent:3}% of line rate, {lead_time_s} after the "
         "start",
         false},
        {"Goodput",
         "octets in order, over {trial_duration_s} from then on[?connection_octets , or from the start until all "
         "{connection_octets} of each connection arrived]",
         false},
        {0},
};

static const struct result_chart CHART = {
        .name = "incast",
        .title = "Goodput beside microbursts over frame size",
        .description = "Goodput of all TCP connections in the iteration where it is least, by frame size of the "
                       "microburst, and what the line carries. The values are in the table below.",
        .series = (const struct result_series[]){{"goodput", MARK_LINE_POINTS, "goodput_gbps", NULL, NULL, false},
                                                 {"most possible", MARK_DASHES, "max_theoretical_goodput_gbps", NULL,
                                                  NULL, true},
                                                 {0}},
        .needs = "goodput_gbps",
};
static const struct result_table TABLE = {
        .name = "incast",
        .caption = "Goodput of TCP beside microbursts, in the iteration where it is least",
        .columns = COLUMNS({.key = "frame_octets", .sql = true}, {.key = "stateful", .sql = true},
                           {.key = "stateless", .sql = true}, {.key = "goodput_gbps", .sql = true},
                           {.key = "goodput_percent"}, {.key = "max_theoretical_goodput_gbps", .details = true},
                           {.key = "again_segments", .details = true}, {.key = "latency_max_ns", .sql = true},
                           {.key = "lost_frames"}, VARIATION_COLUMNS, {.key = "valid", .sql = true}),
};

static const struct result_curves GOODPUT_CURVES = {
        .name = "incast_goodput",
        .title = "Goodput over iterations",
        .description = "Goodput of all TCP connections in each iteration: first with more and more stateful ports, "
                       "then with more and more stateless ones. The points are in the table below.",
        .x = "iteration",
        .y = "goodput_gbps",
        .x_label = "iteration",
        .y_label = "goodput, Gb/s",
        .x_word = "iteration",
        .y_word = "goodput",
};
static const struct result_listing GOODPUT_ROWS = {
        .list = "iterations",
        .caption = "Stateful goodput of every iteration",
        .columns = COLUMNS(
                {.key = "iteration", .heading = "Iteration"}, {.key = "stateful_ports", .heading = "Stateful ports"},
                {.key = "stateless_ports", .heading = "stateless"}, {.key = "egress_port", .heading = "Egress"},
                {.key = "goodput_gbps", .heading = "Goodput, Gb/s", .places = 4},
                {.key = "least_connection_gbps", .heading = "Least connection, Gb/s", .places = 4},
                {.key = "most_connection_gbps", .heading = "Most", .places = 4},
                {.key = "again_segments", .heading = "Sent again"}, {.key = "lost_segments", .heading = "Lost"},
                {.key = "relative_stddev_percent", .heading = "Rel. StdDev, %", .places = 3}),
        .worst = "stateful",
        .most = 16,
        .which = "those with most stateful ports",
        .curves = &GOODPUT_CURVES,
        .always = true,
};

static const struct result_curves LATENCY_CURVES = {
        .name = "incast_latency",
        .title = "Stateless latency over iterations",
        .description =
                "Mean latency of the frames of microbursts in each iteration. The points are in the table below.",
        .x = "iteration",
        .y = "latency_mean_ns",
        .x_label = "iteration",
        .y_label = "latency, ns",
        .x_word = "iteration",
        .y_word = "latency",
};
static const struct result_listing LATENCY_ROWS = {
        .list = "latencies",
        .caption = "Stateless latency of every iteration",
        .columns = COLUMNS({.key = "iteration", .heading = "Iteration"}, {.key = "stateful", .heading = "Stateful"},
                           {.key = "stateless", .heading = "Stateless"},
                           {.key = "latency_min_ns", .heading = "Latency min, ns", .places = 0},
                           {.key = "latency_mean_ns", .heading = "mean", .places = 1},
                           {.key = "latency_max_ns", .heading = "max", .places = 0},
                           {.key = "lost_frames", .heading = "Lost, frames"},
                           {.key = "loss_percent", .heading = "Loss, %", .places = 4},
                           {.key = "relative_stddev_percent", .heading = "Rel. StdDev, %", .places = 3}),
        .worst = "stateless",
        .most = 16,
        .which = "those with most stateless ports",
        .curves = &LATENCY_CURVES,
        .always = true,
};

const struct result_description INCAST_RESULTS = {
        .test = "rfc8239.incast",
        .title = "TCP incast",
        .clause = "RFC 8239 section 6",
        .answer = "goodput_gbps",
        .metrics = (const struct metric_slice *const[]){&OWN_METRICS, &VARIATION_METRICS, &EVERY_RESULT, NULL},
        .parameters = PARAMETERS,
        .views = (const struct result_view[]){{&CHART, &TABLE, NULL}, {0}},
        .listings = (const struct result_listing *const[]){&GOODPUT_ROWS, &LATENCY_ROWS, NULL},
        .sql = "rfc8239_incast",
};
