/* SPDX-License-Identifier: Apache-2.0 */
/* Many random scripts on a pair of libraries: trial n of seed s is the script of seed s + n. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_CAMPAIGN_H
#define FPGAUGE_TESTS_DIFFERENTIAL_CAMPAIGN_H

#include "tests/differential/generate.h"
#include "tests/differential/play.h"

struct campaign {
	uint64_t trials, different, refused;
	uint64_t end_ot;                                /* total of all scripts */
	uint64_t frames;                                /* sent, according to the last read of the counters */
	uint64_t seen[FPGAUGE_COUNTER_COUNT];           /* trials that ended with this counter not 0 */
	uint64_t first_different;                       /* number of the first trial with a difference */
	char what[sizeof(((struct outcome *)0)->what)]; /* the difference of that trial */
};

/* Plays trials first to first + count - 1 of a recipe; ends at the first difference. */
void campaign_run(const struct pair *pair, const struct recipe *recipe, uint64_t first, uint64_t count,
                  struct campaign *campaign);

/* Adds the figures of another part of the same campaign. */
void campaign_add(struct campaign *campaign, const struct campaign *part);

/* Shrinks the trial and prints everything needed to repeat it: seed, number, what differs, the small script. */
void campaign_explain(FILE *file, const struct pair *pair, const struct recipe *recipe, uint64_t trial);

#endif
