/* SPDX-License-Identifier: Apache-2.0 */
/* Plays as test_twin.c does, with TCP connections, between pairs of ports and through a switch: every segment, timer
 * and count of the twin as in the RTL. FPGAUGE_LONG=1 plays many more. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/differential/campaign.h"
#include "tests/differential/registers.h"

enum { TRIALS = 30, LONG_TRIALS = 1500, SEEN_TRIALS = 2 };

#define TEXT_OF(number) #number
#define PORTS_OPTION(number) "device.ports=" TEXT_OF(number)

static void expect_same(const struct recipe *recipe, struct campaign *campaign)
{
	const char *is_long = getenv("FPGAUGE_LONG");
	const uint64_t trials = is_long != NULL && strcmp(is_long, "1") == 0 ? LONG_TRIALS : TRIALS;
	struct pair pair;
	char why[512] = "";

	cr_assert(side_load(&pair.side[0], RTL_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], TWIN_LIBRARY, PORTS_OPTION(TEST_PORTS), why, sizeof(why)), "%s", why);
	campaign_run(&pair, recipe, 0, trials, campaign);
	if (campaign->different != 0)
		campaign_explain(stderr, &pair, recipe, campaign->first_different);
	cr_expect(campaign->different == 0, "seed %" PRIu64 " trial %" PRIu64 ": %s", recipe->seed,
	          campaign->first_different, campaign->what);
	cr_expect(campaign->trials == trials && campaign->refused == 0);
}

/* Expects that what connections do comes up. */
static void expect_seen(const struct campaign *campaign, const enum fpgauge_counter *seen, size_t count)
{
	for (size_t i = 0; i < count; i++)
		cr_expect(campaign->seen[seen[i]] >= SEEN_TRIALS, "%s counted in %" PRIu64 " trials only",
		          COUNTER_NAMES[seen[i]], campaign->seen[seen[i]]);
}

Test(tcp, connections_of_pairs_of_ports_go_on_as_in_the_rtl)
{
	static const struct recipe recipe = {.seed = 940000, .ports = TEST_PORTS, .scale = 1, .tcp = true};
	static const enum fpgauge_counter seen[] = {FPGAUGE_COUNTER_RX_TCP_FRAMES, FPGAUGE_COUNTER_TCP_SENT_SEGMENTS,
	                                            FPGAUGE_COUNTER_TCP_SENT_AGAIN_SEGMENTS,
	                                            FPGAUGE_COUNTER_RX_RECEIVED_FRAMES};
	struct campaign campaign;

	expect_same(&recipe, &campaign);
	expect_seen(&campaign, seen, sizeof(seen) / sizeof(seen[0]));
}

Test(tcp, connections_through_a_switch_go_on_as_in_the_rtl)
{
	static const struct recipe recipe = {
	        .seed = 950000, .ports = TEST_PORTS, .scale = 1, .switches = true, .tcp = true};
	static const enum fpgauge_counter seen[] = {FPGAUGE_COUNTER_RX_TCP_FRAMES, FPGAUGE_COUNTER_TCP_SENT_SEGMENTS,
	                                            FPGAUGE_COUNTER_TCP_SENT_AGAIN_SEGMENTS};
	struct campaign campaign;

	expect_same(&recipe, &campaign);
	expect_seen(&campaign, seen, sizeof(seen) / sizeof(seen[0]));
}
