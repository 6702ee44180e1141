/* SPDX-License-Identifier: Apache-2.0 */
/* The run file and the journal, with benchmarks over the FIFO tester: thousands of trials a second, each on the disk.
 */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "bench_case.h"
#include "host/store/journal.h"
#include "host/store/store.h"

static char directory[64], path[96];

static void enter(void)
{
	/* In memory where that is possible: thousands of commits, and what they are to survive is not tested here. */
	snprintf(directory, sizeof(directory), "/dev/shm/fpgauge-store-XXXXXX");
	if (!mkdtemp(directory)) {
		snprintf(directory, sizeof(directory), "/tmp/fpgauge-store-XXXXXX");
		cr_assert_not_null(mkdtemp(directory));
	}
	snprintf(path, sizeof(path), "%s/run.db", directory);
}

static void leave(void)
{
	unlink(path);
	cr_expect_eq(rmdir(directory), 0, "a file is left beside the run file");
}

TestSuite(store, .init = enter, .fini = leave);

static const struct store_plan_file PLAN_FILE = {"lab.cfg", "/lab/lab.cfg", "device = ...\n"};

static struct store *create(void)
{
	struct store_run run = {.tool = "fpgauge test",
	                        .plan_path = "lab.cfg",
	                        .files = &PLAN_FILE,
	                        .file_count = 1,
	                        .tester = "{\"backend\":\"test\"}",
	                        .link_bps = 100000000000};
	struct store *store;
	struct error error = {0};

	cr_assert_eq(store_create(path, &run, "", &store, &error), 0, "%s", error.text);
	cr_assert_eq(store_session_begin(store, "run", "fpgauge test", "{}", &error), 0, "%s", error.text);
	return store;
}

static struct store *reopen(enum store_access access_kind)
{
	struct store *store;
	struct error error = {0};

	cr_assert_eq(store_open(path, access_kind, &store, &error), 0, "%s", error.text);
	if (access_kind == STORE_RESUME)
		cr_assert_eq(store_session_begin(store, "resume", "fpgauge test", "{}", &error), 0, "%s", error.text);
	return store;
}

static uint64_t random_state = 88172645463325252u;

static uint64_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return random_state;
}

/* Every counter something else, also what only a broken device shows. */
static void fill_random(void *base, size_t size)
{
	static const uint64_t EDGES[] = {0, 1, UINT64_MAX, UINT64_MAX - 1, INT64_MAX, (uint64_t)INT64_MAX + 1};
	unsigned char *octets = base;

	for (size_t i = 0; i + 8 <= size; i += 8) {
		uint64_t value = next_random() % 4 ? next_random() : EDGES[next_random() % 6];

		memcpy(octets + i, &value, 8);
	}
}

/* As histogram_begin() leaves it: nothing behind the bins in use, and none at all without a width. */
static void fill_histogram(struct histogram *histogram)
{
	const bool taken = next_random() % 4 != 0;

	fill_random(histogram, sizeof(*histogram));
	histogram->width |= 1;
	histogram->bins = next_random() % (HISTOGRAM_BINS + 1);
	memset(&histogram->count[histogram->bins], 0, (HISTOGRAM_BINS - histogram->bins) * sizeof(histogram->count[0]));
	if (!taken)
		*histogram = (struct histogram){.width = 0};
}

static struct store_trial random_trial(void)
{
	struct store_trial trial = {.place = {.test_number = 1, .test = "throughput", .frame_octets = 64},
	                            .started = "2026-01-01T00:00:00.000Z",
	                            .wall_s = 0.125};
	struct trial_request *request = &trial.request;
	struct trial_result *result = &trial.result;

	fill_random(request, sizeof(*request));
	request->kind = next_random() % 2 ? TRIAL_LOAD : TRIAL_BURST;
	request->direction = next_random() % 2 ? TRIAL_BIDIRECTIONAL : TRIAL_UNIDIRECTIONAL;
	fill_random(result, sizeof(*result));
	result->valid = next_random() % 2;
	snprintf(result->why_invalid, sizeof(result->why_invalid), "port %u: it's \"so\"", (unsigned)next_random());
	result->gaps_unproven = next_random() % 2;
	result->ports = (unsigned)(next_random() % (TRIAL_MAX_PORTS + 1));
	result->intended_fps = next_random() % 2 ? (double)NAN : 1.0 / 3;
	result->forwarding_rate_fps = 148809523.80952382;
	result->duration_s = 1e-300;
	result->latency.mean_ot = INFINITY;
	for (unsigned i = 0; i < TRIAL_MAX_PORTS; i++) {
		result->port[i].sent = next_random() % 2;
		result->port[i].latency.mean_ot = (double)(next_random() >> 3) / 7;
		fill_histogram(&result->port[i].latency_histogram);
		fill_histogram(&result->port[i].tx_gap_histogram);
	}
	return trial;
}

#define SAME(a, b, member) cr_expect_eq(memcmp(&(a)->member, &(b)->member, sizeof((a)->member)), 0, #member)

static void expect_same_double(double a, double b, const char *name)
{
	cr_expect((isnan(a) && isnan(b)) || memcmp(&a, &b, sizeof(a)) == 0, "%s: %.17g, %.17g", name, a, b);
}

static void expect_same_port(const struct trial_port *a, const struct trial_port *b)
{
	cr_expect_eq(a->sent, b->sent);
	cr_expect_eq(memcmp(&a->offered_frames, &b->offered_frames,
	                    offsetof(struct trial_port, latency) - offsetof(struct trial_port, offered_frames)),
	             0);
	SAME(a, b, latency.frames);
	SAME(a, b, latency.min_ot);
	SAME(a, b, latency.max_ot);
	expect_same_double(a->latency.mean_ot, b->latency.mean_ot, "port latency");
	SAME(a, b, latency_histogram);
	SAME(a, b, tx_gap_histogram);
}

Test(store, gives_every_counter_of_a_trial_back_as_it_was)
{
	enum { TRIALS = 200 };
	static struct store_trial trials[TRIALS];
	struct store *store = create();
	struct error error = {0};

	for (unsigned i = 0; i < TRIALS; i++) {
		trials[i] = random_trial();
		cr_assert_eq(store_trial_add(store, &trials[i], &error), 0, "%s", error.text);
	}
	store_close(store);
	store = reopen(STORE_REPORT);
	cr_assert_eq(store_trial_count(store), TRIALS);
	for (unsigned i = 0; i < TRIALS; i++) {
		const struct trial_result *is = &trials[i].result, *was;
		struct store_trial back;
		char text[200];

		cr_assert_eq(store_trial_get(store, i + 1, &back, &error), 0, "%s", error.text);
		was = &back.result;
		cr_expect_eq(store_request_differs(&back.request, &trials[i].request, text, sizeof(text)), 0, "%s",
		             text);
		cr_expect_eq(is->valid, was->valid);
		cr_expect_str_eq(is->why_invalid, was->why_invalid);
		SAME(is, was, intended_frames);
		expect_same_double(is->intended_fps, was->intended_fps, "intended_fps");
		cr_expect_eq(memcmp(&is->offered_frames, &was->offered_frames,
		                    offsetof(struct trial_result, late_frames) -
		                            offsetof(struct trial_result, offered_frames)),
		             0);
		SAME(is, was, late_frames);
		SAME(is, was, tx_gap);
		cr_expect_eq(is->gaps_unproven, was->gaps_unproven);
		expect_same_double(is->latency.mean_ot, was->latency.mean_ot, "latency");
		expect_same_double(is->forwarding_rate_fps, was->forwarding_rate_fps, "forwarding_rate_fps");
		expect_same_double(is->duration_s, was->duration_s, "duration_s");
		SAME(is, was, truncated_ot);
		cr_assert_eq(is->ports, was->ports);
		for (unsigned port = 0; port < is->ports; port++)
			expect_same_port(&is->port[port], &was->port[port]);
	}
	store_close(store);
}

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

Test(store, a_run_that_died_after_any_trial_goes_on_to_the_same_results)
{
	static struct bench_case calm, died, resumed;
	unsigned total;
	struct store *store = create();

	cr_assert_eq(run_case(&calm, store, 0), 0, "%s", calm.error.text);
	total = calm.fifo.trials;
	cr_assert_eq(store_trial_count(store), total);
	store_close(store);
	unlink(path);
	cr_assert_gt(total, 40);
	for (unsigned trials = 1; trials < total; trials++) {
		store = create();
		cr_assert_eq(run_case(&died, store, trials), ERROR_CANCELLED);
		cr_assert_eq(store_trial_count(store), trials);
		store_close(store);
		store = reopen(STORE_RESUME);
		cr_assert_eq(run_case(&resumed, store, 0), 0, "%s", resumed.error.text);
		cr_expect(json_equal(resumed.context.results, calm.context.results), "after trial %u", trials);
		cr_expect_eq(resumed.fifo.trials, total - trials, "trials are made again, or left out");
		cr_expect_eq(store_trial_count(store), total);
		store_close(store);
		unlink(path);
		case_end(&died);
		case_end(&resumed);
	}
	case_end(&calm);
}

/* A tester that says of some trials what only a run file of somebody else could say. */
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

/* The sanitized build says whether any of it is undefined; here, that benchmarks come to an end and to JSON. */
Test(store, whatever_recorded_trials_say_the_benchmarks_come_to_an_end, .timeout = 300)
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

/* Looks at the file from outside before every trial: all that came before are there. */
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

Test(store, a_trial_is_in_the_file_before_the_next_one_begins)
{
	static const struct tester_ops OPS = {.run = witness_run};
	static const uint32_t sizes[] = {64};
	static struct bench_case c;
	struct store *store = create();
	struct witness witness = {.tester = {.ops = &OPS}};
	struct journal *journal;

	case_begin(&c, sizes, 1);
	fifo_begin(&c.fifo, 500, 2, 3);
	witness.tester.info = c.fifo.tester.info;
	witness.inner = &c.fifo.tester;
	cr_assert_eq(sqlite3_open_v2(path, &witness.database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
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

Test(store, another_trial_than_the_recorded_one_is_refused_with_both_named)
{
	static struct bench_case c;
	struct trial_request request = {.frame_octets = 64, .destinations = 1, .load = {1000, 3}};
	struct trial_result result;
	struct store *store = create();
	struct journal *journal;

	case_begin(&c, (uint32_t[]){64}, 1);
	fifo_begin(&c.fifo, 500, 2, 3);
	cr_assert_eq(journal_open(store, &c.fifo.tester, NULL, &journal, &c.error), 0);
	cr_assert_eq(tester_run(journal_tester(journal), &request, &result, &c.error), 0);
	journal_close(journal);
	store_close(store);

	store = reopen(STORE_RESUME);
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

/* What SQLite asks the system for, counted below it: the files keep their own methods, but for xSync. */
struct counted_methods {
	sqlite3_io_methods methods; /* first: a file points here */
	const sqlite3_io_methods *original;
};

static sqlite3_vfs counting_vfs;
static int (*original_open)(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags);
static unsigned wal_syncs, database_syncs;

static int counted_sync(sqlite3_file *file, unsigned *count, int flags)
{
	++*count;
	return ((const struct counted_methods *)file->pMethods)->original->xSync(file, flags);
}

static int sync_wal(sqlite3_file *file, int flags)
{
	return counted_sync(file, &wal_syncs, flags);
}

static int sync_database(sqlite3_file *file, int flags)
{
	return counted_sync(file, &database_syncs, flags);
}

static int counting_open(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *out_flags)
{
	static struct counted_methods counted[64];
	static size_t used;
	int status = original_open(vfs, name, file, flags, out_flags);

	if (status == SQLITE_OK && file->pMethods && flags & (SQLITE_OPEN_WAL | SQLITE_OPEN_MAIN_DB)) {
		cr_assert_lt(used, sizeof(counted) / sizeof(counted[0]));
		counted[used] = (struct counted_methods){.methods = *file->pMethods, .original = file->pMethods};
		counted[used].methods.xSync = flags & SQLITE_OPEN_WAL ? sync_wal : sync_database;
		file->pMethods = &counted[used++].methods;
	}
	return status;
}

static void count_syncs(void)
{
	const sqlite3_vfs *usual = sqlite3_vfs_find(NULL);

	counting_vfs = *usual;
	counting_vfs.zName = "counting";
	counting_vfs.xOpen = counting_open;
	original_open = usual->xOpen;
	cr_assert_eq(sqlite3_vfs_register(&counting_vfs, 1), SQLITE_OK);
}

/* Adds trials and looks whether each had the disk asked to keep it before the call came back. */
static void expect_a_sync_a_trial(struct store *store, const char *what)
{
	struct error error = {0};

	for (unsigned i = 0; i < 10; i++) {
		struct store_trial trial = random_trial();
		unsigned before = wal_syncs;

		cr_assert_eq(store_trial_add(store, &trial, &error), 0, "%s", error.text);
		cr_expect_geq(wal_syncs, before + 1, "%s: trial %u was not brought to the disk", what, i + 1);
	}
}

/* PRAGMA synchronous = FULL, as a power cut sees it; nothing that is written can show it afterwards. */
Test(store, a_trial_has_been_synced_to_the_disk_when_its_commit_returns)
{
	struct store_result result = {.test_number = 1,
	                              .test = "throughput",
	                              .rfc = "r",
	                              .frame_octets = 64,
	                              .valid = true,
	                              .document = "{}"};
	struct error error = {0};
	struct store *store;
	unsigned before;

	count_syncs();
	store = create();
	expect_a_sync_a_trial(store, "run");
	before = wal_syncs;
	cr_assert_eq(store_results_put(store, &result, 1, &error), 0, "%s", error.text);
	cr_expect_geq(wal_syncs, before + 1, "a result was not brought to the disk");
	before = database_syncs;
	store_close(store);
	cr_expect_geq(database_syncs, before + 1, "the journal was taken away from what is not on the disk");
	store = reopen(STORE_RESUME);
	expect_a_sync_a_trial(store, "resume");
	store_close(store);
}

static int count_result(void *user, const struct store_result *result)
{
	char *text = user;

	strcat(text, result->document);
	return 0;
}

Test(store, results_may_change_and_those_that_are_no_more_go)
{
	struct store_result results[] = {{.test = "a", .rfc = "", .document = "{\"x\":1}"},
	                                 {.test = "b", .rfc = "", .document = "{\"x\":2}"}};
	struct store *store = create();
	struct error error = {0};
	char text[64] = "";

	cr_expect_eq(store_results_put(store, results, 2, &error), 0, "%s", error.text);
	results[0].document = "{\"x\":3}";
	cr_expect_eq(store_results_put(store, results, 2, &error), 0, "%s", error.text);
	cr_expect_eq(store_results_each(store, count_result, text, &error), 0, "%s", error.text);
	cr_expect_str_eq(text, "{\"x\":3}{\"x\":2}");
	text[0] = 0;
	cr_expect_eq(store_results_put(store, results, 1, &error), 0, "%s", error.text);
	cr_expect_eq(store_results_each(store, count_result, text, &error), 0, "%s", error.text);
	cr_expect_str_eq(text, "{\"x\":3}");
	store_close(store);
}

Test(store, names_that_mean_something_to_sqlite_are_names_of_files)
{
	static const char *const NAMES[] = {":memory:", "file:x?mode=memory", "a b%20c#?.db"};
	struct store_run run = {.tool = "t", .plan_path = "p", .files = &PLAN_FILE, .file_count = 1, .tester = "{}"};
	struct store *store;
	struct error error = {0};

	cr_assert_eq(chdir(directory), 0);
	for (size_t i = 0; i < sizeof(NAMES) / sizeof(NAMES[0]); i++) {
		cr_assert_eq(store_create(NAMES[i], &run, "", &store, &error), 0, "%s", error.text);
		store_close(store);
		cr_assert_eq(store_open(NAMES[i], STORE_REPORT, &store, &error), 0, "%s", error.text);
		cr_expect_str_eq(store_run(store)->plan_text, PLAN_FILE.text);
		store_close(store);
		cr_expect_eq(unlink(NAMES[i]), 0, "%s is no file", NAMES[i]);
	}
}

Test(store, is_in_wal_mode_while_it_is_written_and_one_file_at_rest)
{
	/* What the connection of the store does is its own; what it left in the file is seen from outside. */
	struct store *store = create();
	sqlite3 *database;
	sqlite3_stmt *mode;

	cr_assert_eq(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_prepare_v2(database, "PRAGMA journal_mode", -1, &mode, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_step(mode), SQLITE_ROW);
	cr_expect_str_eq((const char *)sqlite3_column_text(mode, 0), "wal");
	sqlite3_finalize(mode);
	sqlite3_close(database);
	store_close(store);
	cr_assert_eq(sqlite3_open_v2(path, &database, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_prepare_v2(database, "PRAGMA journal_mode", -1, &mode, NULL), SQLITE_OK);
	cr_assert_eq(sqlite3_step(mode), SQLITE_ROW);
	cr_expect_str_eq((const char *)sqlite3_column_text(mode, 0), "delete", "a file at rest is one file");
	sqlite3_finalize(mode);
	sqlite3_close(database);
}
