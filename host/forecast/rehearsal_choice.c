/* SPDX-License-Identifier: Apache-2.0 */
#include "host/forecast/rehearsal_choice.h"

#include <math.h>

#include "host/forecast/rehearsal_likeness.h"

/* Parts in a row that are alike and not known; on one side of them, or on both, there may be one that is. */
struct gap {
	size_t from, to; /* from <= part < to */
	bool below, above;
	double doubt_s;
};

static bool is_alike(const struct rehearsal *rehearsal, size_t a, size_t b)
{
	return rehearsal->parts[a].test == rehearsal->parts[b].test &&
	       rehearsal->parts[a].run == rehearsal->parts[b].run;
}

static double doubt_s(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	const double estimate_s = rehearsal_estimate(rehearsal, part);

	return isfinite(estimate_s) ? estimate_s * likeness_doubt(rehearsal, part) : 0;
}

static struct gap gap_at(const struct rehearsal *rehearsal, size_t from)
{
	struct gap gap = {.from = from, .to = from, .below = from > 0 && is_alike(rehearsal, from - 1, from)};

	do /* a part that was cut short is one of its own */
		gap.doubt_s += doubt_s(rehearsal, &rehearsal->parts[gap.to++]);
	while (!likeness_is_known(&rehearsal->parts[from]) && gap.to < rehearsal->count &&
	       is_alike(rehearsal, gap.to, from) && !likeness_is_known(&rehearsal->parts[gap.to]));
	gap.above = gap.to < rehearsal->count && is_alike(rehearsal, gap.to, from);
	return gap;
}

/* One at an end, of which the cheaper is as good; else the middle. */
static size_t best_in_gap(const struct rehearsal *rehearsal, const struct gap *gap, choice_cost cost, const void *user)
{
	const size_t last = gap->to - 1;

	if (gap->below)
		return gap->above ? (gap->from + gap->to) / 2 : last;
	if (gap->above)
		return gap->from;
	return cost(user, &rehearsal->parts[last]) < cost(user, &rehearsal->parts[gap->from]) ? last : gap->from;
}

/* The best one, or the nearest to it that may be tried. */
static size_t in_gap(const struct rehearsal *rehearsal, const struct gap *gap, choice_cost cost, const void *user)
{
	const size_t best = best_in_gap(rehearsal, gap, cost, user);

	for (size_t off = 0; off < gap->to - gap->from; off++) {
		if (best + off < gap->to && isfinite(cost(user, &rehearsal->parts[best + off])))
			return best + off;
		if (best >= gap->from + off && isfinite(cost(user, &rehearsal->parts[best - off])))
			return best - off;
	}
	return SIZE_MAX;
}

static bool is_new_test(const struct rehearsal *rehearsal, size_t at)
{
	for (size_t i = 0; i < rehearsal->count; i++)
		if (rehearsal->parts[i].test == rehearsal->parts[at].test && rehearsal->parts[i].attempted)
			return false;
	return true;
}

struct choice rehearsal_choose(const struct rehearsal *rehearsal, choice_cost cost, const void *user)
{
	struct choice choice = {SIZE_MAX, false};
	double most_s = -1;

	for (size_t i = 0; i < rehearsal->count;) {
		struct gap gap;
		size_t at;
		bool is_new;

		if (rehearsal->parts[i].whole) {
			i++;
			continue;
		}
		gap = gap_at(rehearsal, i);
		i = gap.to;
		at = in_gap(rehearsal, &gap, cost, user);
		if (at == SIZE_MAX)
			continue;
		is_new = is_new_test(rehearsal, at);
		if (is_new < choice.of_a_new_test || (is_new == choice.of_a_new_test && gap.doubt_s <= most_s))
			continue;
		choice = (struct choice){at, is_new};
		most_s = gap.doubt_s;
	}
	return choice;
}
