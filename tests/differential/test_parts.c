/* SPDX-License-Identifier: Apache-2.0 */
/* The core put together from parts, whose ports sleep and skip (sim/rtl/parted_core.h), gives every answer of the whole
 * one at the same time. mutants.toml has what would make it miss something. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "tests/differential/campaign.h"
#include "tests/differential/generate.h"

enum { SEED = 195312500, TRIALS = 60 };

static const struct recipe RECIPE = {.seed = SEED, .ports = 2, .scale = 1};

/* The whole core plays every clock. The parted one must do as it does, with or without leaps over idle time. */
static void compare(const char *parted_option)
{
	struct campaign campaign;
	struct pair pair;
	char why[512] = "";

	cr_assert(side_load(&pair.side[0], WHOLE_LIBRARY, "device.idle_skip=false", why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], PARTED_LIBRARY, parted_option, why, sizeof(why)), "%s", why);
	campaign_run(&pair, &RECIPE, 0, TRIALS, &campaign);
	if (campaign.different != 0)
		campaign_explain(stderr, &pair, &RECIPE, campaign.first_different);
	cr_expect(campaign.different == 0, "seed %d trial %u: %s", SEED, (unsigned)campaign.first_different,
	          campaign.what);
	cr_expect(campaign.trials == TRIALS && campaign.refused == 0 && campaign.frames > 50 * TRIALS);
	side_unload(&pair.side[0]);
	side_unload(&pair.side[1]);
}

Test(parts, a_core_of_parts_gives_the_answers_of_the_whole_one)
{
	compare(NULL);
}

Test(parts, and_does_so_clock_by_clock)
{
	compare("device.idle_skip=false");
}
