/* SPDX-License-Identifier: Apache-2.0 */
/* Metrics, tables and charts that several benchmarks share. */
#include "host/result/common.h"

#include "host/base/port_counters.h"

static const struct metric LATENCY_BIN[] = {
        {.key = "from_ns", .unit = METRIC_NS, .known = KNOWN_ALWAYS, .range = RANGE_FROM_ZERO},
        {.key = "to_ns", .unit = METRIC_NS, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
        {.key = "frames", .unit = METRIC_FRAMES, .whole = true, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
};
const struct metric_slice LATENCY_BIN_METRICS = METRIC_SLICE(LATENCY_BIN);

static const struct metric GAP_BIN[] = {
        {.key = "from_octets", .unit = METRIC_OCTETS, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "to_octets", .unit = METRIC_OCTETS, .whole = true, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
        {.key = "gaps", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS, .range = RANGE_ABOVE_ZERO},
};
const struct metric_slice GAP_BIN_METRICS = METRIC_SLICE(GAP_BIN);

static const struct metric EVERY[] = {
        {"frame_octets", "Size", METRIC_OCTETS, .sql_heading = "Frame size, octets", .whole = true,
         .meaning = "destination MAC to FCS, inclusive"},
        {"valid", "Valid", METRIC_YES_NO, .meaning = "false: says nothing about the device"},
        {"max_theoretical_fps", "Theoretical maximum", METRIC_FPS, .sql_heading = "Maximum theoretical, frames/s",
         .places = 1,
         .meaning = "link speed / (8 x (`frame_octets` + 20)), RFC 5180 A.1; of a mix with the average of its lengths"},
        {"trials", "Trials", METRIC_NUMBER, .whole = true, .meaning = "all trials made"},
        {"invalid_trials", "Invalid trials", METRIC_NUMBER, .whole = true,
         .meaning = "those in which the tester did not offer the intended load, and which were repeated"},
        {"truth.model", "DUT", METRIC_TEXT, .meaning = "model of the simulated device"},
        {"truth.throughput_fps", "True throughput", METRIC_FPS, .places = 1,
         .meaning = "what the simulated device forwards without loss"},
        {"truth.buffer_frames", "True buffer", METRIC_FRAMES, .whole = true, .meaning = "what its buffer holds"},
        {"truth.longest_burst_frames", "True longest burst", METRIC_FRAMES, .whole = true,
         .meaning = "the longest burst it forwards without loss; null: never loses, or states none"},
        {"truth.latency_ns", "True latency", METRIC_NS, .places = 2, .meaning = "its smallest latency"},
};
const struct metric_slice EVERY_RESULT = METRIC_SLICE(EVERY);

static const struct metric LOAD_RANGE[] = {
        {"at_least", "At least", METRIC_YES_NO, .presence = IN_SOME_RESULTS,
         .meaning = "true, and only there if so: every load passed, up to the highest that was tried, which is below "
                    "line rate as `max_load` of the plan says, or as an external tester offered no more. The answer is "
                    "a lower limit, not what the device can do"},
};
const struct metric_slice LOAD_RANGE_METRICS = METRIC_SLICE(LOAD_RANGE);

static const struct metric OFFERED_LOAD[] = {
        {"intended_load_fps", "Intended load", METRIC_FPS, .places = 1, .presence = IN_SOME_RESULTS,
         .meaning = "only where an external tester offered another load than it was asked for in the trial that "
                    "settled the result: the one it was asked for, of a sending port (RFC 2285 section 3.5.1)"},
        {"offered_load_fps", "Offered load", METRIC_FPS, .places = 1, .presence = IN_SOME_RESULTS,
         .meaning = "only then: the one it offered, the frames that it sent divided by the time it took (3.5.2), at "
                    "most line rate. Results are made of this one"},
};
const struct metric_slice OFFERED_LOAD_METRICS = METRIC_SLICE(OFFERED_LOAD);

const struct result_table OFFERED_LOAD_TABLE = {
        .name = "offered_load",
        .caption =
                "The load that was intended in the trial that settled each result, and the one that the tester offered",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "intended_load_fps"}, {.key = "offered_load_fps"},
                           {.key = "max_theoretical_fps"}),
        .needs = "intended_load_fps",
};

#define BETWEEN_BOUNDS "relevant_upper_bound_fps-relevant_lower_bound_fps"
static const struct metric CONDITIONAL_RATE[] = {
        {"relevant_lower_bound_fps", "Relevant lower bound", METRIC_FPS, .places = 1, .better = BETTER_MORE,
         .derived = true, .step = BETWEEN_BOUNDS, .lower_limit = true,
         .meaning = "the largest lower bound below the smallest upper bound; null if there is none"},
        {"relevant_upper_bound_fps", "Relevant upper bound", METRIC_FPS, .places = 1, .better = BETTER_MORE,
         .derived = true, .step = BETWEEN_BOUNDS, .meaning = "the smallest upper bound; null if there is none"},
        {"conditional_throughput_fps", "Conditional throughput", METRIC_FPS, .places = 1, .better = BETTER_MORE,
         .step = BETWEEN_BOUNDS, .lower_limit = true,
         .meaning = "forwarding rate at the relevant lower bound: its load less the loss that decides it"},
        {"conditional_throughput_percent", "Of line rate", METRIC_PERCENT, .places = 3, .better = BETTER_MORE,
         .derived = true, .lower_limit = true, .meaning = "the same as a percentage of `max_theoretical_fps`"},
};
const struct metric_slice CONDITIONAL_RATE_METRICS = METRIC_SLICE(CONDITIONAL_RATE);

/* spread, as simulated in tests/c/test_compare_alarms.c and on the twin: the smallest latency of a device hardly
 * varies. The larger ones include the queue, which at the throughput may well be three times as long in another short
 * trial, and ten times as long one search step further. One frame in a billion decides the maximum. */
static const struct metric LATENCY_ROWS[] = {
        {"latency_min_ns", "Latency min", METRIC_NS, .places = 2, .better = BETTER_LESS, .spread = 0.05,
         .meaning = "smallest latency in the trial that settled the result, or in all trials of a test of latency; "
                    "first octet in to first octet out (FIFO latency)"},
        {"latency_mean_ns", "Latency mean", METRIC_NS, .places = 2, .better = BETTER_LESS, .at_answer = true,
         .spread = 2, .meaning = "mean latency in that trial"},
        {"latency_p50_ns", "50% within", METRIC_NS, .places = 2, .better = BETTER_LESS, .bins = &LATENCY_BINS,
         .at_answer = true, .spread = 2,
         .meaning = "half of the frames of that trial, over all ports, had at most this latency. Percentiles are read "
                    "from the histogram, and at most 3% off: of the bin that holds the last of these frames, they are "
                    "the upper edge, or the middle if it is one of octaves; null without a histogram"},
        {"latency_p90_ns", "90% within", METRIC_NS, .places = 2, .better = BETTER_LESS, .bins = &LATENCY_BINS,
         .at_answer = true, .spread = 2, .meaning = "the same for 90% of the frames"},
        {"latency_p99_ns", "99% within", METRIC_NS, .places = 2, .better = BETTER_LESS, .bins = &LATENCY_BINS,
         .at_answer = true, .spread = 2, .meaning = "the same for 99% of the frames"},
        {"latency_p99_9_ns", "99.9% within", METRIC_NS, .places = 2, .better = BETTER_LESS, .bins = &LATENCY_BINS,
         .at_answer = true, .spread = 2, .meaning = "the same for 99.9% of the frames"},
        {"latency_max_ns", "Latency max", METRIC_NS, .places = 2, .better = BETTER_LESS, .at_answer = true, .spread = 3,
         .meaning = "largest latency in that trial"},
        {"latency_histogram", "Histogram of latency", METRIC_LIST, .definition = "latency_bin",
         .items = &LATENCY_BIN_METRICS,
         .meaning = "of that trial over all ports: a list of the non-empty bins, `from_ns`, `to_ns` (exclusive), "
                    "`frames`. The device's bins are 128 octet times wide (10.24 ns at 100G) up to 130,816 octet times "
                    "(10.5 us), and are merged if there would be more than 64. Below 34 times the width of such a bin, "
                    "and above 10.5 us, there are bins of octaves instead: at least 8 octet times wide, and at most a "
                    "32nd of their latencies, up to 2^39 octet times (44 s). Empty for an external program, and for a "
                    "trial with loss"},
};
const struct metric_slice LATENCY_METRICS = METRIC_SLICE(LATENCY_ROWS);

static const struct metric A_PORT[] = {
        {"port", "Port", METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {"offered_frames", "Offered, frames", METRIC_FRAMES, .whole = true},
        {"received_frames", "Received", METRIC_FRAMES, .whole = true},
        {"lost_frames", "Lost", METRIC_FRAMES, .whole = true},
        {"wrong_port_frames", "Unexpected", METRIC_FRAMES, .whole = true},
        LATENCY_ITEMS,
};
static const struct metric_slice A_PORT_METRICS = METRIC_SLICE(A_PORT);

static const struct metric A_FLOW[] = {
        {.key = "source_port", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "flow", .unit = METRIC_NUMBER, .whole = true, .known = KNOWN_ALWAYS},
        {.key = "destination_ports", .unit = METRIC_NUMBERS},
        {.key = "offered_frames", .unit = METRIC_FRAMES, .whole = true},
        {.key = "received_frames", .unit = METRIC_FRAMES, .whole = true},
        {.key = "lost_frames", .unit = METRIC_FRAMES, .whole = true},
        {.key = "duplicated_frames", .unit = METRIC_FRAMES, .whole = true},
        {.key = "reordered_frames", .unit = METRIC_FRAMES, .whole = true},
        {.key = "late_frames", .unit = METRIC_FRAMES, .whole = true},
        {.key = "wrong_port_frames", .unit = METRIC_FRAMES, .whole = true},
        LATENCY_ITEMS,
};
static const struct metric_slice A_FLOW_METRICS = METRIC_SLICE(A_FLOW);

#define LIST(name, text, kind, metrics, what)                                                                          \
	{                                                                                                              \
		.key = (name), .heading = (text), .unit = METRIC_LIST, .definition = (kind), .items = (metrics),       \
		.meaning = (what)                                                                                      \
	}

static const struct metric PORTS[] = {
        LIST("ports", "Ports", "port", &A_PORT_METRICS,
             "each port in the trial that settled the result (with repetitions, in that of the last one): `port` from "
             "0, `offered_frames` sent, `received_frames` without duplicates, `lost_frames` of those that had to "
             "arrive there, `wrong_port_frames` that had to arrive elsewhere, and `latency_min_ns`, `latency_mean_ns`, "
             "`latency_max_ns` of what it received. Empty for an external program"),
        {"flow_count", "Flows", METRIC_NUMBER, .whole = true,
         .meaning = "how many flows there were in that trial: frames of one kind from one port, each with a sequence "
                    "of its own. Null for an external program"},
        LIST("flows", "Flows", "flow", &A_FLOW_METRICS,
             "each flow in the same trial, or of more than 256 those that lost most, which a flag says: `source_port` "
             "and `flow`, its number there, from 0; `destination_ports` where its frames must arrive; `offered_frames` "
             "sent, `received_frames` without duplicates, `lost_frames`, `duplicated_frames`, `reordered_frames`, "
             "`late_frames` (among those lost), `wrong_port_frames` that came elsewhere, and the latency. Each port "
             "adds up to its flows, without the broadcasts of a modifier, which are its last one. Empty for an "
             "external program"),
};
const struct metric_slice PORT_METRICS = METRIC_SLICE(PORTS);

static const struct metric UPPER_PORTS[] = {
        LIST("upper_ports", "Ports above", "port", &A_PORT_METRICS,
             "`ports` of the trial that decided the upper bound; empty without one"),
        LIST("upper_flows", "Flows above", "flow", &A_FLOW_METRICS, "`flows` of the same trial"),
};
const struct metric_slice UPPER_PORT_METRICS = METRIC_SLICE(UPPER_PORTS);

static const struct result_column FLOW_COLUMNS[] = {
        {.key = "source_port", .heading = "From port"},
        {.key = "destination_ports", .heading = "<to ports"},
        {.key = "flow", .heading = "Flow"},
        {.key = "offered_frames", .heading = "Offered, frames"},
        {.key = "received_frames", .heading = "Received"},
        {.key = "lost_frames", .heading = "Lost"},
        {.key = "duplicated_frames", .heading = "Duplicated", .details = true},
        {.key = "reordered_frames", .heading = "Reordered"},
        {.key = "late_frames", .heading = "Late"},
        {.key = "wrong_port_frames", .heading = "Unexpected"},
        {.key = "latency_min_ns", .heading = "Latency min"},
        {.key = "latency_mean_ns", .heading = "Latency mean"},
        {.key = "latency_max_ns", .heading = "Latency max"},
        {0}};

#define WORST_FLOWS .columns = FLOW_COLUMNS, .worst = "lost_frames", .most = 8, .which = "those that lost most"

const struct result_listing PORT_ROWS = {
        .list = "ports",
        .caption = "By port, in the trial that settled each result",
        .items = &A_PORT_METRICS,
};
const struct result_listing FLOW_ROWS = {
        .list = "flows",
        .caption = "By flow, in the trial that settled each result",
        WORST_FLOWS,
};
const struct result_listing UPPER_PORT_ROWS = {
        .list = "upper_ports",
        .caption = "By port, in the trial that decided each upper bound",
        .items = &A_PORT_METRICS,
};
const struct result_listing UPPER_FLOW_ROWS = {
        .list = "upper_flows",
        .caption = "By flow, in the trial that decided each upper bound",
        WORST_FLOWS,
};

static const struct metric COUNTERS[] = {
        {"counters.offered_frames", "Offered", METRIC_FRAMES, .meaning = "test frames that ports sent", .whole = true},
        {"counters.received_frames", "Received", METRIC_NUMBER,
         .meaning = "test frames that arrived, without second copies", .whole = true},
        {"counters.lost_frames", "Lost", METRIC_NUMBER, .meaning = "test frames that were offered and did not arrive",
         .whole = true},
#define COUNTER_METRIC(name, register, title, text)                                                                    \
	{.key = "counters." #name, .heading = (title), .unit = METRIC_NUMBER, .meaning = (text), .whole = true},
        PORT_COUNTERS(COUNTER_METRIC)
#undef COUNTER_METRIC
};
const struct metric_slice COUNTER_METRICS = METRIC_SLICE(COUNTERS);

/* A report adds these to bursts, from the trials in the run file: they are not in the JSON. */
static const struct metric RECEIVED_GAPS[] = {
        {"received_gap_min_octets", "Received gap min", METRIC_OCTETS, .whole = true, .from_trials = true},
        {"received_gap_mean_octets", "Received gap mean", METRIC_OCTETS, .places = 4, .from_trials = true},
        {"received_gap_max_octets", "Received gap max", METRIC_OCTETS, .whole = true, .from_trials = true},
};
const struct metric_slice RECEIVED_GAP_METRICS = METRIC_SLICE(RECEIVED_GAPS);

const struct result_series LATENCY_SERIES[] = {
        {"mean, with minimum and maximum", MARK_RANGES, "latency_mean_ns", "latency_min_ns", "latency_max_ns", false},
        {0},
};

static const struct result_series PERCENTILE_SERIES[] = {
        {"50%", MARK_LINE_POINTS, "latency_p50_ns", NULL, NULL, false},
        {"90%", MARK_LINE_POINTS, "latency_p90_ns", NULL, NULL, false},
        {"99%", MARK_LINE_POINTS, "latency_p99_ns", NULL, NULL, false},
        {"99.9%", MARK_LINE_POINTS, "latency_p99_9_ns", NULL, NULL, false},
        {"all", MARK_LINE_POINTS, "latency_max_ns", NULL, NULL, false},
        {0},
};
const struct result_chart LATENCY_PERCENTILES_CHART = {
        .name = "latency_percentiles",
        .title = "Percentiles of latency",
        .description = "The latency that 50, 90, 99, 99.9 percent and all of the frames did not exceed in the trial "
                       "that settled each result, all ports together. Read from the histograms below, and at most 3% "
                       "off. The values are in the table below.",
        .y_label = "frame latency",
        .series = PERCENTILE_SERIES,
        .needs = "latency_p50_ns",
        .y_log = true,
};
const struct result_table LATENCY_PERCENTILES_TABLE = {
        .name = "latency_percentiles",
        .caption = "Latency that this share of the frames did not exceed",
        .columns = COLUMNS({.key = "frame_octets"}, {.key = "latency_p50_ns"}, {.key = "latency_p90_ns"},
                           {.key = "latency_p99_ns"}, {.key = "latency_p99_9_ns"}, {.key = "latency_max_ns"}),
        .needs = "latency_p50_ns",
        .details = true,
        .rows = ROWS_TESTED,
};
const struct result_bins LATENCY_BINS = {
        .list = "latency_histogram",
        .from = "from_ns",
        .to = "to_ns",
        .count = "frames",
        .title = "Histogram of latency",
        .lead = "Frames by their latency in the trial that settled each result, all ports together. A bar stands in "
                "the middle of its bin.",
        .x_label = "frame latency",
        .y_label = "frames",
        .headings = {"From", "to below", "Frames"},
        .unit = METRIC_NS,
};
const struct result_bins GAP_BINS = {
        .list = "gap_histogram",
        .from = "from_octets",
        .to = "to_octets",
        .count = "gaps",
        .title = "Histogram of gaps",
        .lead = "Every gap of the valid bursts as measured where they left, by its length. Frames begin on whole "
                "groups of octets, so gaps at the minimum are not all 12 octets: they are 12 on average.",
        .x_label = "gap",
        .y_label = "gaps",
        .headings = {"From, octets", "to below, octets", "Gaps"},
        .unit = METRIC_OCTETS,
};
