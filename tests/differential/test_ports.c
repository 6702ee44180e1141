/* SPDX-License-Identifier: Apache-2.0 */
/* Plays as test_twin.c does, on devices with another number of ports, which are pairs beside each other: fewer trials,
 * because a port more is no code more. tools/bench plays more of them, and with --long those of more ports than 4. A
 * switch and a router between all ports are played too. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/differential/campaign.h"
#include "tests/differential/generate_shares.h"
#include "tests/differential/registers.h"

enum { SEED = 500000, TRIALS = 300, NAMED_TRIALS = 20, SEEN_TRIALS = 10, SWITCH_SEED = 600000 };
enum { ROUTER_SEED = 650000, ROUTER_TRIALS = 80 };
enum { SHARES_SEED = 680000, SHARES_TRIALS = 60, SHARES_LONG_TRIALS = 2000 };

static const struct recipe RECIPE = {.seed = SEED, .ports = TEST_PORTS, .scale = 1};
static const struct recipe SWITCHES = {.seed = SWITCH_SEED, .ports = TEST_PORTS, .scale = 1, .switches = true};

static const struct recipe ROUTERS = {
        .seed = ROUTER_SEED, .ports = TEST_PORTS, .scale = 1, .routers = true, .mails = true};

/* twin, option: the twin, and what tells it how many ports it has. */
static void expect_same(const char *twin, const char *option, const struct recipe *recipe, unsigned trials,
                        struct campaign *campaign)
{
	struct pair pair;
	char why[512] = "";

	cr_assert(side_load(&pair.side[0], RTL_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], twin, option, why, sizeof(why)), "%s", why);
	cr_assert_eq(pair.side[0].api->ports, TEST_PORTS);
	cr_assert_eq(pair.side[1].api->ports, option != NULL ? 2 : TEST_PORTS);
	campaign_run(&pair, recipe, 0, trials, campaign);
	if (campaign->different != 0)
		campaign_explain(stderr, &pair, recipe, campaign->first_different);
	cr_expect(campaign->different == 0, "seed %" PRIu64 " trial %" PRIu64 ": %s", recipe->seed,
	          campaign->first_different, campaign->what);
	cr_expect(campaign->trials == trials && campaign->refused == 0 && campaign->frames > 100 * (uint64_t)trials);
}

#define TEXT_OF(number) #number
#define PORTS_OPTION(number) "device.ports=" TEXT_OF(number)

Test(ports, random_trials_on_all_ports_give_the_same_answers_as_the_rtl)
{
	struct campaign campaign;

	expect_same(TWIN_LIBRARY, PORTS_OPTION(TEST_PORTS), &RECIPE, TRIALS, &campaign);
}

/* All that a switch does to frames comes up, and is counted by the receivers. */
Test(ports, random_trials_on_a_switch_give_the_same_answers_as_the_rtl)
{
	static const enum fpgauge_counter seen[] = {
	        FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES, FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES,
	        FPGAUGE_COUNTER_RX_FOREIGN_FRAMES,   FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES,
	        FPGAUGE_COUNTER_RX_RECEIVED_FRAMES,  FPGAUGE_COUNTER_RX_LOST_FRAMES,
	        FPGAUGE_COUNTER_RX_SEQUENCE_GAPS,    FPGAUGE_COUNTER_RX_LATENCY_SUM,
	        FPGAUGE_COUNTER_RX_TAGGED_FRAMES,    FPGAUGE_COUNTER_RX_PAUSE_FRAMES,
	        FPGAUGE_COUNTER_RX_RESUME_FRAMES,    FPGAUGE_COUNTER_TX_HELD_TIME,
	};
	struct campaign campaign;

	expect_same(TWIN_LIBRARY, PORTS_OPTION(TEST_PORTS), &SWITCHES, TRIALS, &campaign);
	for (size_t i = 0; i < sizeof(seen) / sizeof(seen[0]); i++)
		cr_expect(campaign.seen[seen[i]] >= SEEN_TRIALS, "%s counted in %" PRIu64 " trials only",
		          COUNTER_NAMES[seen[i]], campaign.seen[seen[i]]);
}

Test(ports, random_trials_on_a_router_give_the_same_answers_as_the_rtl)
{
	struct campaign campaign;

	expect_same(TWIN_LIBRARY, PORTS_OPTION(TEST_PORTS), &ROUTERS, ROUTER_TRIALS, &campaign);
	cr_expect(campaign.seen[FPGAUGE_COUNTER_RX_MAIL_FRAMES] >= SEEN_TRIALS &&
	          campaign.seen[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES] >= SEEN_TRIALS);
}

static void compare_shares(struct pair *pair, uint64_t seed, uint64_t *received, uint64_t *lossy)
{
	struct outcome outcome;
	struct script script;

	generate_shares(seed, TEST_PORTS, &script);
	play(pair, &script, &outcome);
	if (outcome.different || outcome.refused)
		script_print(stderr, &script, outcome.op, outcome.what);
	script_release(&script);
	cr_assert(!outcome.different && !outcome.refused, "seed %" PRIu64 ": %s", seed, outcome.what);
	*received += outcome.counted[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES];
	*lossy += outcome.counted[FPGAUGE_COUNTER_RX_LOST_FRAMES] != 0;
}

/* Some trials with a port that is congested fill its buffer, and others do not. */
Test(ports, shares_of_line_rate_that_congest_a_port_of_a_switch_give_the_same_answers_as_the_rtl)
{
	const uint64_t trials = getenv("FPGAUGE_LONG") != NULL ? SHARES_LONG_TRIALS : SHARES_TRIALS;
	uint64_t received = 0, lossy = 0;
	char why[512] = "";
	struct pair pair;

	cr_assert(side_load(&pair.side[0], RTL_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], TWIN_LIBRARY, PORTS_OPTION(TEST_PORTS), why, sizeof(why)), "%s", why);
	for (uint64_t i = 0; i < trials; i++)
		compare_shares(&pair, SHARES_SEED + i, &received, &lossy);
	fprintf(stderr, "seed %d: %" PRIu64 " trials, %" PRIu64 " with loss, %" PRIu64 " frames received\n",
	        SHARES_SEED, trials, lossy, received);
	cr_expect(received > trials * 300 && lossy > trials / 4 && lossy < trials * 19 / 20);
}

Test(ports, the_twin_named_after_the_number_has_it_by_itself)
{
	struct campaign campaign;

	expect_same(NAMED_TWIN_LIBRARY, NULL, &RECIPE, NAMED_TRIALS, &campaign);
}

/* The scripts reach the last port. */
Test(ports, every_port_sends_and_receives)
{
	uint64_t starts[TEST_PORTS] = {0}, expected[TEST_PORTS] = {0}, asked[TEST_PORTS] = {0};

	for (uint64_t seed = SEED; seed < SEED + SEEN_TRIALS * SEEN_TRIALS; seed++) {
		const struct recipe recipe = {.seed = seed, .ports = TEST_PORTS, .scale = 1};
		struct script script;

		generate_script(&recipe, &script);
		for (size_t i = 0; i < script.op_count; i++) {
			const uint64_t *operand = script.ops[i].operand;

			for (unsigned port = 0; port < TEST_PORTS && script.ops[i].kind == OP_WRITE; port++) {
				starts[port] += operand[0] == FPGAUGE_PORT_TX_ENABLE(port) && operand[1] == 1;
				expected[port] +=
				        operand[0] == FPGAUGE_PORT_RX_EXPECTED(port) + 4 * UINT64_C(8) * (port ^ 1) &&
				        operand[1] != 0;
				asked[port] += operand[0] == FPGAUGE_PORT_TX_SEND(port);
			}
		}
		script_release(&script);
	}
	for (unsigned port = 0; port < TEST_PORTS; port++)
		cr_expect(starts[port] >= SEEN_TRIALS && expected[port] >= SEEN_TRIALS && asked[port] >= SEEN_TRIALS,
		          "port %u", port);
}
