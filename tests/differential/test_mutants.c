/* SPDX-License-Identifier: Apache-2.0 */
/* The differential test can fail: a device with a single wrong constant is told from a correct one, whichever side it
 * is on and whichever constant it is (mutants.toml). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/differential/campaign.h"

enum { SEED = 1, JUMPS_SEED = 13700, TRIALS = 1500, SANE_TRIALS = 100 };

/* The side that is wrong; JUMPS: the twin, which then differs from itself without jumps in long trials; MAIL, ROUTER,
 * TCP: the twin, in trials with frames that are kept for the host, with those on a router, with TCP connections;
 * SWITCH, SWITCH_RTL: the twin, and the RTL, in trials on a switch. */
enum kind { RTL, TWIN, JUMPS, MAIL, ROUTER, TCP, SWITCH, SWITCH_RTL };

/* The RTL of TCP, where it is built (-DFPGAUGE_SIM_TCP_PORTS=2). */
#ifdef RTL_TCP_LIBRARY
static const char *const TCP_LIBRARY = RTL_TCP_LIBRARY;
#else
static const char *const TCP_LIBRARY = NULL;
#endif

static const struct recipe RECIPE = {.seed = SEED, .ports = 2, .scale = 1};
static const struct recipe LONG_RECIPE = {.seed = JUMPS_SEED, .ports = 2, .scale = 300};
static const struct recipe MAIL_RECIPE = {.seed = SEED, .ports = 2, .scale = 1, .mails = true};
static const struct recipe ROUTER_RECIPE = {.seed = SEED, .ports = 2, .scale = 1, .routers = true, .mails = true};
static const struct recipe TCP_RECIPE = {.seed = SEED, .ports = 2, .scale = 1, .tcp = true};
static const struct recipe SWITCH_RECIPE = {.seed = SEED, .ports = 2, .scale = 1, .switches = true};

static const struct recipe *recipe_of(enum kind kind)
{
	switch (kind) {
	case JUMPS:
		return &LONG_RECIPE;
	case MAIL:
		return &MAIL_RECIPE;
	case ROUTER:
		return &ROUTER_RECIPE;
	case SWITCH:
	case SWITCH_RTL:
		return &SWITCH_RECIPE;
	case TCP:
		return &TCP_RECIPE;
	default:
		return &RECIPE;
	}
}

static const struct {
	int number;
	const char *name;
	enum kind kind;
	const char *misfit; /* why mutants.toml does not match the source; "": it does */
	uint64_t trial;     /* a trial that shows it, if mutants.toml names one */
} MUTANTS[] = {
#define MUTANT(number, name, kind, misfit, trial) {number, name, kind, misfit, trial},
#include MUTANTS_HEADER
};

/* The two sides with the mutant of this number in one of them; 0: in none. The trial `likely` goes before the others.
 */
static void run(int number, enum kind kind, uint64_t likely, uint64_t trials, struct campaign *campaign)
{
	char why[512] = "", text[16], mutant[512];
	const bool of_rtl = kind == RTL || kind == SWITCH_RTL;
	const char *const right = kind == TCP ? TCP_LIBRARY : RTL_LIBRARY;
	const char *const rtl = of_rtl ? MUTANTS_FOLDER "/libfpgauge-sim-rtl-mutants.so" : right;
	const char *const twin = of_rtl ? TWIN_LIBRARY : mutant;
	struct pair pair;

	snprintf(text, sizeof(text), "%d", number);
	setenv("FPGAUGE_MUTANT", text, 1);
	snprintf(mutant, sizeof(mutant), MUTANTS_FOLDER "/twin-%d.so", number);
	cr_assert(side_load(&pair.side[0], kind == JUMPS ? twin : rtl, kind == JUMPS ? "device.jumps=false" : NULL, why,
	                    sizeof(why)),
	          "%s", why);
	cr_assert(side_load(&pair.side[1], twin, NULL, why, sizeof(why)), "%s", why);
	campaign_run(&pair, recipe_of(kind), likely, 1, campaign);
	if (campaign->different == 0)
		campaign_run(&pair, recipe_of(kind), 0, trials, campaign);
	side_unload(&pair.side[0]);
	side_unload(&pair.side[1]);
}

Test(mutants, a_device_with_all_mutants_asleep_is_the_right_one)
{
	static const enum kind KINDS[] = {RTL, SWITCH_RTL};

	for (size_t i = 0; i < sizeof(KINDS) / sizeof(KINDS[0]); i++) {
		struct campaign campaign;

		run(0, KINDS[i], 0, SANE_TRIALS, &campaign);
		cr_expect(campaign.trials == SANE_TRIALS && campaign.different == 0, "%s", campaign.what);
	}
}

Test(mutants, a_single_wrong_constant_on_either_side_is_found_in_fifteen_hundred_trials)
{
	for (size_t i = 0; i < sizeof(MUTANTS) / sizeof(MUTANTS[0]); i++) {
		struct campaign campaign;

		cr_expect(MUTANTS[i].misfit[0] == '\0', "mutants.toml: \"%s\": %s", MUTANTS[i].name, MUTANTS[i].misfit);
		if (MUTANTS[i].misfit[0] != '\0' || (MUTANTS[i].kind == TCP && TCP_LIBRARY == NULL))
			continue;
		run(MUTANTS[i].number, MUTANTS[i].kind, MUTANTS[i].trial, TRIALS, &campaign);
		cr_expect(campaign.different != 0, "not found: %s", MUTANTS[i].name);
		printf("%s: trial %u: %s\n", MUTANTS[i].name, (unsigned)campaign.first_different, campaign.what);
	}
}
