/* SPDX-License-Identifier: Apache-2.0 */
/* The twin checked against the RTL: the same random trials on both must give the same counters, to the last octet time.
 * A failure prints a short script that repeats it; tools/bench --long plays 50,000 trials more. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "tests/differential/campaign.h"
#include "tests/differential/generate.h"
#include "tests/differential/registers.h"
#include "tests/differential/shrink.h"

enum { SEED = 0, TRIALS = 2000, SEEN_TRIALS = 10 };

static const struct recipe RECIPE = {.seed = SEED, .scale = 1};

static void load(struct pair *pair)
{
	char why[512] = "";

	cr_assert(side_load(&pair->side[0], RTL_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair->side[1], TWIN_LIBRARY, NULL, why, sizeof(why)), "%s", why);
}

/* No device under test makes frames that break off, are truncated or carry no signature, and no sum comes near 2^64. */
static bool never_counts(unsigned counter)
{
	return counter == FPGAUGE_COUNTER_RX_BAD_CODE_FRAMES || counter == FPGAUGE_COUNTER_RX_FOREIGN_FRAMES ||
	       counter == FPGAUGE_COUNTER_RX_WRONG_LENGTH_FRAMES || counter == FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH;
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
