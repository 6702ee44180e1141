/* SPDX-License-Identifier: Apache-2.0 */
/* The twin against itself with every frame played, and against the RTL, where load and service have no short common
 * period (generate_drift.h). FPGAUGE_LONG=1 takes more trials. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "hw/regs/fpgauge_regs.h"
#include "tests/differential/amount.h"
#include "tests/differential/generate_drift.h"
#include "tests/differential/play.h"

/* A campaign of random trials: first seed, how many, and how many in the long form. */
struct campaign_of {
	const char *library, *option; /* one side; the other is the twin */
	struct drift_recipe recipe;
	bool slow;   /* generate_drift_slow() in place of a recipe */
	bool router; /* generate_drift_router() */
	uint64_t seed, trials, long_trials;
};

struct found {
	uint64_t trials, frames, lost; /* lost: trials with loss */
	double worst_s;
};

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void compare_one(struct pair *pair, const struct campaign_of *of, uint64_t seed, struct found *found)
{
	const double begin_s = seconds();
	struct outcome outcome;
	struct script script;
	double took_s;

	if (of->slow)
		generate_drift_slow(seed, &script);
	else if (of->router)
		generate_drift_router(seed, of->recipe.quick, &script);
	else
		generate_drift(seed, &of->recipe, &script);
	play(pair, &script, &outcome);
	if (outcome.different || outcome.refused)
		script_print(stderr, &script, outcome.op, outcome.what);
	script_release(&script);
	cr_assert(!outcome.different && !outcome.refused, "seed %" PRIu64 ": %s", seed, outcome.what);
	found->trials++;
	found->frames += outcome.counted[FPGAUGE_COUNTER_TX_FRAMES];
	found->lost += outcome.counted[FPGAUGE_COUNTER_RX_LOST_FRAMES] != 0;
	took_s = seconds() - begin_s;
	found->worst_s = took_s > found->worst_s ? took_s : found->worst_s;
}

static struct found compare(const struct campaign_of *of)
{
	const uint64_t trials = getenv("FPGAUGE_LONG") != NULL ? of->long_trials : amount_of(of->trials);
	struct found found = {0};
	char why[512] = "";
	struct pair pair;

	cr_assert(side_load(&pair.side[0], of->library, of->option, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair.side[1], TWIN_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	for (uint64_t i = 0; i < trials; i++)
		compare_one(&pair, of, of->seed + i, &found);
	fprintf(stderr,
	        "seed %" PRIu64 ": %" PRIu64 " trials, %" PRIu64 " frames, %" PRIu64 " with loss, the longest %.3f s\n",
	        of->seed, found.trials, found.frames, found.lost, found.worst_s);
	return found;
}

static void compare_recipe(const struct campaign_of *of)
{
	const struct found found = compare(of);

	cr_expect(found.frames > found.trials * 20000 && found.lost > found.trials / 10 &&
	          found.lost < found.trials * 9 / 10);
}

Test(drift, playing_every_frame_at_random_rates_gives_the_same_answers)
{
	compare_recipe(&(struct campaign_of){.library = TWIN_LIBRARY,
	                                     .option = "device.jumps=false",
	                                     .seed = 400000,
	                                     .trials = 1000,
	                                     .long_trials = 50000});
}

Test(drift, playing_every_frame_of_several_flows_in_turns_gives_the_same_answers)
{
	compare_recipe(&(struct campaign_of){.library = TWIN_LIBRARY,
	                                     .option = "device.jumps=false",
	                                     .recipe = {.turns = true},
	                                     .seed = 800000,
	                                     .trials = 1000,
	                                     .long_trials = 50000});
}

Test(drift, playing_every_frame_gives_the_same_answers_while_a_buffer_fills_and_empties_slowly)
{
	const struct found found = compare(&(struct campaign_of){.library = TWIN_LIBRARY,
	                                                         .option = "device.jumps=false",
	                                                         .slow = true,
	                                                         .seed = 700000,
	                                                         .trials = 25,
	                                                         .long_trials = 1000});

	cr_expect(found.frames > found.trials * 300000 && found.lost > found.trials / 4 && found.lost < found.trials);
}

Test(drift, playing_every_frame_of_bursts_gives_the_same_answers)
{
	compare_recipe(&(struct campaign_of){.library = TWIN_LIBRARY,
	                                     .option = "device.jumps=false",
	                                     .recipe = {.turns = true, .bursts = true},
	                                     .seed = 1000000,
	                                     .trials = 100,
	                                     .long_trials = 10000});
}

Test(drift, playing_every_frame_through_a_router_gives_the_same_answers)
{
	compare_recipe(&(struct campaign_of){.library = TWIN_LIBRARY,
	                                     .option = "device.jumps=false",
	                                     .router = true,
	                                     .seed = 1200000,
	                                     .trials = 300,
	                                     .long_trials = 20000});
}

#ifdef RTL_LIBRARY
Test(drift, the_rtl_gives_the_same_answers_through_a_router)
{
	compare_recipe(&(struct campaign_of){.library = RTL_LIBRARY,
	                                     .recipe = {.quick = true},
	                                     .router = true,
	                                     .seed = 1300000,
	                                     .trials = 15,
	                                     .long_trials = 500});
}

Test(drift, the_rtl_gives_the_same_answers_for_bursts)
{
	compare_recipe(&(struct campaign_of){.library = RTL_LIBRARY,
	                                     .recipe = {.turns = true, .bursts = true, .quick = true},
	                                     .seed = 1100000,
	                                     .trials = 10,
	                                     .long_trials = 500});
}

Test(drift, the_rtl_gives_the_same_answers_at_random_rates_of_several_flows_in_turns)
{
	compare_recipe(&(struct campaign_of){.library = RTL_LIBRARY,
	                                     .recipe = {.turns = true, .quick = true},
	                                     .seed = 900000,
	                                     .trials = 40,
	                                     .long_trials = 2000});
}
#endif
