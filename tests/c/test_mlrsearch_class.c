/* SPDX-License-Identifier: Apache-2.0 */
/* Load classification and conditional throughput of RFC 9971 against its own examples, an oracle, and hand-worked
 * cases. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/rate.h"
#include "host/search/mlrsearch.h"
#include "mlrsearch_oracle.h"
#include "search_device.h"

enum { MAX_TRIALS = 256, RANDOM_SETS = 100000, POINT = 1000000 };

static struct mlrsearch_sums sums_of(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials,
                                     size_t count)
{
	struct mlrsearch_sums sums = {0};

	for (size_t i = 0; i < count; i++)
		mlrsearch_add(goal, &sums, &trials[i]);
	return sums;
}

static enum mlrsearch_class class_of(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials,
                                     size_t count)
{
	struct mlrsearch_sums sums = sums_of(goal, trials, count);

	return mlrsearch_classify(goal, &sums);
}

static char letter(enum mlrsearch_class class)
{
	return "?LU"[class];
}

/* dur:eff:lost:sent;... */
static size_t read_trials(char *text, struct mlrsearch_trial *trials)
{
	size_t count = 0;
	char *rest = NULL;

	for (char *item = strtok_r(text, ";", &rest); item; item = strtok_r(NULL, ";", &rest), count++) {
		struct mlrsearch_trial *trial = &trials[count];

		cr_assert_lt(count, (size_t)MAX_TRIALS);
		trial->point = POINT;
		cr_assert_eq(sscanf(item, "%" SCNu64 ":%" SCNu64 ":%" SCNu64 ":%" SCNu64, &trial->duration_ns,
		                    &trial->effective_ns, &trial->lost_frames, &trial->expected_frames),
		             4, "%s", item);
	}
	return count;
}

Test(mlrsearch_class, agrees_with_all_examples_of_the_rfc)
{
	FILE *file = fopen(FPGAUGE_VECTORS "/mlrsearch_classification.csv", "r");
	static char line[65536];
	unsigned cases = 0;

	cr_assert_not_null(file);
	cr_assert_not_null(fgets(line, sizeof(line), file)); /* the heading */
	for (; fgets(line, sizeof(line), file); cases++) {
		static struct mlrsearch_trial trials[MAX_TRIALS];
		struct mlrsearch_goal goal = {.width_ppm = 5000};
		char name[64], goal_name[64], wanted;
		static char text[65536];
		size_t count;

		cr_assert_eq(sscanf(line,
		                    "%63[^,],%63[^,],%" SCNu64 ",%" SCNu64 ",%" SCNu32 ",%" SCNu32 ",%65535[^,],%c",
		                    name, goal_name, &goal.final_ns, &goal.sum_ns, &goal.loss_ppm, &goal.exceed_ppm,
		                    text, &wanted),
		             8, "line %u", cases + 2);
		count = read_trials(text, trials);
		cr_assert_eq(letter(class_of(&goal, trials, count)), wanted, "%s, %s", name, goal_name);
		cr_assert_eq(letter(oracle_class(&goal, trials, count, POINT)), wanted, "oracle: %s, %s", name,
		             goal_name);
	}
	fclose(file);
	cr_assert_eq(cases, 24);
}

static uint64_t pick(uint64_t *seed, uint64_t below)
{
	return (uint64_t)(search_device_random(seed) * (double)below);
}

/* Few distinct durations and round ratios, so that ties, which floats get wrong, come up often. */
static struct mlrsearch_goal random_goal(uint64_t *seed)
{
	static const uint32_t ratios_ppm[] = {0,      0,      1,      5000,   100000, 200000,
	                                      300000, 333333, 500000, 500000, 700000, 999999};
	struct mlrsearch_goal goal = {.loss_ppm = ratios_ppm[pick(seed, 12)],
	                              .exceed_ppm = ratios_ppm[pick(seed, 12)],
	                              .final_ns = (1 + pick(seed, 4)) * NS_PER_S,
	                              .sum_ns = (1 + pick(seed, 20)) * NS_PER_S};

	if (pick(seed, 4) == 0)
		goal.sum_ns += pick(seed, NS_PER_S);
	return goal;
}

static size_t random_trials(uint64_t *seed, const struct mlrsearch_goal *goal, struct mlrsearch_trial *trials)
{
	size_t count = 1 + pick(seed, 30);

	for (size_t i = 0; i < count; i++) {
		trials[i] = (struct mlrsearch_trial){
		        .point = POINT, .duration_ns = (1 + pick(seed, 4)) * NS_PER_S, .expected_frames = 1000000};
		trials[i].effective_ns = trials[i].duration_ns + (pick(seed, 3) == 0 ? pick(seed, NS_PER_S) : 0);
		/* none, exactly the goal, one more, or a lot */
		trials[i].lost_frames =
		        (uint64_t[]){0, goal->loss_ppm, goal->loss_ppm + 1, pick(seed, 1000000)}[pick(seed, 4)];
	}
	return count;
}

static struct fraction conditional_throughput(const struct mlrsearch_goal *goal, const struct mlrsearch_trial *trials,
                                              size_t count)
{
	struct mlrsearch_goal_result result = {.lower = POINT, .lower_sums = sums_of(goal, trials, count)};
	struct fraction throughput = {0, 1};

	mlrsearch_quantile(goal, trials, count, &result);
	throughput.numerator = POINT;
	throughput.numerator *= result.quantile_expected_frames - result.quantile_lost_frames;
	throughput.denominator = result.quantile_expected_frames;
	return throughput;
}

static void shuffle(uint64_t *seed, struct mlrsearch_trial *trials, size_t count)
{
	for (size_t i = count; i > 1; i--) {
		size_t j = pick(seed, i);
		struct mlrsearch_trial moved = trials[i - 1];

		trials[i - 1] = trials[j];
		trials[j] = moved;
	}
}

Test(mlrsearch_class, agrees_with_exact_fractions_on_random_trials_in_any_order)
{
	uint64_t seed = 20261121;
	unsigned seen[3] = {0};

	for (unsigned set = 0; set < RANDOM_SETS; set++) {
		struct mlrsearch_goal goal = random_goal(&seed);
		struct mlrsearch_trial trials[MAX_TRIALS];
		size_t count = random_trials(&seed, &goal, trials);
		enum mlrsearch_class class = class_of(&goal, trials, count);
		struct fraction throughput = conditional_throughput(&goal, trials, count);

		seen[class]++;
		cr_assert_eq(class, oracle_class(&goal, trials, count, POINT), "set %u", set);
		cr_assert_eq(fraction_compare(throughput, oracle_conditional_throughput(&goal, trials, count, POINT)),
		             0, "set %u", set);
		shuffle(&seed, trials, count);
		cr_assert_eq(class_of(&goal, trials, count), class, "set %u in another order", set);
		cr_assert_eq(fraction_compare(conditional_throughput(&goal, trials, count), throughput), 0,
		             "set %u in another order", set);
	}
	for (unsigned i = 0; i < 3; i++)
		cr_assert_gt(seen[i], RANDOM_SETS / 20u, "class %c hardly occurs: %u", letter((enum mlrsearch_class)i),
		             seen[i]);
}

/* 0.3 x 10 = 3 exactly: a third of a second more or less decides, and floats cannot tell which side it is on. */
Test(mlrsearch_class, a_tie_is_a_lower_bound)
{
	const struct mlrsearch_goal goal = {
	        .exceed_ppm = 300000, .final_ns = NS_PER_S, .sum_ns = 10 * NS_PER_S, .initial_ns = NS_PER_S};
	struct mlrsearch_sums sums = {.full_low_ns = 7 * NS_PER_S, .full_high_ns = 3 * NS_PER_S};

	cr_assert_eq(mlrsearch_classify(&goal, &sums), MLRSEARCH_LOWER);
	sums.full_high_ns++;
	cr_assert_eq(mlrsearch_classify(&goal, &sums), MLRSEARCH_UPPER);
	sums = (struct mlrsearch_sums){.full_low_ns = 7 * NS_PER_S - 1};
	cr_assert_eq(mlrsearch_classify(&goal, &sums), MLRSEARCH_UNDECIDED);
	sums.full_low_ns++;
	cr_assert_eq(mlrsearch_classify(&goal, &sums), MLRSEARCH_LOWER);
}

Test(mlrsearch_class, a_loss_of_exactly_the_goal_is_low)
{
	const struct mlrsearch_goal goal = {.loss_ppm = 5000};
	struct mlrsearch_trial trial = {.expected_frames = 200000001, .lost_frames = 1000000};

	cr_assert_not(mlrsearch_is_high_loss(&goal, &trial));
	trial.lost_frames = 1000001;
	cr_assert(mlrsearch_is_high_loss(&goal, &trial));
	trial = (struct mlrsearch_trial){.expected_frames = UINT64_MAX, .lost_frames = UINT64_MAX / 200};
	cr_assert_not(mlrsearch_is_high_loss(&goal, &trial), "no product overflows");
}

Test(mlrsearch_class, days_of_trials_do_not_overflow)
{
	const struct mlrsearch_goal goal = {.exceed_ppm = 999999, .final_ns = 1, .sum_ns = UINT64_MAX, .initial_ns = 1};
	struct mlrsearch_sums sums = {.full_low_ns = UINT64_MAX,
	                              .full_high_ns = UINT64_MAX,
	                              .short_low_ns = UINT64_MAX,
	                              .short_high_ns = UINT64_MAX};

	cr_assert_eq(mlrsearch_classify(&goal, &sums), MLRSEARCH_LOWER);
	sums.full_low_ns = sums.short_low_ns = 0;
	cr_assert_eq(mlrsearch_classify(&goal, &sums), MLRSEARCH_UPPER);
}

Test(mlrsearch_class, presets_are_those_of_the_rfc)
{
	struct mlrsearch_goal goals[MLRSEARCH_MAX_GOALS];
	struct error error;

	cr_assert_eq(mlrsearch_preset("rfc2544", goals), 1); /* RFC 9971 section 4.10.2 */
	cr_assert_eq(goals[0].final_ns, 60 * NS_PER_S);
	cr_assert_eq(goals[0].sum_ns, 60 * NS_PER_S);
	cr_assert_eq(goals[0].loss_ppm, 0);
	cr_assert_eq(goals[0].exceed_ppm, 0);
	cr_assert_eq(mlrsearch_preset("tst009", goals), 1); /* section 4.10.3 */
	cr_assert_eq(goals[0].final_ns, 60 * NS_PER_S);
	cr_assert_eq(goals[0].sum_ns, 120 * NS_PER_S);
	cr_assert_eq(goals[0].loss_ppm, 0);
	cr_assert_eq(goals[0].exceed_ppm, 500000);
	cr_assert_eq(mlrsearch_preset("ndrpdr", goals), 2);
	for (unsigned i = 0; i < 2; i++) {
		cr_assert_eq(mlrsearch_check_goal(&goals[i], &error), 0);
		cr_assert_eq(goals[i].loss_ppm, i ? 5000u : 0u);
		cr_assert_eq(goals[i].final_ns, NS_PER_S);
		cr_assert_eq(goals[i].sum_ns, 21 * NS_PER_S);
	}
	cr_assert_eq(mlrsearch_preset("rfc2889", goals), 0);
}

Test(mlrsearch_class, a_goal_out_of_range_is_named_with_its_limit)
{
	struct mlrsearch_goal good, bad;
	struct error error;

	mlrsearch_preset("rfc2544", &good);
	cr_assert_eq(mlrsearch_check_goal(&good, &error), 0);
#define REFUSED(field, value, words)                                                                                   \
	do {                                                                                                           \
		bad = good;                                                                                            \
		bad.field = (value);                                                                                   \
		cr_assert_eq(mlrsearch_check_goal(&bad, &error), ERROR_PLAN);                                          \
		cr_assert_not_null(strstr(error.text, words), "%s", error.text);                                       \
	} while (0)
	REFUSED(loss_ppm, 1000000, "goal loss ratio = 1000000 ppm: must be below 1000000");
	REFUSED(exceed_ppm, 1000000, "goal exceed ratio = 1000000 ppm: must be below 1000000");
	REFUSED(width_ppm, 0, "goal width = 0 ppm: must be above 0");
	REFUSED(width_ppm, 1000000, "goal width = 1000000 ppm: must be above 0 and below 1000000");
	REFUSED(final_ns, 0, "goal final trial duration = 0 ns: must be above 0");
	REFUSED(sum_ns, 0, "goal duration sum = 0 ns: must be above 0");
	REFUSED(initial_ns, 0, "goal initial trial duration = 0 ns: must be above 0");
	REFUSED(initial_ns, 60 * NS_PER_S + 1, "at most the final trial duration, 60000000000 ns");
#undef REFUSED
}
