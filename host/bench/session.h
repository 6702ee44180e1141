/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that all benchmarks share: valid trials or the reason why not, progress, request defaults. */
#ifndef FPGAUGE_BENCH_SESSION_H
#define FPGAUGE_BENCH_SESSION_H

#include "host/bench/arrivals.h"
#include "host/bench/bench.h"
#include "host/bench/benchmark.h"
#include "host/bench/foresight.h"
#include "host/bench/trial_load.h"
#include "host/search/search.h"

/* An INVALID trial is the tester's fault: it is repeated up to this many times before the result is given up. */
enum { MAX_TRIAL_REPEATS = 3 };

/* A status besides 0 and the negative error codes: a trial stayed invalid, and session->why_invalid says why. */
enum { SESSION_INVALID = 1 };

struct session;

/* The meaning of a point of a search: a load or a burst length. `user` is the benchmark's own. */
struct search_points {
	/* Completes a request in which everything that the plan determines is set (session_request()). Changes nothing:
	 * it is also called for trials that may come later, or never (foresight.h). */
	void (*request)(void *user, const struct session *session, const struct search_request *wanted,
	                struct trial_request *request);
	/* The point in the unit of the progress line; NULL: the point itself. */
	uint64_t (*in_unit)(const void *user, uint64_t point);
	/* The frames lost in a valid trial that the search is about; NULL: all of them. The search, the trials that it
	 * keeps, and note() then know of no other loss; the run file has all. */
	uint64_t (*lost)(const void *user, const struct session *session, const struct trial_result *trial);
	/* Called with every valid trial before the search observes it; may be NULL. */
	void (*note)(void *user, const struct trial_result *trial);
	void *user;
};

/* One test at one frame size, with one set of modifiers. */
struct session {
	struct bench_context *context;
	const struct plan_test *test;
	const struct benchmark *benchmark;
	struct traffic_shape shape; /* the test's shape, with this frame size and these modifiers */
	const struct traffic
	        *traffic; /* traffic of its trials, if the benchmark makes its own (benchmark.traffic); else NULL */
	uint32_t frame_octets;
	struct rate max_rate;                /* maximum theoretical frame rate of one port */
	struct trial_filter_program filters; /* the test's; no command: none */
	struct bench_progress progress;
	const struct search_points *points; /* points of the running search; NULL between searches */
	struct foresight foresight;
	double begin_s; /* time on the context's clock */
	unsigned trials, invalid_trials;
	/* Choices of ports, which have as many trials each, for the estimate of trials; 0: the benchmark has one. */
	unsigned cases, cases_begun;
	unsigned case_begin;                        /* trials before this one */
	uint64_t bad_payload_frames;                /* frames whose payload the device changed, in valid trials */
	unsigned bad_payload_trials;                /* valid trials in which there were any */
	uint64_t far_reordered_frames, late_frames; /* counts of valid trials, as in struct trial_result */
	unsigned far_reordered_trials, late_trials;
	/* Management queries in valid trials, and what came to them (struct trial_port). */
	uint64_t management_queries, management_answers, management_wrong_frames, management_verdict;
	struct arrivals arrivals;
	struct load_deviation deviation; /* deviation of what was offered from what was intended */
	struct trial_request asked;      /* the last trial */
	struct search_request
	        wanted;        /* request of search_loop() for that trial: points->request() is also asked for others */
	enum search_kind kind; /* kind of the search it was for */
	bool unfinished;       /* the user, a limit of the plan or an error of the tester stopped it */
	char why_invalid[512];
	struct trial_result *trial; /* the last trial's */
	struct trial_result *kept;  /* room for that of a trial of which the benchmark reports more than counts */
};

/* Its `trial` and, for a benchmark, `kept` are set by whoever begins it. */
struct session session_begin(struct bench_context *context, const struct benchmark *benchmark, const struct plan *plan,
                             size_t test_index, uint32_t frame_octets);

/* Its trials have these modifiers of the test, in the run of that number (plan_runs()). */
void session_modify(struct session *session, unsigned run);

/* Builds the traffic of the session's shape as the benchmark makes it (benchmark.traffic), and takes it for all trials.
 * *traffic must outlive the session, and be freed, whatever this returns. 0 or a negative error. */
int session_make_traffic(struct session *session, struct traffic *traffic, struct error *error);

/* A request with everything set that the plan determines; kind, and load or burst, are left to whoever knows what a
 * point means. */
struct trial_request session_request(const struct session *session);

uint64_t session_octet_times(const struct session *session, uint64_t ns);
uint64_t session_link_bps(const struct session *session);
double session_seconds(const struct session *session, uint64_t octet_times);
double session_ns(const struct session *session, uint64_t octet_times);

/* Returns the time from the first frame of a burst to that of the next, if there are several; else to where the next
 * frame would be. */
double session_burst_s(const struct session *session, const struct trial_request *request);

/* Returns how long a trial sends. */
double session_sending_s(const struct session *session, const struct trial_request *request);

/* Another of so many choices of ports begins, with repetitions of its own. */
void session_next_case(struct session *session, unsigned cases);

/* Tells the context where this trial is in the test. */
void session_tell_progress(struct session *session, const struct search_config *config, const struct search *search,
                           const struct trial_request *request);

/* A point in the unit of the progress line. */
uint64_t session_in_unit(const struct session *session, uint64_t point);

/* Wall time by the context's clock; 0 without one. */
double session_clock_s(const struct bench_context *context);

/* Sets which of the binary searches the test asks for, with max(r), z and limits. */
void session_search_limits(const struct session *session, struct search_config *config);

/* Reports the outcome of the last trial to the search and to the trace. 0 or a negative error. */
int session_observe(struct session *session, struct search *search, const struct trial_result *result,
                    struct error *error);

/* Runs trials until one is valid, which is then session->trial. 0, SESSION_INVALID or a negative error. `search`,
 * created from `config`, is for the progress line. */
int session_trial(struct session *session, const struct search_config *config, const struct search *search,
                  const struct trial_request *request, struct error *error);

/* 0, or SESSION_INVALID when the search ended undecided: at a limit of the plan, or because the grid is too coarse. */
int session_check_end(struct session *session, const struct search_result *found);

#endif
