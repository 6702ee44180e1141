/* SPDX-License-Identifier: Apache-2.0 */
/* Checks across settings. Each complaint points to the setting that a reader would change. */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "host/plan/plan_benchmark.h"
#include "host/plan/plan_parts.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/pattern.h"

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
	                     benchmark->why_unmixed ? benchmark->why_unmixed
	                                            : "traffic = { sizes = ...; } mixes them within a trial");
}

/* These are keys of every test, because nearly every test searches. */
static int check_no_search(const struct plan_test *test, const struct node *node, struct error *error)
{
	static const char *const KEYS[] = {"search", "trials_limit"};

	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		const struct node *setting = node_child(node, KEYS[i]);

		if (setting)
			return plan_complain(error, setting, KEYS[i], "is for tests that search, and %s does not: %s",
			                     plan_test_name(test), test->benchmark->why_no_search);
	}
	return 0;
}

static int check_search(const struct plan_test *test, const struct node *node, struct error *error)
{
	const struct plan_benchmark *benchmark = test->benchmark;
	char names[PLAN_NAMES_SIZE];

	if (benchmark->why_no_search && check_no_search(test, node, error))
		return error->code;
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

static int check_goals(const struct node *node, struct error *error)
{
	const struct node *goals = node_child(node, "goals");
	static const char *const PRESET_KEYS[] = {"preset", "trial_duration"};

	for (size_t i = 0; goals && i < sizeof(PRESET_KEYS) / sizeof(PRESET_KEYS[0]); i++) {
		const struct node *setting = node_child(node, PRESET_KEYS[i]);

		if (setting)
			return plan_complain(error, setting, PRESET_KEYS[i],
			                     "cannot be combined with goals, which replace it");
	}
	return 0;
}

static int check_loads(const struct plan_test *test, const struct node *node, uint64_t link_bps, struct error *error)
{
	const struct node *lower = node_child(node, "min_load");
	char frames[PLAN_FRAMES_TEXT];

	for (size_t i = 0; link_bps && lower && i < test->frame_size_count; i++) {
		struct rate line = plan_max_rate(test, test->frame_sizes[i], link_bps);
		struct rate low = plan_load(&test->min_load, line), high = plan_load(&test->max_load, line);

		if (rate_compare(low, high) >= 0)
			return plan_complain(error, lower, "min_load",
			                     "must be below max_load: they are %.1f and %.1f frames a second of %s",
			                     rate_fps(low), rate_fps(high),
			                     plan_frames_text(test, test->frame_sizes[i], frames, sizeof(frames)));
	}
	return 0;
}

int plan_check_rate(const struct plan *plan, const struct plan_test *test, const struct node *group, const char *key,
                    const struct quantity *quantity, struct error *error)
{
	const struct node *setting = node_child(group, key);
	bool checked = setting && plan->link_bps && quantity->unit == QUANTITY_PLAIN;
	char frames[PLAN_FRAMES_TEXT];

	for (size_t i = 0; checked && i < test->frame_size_count; i++) {
		struct rate line = plan_max_rate(test, test->frame_sizes[i], plan->link_bps);

		if (rate_compare((struct rate){quantity->numerator, quantity->denominator}, line) > 0)
			return plan_complain(
			        error, setting, key, "must be at most the line rate, %.1f frames a second of %s",
			        rate_fps(line), plan_frames_text(test, test->frame_sizes[i], frames, sizeof(frames)));
	}
	return 0;
}

int plan_check_test(const struct plan *plan, const struct plan_test *test, const struct node *node, struct error *error)
{
	if (check_search(test, node, error))
		return error->code;
	if (test->search == PLAN_SEARCH_MLRSEARCH && check_goals(node, error))
		return error->code;
	if (plan_check_rate(plan, test, node, "min_load", &test->min_load, error) ||
	    plan_check_rate(plan, test, node, "max_load", &test->max_load, error))
		return error->code;
	return check_loads(test, node, plan->link_bps, error);
}

/* The aspects that must be the same for results of one test to hold for another: each as text, and the key that says
 * it. */
enum { ASPECT_DIRECTION, ASPECT_PATTERN, ASPECT_ADDRESSES, ASPECT_FRAME, ASPECT_VLAN, ASPECT_SEED, ASPECTS };

static const char *aspect_text(const struct traffic_shape *shape, unsigned aspect, char *text, size_t size)
{
	switch (aspect) {
	case ASPECT_DIRECTION:
		snprintf(text, size, "\"%s\"", shape->bidirectional ? "bidirectional" : "unidirectional");
		break;
	case ASPECT_PATTERN:
		snprintf(text, size, "\"%s\"", TRAFFIC_PATTERN_NAMES[shape->pattern]);
		break;
	case ASPECT_ADDRESSES:
		snprintf(text, size, "%u", shape->addresses);
		break;
	case ASPECT_FRAME:
		snprintf(text, size, "\"%s\"", TRAFFIC_FRAME_NAMES[shape->frame]);
		break;
	case ASPECT_VLAN:
		snprintf(text, size, shape->vlan == TRAFFIC_NO_VLAN ? "none" : "%u", shape->vlan);
		break;
	default: /* another seed draws other pairs of hosts; if none are drawn, it says nothing */
		snprintf(text, size, pattern_draws(shape) ? "%u" : "none", shape->seed);
		break;
	}
	return text;
}

enum { ASPECT_SIZE = 32 };

/* The first aspect in which they differ; ASPECTS: none. */
static unsigned difference(const struct traffic_shape *a, const struct traffic_shape *b)
{
	char of_a[ASPECT_SIZE], of_b[ASPECT_SIZE];
	unsigned aspect = 0;

	while (aspect < ASPECTS &&
	       !strcmp(aspect_text(a, aspect, of_a, sizeof(of_a)), aspect_text(b, aspect, of_b, sizeof(of_b))))
		aspect++;
	return aspect;
}

/* Returns whether a test depends on results of that one. A mix of lengths has no result for a single one. */
static bool depends(const struct plan_test *test, const struct plan_test *other)
{
	return test->benchmark->prerequisite && !strcmp(plan_test_name(other), test->benchmark->prerequisite) &&
	       !other->shape.sizes.count;
}

/* The earlier test whose results this one depends on, choosing the best fit: the same traffic, else any, else none. */
static const struct plan_test *prerequisite(const struct plan *plan, size_t index)
{
	const struct plan_test *test = &plan->tests[index], *found = NULL;

	for (size_t i = 0; i < index; i++) {
		const struct plan_test *other = &plan->tests[i];

		if (!depends(test, other))
			continue;
		if (difference(&other->shape, &test->shape) == ASPECTS)
			return other;
		found = other;
	}
	return found;
}

/* Returns whether an earlier test with the same traffic has results with these modifiers. */
static bool has_modifiers(const struct plan *plan, size_t index, uint32_t modifiers)
{
	const struct plan_test *test = &plan->tests[index];

	for (size_t i = 0; i < index; i++) {
		const struct plan_test *other = &plan->tests[i];

		if (!depends(test, other) || difference(&other->shape, &test->shape) != ASPECTS)
			continue;
		for (unsigned run = 0; run < plan_runs(other); run++)
			if (plan_modifiers(other, run) == modifiers)
				return true;
	}
	return false;
}

static int check_prerequisite_modifiers(const struct plan *plan, size_t index, const struct node *group,
                                        const struct plan_test *before, struct error *error)
{
	const struct plan_test *test = &plan->tests[index];
	const struct node *setting = node_child(group, "modifiers");

	for (unsigned run = 0; run < plan_runs(test); run++) {
		const uint32_t modifiers = plan_modifiers(test, run);
		char text[TRAFFIC_MODIFIERS_TEXT];

		if (has_modifiers(plan, index, modifiers))
			continue;
		return error_set(error, ERROR_PLAN,
		                 "%s: modifiers: must have an earlier %s test with the same modifiers (%s); that of "
		                 "line %u has others (%s)",
		                 setting ? setting->place : group->place, test->benchmark->prerequisite,
		                 modifiers ? traffic_modifiers_text(modifiers, text, sizeof(text)) : "none",
		                 before->line, test->benchmark->prerequisite_clause);
	}
	return 0;
}

static int complain_prerequisite(const struct plan_test *test, const struct plan_test *before, const struct node *group,
                                 unsigned aspect, struct error *error)
{
	static const struct {
		const char *group, *key;
	} KEYS[] = {
	        [ASPECT_DIRECTION] = {"", "direction"},         [ASPECT_PATTERN] = {"traffic.", "pattern"},
	        [ASPECT_ADDRESSES] = {"traffic.", "addresses"}, [ASPECT_FRAME] = {"traffic.", "frame"},
	        [ASPECT_VLAN] = {"traffic.", "vlan"},           [ASPECT_SEED] = {"traffic.", "seed"},
	};
	const struct node *holder = *KEYS[aspect].group ? node_child(group, "traffic") : group;
	const struct node *setting = holder ? node_child(holder, KEYS[aspect].key) : NULL;
	char has[ASPECT_SIZE], must[ASPECT_SIZE];

	return error_set(error, ERROR_PLAN, "%s: %s%s = %s: must be that of the %s test of line %u, %s (%s)",
	                 setting ? setting->place : group->place, KEYS[aspect].group, KEYS[aspect].key,
	                 aspect_text(&test->shape, aspect, has, sizeof(has)), test->benchmark->prerequisite,
	                 before->line, aspect_text(&before->shape, aspect, must, sizeof(must)),
	                 test->benchmark->prerequisite_clause);
}

/* True if an earlier test with the same traffic has a result for frames of that size; 0: for the same mix. */
static bool has_size(const struct plan *plan, size_t index, uint32_t octets)
{
	const struct plan_test *test = &plan->tests[index];

	for (size_t i = 0; i < index; i++) {
		const struct plan_test *other = &plan->tests[i];

		if (strcmp(plan_test_name(other), test->benchmark->prerequisite) != 0 ||
		    difference(&other->shape, &test->shape) != ASPECTS)
			continue;
		for (size_t k = 0; k < other->frame_size_count; k++)
			if (other->frame_sizes[k] == octets &&
			    (octets || traffic_sizes_equal(&other->shape.sizes, &test->shape.sizes)))
				return true;
	}
	return false;
}

/* A test without the prerequisite it needs would take hours of trials, and then have a result that says that it was not
 * tested. */
static int check_needed_sizes(const struct plan *plan, size_t index, const struct node *group, struct error *error)
{
	const struct plan_test *test = &plan->tests[index];
	const struct plan_benchmark *benchmark = test->benchmark;
	char frames[PLAN_FRAMES_TEXT];

	if (!benchmark->needs_prerequisite || node_child(group, "load"))
		return 0;
	for (size_t i = 0; i < test->frame_size_count; i++)
		if (!has_size(plan, index, test->frame_sizes[i]))
			return error_set(error, ERROR_PLAN,
			                 "%s: test = \"%s\": needs the throughput of %s: put a %s test of that size "
			                 "before it%s (%s)",
			                 group->place, plan_test_name(test),
			                 plan_frames_text(test, test->frame_sizes[i], frames, sizeof(frames)),
			                 benchmark->prerequisite,
			                 plan_key_find(&benchmark->keys, "load", NULL) ? ", or give load" : "",
			                 benchmark->prerequisite_clause);
	return 0;
}

int plan_check_run(const struct plan *plan, const struct node *run, struct error *error)
{
	for (size_t i = 0; i < plan->test_count; i++) {
		const struct plan_test *test = &plan->tests[i], *before = prerequisite(plan, i);
		const unsigned aspect = before ? difference(&test->shape, &before->shape) : ASPECTS;

		if (aspect < ASPECTS)
			return complain_prerequisite(test, before, run->children[i], aspect, error);
		if ((before && check_prerequisite_modifiers(plan, i, run->children[i], before, error)) ||
		    check_needed_sizes(plan, i, run->children[i], error))
			return error->code;
	}
	return 0;
}
