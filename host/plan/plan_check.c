/* SPDX-License-Identifier: Apache-2.0 */
/* Checks over more than one setting. Each complaint stands at the setting that a reader would change. */
#include "host/plan/plan_check.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "host/plan/plan_keys.h"

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

int plan_check_mixed(enum plan_test_kind kind, const struct node *setting, struct error *error)
{
	if (!is_mixed(setting))
		return 0;
	if (kind == PLAN_BACK_TO_BACK)
		return plan_complain(error, setting, setting->name,
		                     "must be a list of single sizes: mixed sizes (IMIX) are not for back_to_back "
		                     "(RFC 9004 section 3)");
	return plan_complain(error, setting, setting->name,
	                     "must be a list of single sizes: throughput of mixed sizes (RFC 2544 section 18) is not "
	                     "there yet");
}

static int check_search(const struct plan_test *test, const struct node *node, struct error *error)
{
	const struct node *search = node_child(node, "search");
	char names[PLAN_NAMES_SIZE];

	if (test->kind == PLAN_MLRSEARCH && test->search != PLAN_SEARCH_MLRSEARCH)
		return plan_complain(error, search, "search", "must be \"mlrsearch\" in this test");
	if (test->kind == PLAN_BACK_TO_BACK && test->search == PLAN_SEARCH_MLRSEARCH)
		return plan_complain(error, search, "search",
		                     "must be \"binary\" or \"loss_verification\" (RFC 9004 section 6.2)");
	for (size_t i = 0; i < node->count; i++) { /* all known: each was read before */
		const char *name = node->children[i]->name;
		const struct plan_key *key = plan_key_find(&PLAN_TESTS.sets[test->kind], name, NULL);

		if (key->searches && !(key->searches & 1u << test->search))
			return plan_complain(error, node->children[i], name, "must stand with search = %s%s%s",
			                     plan_search_names(key->searches, "\"", names, sizeof(names)),
			                     key->instead ? "; " : "", key->instead ? key->instead : "");
	}
	if (test->counts_repeats && node_child(node, "max_trials"))
		return plan_complain(error, node_child(node, "max_repeats"), "max_repeats",
		                     "must not stand beside max_trials: they are two readings of one limit");
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
			                     "must not stand beside goals, which replace it");
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

static int check_throughput(const struct plan_test *test, const struct node *node, struct error *error)
{
	const struct node *setting = node_child(node, "search_trial_duration");

	if (setting && test->search_trial_duration_ns > test->trial_duration_ns)
		return plan_complain(error, setting, "search_trial_duration", "must be at most trial_duration, %.9g s",
		                     (double)test->trial_duration_ns / 1e9);
	return 0;
}

static int check_burst(const struct plan_test *test, const struct node *node, struct error *error)
{
	uint64_t max = test->max_burst.numerator;
	const struct node *first = node_child(node, "first_burst");
	const struct node *step = node_child(node, "resolution");

	if (test->max_burst.unit != QUANTITY_FRAMES)
		return 0;
	if (first && test->first_burst_frames > max)
		return plan_complain(error, first, "first_burst", "must be at most max_burst, %" PRIu64 " frames", max);
	if (step && test->resolution.numerator > max)
		return plan_complain(error, step, "resolution", "must be at most max_burst, %" PRIu64 " frames", max);
	return 0;
}

/* A rate above the line rate of some size is a slip in the number, or in the link. */
static int check_rate(const struct plan_test *test, const struct node *node, const char *key,
                      const struct quantity *quantity, uint64_t link_bps, struct error *error)
{
	const struct node *setting = node_child(node, key);

	for (size_t i = 0; setting && link_bps && quantity->unit == QUANTITY_PLAIN && i < test->frame_size_count; i++) {
		struct rate line = rate_max_theoretical(link_bps, test->frame_sizes[i]);

		if (rate_compare((struct rate){quantity->numerator, quantity->denominator}, line) > 0)
			return plan_complain(error, setting, key,
			                     "must be at most the line rate, %.1f frames a second of %u octets",
			                     rate_fps(line), test->frame_sizes[i]);
	}
	return 0;
}

int plan_check_test(const struct plan *plan, const struct plan_test *test, const struct node *node, struct error *error)
{
	uint64_t link_bps = plan->link_bps;
	int result = check_direction(plan, test, node, error);

	if (!result)
		result = check_search(test, node, error);
	if (!result && test->search == PLAN_SEARCH_MLRSEARCH) {
		result = check_rate(test, node, "min_load", &test->min_load, link_bps, error);
		if (!result)
			result = check_rate(test, node, "max_load", &test->max_load, link_bps, error);
		if (!result)
			result = check_loads(test, node, link_bps, error);
	}
	if (!result && test->kind == PLAN_THROUGHPUT) {
		result = check_throughput(test, node, error);
		if (!result)
			result = check_rate(test, node, "resolution", &test->resolution, link_bps, error);
	}
	if (!result && test->kind == PLAN_BACK_TO_BACK) {
		result = check_burst(test, node, error);
		if (!result && test->has_actual_rate)
			result = check_rate(test, node, "actual_rate", &test->actual_rate, link_bps, error);
	}
	return result;
}

/* The throughput test before a back_to_back test that fits it best: the same traffic, else any, else none. */
static const struct plan_test *prerequisite(const struct plan *plan, size_t index)
{
	const struct plan_test *test = &plan->tests[index], *found = NULL;

	for (size_t i = 0; i < index; i++) {
		const struct plan_test *other = &plan->tests[i];

		if (other->kind != PLAN_THROUGHPUT)
			continue;
		if (other->bidirectional == test->bidirectional && other->destinations == test->destinations)
			return other;
		found = other;
	}
	return found;
}

int plan_check_run(const struct plan *plan, const struct node *run, struct error *error)
{
	for (size_t i = 0; i < plan->test_count; i++) {
		const struct plan_test *test = &plan->tests[i];
		const struct plan_test *before = prerequisite(plan, i);
		const struct node *node = run->children[i];

		if (test->kind != PLAN_BACK_TO_BACK || !before)
			continue;
		if (test->bidirectional != before->bidirectional)
			return error_set(error, ERROR_PLAN,
			                 "%s: direction = \"%s\": must be that of the throughput test of line %u "
			                 "(RFC 9004 section 5)",
			                 node_child(node, "direction") ? node_child(node, "direction")->place
			                                               : node->place,
			                 test->bidirectional ? "bidirectional" : "unidirectional", before->line);
		if (test->destinations != before->destinations)
			return error_set(error, ERROR_PLAN,
			                 "%s: destinations = %u: must be that of the throughput test of line %u, %u "
			                 "(RFC 9004 section 5)",
			                 node_child(node, "destinations") ? node_child(node, "destinations")->place
			                                                  : node->place,
			                 test->destinations, before->line, before->destinations);
	}
	return 0;
}
