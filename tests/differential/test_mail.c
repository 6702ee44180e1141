/* SPDX-License-Identifier: Apache-2.0 */
/* Plays as test_twin.c does, with unexpected frames that are kept for the host: those of flows and rules without a
 * signature, and those of a router. FPGAUGE_LONG=1 plays many more. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/differential/campaign.h"
#include "tests/differential/registers.h"

enum { TRIALS = 90, LONG_TRIALS = 1500, ROUTER_TRIALS = 40, SEEN_TRIALS = 5 };

static const struct recipe PAIRS = {.seed = 920000, .ports = 2, .scale = 1, .mails = true};
static const struct recipe ROUTERS = {.seed = 960000, .ports = 2, .scale = 1, .routers = true, .mails = true};

/* seen: the counters that must not stay 0. */
static void expect_same(const struct recipe *recipe, unsigned trials, const enum fpgauge_counter *seen, size_t count)
{
	const char *is_long = getenv("FPGAUGE_LONG");
	struct campaign campaign;
	struct pair pair;
	char why[512] = "";

	if (is_long != NULL && strcmp(is_long, "1") == 0)
		trials = LONG_TRIALS;
	cr_assert(side_load(&pair.side[0], RTL_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], TWIN_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	campaign_run(&pair, recipe, 0, trials, &campaign);
	if (campaign.different != 0)
		campaign_explain(stderr, &pair, recipe, campaign.first_different);
	cr_expect(campaign.different == 0, "seed %" PRIu64 " trial %" PRIu64 ": %s", recipe->seed,
	          campaign.first_different, campaign.what);
	cr_expect(campaign.trials == trials && campaign.refused == 0);
	for (size_t i = 0; i < count; i++)
		cr_expect(campaign.seen[seen[i]] >= SEEN_TRIALS, "%s counted in %" PRIu64 " trials only",
		          COUNTER_NAMES[seen[i]], campaign.seen[seen[i]]);
}

Test(mail, frames_of_others_are_kept_and_read_as_in_the_rtl)
{
	static const enum fpgauge_counter seen[] = {FPGAUGE_COUNTER_RX_FOREIGN_FRAMES, FPGAUGE_COUNTER_RX_MAIL_FRAMES,
	                                            FPGAUGE_COUNTER_RX_MAIL_OVERFLOW_FRAMES};

	expect_same(&PAIRS, TRIALS, seen, sizeof(seen) / sizeof(seen[0]));
}

Test(mail, what_a_router_forwards_asks_and_answers_is_counted_and_kept_as_in_the_rtl)
{
	static const enum fpgauge_counter seen[] = {FPGAUGE_COUNTER_RX_FOREIGN_FRAMES, FPGAUGE_COUNTER_RX_MAIL_FRAMES,
	                                            FPGAUGE_COUNTER_RX_RECEIVED_FRAMES};

	expect_same(&ROUTERS, ROUTER_TRIALS, seen, sizeof(seen) / sizeof(seen[0]));
}
