/* SPDX-License-Identifier: Apache-2.0 */
/* Delta debugging (Zeller, Hildebrandt 2002), in its simple form: leave out pieces, large ones first. */
#include "tests/differential/shrink.h"

#include <string.h>

#include "tests/differential/legal.h"

struct shrinker {
	const struct pair *pair;
	struct script *script;
	struct outcome *outcome;
	unsigned plays_left;
};

/* Takes the candidate if it still shows a difference, but not one in opening when the original did open; otherwise
 * releases it. */
static bool take(struct shrinker *shrinker, struct script *candidate)
{
	struct outcome outcome;

	if (shrinker->plays_left > 0 && script_is_legal(candidate)) {
		shrinker->plays_left--;
		play(shrinker->pair, candidate, &outcome);
		if (outcome.different && (outcome.op == SIZE_MAX) == (shrinker->outcome->op == SIZE_MAX)) {
			script_release(shrinker->script);
			*shrinker->script = *candidate;
			*shrinker->outcome = outcome;
			return true;
		}
	}
	script_release(candidate);
	return false;
}

static bool without_ops(struct shrinker *shrinker, size_t first, size_t count)
{
	struct script candidate;

	script_copy(&candidate, shrinker->script);
	memmove(&candidate.ops[first], &candidate.ops[first + count],
	        (candidate.op_count - first - count) * sizeof(candidate.ops[0]));
	candidate.op_count -= count;
	return take(shrinker, &candidate);
}

static bool without_option(struct shrinker *shrinker, size_t i)
{
	struct script candidate;

	script_copy(&candidate, shrinker->script);
	memmove(&candidate.option[i], &candidate.option[i + 1],
	        (candidate.option_count - i - 1) * sizeof(candidate.option[0]));
	candidate.option_count--;
	return take(shrinker, &candidate);
}

/* Cuts what comes after the difference, which has no part in it. */
static void cut_tail(struct shrinker *shrinker)
{
	if (shrinker->outcome->op == SIZE_MAX)
		shrinker->script->op_count = 0;
	else
		shrinker->script->op_count = shrinker->outcome->op + 1;
}

static bool pass(struct shrinker *shrinker, size_t piece)
{
	bool smaller = false;

	for (size_t end = shrinker->script->op_count; end > 0;) {
		const size_t count = end < piece ? end : piece;
		const bool taken = without_ops(shrinker, end - count, count);

		smaller = smaller || taken;
		if (taken)
			cut_tail(shrinker);
		end -= count;
		if (end > shrinker->script->op_count)
			end = shrinker->script->op_count;
	}
	return smaller;
}

void shrink(const struct pair *pair, struct script *script, struct outcome *outcome, unsigned most_plays)
{
	struct shrinker shrinker = {pair, script, outcome, most_plays};
	bool smaller = true;

	cut_tail(&shrinker);
	while (smaller && shrinker.plays_left > 0) {
		smaller = false;
		for (size_t piece = (script->op_count + 1) / 2; piece > 0; piece /= 2)
			smaller = pass(&shrinker, piece) || smaller;
		for (size_t i = script->option_count; i > 0; i--)
			smaller = without_option(&shrinker, i - 1) || smaller;
	}
}
