/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the tables of plan keys; what a key means and allows is only in their rows. */
#include "host/commands/help/plan_page.h"

#include <string.h>

#include "host/bench/benchmark.h"

static void print_key(FILE *out, const struct key_family *family, const struct plan_key *key)
{
	const enum key_type type = key->value.type;
	char text[PLAN_NAMES_SIZE];

	fprintf(out, "- `%s`: ", key->name);
	if (key->searches)
		fprintf(out, "%s: ", plan_search_names(key->searches, "", text, sizeof(text)));
	fprintf(out, "%s", key->doc ? key->doc : family->doc(text, sizeof(text)));
	if (type != KEY_TEXT && type != KEY_NAME && type != KEY_WORDS && type != KEY_GOALS)
		fprintf(out, " M%s.", plan_key_limits(key, family, text, sizeof(text)) + strlen("m"));
	if (key->default_text)
		fprintf(out, " Default: %s.", key->default_text);
	fprintf(out, "\n");
}

static void print_slice(FILE *out, const struct key_family *family, const struct key_slice *slice)
{
	char names[PLAN_NAMES_SIZE];

	if (slice->heading)
		fprintf(out, "### %s\n\n", slice->heading);
	else
		fprintf(out, "### %s%s%s\n\n", family->heading[0],
		        plan_family_names(family, plan_set_has_slice, slice, "\"", " or ", names, sizeof(names)),
		        family->heading[1]);
	for (size_t i = 0; i < slice->count; i++)
		print_key(out, family, &slice->keys[i]);
}

static void print_set(FILE *out, const struct key_set *set)
{
	for (const struct key_slice *const *slice = set->slices; *slice; slice++)
		print_slice(out, NULL, *slice);
}

/* Prints each slice once, with the first set that has it. */
static void print_family(FILE *out, const struct key_family *family)
{
	const struct key_set *set;

	for (size_t i = 0; (set = family->set(i)); i++) {
		for (const struct key_slice *const *slice = set->slices; *slice; slice++) {
			size_t first = 0;

			while (!plan_set_has_slice(family->set(first), *slice))
				first++;
			if (first < i)
				continue;
			fprintf(out, "\n");
			print_slice(out, family, *slice);
		}
	}
}

void plan_page_print(FILE *out)
{
	print_set(out, &PLAN_TOP_KEYS);
	print_family(out, &PLAN_BACKENDS);
	fprintf(out, "\n");
	print_set(out, &PLAN_LINK_KEYS);
	fprintf(out, "\n");
	print_set(out, &PLAN_INFO_KEYS);
	fprintf(out, "\n");
	print_set(out, &PLAN_TRAFFIC_KEYS);
	print_family(out, &BENCHMARK_KEYS);
	fprintf(out, "\n");
	print_set(out, &PLAN_GOAL_KEYS);
}
