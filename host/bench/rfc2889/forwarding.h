/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput, forwarding rates and frame loss as sections 5.1 to 5.4 and 5.6.3.1 of RFC 2889 ask for them. The sections
 * differ in who sends to whom, which the row of a benchmark says; the procedure is one:
 *
 *   1. a search for the throughput: the highest load without loss (5.1.4.1);
 *   2. a trial at the intended load of the plan: the forwarding rate there (5.1.4.2);
 *   3. a trial at the maximum offered load: FRMOL, and the frame loss rate (5.1.4);
 *   4. trials at loads from the throughput up to the maximum offered load, in steps (the algorithm of 5.6.3.1): the
 *      highest forwarding rate of any trial of full length is the MFR.
 *
 * A load that was tried at full length is not tried again. forwarding_keys.c has the keys in a plan; forwarding.c runs
 * the trials, of which forwarding_loads.c keeps what is needed; forwarding_report.c and forwarding_description.c are
 * the result; forwarding_extent.c tells before the first trial how long it may take; offered_load.c how a load is
 * offered. The rows are in meshes.c, multiple_devices.c and maximum_forwarding_rate.c. */
#ifndef FPGAUGE_BENCH_RFC2889_FORWARDING_H
#define FPGAUGE_BENCH_RFC2889_FORWARDING_H

#include "host/bench/load_range.h"
#include "host/bench/rfc2889/forwarding_keys.h"
#include "host/bench/rfc2889/rfc2889_common.h"
#include "host/bench/search_loop.h"
#include "host/result/common.h"

/* Loads outside of the search are whole billionths of line rate. */
enum { FORWARDING_PARTS = 1000000000 };

/* A trial of full length. */
struct forwarding_load {
	uint64_t parts; /* ILoad */
	double offered_fps, forwarding_fps, duration_s;
	uint64_t offered_frames, received_frames, lost_frames, flood_frames;
	double loss_percent;
};

struct forwarding {
	struct session *session;
	struct rfc2889_shares shares;
	struct load_grid grid; /* the search's */
	struct load_range range;
	struct load_grid parts;
	uint64_t most_parts;           /* the maximum offered load: line rate, or what max_load leaves of the search */
	uint64_t asked_parts;          /* load that is tried outside of the search */
	struct forwarding_load *loads; /* lowest first */
	size_t load_count;
	bool out_of_memory;
	struct findings found;          /* the search's */
	const struct trial_result *mol; /* trial at the maximum offered load; NULL: not made */
};

void forwarding_begin(struct session *session, struct forwarding *forwarding);
void forwarding_end(struct forwarding *forwarding);

/* Points of the search, and a single load in parts, as trials. */
struct search_points forwarding_search_points(struct forwarding *forwarding);

/* Offers that load for the full length, unless that was done: 0, SESSION_INVALID or a negative error. */
int forwarding_try(struct forwarding *forwarding, uint64_t parts, struct error *error);

/* A load that was tried at full length; NULL: it was not. */
const struct forwarding_load *forwarding_find(const struct forwarding *forwarding, uint64_t parts);

/* The parts of a load of a plan, and of one of the search. */
uint64_t forwarding_parts(const struct quantity *load, struct rate line);
uint64_t forwarding_parts_of_point(const struct forwarding *forwarding, uint64_t point);

void forwarding_report(const struct forwarding *forwarding, bool finished, json_t *result);
json_t *forwarding_parameters(const struct forwarding *forwarding);

/* Metrics and parameters that all of these tests report. */
extern const struct metric_slice FORWARDING_METRICS;
extern const struct metric_slice FORWARDING_INTENDED_METRICS; /* metrics at the intended load */
extern const struct result_line FORWARDING_PARAMETERS[];
/* Views with a table of the intended load, and without. */
extern const struct result_view FORWARDING_VIEWS[], FORWARDING_UNINTENDED_VIEWS[];
extern const struct result_listing FORWARDING_LOAD_ROWS;
#define FORWARDING_METRIC_SLICES                                                                                       \
	((const struct metric_slice *const[]){&FORWARDING_METRICS, &LOAD_RANGE_METRICS, &FORWARDING_INTENDED_METRICS,  \
	                                      &RFC2889_MATRIX_METRICS, &PORT_METRICS, &COUNTER_METRICS, &EVERY_RESULT, \
	                                      NULL})
#define FORWARDING_LISTINGS                                                                                            \
	((const struct result_listing *const[]){&FORWARDING_LOAD_ROWS, &RFC2889_MATRIX_ROWS, &RFC2889_PORT_ROWS, NULL})
extern const struct result_column FORWARDING_SQL_COLUMNS[];
#define FORWARDING_SQL(view) .sql = (view), .sql_columns = FORWARDING_SQL_COLUMNS

/* Functions for struct plan_benchmark and struct benchmark. */
int forwarding_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);
int forwarding_run(struct session *session, struct error *error);
/* The same for a benchmark that reports more; called whether or not all trials were made. */
int forwarding_run_with(struct session *session,
                        void (*report_more)(const struct forwarding *forwarding, json_t *result), struct error *error);
int forwarding_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);
struct extent forwarding_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double forwarding_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double forwarding_settling_trial_s(const struct plan_test *test);
void forwarding_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#define FORWARDING_UNMIXED "RFC 2889 section 5.1.5 reports results over the frame size"
#define FORWARDING_WHY_SEARCHES "as it searches the highest load without loss (RFC 2889 section 5.1.4.1)"
/* The parts that rows share: those that report nothing more, and others. */
#define FORWARDING_ROW .run = forwarding_run, .traffic = rfc2889_pattern_traffic, FORWARDING_ROW_OF_LOADS
#define FORWARDING_ROW_OF_LOADS                                                                                        \
	.point_key = "load_fps", .point_unit = "fps", .check = forwarding_check, .extent = forwarding_extent,          \
	.longest_trial_s = forwarding_trial_s, .settling_trial_s = forwarding_settling_trial_s,                        \
	.shorten = forwarding_shorten

#endif
