/* SPDX-License-Identifier: Apache-2.0 */
/* What all benchmarks share: valid trials or the reason why not, progress, request defaults. */
#ifndef FPGAUGE_BENCH_SESSION_H
#define FPGAUGE_BENCH_SESSION_H

#include "host/bench/bench.h"
#include "host/bench/benchmark.h"
#include "host/search/search.h"

/* An INVALID trial is the tester's fault: it is repeated this often before the result is given up. */
enum { MAX_TRIAL_REPEATS = 3 };

/* A trial stayed invalid: session->why_invalid says why. Beside 0 and the negative error codes. */
enum { SESSION_INVALID = 1 };

struct session;

/* What a point of a search means: a load, a length of burst. `user` is the benchmark's own. */
struct search_points {
	/* Completes a request that has everything set that the plan sets (session_request()). */
	void (*request)(void *user, const struct session *session, const struct search_request *wanted,
	                struct trial_request *request);
	/* The point in the unit of the progress line; NULL: the point itself. */
	uint64_t (*in_unit)(const void *user, uint64_t point);
	/* Told of every valid trial before the search is; may be NULL. */
	void (*note)(void *user, const struct trial_result *trial);
	void *user;
};

/* One test at one frame size. */
struct session {
	struct bench_context *context;
	const struct plan_test *test;
	const struct benchmark *benchmark;
	uint32_t frame_octets;
	struct rate max_rate; /* maximum theoretical frame rate, a port */
	struct bench_progress progress;
	const struct search_points *points; /* of the search that runs; NULL between searches */
	double begin_s;                     /* of the context's clock */
	unsigned trials, invalid_trials;
	struct trial_request asked; /* the last trial */
	enum search_kind kind;      /* of the search that it was for */
	char why_invalid[512];
};

struct session session_begin(struct bench_context *context, const struct benchmark *benchmark, const struct plan *plan,
                             size_t test_index, uint32_t frame_octets);

/* A request with everything set that the plan sets; kind, load or burst are for who knows what a point means. */
struct trial_request session_request(const struct session *session);

uint64_t session_octet_times(const struct session *session, uint64_t ns);
double session_seconds(const struct session *session, uint64_t octet_times);

/* Which of the binary searches the test asks for, with max(r), z and limits. */
void session_search_limits(const struct session *session, struct search_config *config);

/* Tells the search what came of the last trial, and the trace. 0 or a negative error. */
int session_observe(struct session *session, struct search *search, const struct trial_result *result,
                    struct error *error);

/* Runs trials until one is valid. 0, SESSION_INVALID or a negative error. `search`, made of `config`, is for the
 * progress line. */
int session_trial(struct session *session, const struct search_config *config, const struct search *search,
                  const struct trial_request *request, struct trial_result *result, struct error *error);

/* 0, or SESSION_INVALID when the search ended before it knew: a limit of the plan, or a grid that is too coarse. */
int session_check_end(struct session *session, const struct search_result *found);

#endif
