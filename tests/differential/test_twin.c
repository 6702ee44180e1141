/* SPDX-License-Identifier: Apache-2.0 */
/* The twin checked against the RTL: the same random trials on both must give the same counters, to the last octet time.
 * A failure prints a short script that repeats it; tools/bench --long plays 50,000 trials more. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/differential/campaign.h"
#include "tests/differential/generate.h"
#include "tests/differential/registers.h"
#include "tests/differential/shrink.h"

enum { SEED = 0, TRIALS = 2000, SEEN_TRIALS = 10, LATE_SEED = 17, LATE_TRIALS = 8 };

static const struct recipe RECIPE = {.seed = SEED, .ports = 2, .scale = 1};

static void load(struct pair *pair)
{
	char why[512] = "";

	cr_assert(side_load(&pair->side[0], RTL_LIBRARY, NULL, why, sizeof(why)), "%s", why);
	cr_assert(side_load(&pair->side[1], TWIN_LIBRARY, NULL, why, sizeof(why)), "%s", why);
}

/* No device under test truncates frames or sends pauses, no frame is late, none is kept for the host, no build has TCP
 * connections, no port has a MAC behind it, and no sum comes near 2^64. */
static bool never_counts(unsigned counter)
{
	static const unsigned OF_PAUSES_AND_MACS[] = {
	        FPGAUGE_COUNTER_TX_HELD_TIME,       FPGAUGE_COUNTER_RX_PAUSE_FRAMES,
	        FPGAUGE_COUNTER_RX_RESUME_FRAMES,   FPGAUGE_COUNTER_MAC_SENT_FRAMES,
	        FPGAUGE_COUNTER_MAC_DROPPED_FRAMES, FPGAUGE_COUNTER_MAC_LATE_FRAMES,
	        FPGAUGE_COUNTER_MAC_COUNTED_FRAMES,
	};

	for (size_t i = 0; i < sizeof(OF_PAUSES_AND_MACS) / sizeof(OF_PAUSES_AND_MACS[0]); i++)
		if (counter == OF_PAUSES_AND_MACS[i])
			return true;
	return counter == FPGAUGE_COUNTER_TX_LATE_FRAMES || counter == FPGAUGE_COUNTER_RX_WRONG_LENGTH_FRAMES ||
	       counter == FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH || counter == FPGAUGE_COUNTER_RX_MAIL_FRAMES ||
	       counter == FPGAUGE_COUNTER_RX_MAIL_OVERFLOW_FRAMES ||
	       (counter >= FPGAUGE_COUNTER_RX_TCP_FRAMES && counter <= FPGAUGE_COUNTER_TCP_LOST_CONNECTIONS);
}

Test(twin, two_thousand_random_trials_give_the_same_answers_as_the_rtl)
{
	struct campaign campaign;
	struct pair pair;

	load(&pair);
	campaign_run(&pair, &RECIPE, 0, TRIALS, &campaign);
	if (campaign.different != 0)
		campaign_explain(stderr, &pair, &RECIPE, campaign.first_different);
	cr_expect(campaign.different == 0, "seed %d trial %" PRIu64 ": %s", SEED, campaign.first_different,
	          campaign.what);
	cr_expect(campaign.trials == TRIALS && campaign.refused == 0);
	/* Equal zeros would prove little. */
	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
		cr_expect(campaign.seen[i] >= SEEN_TRIALS || never_counts(i), "%s counted in %" PRIu64 " trials only",
		          COUNTER_NAMES[i], campaign.seen[i]);
	printf("%" PRIu64 " trials, %" PRIu64 " frames, %.3f ms of device time\n", campaign.trials, campaign.frames,
	       (double)campaign.end_ot * 0.08e-6);
}

/* Port 0 sends one tagged frame over a wire; so many words later it is asked for another one, and port 1 for the time
 * of the tag. */
static void ask_and_look_script(uint64_t words, struct script *script)
{
	static const uint64_t writes[][2] = {
	        {FPGAUGE_PORT_TX_ENABLE(0), 1},
	        {FPGAUGE_PORT_TX_FRAME_OCTETS(0), 64},
	        {FPGAUGE_PORT_TX_GAP_OCTETS(0), 12},
	        {FPGAUGE_PORT_TX_GAP_DENOMINATOR(0), 1},
	        {FPGAUGE_PORT_TX_STOP_FRAMES(0), 1},
	        {FPGAUGE_PORT_TX_FLOWS(0), 1},
	        {FPGAUGE_PORT_TX_TAG_ENABLE(0), 1},
	        {FPGAUGE_PORT_RX_MAX_FRAME_OCTETS(1), 1518},
	        {FPGAUGE_PORT_RX_EXPECTED(1), UINT32_MAX},
	        {FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_START},
	};

	*script = (struct script){.option_count = 0};
	script_option(script, "dut.model", "wire");
	script_op(script, OP_WAIT, 200000, 0, 0);
	for (size_t i = 0; i < sizeof(writes) / sizeof(writes[0]); i++)
		script_op(script, OP_WRITE, writes[i][0], writes[i][1], 0);
	script_op(script, OP_WAIT, words * 64, 0, 0);
	script_op(script, OP_WRITE, FPGAUGE_PORT_TX_SEND(0), 64 << 8, 0);
	script_op(script, OP_READ, FPGAUGE_PORT_RX_TAG_TIME(1), 0, 0);
	script_op(script, OP_WAIT, 60000, 0, 0);
	script_op(script, OP_WRITE, FPGAUGE_GLOBAL_CONTROL, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, 0);
	script_op(script, OP_COUNTERS, 0, 0, 0);
}

/* The twin makes frames ahead when it is asked for one, but may not count ahead. */
Test(twin, a_tag_is_not_seen_early_after_tx_send)
{
	struct pair pair;

	load(&pair);
	for (uint64_t words = 0; words < 60; words++) {
		struct outcome outcome;
		struct script script;

		ask_and_look_script(words, &script);
		play(&pair, &script, &outcome);
		cr_expect(!outcome.different, "%" PRIu64 " words: %s", words, outcome.what);
		cr_expect(outcome.counted[FPGAUGE_COUNTER_RX_TAGGED_FRAMES] == 1);
		script_release(&script);
	}
}

/* Returns whether a model has something happen by the time alone: over years, too often to play. */
static bool goes_by_the_time(const struct script *script)
{
	for (size_t i = 0; i < script->option_count; i++)
		if (strstr(script->option[i].name, "stall") != NULL || strstr(script->option[i].name, "dark") != NULL)
			return true;
	return false;
}

/* The same script, years later. */
static void wait_first(struct script *script, uint64_t octet_times)
{
	struct script late = {0};

	for (size_t i = 0; i < script->option_count; i++)
		script_option(&late, script->option[i].name, "%s", script->option[i].value);
	script_op(&late, OP_WAIT, octet_times, 0, 0);
	for (size_t i = 0; i < script->op_count; i++)
		script_op(&late, script->ops[i].kind, script->ops[i].operand[0], script->ops[i].operand[1],
		          script->ops[i].operand[2]);
	script_release(script);
	*script = late;
}

/* 48 bits of words, and the time of a signature, wrap here. The RTL skips there in 65,536 jumps. */
Test(twin, random_trials_across_2_to_the_54_octet_times_give_the_same_answers_as_the_rtl)
{
	const uint64_t boundary_ot = UINT64_C(1) << 54;
	uint64_t frames = 0, played = 0, across = 0;
	struct pair pair;

	load(&pair);
	for (uint64_t seed = LATE_SEED; played < LATE_TRIALS; seed++) {
		struct recipe recipe = {.seed = seed, .ports = 2, .scale = 1};
		struct outcome outcome;
		struct script script;

		generate_script(&recipe, &script);
		if (goes_by_the_time(&script)) {
			script_release(&script);
			continue;
		}
		wait_first(&script, boundary_ot - 100000 - 10000 * played);
		play(&pair, &script, &outcome);
		cr_expect(!outcome.different, "seed %" PRIu64 ": %s", seed, outcome.what);
		frames += outcome.counted[FPGAUGE_COUNTER_TX_FRAMES];
		across += outcome.end_ot > boundary_ot;
		played++;
		script_release(&script);
	}
	cr_expect(frames > 20 * LATE_TRIALS && across == LATE_TRIALS, "%" PRIu64 " frames, %" PRIu64 " trials across",
	          frames, across);
}

Test(twin, every_address_of_the_map_answers_reads_and_writes_like_the_rtl)
{
	struct random random = {SEED};
	struct outcome outcome;
	struct script script;
	struct pair pair;

	load(&pair);
	generate_every_address(&random, &script);
	play(&pair, &script, &outcome);
	if (outcome.different) {
		shrink(&pair, &script, &outcome, 200);
		script_print(stderr, &script, outcome.op, outcome.what);
	}
	cr_expect(!outcome.different, "%s", outcome.what);
	script_release(&script);
}
