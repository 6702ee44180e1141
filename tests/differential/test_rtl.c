/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated RTL against itself, clock by clock: leaving out empty time changes no answer and no time. It also
 * proves that the comparison itself stands on firm ground: equal devices are found equal. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/differential/campaign.h"
#include "tests/differential/generate.h"

enum { SEED = 9004, TRIALS = 100 };

static const struct recipe RECIPE = {.seed = SEED, .scale = 1};

static void load(struct pair *pair, const char *second_option)
{
	char why[512] = "";

	cr_assert(side_load(&pair->side[0], RTL_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair->side[1], RTL_LIBRARY, second_option, why, sizeof(why)), "%s", why);
}

Test(rtl, idle_time_that_is_skipped_changes_no_answer_in_a_hundred_random_trials)
{
	struct campaign campaign;
	struct pair pair;

	load(&pair, "device.idle_skip=false");
	campaign_run(&pair, &RECIPE, 0, TRIALS, &campaign);
	if (campaign.different != 0)
		campaign_explain(stderr, &pair, &RECIPE, campaign.first_different);
	cr_expect(campaign.different == 0, "seed %d trial %u: %s", SEED, (unsigned)campaign.first_different,
	          campaign.what);
	cr_expect(campaign.trials == TRIALS && campaign.refused == 0 && campaign.frames > 50 * TRIALS);
}

Test(rtl, another_setting_of_the_device_under_test_is_a_difference)
{
	static const char *const others[] = {"dut.latency_ns=4321", "dut.buffer_frames=3", "dut.service_fps=61%"};
	struct campaign campaign;
	struct pair pair;

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		load(&pair, others[i]);
		campaign_run(&pair, &RECIPE, 0, 20, &campaign);
		cr_expect(campaign.different != 0 && strncmp(campaign.what, "open", 4) != 0, "%s: %s", others[i],
		          campaign.what);
	}
}
