/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated RTL against itself, clock by clock: skipping idle time changes no answer and no time. It also validates
 * the comparison itself: equal devices are found equal. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "tests/differential/campaign.h"
#include "tests/differential/generate.h"

enum { SEED = 9004, TRIALS = 100 };

static const struct recipe RECIPE = {.seed = SEED, .ports = 2, .scale = 1};

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

/* Sends one frame of 54 octets, which fits in one word of the line, over a wire of 651 words; waits that many words,
 * then long enough for everything, and looks. */
static void one_word_script(uint64_t words, struct script *script)
{
	static const uint64_t writes[][2] = {
	        {FPGAUGE_PORT_TX_ENABLE(0), 1},
	        {FPGAUGE_PORT_TX_FRAME_OCTETS(0), 54},
	        {FPGAUGE_PORT_TX_GAP_OCTETS(0), 12},
	        {FPGAUGE_PORT_TX_GAP_DENOMINATOR(0), 1},
	        {FPGAUGE_PORT_TX_STOP_FRAMES(0), 1},
	        {FPGAUGE_PORT_TX_FLOWS(0), 1},
	        {FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START},
	};

	*script = (struct script){.option_count = 0};
	script_option(script, "dut.latency_ns", "3333");
	script_op(script, OP_WAIT, 200000, 0, 0);
	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++)
		script_op(script, OP_WRITE, writes[i][0], writes[i][1], 0);
	script_op(script, OP_WAIT, words * 64, 0, 0);
	script_op(script, OP_WAIT, 60000, 0, 0);
	script_op(script, OP_WRITE, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, 0);
	script_op(script, OP_COUNTERS, 0, 0, 0);
}

/* The frame must be seen before the time after it is skipped: otherwise it is counted only after the skip. */
Test(rtl, time_is_not_skipped_behind_a_frame_that_came_in_one_word)
{
	struct pair pair;

	load(&pair, "device.idle_skip=false");
	for (uint64_t words = 640; words < 670; words++) {
		struct outcome outcome;
		struct script script;

		one_word_script(words, &script);
		play(&pair, &script, &outcome);
		cr_expect(!outcome.different, "%u words: %s", (unsigned)words, outcome.what);
		cr_expect(outcome.counted[FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES] == 1, "%u words", (unsigned)words);
		script_release(&script);
	}
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
