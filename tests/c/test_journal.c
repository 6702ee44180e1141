/* SPDX-License-Identifier: Apache-2.0 */
/* The journal, with benchmarks on the FIFO tester: thousands of trials per second, each on disk. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench_case.h"
#include "host/store/journal.h"
#include "store_case.h"

TestSuite(journal, .init = store_case_enter, .fini = store_case_leave);

/* Throughput and back-to-back at two sizes, through the journal of a store. Returns what bench_run() returns. */
static int run_case(struct bench_case *c, struct store *store, unsigned cancel_after)
{
	static const uint32_t sizes[] = {64, 1518};
	struct journal *journal;
	int status;

	case_begin(c, sizes, 2);
	fifo_begin(&c->fifo, 500, 2, 3);
	c->burst.max_burst = (struct quantity){QUANTITY_TIME, 1, 1000};
	c->fifo.cancel_after = cancel_after;
	c->tests[0].frame_sizes = c->tests[1].frame_sizes = c->sizes;
	c->context.results = json_array();
	cr_assert_eq(journal_open(store, &c->fifo.tester, NULL, &journal, &c->error), 0, "%s", c->error.text);
	c->context.tester = journal_tester(journal);
	status = bench_run(&c->context, &c->plan, &c->error);
	journal_close(journal);
	return status;
}

Test(journal, a_run_that_died_after_any_trial_goes_on_to_the_same_results)
{
	static struct bench_case calm, died, resumed;
	unsigned total;
	struct store *store = store_case_create();

	cr_assert_eq(run_case(&calm, store, 0), 0, "%s", calm.error.text);
	total = calm.fifo.trials;
	cr_assert_eq(store_trial_count(store), total);
	store_close(store);
	unlink(store_case_path);
	cr_assert_gt(total, 40);
	for (unsigned trials = 1; trials < total; trials++) {
		store = store_case_create();
		cr_assert_eq(run_case(&died, store, trials), ERROR_CANCELLED);
		cr_assert_eq(store_trial_count(store), trials);
		store_close(store);
		store = store_case_reopen(STORE_RESUME);
		cr_assert_eq(run_case(&resumed, store, 0), 0, "%s", resumed.error.text);
		cr_expect(json_equal(resumed.context.results, calm.context.results), "after trial %u", trials);
		cr_expect_eq(resumed.fifo.trials, total - trials, "trials are made again, or left out");
		cr_expect_eq(store_trial_count(store), total);
		store_close(store);
		unlink(store_case_path);
		case_end(&died);
		case_end(&resumed);
	}
	case_end(&calm);
}

/* A tester that reports for some trials what only somebody else's run file could contain. */
struct liar {
	struct tester tester; /* first */
	struct tester *inner;
};

static uint64_t lie(void)
{
	static const uint64_t LIES[] = {
	        0, 1, 2, UINT32_MAX, UINT64_C(1) << 60, INT64_MAX, UINT64_C(1) << 63, UINT64_MAX - 1, UINT64_MAX};

	return LIES[next_random() % (sizeof(LIES) / sizeof(LIES[0]))];
}

static double wild(void)
{
	static const double WILD[] = {0, -1, 1e-300, 0.5, 1e18, 1e300, -1e300, (double)INFINITY, (double)NAN};

	return WILD[next_random() % (sizeof(WILD) / sizeof(WILD[0]))];
}

static void spoil_port(struct trial_port *port)
{
	uint64_t *const counts[] = {&port->received_frames, &port->tx_gap.gaps,    &port->tx_gap.min_octets,
	                            &port->latency.frames,  &port->latency.max_ot, &port->sequence_gaps,
	                            &port->rx_first_ot,     &port->rx_last_ot,     &port->last_loss_ot,
	                            &port->silence_max_ot,  &port->offered_frames, &port->bad_frames};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (next_random() % 4 == 0)
			*counts[i] = lie();
	}
	if (next_random() % 4 == 0)
		port->latency.mean_ot = wild();
	fill_histogram(&port->latency_histogram);
	fill_octaves(&port->latency_octaves);
	fill_histogram(&port->tx_gap_histogram);
	port->latency_histogram.first = lie();
	port->tx_gap_histogram.width = lie() | 1;
}

static int liar_run(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                    struct error *error)
{
	int status = tester_run(((struct liar *)tester)->inner, request, result, error);
	uint64_t *const counts[] = {&result->offered_frames,    &result->received_frames, &result->lost_frames,
	                            &result->duplicated_frames, &result->tx_gap.gaps,     &result->tx_gap.sum_octets,
	                            &result->tx_gap.min_octets, &result->latency.frames,  &result->latency.min_ot,
	                            &result->latency.max_ot,    &result->truncated_ot,    &result->late_frames};
	double *const numbers[] = {&result->latency.mean_ot, &result->forwarding_rate_fps, &result->duration_s,
	                           &result->intended_fps};

	if (status || next_random() % 3)
		return status;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		if (next_random() % 6 == 0)
			*counts[i] = lie();
	}
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (next_random() % 6 == 0)
			*numbers[i] = wild();
	}
	result->ports = (unsigned)(next_random() % (TRIAL_MAX_PORTS + 1));
	for (unsigned i = 0; i < result->ports; i++)
		spoil_port(&result->port[i]);
	return 0;
}

/* The sanitized build tells whether any of it is undefined behaviour; here it is tested that benchmarks end and produce
 * JSON. */
Test(journal, whatever_recorded_trials_say_the_benchmarks_come_to_an_end, .timeout = 300)
{
	static const struct tester_ops OPS = {.run = liar_run};
	static const uint32_t sizes[] = {64, 1518};
	static struct bench_case c;

	for (unsigned attempt = 0; attempt < 300; attempt++) {
		struct liar liar = {.tester = {.ops = &OPS}, .inner = &c.fifo.tester};
		char *text;

		case_begin(&c, sizes, 2);
		fifo_begin(&c.fifo, 500, 2, 3);
		liar.tester.info = c.fifo.tester.info;
		c.burst.max_burst = (struct quantity){QUANTITY_TIME, 1, 1000};
		c.tests[0].frame_sizes = c.tests[1].frame_sizes = c.sizes;
		c.context.results = json_array();
		c.context.tester = &liar.tester;
		bench_run(&c.context, &c.plan, &c.error);
		text = json_dumps(c.context.results, 0);
		cr_expect_not_null(text);
		free(text);
		case_end(&c);
	}
}

/* Looks at the file from outside before every trial: all earlier trials are there. */
struct witness {
	struct tester tester; /* first */
	struct tester *inner;
	sqlite3 *database;
	sqlite3_stmt *count;
	int64_t seen;
};

static int witness_run(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                       struct error *error)
{
	struct witness *witness = (struct witness *)tester;

	cr_assert_eq(sqlite3_step(witness->count), SQLITE_ROW);
	cr_expect_eq(sqlite3_column_int64(witness->count, 0), witness->seen++);
	sqlite3_reset(witness->count);
	return tester_run(witness->inner, request, result, error);
}

Test(journal, a_trial_is_in_the_file_before_the_next_one_begins)
{
	static const struct tester_ops OPS = {.run = witness_run};
	static const uint32_t sizes[] = {64};
	static struct bench_case c;
	struct store *store = store_case_create();
	struct witness witness = {.tester = {.ops = &OPS}};
	struct journal *journal;

	case_begin(&c, sizes, 1);
	fifo_begin(&c.fifo, 500, 2, 3);
	witness.tester.info = c.fifo.tester.info;
	witness.inner = &c.fifo.tester;
	cr_assert_eq(sqlite3_open_v2(store_case_path, &witness.database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_prepare_v2(witness.database, "SELECT count(*) FROM trial", -1, &witness.count, NULL),
	             SQLITE_OK);
	c.tests[0].frame_sizes = c.tests[1].frame_sizes = c.sizes;
	c.context.results = json_array();
	cr_assert_eq(journal_open(store, &witness.tester, NULL, &journal, &c.error), 0);
	c.context.tester = journal_tester(journal);
	cr_expect_eq(bench_run(&c.context, &c.plan, &c.error), 0, "%s", c.error.text);
	cr_expect_gt(witness.seen, 10);
	journal_close(journal);
	sqlite3_finalize(witness.count);
	sqlite3_close(witness.database);
	store_close(store);
	case_end(&c);
}

Test(journal, another_trial_than_the_recorded_one_is_refused_with_both_named)
{
	static struct bench_case c;
	struct trial_request request = {.shape = traffic_shape_plain(64), .load = {1000, 3}};
	struct trial_result result;
	struct store *store = store_case_create();
	struct journal *journal;

	case_begin(&c, (uint32_t[]){64}, 1);
	fifo_begin(&c.fifo, 500, 2, 3);
	cr_assert_eq(journal_open(store, &c.fifo.tester, NULL, &journal, &c.error), 0);
	cr_assert_eq(tester_run(journal_tester(journal), &request, &result, &c.error), 0);
	journal_close(journal);
	store_close(store);

	store = store_case_reopen(STORE_RESUME);
	cr_assert_eq(journal_open(store, &c.fifo.tester, NULL, &journal, &c.error), 0);
	cr_expect(journal_replaying(journal));
	request.load.numerator = 1001;
	cr_expect_eq(tester_run(journal_tester(journal), &request, &result, &c.error), ERROR_STORE);
	cr_expect(strstr(c.error.text, "trial 1") && strstr(c.error.text, "fpgauge test") &&
	                  strstr(c.error.text, "load_fps_numerator = 1000 is recorded, 1001 is asked for"),
	          "%s", c.error.text);
	cr_expect_eq(c.fifo.trials, 1, "a trial was made all the same");
	journal_close(journal);
	store_close(store);
}
