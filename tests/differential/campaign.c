/* SPDX-License-Identifier: Apache-2.0 */
/* Many random scripts on a pair of libraries. */
#include "tests/differential/campaign.h"

#include <inttypes.h>
#include <string.h>

#include "tests/differential/shrink.h"

enum { SHRINK_PLAYS = 600 };

static void generate_trial(const struct recipe *recipe, uint64_t trial, struct script *script)
{
	struct recipe one = *recipe;

	one.seed += trial;
	generate_script(&one, script);
}

void campaign_run(const struct pair *pair, const struct recipe *recipe, uint64_t first, uint64_t count,
                  struct campaign *campaign)
{
	*campaign = (struct campaign){0};
	for (uint64_t trial = first; trial < first + count && campaign->different == 0; trial++) {
		struct outcome outcome;
		struct script script;

		generate_trial(recipe, trial, &script);
		play(pair, &script, &outcome);
		script_release(&script);
		campaign->trials++;
		campaign->refused += outcome.refused;
		campaign->end_ot += outcome.end_ot;
		campaign->frames += outcome.counted[FPGAUGE_COUNTER_TX_FRAMES];
		for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
			campaign->seen[i] += outcome.counted[i] != 0;
		if (outcome.different) {
			campaign->different++;
			campaign->first_different = trial;
			memcpy(campaign->what, outcome.what, sizeof(campaign->what));
		}
	}
}

void campaign_add(struct campaign *campaign, const struct campaign *part)
{
	if (part->different != 0 && (campaign->different == 0 || part->first_different < campaign->first_different)) {
		campaign->first_different = part->first_different;
		memcpy(campaign->what, part->what, sizeof(campaign->what));
	}
	campaign->trials += part->trials;
	campaign->different += part->different;
	campaign->refused += part->refused;
	campaign->end_ot += part->end_ot;
	campaign->frames += part->frames;
	for (unsigned i = 0; i < FPGAUGE_COUNTER_COUNT; i++)
		campaign->seen[i] += part->seen[i];
}

void campaign_explain(FILE *file, const struct pair *pair, const struct recipe *recipe, uint64_t trial)
{
	struct outcome outcome;
	struct script script;

	generate_trial(recipe, trial, &script);
	play(pair, &script, &outcome);
	fprintf(file, "%s against %s, --seed %" PRIu64 " --scale %u --trial %" PRIu64 ": ", pair->side[0].api->name,
	        pair->side[1].api->name, recipe->seed, recipe->scale, trial);
	if (!outcome.different) {
		fprintf(file, "no difference%s%s\n", outcome.refused ? ", " : "", outcome.what);
	} else {
		fprintf(file, "operation %zu: %s\n", outcome.op, outcome.what);
		shrink(pair, &script, &outcome, SHRINK_PLAYS);
		fprintf(file, "cut down to %zu operations (repeat with --script FILE):\n\n", script.op_count);
		script_print(file, &script, outcome.op, outcome.what);
	}
	script_release(&script);
}
