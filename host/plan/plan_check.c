/* SPDX-License-Identifier: Apache-2.0 */
/* Checks across settings. Each complaint points to the setting that a reader would change. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "host/plan/plan_benchmark.h"
#include "host/plan/plan_parts.h"

static bool is_mixed(const struct node *setting)
{
	if (!strcasecmp(setting->name, "frame_mix") || !strcasecmp(setting->name, "imix"))
		return true;
	if (strcmp(setting->name, "frame_sizes") != 0)
		return false;
	if (setting->kind == NODE_TEXT)
		return strcasestr(setting->text, "imix") != NULL;
	for (size_t i = 0; i < setting->count; i++) {
		const struct node *element = setting->children[i];

		if (element->kind == NODE_LIST || element->kind == NODE_GROUP ||
		    (element->kind == NODE_TEXT && strcasestr(element->text, "imix")))
			return true;
	}
	return false;
}

int plan_check_mixed(const struct plan_benchmark *benchmark, const struct node *setting, struct error *error)
{
	if (!is_mixed(setting))
		return 0;
	return plan_complain(error, setting, setting->name, "must be a list of single sizes: %s",
	                     benchmark->why_unmixed);
}

static int check_search(const struct plan_test *test, const struct node *node, struct error *error)
{
	const struct plan_benchmark *benchmark = test->benchmark;
	char names[PLAN_NAMES_SIZE];

	if (benchmark->searches && !(benchmark->searches & 1u << test->search))
		return plan_complain(error, node_child(node, "search"), "search", "must be %s %s",
		                     plan_search_names(benchmark->searches, "\"", names, sizeof(names)),
		                     benchmark->why_searches);
	for (size_t i = 0; i < node->count; i++) { /* all are known: each was read before */
		const char *name = node->children[i]->name;
		const struct plan_key *key = plan_key_find(&benchmark->keys, name, NULL);

		if (key->searches && !(key->searches & 1u << test->search))
			return plan_complain(error, node->children[i], name, "requires search = %s%s%s",
			                     plan_search_names(key->searches, "\"", names, sizeof(names)),
			                     key->instead ? "; " : "", key->instead ? key->instead : "");
	}
	if (test->counts_repeats && node_child(node, "max_trials"))
		return plan_complain(error, node_child(node, "max_repeats"), "max_repeats",
		                     "cannot be combined with max_trials: both set the same limit");
	return 0;
}

static int check_loads(const struct plan_test *test, const struct node *node, uint64_t link_bps, struct error *error)
{
	const struct node *goals = node_child(node, "goals"), *lower = node_child(node, "min_load");
	static const char *const PRESET_KEYS[] = {"preset", "trial_duration"};

	for (size_t i = 0; goals && i < sizeof(PRESET_KEYS) / sizeof(PRESET_KEYS[0]); i++) {
		const struct node *setting = node_child(node, PRESET_KEYS[i]);

		if (setting)
			return plan_complain(error, setting, PRESET_KEYS[i],
			                     "cannot be combined with goals, which replace it");
	}
	for (size_t i = 0; link_bps && i < test->frame_size_count; i++) {
		struct rate line = rate_max_theoretical(link_bps, test->frame_sizes[i]);
		struct rate low = plan_load(&test->min_load, line), high = plan_load(&test->max_load, line);

		if (rate_compare(low, high) >= 0)
			return plan_complain(
			        error, lower ? lower : node_child(node, "max_load"), lower ? "min_load" : "max_load",
			        "min_load must be below max_load, here %.1f and %.1f frames a second of %u octets",
			        rate_fps(low), rate_fps(high), test->frame_sizes[i]);
	}
	return 0;
}

static int check_direction(const struct plan *plan, const struct plan_test *test, const struct node *node,
                           struct error *error)
{
	if (!plan->exec.command || plan->exec.senders > 1 || !test->bidirectional)
		return 0;
	return plan_complain(error, node_child(node, "direction"), "direction",
	                     "must be \"unidirectional\" with one sender; see device.senders");
}

int plan_check_rate(const struct plan *plan, const struct plan_test *test, const struct node *group, const char *key,
                    const struct quantity *quantity, struct error *error)
{
	const struct node *setting = node_child(group, key);
	bool checked = setting && plan->link_bps && quantity->unit == QUANTITY_PLAIN;

	for (size_t i = 0; checked && i < test->frame_size_count; i++) {
		struct rate line = rate_max_theoretical(plan->link_bps, test->frame_sizes[i]);

		if (rate_compare((struct rate){quantity->numerator, quantity->denominator}, line) > 0)
			return plan_complain(error, setting, key,
			                     "must be at most the line rate, %.1f frames a second of %u octets",
			                     rate_fps(line), test->frame_sizes[i]);
	}
	return 0;
}

int plan_check_test(const struct plan *plan, const struct plan_test *test, const struct node *node, struct error *error)
{
	if (check_direction(plan, test, node, error) || check_search(test, node, error))
		return error->code;
	if (test->search != PLAN_SEARCH_MLRSEARCH)
		return 0;
	if (plan_check_rate(plan, test, node, "min_load", &test->min_load, error) ||
	    plan_check_rate(plan, test, node, "max_load", &test->max_load, error))
		return error->code;
	return check_loads(test, node, plan->link_bps, error);
}

/* The earlier test whose results this one depends on, choosing the best fit: the same traffic, else any, else none. */
static const struct plan_test *prerequisite(const struct plan *plan, size_t index)
{
	const struct plan_test *test = &plan->tests[index], *found = NULL;
	const char *name = test->benchmark->prerequisite;

	for (size_t i = 0; name && i < index; i++) {
		const struct plan_test *other = &plan->tests[i];

		if (strcmp(plan_test_name(other), name) != 0)
			continue;
		if (other->bidirectional == test->bidirectional && other->destinations == test->destinations)
			return other;
		found = other;
	}
	return found;
}

static int complain_prerequisite(const struct plan_test *test, const struct plan_test *before, const struct node *node,
                                 const char *key, const char *value, const char *must, struct error *error)
{
	const struct node *setting = node_child(node, key);

	return error_set(error, ERROR_PLAN, "%s: %s = %s: must be that of the %s test of line %u%s (%s)",
	                 setting ? setting->place : node->place, key, value, test->benchmark->prerequisite,
	                 before->line, must, test->benchmark->prerequisite_clause);
}

int plan_check_run(const struct plan *plan, const struct node *run, struct error *error)
{
	for (size_t i = 0; i < plan->test_count; i++) {
		const struct plan_test *test = &plan->tests[i], *before = prerequisite(plan, i);
		char has[16], must[16];

		if (before && test->bidirectional != before->bidirectional)
			return complain_prerequisite(test, before, run->children[i], "direction",
			                             test->bidirectional ? "\"bidirectional\"" : "\"unidirectional\"",
			                             "", error);
		if (!before || test->destinations == before->destinations)
			continue;
		snprintf(has, sizeof(has), "%u", test->destinations);
		snprintf(must, sizeof(must), ", %u", before->destinations);
		return complain_prerequisite(test, before, run->children[i], "destinations", has, must, error);
	}
	return 0;
}
