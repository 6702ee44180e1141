/* SPDX-License-Identifier: Apache-2.0 */
/* Describes what several benchmarks report in the same way. */
#ifndef FPGAUGE_RESULT_COMMON_H
#define FPGAUGE_RESULT_COMMON_H

#include "host/result/description.h"

/* Metrics. */
extern const struct metric_slice EVERY_RESULT;             /* size, validity, trials, truth */
extern const struct metric_slice CONDITIONAL_RATE_METRICS; /* rate and bounds of an MLRsearch goal (RFC 9971) */
extern const struct metric_slice LATENCY_METRICS;    /* latency in the trial that settled a result: result_latency() */
extern const struct metric_slice PORT_METRICS;       /* counts by port and by flow: result_ports() */
extern const struct metric_slice UPPER_PORT_METRICS; /* counts at the upper bound: result_upper_ports() */
extern const struct metric_slice RECEIVED_GAP_METRICS; /* gaps of bursts, where they were received */
extern const struct metric_slice COUNTER_METRICS;      /* keys of the object "counters": result_counters() */

extern const struct metric_slice LOAD_RANGE_METRICS; /* tell if an answer is only a lower limit: load_range_report() */

extern const struct metric_slice OFFERED_LOAD_METRICS; /* loads that an external tester offered: result_load() */
extern const struct result_table OFFERED_LOAD_TABLE;

/* Rates in bits a second beside the frames a second of a metric: layers_report(). of: "the throughput". */
#define LAYER_METRICS(prefix, name, of)                                                                                \
	{.key = prefix "layer_1_gbps",                                                                                 \
	 .heading = name "Layer 1",                                                                                    \
	 .unit = METRIC_GBPS,                                                                                          \
	 .places = 3,                                                                                                  \
	 .better = BETTER_MORE,                                                                                        \
	 .derived = true,                                                                                              \
	 .lower_limit = true,                                                                                          \
	 .meaning =                                                                                                    \
	         of " in bits a second on the line: frames with their preamble and the minimum gap, 20 octets more "   \
	            "a frame"},                                                                                        \
	{                                                                                                              \
		.key = prefix "layer_2_gbps", .heading = name "Layer 2", .unit = METRIC_GBPS, .places = 3,             \
		.better = BETTER_MORE, .derived = true, .lower_limit = true,                                           \
		.meaning = "the same of the frames alone, destination MAC to FCS"                                      \
	}

/* The latencies of an object in a list. */
#define LATENCY_ITEMS                                                                                                  \
	{.key = "latency_min_ns", .heading = "Latency min", .unit = METRIC_NS},                                        \
	        {.key = "latency_mean_ns", .heading = "Latency mean", .unit = METRIC_NS},                              \
	{                                                                                                              \
		.key = "latency_max_ns", .heading = "Latency max", .unit = METRIC_NS                                   \
	}

/* Lines that many tests have. */
#define PARAMETERS_LOAD_RANGE                                                                                          \
	{                                                                                                              \
		"Limits", "loads from {min_load_fps:fps} to {max_load_fps:fps} only", false                            \
	}
#define PARAMETERS_SEARCH                                                                                              \
	{                                                                                                              \
		"Search",                                                                                              \
		        "{search}[, at most {max_trials} trials at a point, z {z}][ (max_repeats {max_repeats})]"      \
		        "[, limited to {trials_limit} trials][, limited to {traffic_limit_s} of traffic]",             \
		        false                                                                                          \
	}
#define PARAMETERS_WAITS                                                                                               \
	{                                                                                                              \
		"Waits", "settle {settle_s}, drain at most {drain_s}", false                                           \
	}

/* The duration of a test for which `run` may choose it, and why it chose it. */
#define PARAMETERS_CHOSEN_DURATION(key)                                                                                \
	{                                                                                                              \
		"Duration",                                                                                            \
		        "[duration_chosen_for!real {" key                                                              \
		        "}: chosen because the device is simulated, and {duration_reason}]",                           \
		        false                                                                                          \
	}

/* Waits and traffic, for every test of a pattern. */
#define PARAMETERS_WITHOUT_SEARCH                                                                                      \
	PARAMETERS_WAITS,                                                                                              \
	{                                                                                                              \
		"Traffic",                                                                                             \
		        "[pattern!pairs {pattern}, ]{direction}, [pattern=pairs destinations per sending port: "       \
		        "{addresses}][pattern!pairs addresses for each pair of ports: {addresses}][, seed {seed}]"     \
		        ", minimum gap {gap_octets} octets on average",                                                \
		        false                                                                                          \
	}

/* The first lines of the parameters of every test that searches. */
#define PARAMETERS_OF_EVERY_TEST PARAMETERS_SEARCH, PARAMETERS_WITHOUT_SEARCH

/* The attributes of an MLRsearch goal. */
#define PARAMETERS_OF_A_GOAL                                                                                           \
	{"Goal {goal} of {goals}",                                                                                     \
	 "[preset {preset}: ]loss ratio {goal_loss_ratio:%}, exceed ratio {goal_exceed_ratio:%}, width "               \
	 "{goal_width:%}",                                                                                             \
	 true},                                                                                                        \
	{                                                                                                              \
		NULL,                                                                                                  \
		        "trials: final {goal_final_trial_duration_s}, initial {goal_initial_trial_duration_s}; "       \
		        "duration sum {goal_duration_sum_s}",                                                          \
		        true                                                                                           \
	}

/* Charts and histograms. */
extern const struct result_chart LATENCY_PERCENTILES_CHART;
extern const struct result_table LATENCY_PERCENTILES_TABLE;
extern const struct result_bins LATENCY_BINS;
extern const struct result_bins GAP_BINS;
/* Keys of a bin in the list of either; the definition of the latter is gap_bin. */
extern const struct metric_slice LATENCY_BIN_METRICS, GAP_BIN_METRICS;
extern const struct result_series LATENCY_SERIES[];

/* Tables by port and by flow. */
extern const struct result_listing PORT_ROWS, FLOW_ROWS;
extern const struct result_listing UPPER_PORT_ROWS, UPPER_FLOW_ROWS;

#define LATENCY_DESCRIPTION                                                                                            \
	"Smallest, mean and largest latency of every frame of the trial that settled each result: first octet in to "  \
	"first octet out (FIFO latency, RFC 1242). The values are in the table below."

#endif
