/* SPDX-License-Identifier: Apache-2.0 */
/* The twin against itself with every frame played: jumping over repetition changes no answer and no time, in trials far
 * longer than simulated RTL can play. This complements the check of the twin against the RTL in short ones
 * (test_twin.c). */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>

#include "tests/differential/amount.h"
#include "tests/differential/campaign.h"

static const struct {
	struct recipe recipe;
	uint64_t trials;
} RUNS[] = {{{.seed = 100000, .ports = 2, .scale = 1}, 400},
            {{.seed = 200000, .ports = 2, .scale = 30}, 1000},
            {{.seed = 300000, .ports = 2, .scale = 1000}, 300},
            {{.seed = 400000, .ports = 2, .scale = 30, .mails = true}, 60},
            {{.seed = 500000, .ports = 2, .scale = 1000, .mails = true}, 10},
            {{.seed = 400000, .ports = 2, .scale = 30, .switches = true}, 300},
            {{.seed = 700000, .ports = 2, .scale = 1, .tcp = true}, 40},
            {{.seed = 710000, .ports = 2, .scale = 1, .switches = true, .tcp = true}, 20}};

Test(jumps, playing_every_frame_gives_the_same_answers)
{
	char why[512] = "";
	struct pair pair;

	cr_assert(side_load(&pair.side[0], TWIN_LIBRARY, "device.jumps=false", why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], TWIN_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	for (size_t i = 0; i < sizeof(RUNS) / sizeof(RUNS[0]); i++) {
		const struct recipe *recipe = &RUNS[i].recipe;
		const uint64_t trials = amount_of(RUNS[i].trials);
		struct campaign campaign;

		campaign_run(&pair, recipe, 0, trials, &campaign);
		if (campaign.different != 0)
			campaign_explain(stderr, &pair, recipe, campaign.first_different);
		cr_expect(campaign.different == 0, "seed %" PRIu64 " scale %u trial %" PRIu64 ": %s", recipe->seed,
		          recipe->scale, campaign.first_different, campaign.what);
		cr_expect(campaign.trials == trials && campaign.refused == 0);
		cr_expect(campaign.frames > recipe->scale * trials * UINT64_C(50), "%" PRIu64 " frames",
		          campaign.frames);
	}
}
