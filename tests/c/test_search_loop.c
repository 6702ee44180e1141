/* SPDX-License-Identifier: Apache-2.0 */
/* The loop between search and tester, with points that are neither loads nor bursts: numbers of addresses, and a device
 * that learns only so many. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "host/bench/search_loop.h"
#include "host/search/mlrsearch.h"

enum { CAPACITY = 703, MOST = 1000, MAX_LOG = 400 };

/* The trial's number, from 1, is in its truncated_ot, and its addresses are in its intended_frames. */
struct table {
	struct tester tester; /* first */
	uint64_t capacity;
	unsigned trials;
	unsigned chance_losses; /* this many of the first trials lose a frame, whatever is requested */
	unsigned valid_trials;  /* trials after which all are invalid; 0: never */
	struct search_request log[MAX_LOG];
	unsigned requests, told;
};

static int run_trial(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                     struct error *error)
{
	struct table *table = (struct table *)tester;

	(void)error;
	table->trials++;
	*result = (struct trial_result){.valid = table->valid_trials == 0 || table->trials <= table->valid_trials,
	                                .offered_frames = 100000,
	                                .intended_frames = request->shape.addresses,
	                                .truncated_ot = table->trials};
	if (request->shape.addresses > table->capacity)
		result->lost_frames = request->shape.addresses - table->capacity;
	else if (table->trials <= table->chance_losses)
		result->lost_frames = 1;
	return 0;
}

static void ask_addresses(void *user, const struct session *session, const struct search_request *wanted,
                          struct trial_request *request)
{
	struct table *table = user;

	cr_assert_lt(table->requests, MAX_LOG);
	table->log[table->requests++] = *wanted;
	request->shape.addresses = (unsigned)wanted->point;
	request->duration_ot = session_octet_times(session, wanted->duration_ns);
}

static void hear(void *user, const struct trial_result *trial)
{
	struct table *table = user;

	cr_assert(trial->valid);
	table->told++;
}

static const struct benchmark ADDRESSES = {.plan.keys.name = "addresses", .point_unit = "addresses"};
static const struct tester_ops OPS = {.run = run_trial};
static struct table table;
static struct plan_test test;
static struct plan plan = {.tests = &test, .test_count = 1};
static struct bench_context context;
static struct session session;
static struct trial_result last_trial;
static struct findings found;
static struct error error;

static struct mlrsearch_goal goal;
static struct mlrsearch_config goals;

static void begin(void)
{
	table = (struct table){.tester = {.ops = &OPS, .info = {.link_bps = UINT64_C(100000000000), .senders = 2}},
	                       .capacity = CAPACITY};
	context = (struct bench_context){.tester = &table.tester};
	session = session_begin(&context, &ADDRESSES, &plan, 0, 64);
	session.trial = &last_trial;
	goal = (struct mlrsearch_goal){.exceed_ppm = 500000,
	                               .width_ppm = 10000,
	                               .final_ns = 1000000000,
	                               .sum_ns = 5000000000,
	                               .initial_ns = 100000000};
	goals = (struct mlrsearch_config){.goals = &goal, .goal_count = 1};
	error = (struct error){0};
}

static void end(void)
{
	findings_free(&found);
}

TestSuite(search_loop, .init = begin, .fini = end);

static struct search_config config_of(enum search_kind kind)
{
	return (struct search_config){.kind = kind,
	                              .low = 1,
	                              .high = MOST,
	                              .step = 1,
	                              .duration_ns = 1000000,
	                              .max_repeat = 3,
	                              .z = SEARCH_NO_Z,
	                              .mlrsearch = kind == SEARCH_MLRSEARCH ? &goals : NULL};
}

static int play(const struct search_config *config)
{
	const struct search_points points = {.request = ask_addresses, .note = hear, .user = &table};

	return search_loop(&session, config, &points, &found, &error);
}

Test(search_loop, every_search_finds_how_many_addresses_a_device_knows_and_the_trials_that_show_it)
{
	static const struct {
		enum search_kind kind;
		uint64_t apart;
	} CASES[] = {{SEARCH_BINARY, 1}, {SEARCH_LOSS_VERIFICATION, 1}, {SEARCH_MLRSEARCH, MOST / 100}};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct search_config config = config_of(CASES[i].kind);

		begin();
		cr_assert_eq(play(&config), 0, "%s", error.text);
		cr_expect(found.bounds.lower <= CAPACITY && found.bounds.upper > CAPACITY);
		cr_expect_leq(found.bounds.upper - found.bounds.lower, CASES[i].apart);
		cr_expect_eq(found.passed->intended_frames, found.bounds.lower);
		cr_expect_eq(found.passed->lost_frames, 0);
		cr_expect_eq(found.failed->intended_frames, found.bounds.upper);
		cr_expect_eq(found.failed->lost_frames, found.bounds.upper - CAPACITY);
		cr_expect_eq(found.lossy_trials, 0);
		cr_expect_eq(table.told, table.trials);
		cr_expect_eq(table.requests, table.trials);
		end();
	}
}

/* Counts only what is above 100 addresses beyond the capacity. */
static uint64_t lost_beyond(const void *user, const struct session *of, const struct trial_result *trial)
{
	cr_assert(user == &table && of == &session);
	return trial->lost_frames > 100 ? trial->lost_frames - 100 : 0;
}

Test(search_loop, loss_that_is_not_what_the_search_is_about_decides_nothing)
{
	const struct search_config config = config_of(SEARCH_BINARY);
	const struct search_points points = {
	        .request = ask_addresses, .lost = lost_beyond, .note = hear, .user = &table};

	cr_assert_eq(search_loop(&session, &config, &points, &found, &error), 0, "%s", error.text);
	cr_expect_eq(found.bounds.lower, CAPACITY + 100);
	cr_expect_eq(found.bounds.upper, CAPACITY + 101);
	cr_expect_eq(found.passed->lost_frames, 0);
	cr_expect_eq(found.failed->lost_frames, 1);
	cr_expect_eq(found.lossy_trials, 0);
}

Test(search_loop, what_loss_verification_overruled_is_counted_and_decides_nothing)
{
	struct search_config config = config_of(SEARCH_LOSS_VERIFICATION);

	table.capacity = MOST;
	table.chance_losses = 2;
	cr_assert_eq(play(&config), 0, "%s", error.text);
	cr_expect_eq(found.bounds.lower, MOST);
	cr_expect_eq(found.trials, 3);
	cr_expect_eq(found.lossy_trials, 2);
	cr_expect_eq(found.passed->truncated_ot, 3);
	cr_expect_eq(found.passed->lost_frames, 0);
	cr_expect_null(found.failed, "there is no upper bound");
}

/* Finds the longest trial in the log of requests, in whatever order they came. */
static uint64_t last_of_the_longest(uint64_t point, unsigned *trials)
{
	uint64_t longest_ns = 0, number = 0;

	*trials = 0;
	for (unsigned i = 0; i < table.requests; i++) {
		if (table.log[i].point != point || table.log[i].warm_up)
			continue;
		++*trials;
		if (table.log[i].duration_ns >= longest_ns) {
			longest_ns = table.log[i].duration_ns;
			number = i + 1;
		}
	}
	return number;
}

Test(search_loop, of_trials_of_different_length_the_last_of_the_longest_decides)
{
	struct search_config config = config_of(SEARCH_MLRSEARCH);
	unsigned lower_trials, upper_trials;

	cr_assert_eq(play(&config), 0, "%s", error.text);
	cr_expect_eq(found.passed->truncated_ot, last_of_the_longest(found.bounds.lower, &lower_trials));
	cr_expect_eq(found.failed->truncated_ot, last_of_the_longest(found.bounds.upper, &upper_trials));
	cr_expect_gt(lower_trials, 1, "or there was no choice");
	cr_expect_eq(found.trials, lower_trials);
}

Test(search_loop, a_lossy_trial_that_a_goal_without_loss_lets_pass_decides_nothing)
{
	struct search_config config = config_of(SEARCH_MLRSEARCH);

	goal.initial_ns = goal.final_ns; /* every trial is full-length */
	table.capacity = MOST;
	table.chance_losses = 1;
	cr_assert_eq(play(&config), 0, "%s", error.text);
	cr_assert_eq(found.bounds.lower, MOST);
	cr_expect_eq(found.lossy_trials, 1);
	cr_expect_eq(found.passed->lost_frames, 0);
}

Test(search_loop, a_warm_up_is_no_trial_of_its_point)
{
	struct search_config config = config_of(SEARCH_MLRSEARCH);

	goals.warm_up_ns = 60 * goal.final_ns; /* longer than everything after it */
	table.capacity = MOST;
	table.chance_losses = 1;
	cr_assert_eq(play(&config), 0, "%s", error.text);
	cr_assert(table.log[0].warm_up);
	cr_assert_eq(found.bounds.lower, MOST);
	cr_expect_gt(found.passed->truncated_ot, 1);
	cr_expect_eq(found.lossy_trials, 0);
	cr_expect_eq(found.trials, table.trials - 1);
}

Test(search_loop, a_trial_that_stays_invalid_ends_it_with_what_is_known)
{
	struct search_config config = config_of(SEARCH_BINARY);

	table.valid_trials = 4;
	cr_assert_eq(play(&config), SESSION_INVALID);
	cr_expect(strstr(session.why_invalid, "the tester did not do what was asked"), "%s", session.why_invalid);
	cr_expect_eq(found.bounds.trials, 4);
	cr_expect(found.bounds.has_lower && found.passed->intended_frames == found.bounds.lower);
	cr_expect(found.bounds.has_upper && found.failed->intended_frames == found.bounds.upper);
	cr_expect_eq(table.told, 4);
	cr_expect_eq(table.trials, 4 + MAX_TRIAL_REPEATS + 1);
}

Test(search_loop, a_limit_of_the_plan_is_named)
{
	struct search_config config = config_of(SEARCH_BINARY);

	config.trials_limit = 3;
	cr_assert_eq(play(&config), SESSION_INVALID);
	cr_expect(strstr(session.why_invalid, "the search ended after 3 trials"), "%s", session.why_invalid);
}

Test(search_loop, a_configuration_that_makes_no_search_runs_no_trial)
{
	struct search_config config = config_of(SEARCH_BINARY);

	config.step = 0;
	cr_assert_lt(play(&config), 0);
	cr_expect_null(found.search);
	cr_expect_eq(table.trials, 0);
}

/* -- foresight ----------------------------------------------------------------------------------------------------- */

enum { LOOKS_AHEAD = 6, REPETITIONS = 4 };

/* The trials that were announced, and those that came. */
static struct {
	unsigned expected[LOOKS_AHEAD], count;
	unsigned asked[MAX_LOG], trials;
	unsigned right, wrong; /* guesses after the first, in all repetitions but the first */
} ahead;

static unsigned look_ahead(const struct tester *tester)
{
	(void)tester;
	return LOOKS_AHEAD;
}

static void expect_trials(struct tester *tester, const struct trial_request *requests, unsigned count)
{
	(void)tester;
	cr_assert(count >= 1 && count <= LOOKS_AHEAD);
	ahead.count = count;
	for (unsigned i = 0; i < count; i++)
		ahead.expected[i] = requests[i].shape.addresses;
}

static int run_foreseen(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                        struct error *failure)
{
	cr_assert_eq(request->shape.addresses, ahead.expected[0]);
	cr_assert_lt(ahead.trials, MAX_LOG);
	ahead.asked[ahead.trials++] = request->shape.addresses;
	return run_trial(tester, request, result, failure);
}

static void ask_only(void *user, const struct session *asking, const struct search_request *wanted,
                     struct trial_request *request)
{
	(void)user;
	request->shape.addresses = (unsigned)wanted->point;
	request->duration_ot = session_octet_times(asking, wanted->duration_ns);
}

/* All trials of all repetitions, in order. */
static void play_repeated(enum search_kind kind, const struct tester_ops *ops)
{
	const struct search_points points = {.request = ask_only, .user = &table};
	const struct search_config config = config_of(kind);

	begin();
	memset(&ahead, 0, sizeof(ahead));
	table.tester.ops = ops;
	session.progress.repetitions = REPETITIONS;
	for (unsigned i = 1; i <= REPETITIONS; i++) {
		session.progress.repetition = i;
		cr_assert_eq(search_loop(&session, &config, &points, &found, &error), 0, "%s", error.text);
		findings_free(&found);
	}
}

static const struct tester_ops AHEAD_OPS = {.run = run_foreseen, .looks_ahead = look_ahead, .expect = expect_trials};

static unsigned plain_asked[MAX_LOG], plain_trials;

static int run_plain(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                     struct error *failure)
{
	cr_assert_lt(plain_trials, MAX_LOG);
	plain_asked[plain_trials++] = request->shape.addresses;
	return run_trial(tester, request, result, failure);
}

static int run_judged(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                      struct error *failure)
{
	for (unsigned i = 1; i < ahead.count && session.progress.repetition > 1; i++) {
		const unsigned at = ahead.trials + i;

		*(at < plain_trials && plain_asked[at] == ahead.expected[i] ? &ahead.right : &ahead.wrong) += 1;
	}
	return run_foreseen(tester, request, result, failure);
}

Test(search_loop, a_tester_that_looks_ahead_is_told_every_trial_of_a_repeated_search_and_the_course_is_the_same)
{
	static const enum search_kind KINDS[] = {SEARCH_BINARY, SEARCH_LOSS_VERIFICATION, SEARCH_MLRSEARCH};
	static const struct tester_ops PLAIN = {.run = run_plain};
	struct tester_ops judged = AHEAD_OPS;

	judged.run = run_judged;
	for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++) {
		plain_trials = 0;
		play_repeated(KINDS[i], &PLAIN);
		play_repeated(KINDS[i], &judged);
		cr_expect_eq(ahead.trials, plain_trials);
		cr_expect_arr_eq(ahead.asked, plain_asked, plain_trials * sizeof(*plain_asked));
		cr_expect_eq(ahead.wrong, 0, "search %zu: %u of %u", i, ahead.wrong, ahead.wrong + ahead.right);
		/* every trial, but for the ends of the last repetition */
		cr_expect_gt(ahead.right,
		             (LOOKS_AHEAD - 1) * (plain_trials * (REPETITIONS - 1) / REPETITIONS - LOOKS_AHEAD));
	}
}

Test(search_loop, a_device_that_loses_what_is_beyond_its_capacity_is_foreseen_after_two_losses)
{
	unsigned seen = 0, right = 0;

	for (unsigned capacity = 11; capacity < MOST - 1; capacity += 7) {
		struct foresight foresight = {0};

		for (unsigned point = MOST; point >= MOST - 1; point--)
			foresight_note(&foresight, &(struct search_request){.point = point},
			               &(struct search_observation){.expected_frames = point * 1000,
			                                            .lost_frames = (point - capacity) * 1000});
		for (unsigned point = 1; point < MOST; point += 3, seen++) {
			const struct search_observation guess =
			        foresight_guess(&foresight, &(struct search_request){.point = point});

			right += (guess.lost_frames > 0) == (point > capacity);
		}
	}
	cr_expect_gt(right, seen - seen / 100, "%u of %u", right, seen);
}
