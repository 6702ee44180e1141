/* SPDX-License-Identifier: Apache-2.0 */
/* Throughput in five files: throughput_keys.c has its keys in a plan; throughput.c searches by bisection,
 * throughput_goals.c by MLRsearch; throughput_report.c reports what either found; throughput_extent.c tells before the
 * first trial how long it may take. */
#ifndef FPGAUGE_BENCH_RFC2544_THROUGHPUT_H
#define FPGAUGE_BENCH_RFC2544_THROUGHPUT_H

#include <jansson.h>

#include "host/bench/benchmark.h"
#include "host/bench/load_grid.h"
#include "host/bench/load_range.h"
#include "host/bench/rfc2544/throughput_keys.h"
#include "host/bench/search_loop.h"

extern const struct benchmark THROUGHPUT;
extern const struct result_description CONDITIONAL_THROUGHPUT_RESULTS;
extern const struct result_description THROUGHPUT_RESULTS;

/* The findings of a search. */
struct phase {
	struct findings found;
	double resolution_fps; /* resolution to which the rate is found */
	double asked_fps;      /* the resolution that was asked for */
	uint64_t lowest;       /* load below which nothing was searched, a point of the grid */
	/* frames sent at the lower bound, and how many of them were lost; both 0 where the goal is no loss */
	uint64_t forwarded_of, lost;
	bool tester_limit; /* the tester failed, because it offered too little; the device did not */
};

/* Searches for the first goal of the test, on load_grid_of_parts(). A goal without loss finds its lower bound, which is
 * the throughput (RFC 9971 4.10.2, 4.10.3); any other goal finds its conditional throughput. 0, SESSION_INVALID or a
 * negative error. */
int throughput_by_goals(struct session *session, struct phase *phase, struct error *error);

json_t *throughput_goal_parameters(const struct session *session);

/* The loss that the first goal allows; 0: none, so what is found is throughput. */
double throughput_goal_loss_ratio(const struct session *session);

void throughput_report(const struct session *session, const struct load_grid *grid, const struct load_range *range,
                       struct phase *phase, double loss_ratio, json_t *result);

/* Reports a search that did not finish. */
void throughput_report_unknown(const struct session *session, const struct load_grid *grid, double loss_ratio,
                               const char *why, json_t *result);

/* Functions for struct plan_benchmark and struct benchmark. */
int throughput_finish(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error);
const struct quantity *throughput_loss_of_rate(const struct plan_test *test);
int throughput_check(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps, struct error *error);
struct extent throughput_extent(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double throughput_longest_trial_s(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps);
double throughput_settling_trial_s(const struct plan_test *test);
bool throughput_needed_trial(const struct plan_test *test, uint32_t frame_octets, uint64_t link_bps,
                             const struct known_queue *queue, struct needed_trial *needed);
void throughput_shorten(const struct plan_test *test, double factor, uint64_t link_bps, struct shorter *settings);

#endif
