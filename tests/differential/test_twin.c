/* SPDX-License-Identifier: Apache-2.0 */
/* The twin checked against the RTL: the same random trials on both must give the same counters, to the last octet time.
 * A failure prints a short script that repeats it; tools/bench --long plays 50,000 trials more. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/differential/campaign.h"
#include "tests/differential/generate.h"
#include "tests/differential/registers.h"
#include "tests/differential/shrink.h"

enum { SEED = 0, TRIALS = 2000, SEEN_TRIALS = 10, LATE_TRIALS = 8 };

static const struct recipe RECIPE = {.seed = SEED, .ports = 2, .scale = 1};

static void load(struct pair *pair)
{
	char why[512] = "";

	cr_assert(side_load(&pair->side[0], RTL_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair->side[1], TWIN_LIBRARY, NULL, why, sizeof(why)), "%s", why);
}

/* No device under test truncates frames, no frame is late, and no sum comes near 2^64. */
static bool never_counts(unsigned counter)
{
	return counter == FPGAUGE_COUNTER_TX_LATE_FRAMES || counter == FPGAUGE_COUNTER_RX_WRONG_LENGTH_FRAMES ||
	       counter == FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH;
}

Test(twin, two_thousand_random_trials_give_the_same_answers_as_the_rtl)
{
	struct campaign campaign;
	struct pair pair;

	load(&pair);
	campaign_run(&pair, &RECIPE, 0, TRIALS, &campaign);
	if (campaign.different != 0)
		campaign_explain(stderr, &pair, &RECIPE, campaign.first_different);
	cr_expect(campaign.different == 0, "seed %d trial %" PRIu64 ": %s", SEED, campaign.first_different,
	          campaign.what);
	cr_expect(campaign.trials == TRIALS && campaign.refused == 0);
	/* Equal zeros would prove little. */
	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
		cr_expect(campaign.seen[i] >= SEEN_TRIALS || never_counts(i), "%s counted in %" PRIu64 " trials only",
		          COUNTER_NAMES[i], campaign.seen[i]);
	printf("%" PRIu64 " trials, %" PRIu64 " frames, %.3f ms of device time\n", campaign.trials, campaign.frames,
	       (double)campaign.end_ot * 0.08e-6);
}

/* In these models something happens by the time alone: over years, too often to play. */
static bool goes_by_the_time(const struct script *script)
{
	for (size_t i = 0; i < script->option_count; i++)
		if (strstr(script->option[i].name, "stall") != NULL || strstr(script->option[i].name, "dark") != NULL)
			return true;
	return false;
}

/* The same script, years later. */
static void wait_first(struct script *script, uint64_t octet_times)
{
	struct script late = {0};

	for (size_t i = 0; i < script->option_count; i++)
		script_option(&late, script->option[i].name, "%s", script->option[i].value);
	script_op(&late, OP_WAIT, octet_times, 0, 0);
	for (size_t i = 0; i < script->op_count; i++)
		script_op(&late, script->ops[i].kind, script->ops[i].operand[0], script->ops[i].operand[1],
		          script->ops[i].operand[2]);
	script_release(script);
	*script = late;
}

/* Where 48 bits of words, and the time of a signature, wrap. The RTL skips there in 65,536 jumps. */
Test(twin, random_trials_across_2_to_the_54_octet_times_give_the_same_answers_as_the_rtl)
{
	const uint64_t boundary_ot = UINT64_C(1) << 54;
	uint64_t frames = 0, played = 0, across = 0;
	struct pair pair;

	load(&pair);
	for (uint64_t seed = SEED; played < LATE_TRIALS; seed++) {
		struct recipe recipe = {.seed = seed, .ports = 2, .scale = 1};
		struct outcome outcome;
		struct script script;

		generate_script(&recipe, &script);
		if (goes_by_the_time(&script)) {
			script_release(&script);
			continue;
		}
		wait_first(&script, boundary_ot - 100000 - 10000 * played);
		play(&pair, &script, &outcome);
		cr_expect(!outcome.different, "seed %" PRIu64 ": %s", seed, outcome.what);
		frames += outcome.counted[FPGAUGE_COUNTER_TX_FRAMES];
		across += outcome.end_ot > boundary_ot;
		played++;
		script_release(&script);
	}
	cr_expect(frames > 50 * LATE_TRIALS && across == LATE_TRIALS, "%" PRIu64 " frames, %" PRIu64 " trials across",
	          frames, across);
}

Test(twin, every_address_of_the_map_answers_reads_and_writes_like_the_rtl)
{
	struct random random = {SEED};
	struct outcome outcome;
	struct script script;
	struct pair pair;

	load(&pair);
	generate_every_address(&random, &script);
	play(&pair, &script, &outcome);
	if (outcome.different) {
		shrink(&pair, &script, &outcome, 200);
		script_print(stderr, &script, outcome.op, outcome.what);
	}
	cr_expect(!outcome.different, "%s", outcome.what);
	script_release(&script);
}
