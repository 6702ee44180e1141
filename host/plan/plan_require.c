/* SPDX-License-Identifier: Apache-2.0 */
/* `require` of a test: limits for its results.
 *
 *     require = { throughput_fps = "148M"; latency_max_ns = "2us"; };
 *     require = ( { frame_sizes = [64]; throughput_fps = "100M"; }, { throughput_percent = "99%"; } );
 *
 * A limit is the least or the most that is good, as the key's better side says; "<= ..." and ">= ..." say it outright.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/metric.h"
#include "host/base/text.h"
#include "host/plan/plan_benchmark.h"
#include "host/plan/plan_parts.h"

/* What a limit may be, for each unit of a metric: unit of the text, and how many of the metric's units make one. */
static const struct {
	enum quantity_unit unit;
	double scale;
	const char *must;
} UNITS[] = {
        [METRIC_FPS] = {QUANTITY_PLAIN, 1, "a rate in frames a second, such as \"148M\""},
        [METRIC_PERCENT] = {QUANTITY_PERCENT, 100, "a percentage, such as \"99.5%\""},
        [METRIC_S] = {QUANTITY_TIME, 1, "a time with its unit, such as \"20us\""},
        [METRIC_NS] = {QUANTITY_TIME, 1e9, "a time with its unit, such as \"20us\""},
        [METRIC_FRAMES] = {QUANTITY_FRAMES, 1, "a number of frames, such as \"1000 frames\""},
        [METRIC_OCTETS] = {QUANTITY_PLAIN, 1, "a number of octets"},
};

static int complain_limit(const struct metric *metric, const char *shown, const struct node *node, struct error *error)
{
	return plan_complain(error, node, shown, "must be %s; with <= or >= before it where it is not to be %s",
	                     UNITS[metric->unit].must, metric->more_is_better ? "at least that" : "at most that");
}

static int read_limit(const struct metric *metric, const char *shown, const struct node *node,
                      struct plan_requirement *requirement, struct error *error)
{
	enum quantity_unit unit = UNITS[metric->unit].unit;
	const char *text = node->text, *why;
	struct quantity quantity;

	if (node->kind != NODE_NUMBER && node->kind != NODE_TEXT)
		return complain_limit(metric, shown, node, error);
	requirement->at_least = metric->more_is_better;
	if (!strncmp(text, "<=", 2) || !strncmp(text, ">=", 2)) {
		requirement->at_least = text[0] == '>';
		text += 2 + strspn(text + 2, " ");
	}
	if (quantity_parse(text, &quantity, &why))
		return complain_limit(metric, shown, node, error);
	if (quantity.unit != unit && !(unit == QUANTITY_FRAMES && quantity.unit == QUANTITY_PLAIN))
		return complain_limit(metric, shown, node, error);
	requirement->key = metric->key;
	requirement->limit = (double)quantity.numerator / (double)quantity.denominator * UNITS[metric->unit].scale;
	return 0;
}

static int complain_key(const char *test, const char *shown, const struct node *node, struct error *error)
{
	char known[512] = "";
	size_t length = 0;

	for (size_t i = 0; i < METRIC_COUNT; i++) {
		if (metric_is_of(&METRICS[i], test))
			length = text_add(known, sizeof(known), length, "%s%s", length ? ", " : "", METRICS[i].key);
	}
	return plan_complain(error, node, shown, "no key of the results of %s that can have a limit; must be one of %s",
	                     test, known);
}

static int append(struct plan_test *test, const struct plan_requirement *requirement, struct error *error)
{
	struct plan_requirement *added = array_add(&test->requirements, test->requirement_count, sizeof(*added));

	if (!added)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	*added = *requirement;
	test->requirement_count++;
	return 0;
}

static bool has_size(const struct plan_test *test, const struct node *size)
{
	for (size_t i = 0; i < test->frame_size_count; i++) {
		char text[16];

		snprintf(text, sizeof(text), "%u", test->frame_sizes[i]);
		if (size->kind == NODE_NUMBER && !strcmp(size->text, text))
			return true;
	}
	return false;
}

/* One limit for every size that the group names; for all, where it names none. */
static int add_limit(struct plan_test *test, const struct node *sizes, const struct plan_requirement *requirement,
                     struct error *error)
{
	struct plan_requirement one = *requirement;
	int result = 0;

	if (!sizes)
		return append(test, requirement, error);
	for (size_t i = 0; i < sizes->count && !result; i++) {
		one.frame_octets = (uint32_t)strtoul(sizes->children[i]->text, NULL, 10);
		result = append(test, &one, error);
	}
	return result;
}

static int check_sizes(const struct plan_test *test, const struct node *sizes, struct error *error)
{
	if (!sizes)
		return 0;
	if (sizes->kind != NODE_LIST || sizes->count == 0)
		return plan_complain(error, sizes, "require.frame_sizes", "must be a list of sizes of the test");
	for (size_t i = 0; i < sizes->count; i++) {
		if (!has_size(test, sizes->children[i]))
			return plan_complain(error, sizes->children[i], "require.frame_sizes",
			                     "must be a size of the test");
	}
	return 0;
}

static int read_group(struct plan_test *test, const struct node *group, struct error *error)
{
	const char *name = plan_test_name(test);
	const struct node *sizes = node_child(group, "frame_sizes");
	int result = check_sizes(test, sizes, error);

	for (size_t i = 0; i < group->count && !result; i++) {
		const struct node *node = group->children[i];
		const struct metric *metric = metric_find(name, node->name);
		struct plan_requirement requirement = {0};
		char shown[160];

		if (node == sizes)
			continue;
		snprintf(shown, sizeof(shown), "require.%.100s", node->name);
		if (!metric)
			return complain_key(name, shown, node, error);
		if (test->benchmark->check_requirement)
			result = test->benchmark->check_requirement(test, metric->key, shown, node, error);
		if (!result)
			result = read_limit(metric, shown, node, &requirement, error);
		if (!result)
			result = add_limit(test, sizes, &requirement, error);
	}
	return result;
}

int plan_require_read(struct plan_test *test, const struct node *node, struct error *error)
{
	int result = 0;

	if (node->kind == NODE_GROUP)
		return read_group(test, node, error);
	if (node->kind != NODE_LIST || node->count == 0)
		return plan_complain(error, node, "require", "must be a group of limits, or a list of such groups");
	for (size_t i = 0; i < node->count && !result; i++) {
		if (node->children[i]->kind != NODE_GROUP)
			return plan_complain(error, node->children[i], "require", "must be a group of limits, { ... }");
		result = read_group(test, node->children[i], error);
	}
	return result;
}
