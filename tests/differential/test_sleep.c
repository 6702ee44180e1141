/* SPDX-License-Identifier: Apache-2.0 */
/* A port that sleeps (sim/rtl/port_sleep.v) changes no answer and no time. mutants.toml has what would make it miss
 * something. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/differential/campaign.h"
#include "tests/differential/generate.h"

enum { SEED = 195312500, TRIALS = 100 };

static const struct recipe RECIPE = {.seed = SEED, .ports = 2, .scale = 1};

/* The library whose ports sleep plays every clock, so that they do sleep and are not skipped over. */
Test(sleep, ports_that_sleep_change_no_answer_in_a_hundred_random_trials)
{
	struct campaign campaign;
	struct pair pair;
	char why[512] = "";

	setenv("FPGAUGE_MUTANT", "0", 1);
	cr_assert(side_load(&pair.side[0], AWAKE_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], SLEEPING_LIBRARY, "device.idle_skip=false", why, sizeof(why)), "%s", why);
	campaign_run(&pair, &RECIPE, 0, TRIALS, &campaign);
	if (campaign.different != 0)
		campaign_explain(stderr, &pair, &RECIPE, campaign.first_different);
	cr_expect(campaign.different == 0, "seed %d trial %u: %s", SEED, (unsigned)campaign.first_different,
	          campaign.what);
	cr_expect(campaign.trials == TRIALS && campaign.refused == 0 && campaign.frames > 50 * TRIALS);
}
