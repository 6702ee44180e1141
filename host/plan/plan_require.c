/* SPDX-License-Identifier: Apache-2.0 */
/* `require` of a test: limits for its results.
 *
 *     require = { throughput_fps = "148M"; latency_max_ns = "2us"; };
 *     require = ( { frame_sizes = [64]; throughput_fps = "100M"; }, { throughput_percent = "99%"; } );
 *
 * A limit is the lowest or the highest good value, depending on which direction is better for the key, unless an
 * explicit "<= ..." or ">= ..." decides. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/base/ratio.h"
#include "host/base/text.h"
#include "host/plan/plan_benchmark.h"
#include "host/plan/plan_parts.h"

/* The units that a limit may have, for each unit of a metric: the unit of the text, and how many of the metric's units
 * make one. */
static const struct {
	enum quantity_unit unit;
	uint64_t scale;
	const char *must; /* NULL: cannot have a limit */
} UNITS[METRIC_UNITS] = {
        [METRIC_NUMBER] = {QUANTITY_PLAIN, 1, "a number"},
        [METRIC_RATIO] = {QUANTITY_PERCENT, 1, "a percentage, such as \"0.1%\""},
        [METRIC_FPS] = {QUANTITY_PLAIN, 1, "a rate in frames a second, such as \"148M\""},
        [METRIC_GBPS] = {QUANTITY_PLAIN, 1, "a number of Gb/s, such as 38.5"},
        [METRIC_PERCENT] = {QUANTITY_PERCENT, 100, "a percentage, such as \"99.5%\""},
        [METRIC_S] = {QUANTITY_TIME, 1, "a time with its unit, such as \"20us\""},
        [METRIC_NS] = {QUANTITY_TIME, NS_PER_S, "a time with its unit, such as \"20us\""},
        [METRIC_FRAMES] = {QUANTITY_FRAMES, 1, "a number of frames, such as \"1000 frames\""},
        [METRIC_OCTETS] = {QUANTITY_PLAIN, 1, "a number of octets"},
};

/* Describes what the results of the test will be. */
static const struct result_description *description_of(const struct plan_test *test)
{
	const struct plan_benchmark *benchmark = test->benchmark;

	return benchmark->results_of ? benchmark->results_of(test) : benchmark->results[0];
}

/* NULL: the results have no metric with that key, or one that cannot have a limit. */
static const struct metric *limited(const struct result_description *description, const char *key)
{
	const struct metric *metric = description_metric(description, key);

	return metric && metric->better != BETTER_NEITHER && UNITS[metric->unit].must ? metric : NULL;
}

static int complain_limit(const struct metric *metric, const char *shown, const struct node *node, struct error *error)
{
	return plan_complain(error, node, shown, "must be %s, taken as %s unless <= or >= stands before it",
	                     UNITS[metric->unit].must, metric->better == BETTER_MORE ? "a minimum" : "a maximum");
}

static int read_limit(const struct metric *metric, const char *shown, const struct node *node,
                      struct plan_requirement *requirement, struct error *error)
{
	enum quantity_unit unit = UNITS[metric->unit].unit;
	const char *text = node->text, *why;
	struct quantity quantity;

	if (node->kind != NODE_NUMBER && node->kind != NODE_TEXT)
		return complain_limit(metric, shown, node, error);
	requirement->at_least = metric->better == BETTER_MORE;
	if (!strncmp(text, "<=", 2) || !strncmp(text, ">=", 2)) {
		requirement->at_least = text[0] == '>';
		text += 2 + strspn(text + 2, " ");
	}
	if (quantity_parse(text, &quantity, &why))
		return complain_limit(metric, shown, node, error);
	if (quantity.unit == QUANTITY_FRAME_RATE && metric->unit == METRIC_FPS)
		quantity.unit = QUANTITY_PLAIN;
	if (quantity.unit != unit && !(unit == QUANTITY_FRAMES && quantity.unit == QUANTITY_PLAIN))
		return complain_limit(metric, shown, node, error);
	requirement->key = metric->key;
	requirement->limit =
	        ratio_nearest((uint128)quantity.numerator * UNITS[metric->unit].scale, quantity.denominator);
	return 0;
}

static int complain_key(const struct result_description *description, const char *shown, const struct node *node,
                        struct error *error)
{
	const struct metric *metric;
	char known[512] = "";
	size_t length = 0;

	for (size_t i = 0; (metric = description_at(description, i)); i++) {
		if (limited(description, metric->key))
			length = text_add(known, sizeof(known), length, "%s%s", length ? ", " : "", metric->key);
	}
	return plan_complain(error, node, shown,
	                     "is not a key of the results of %s that can have a limit; must be one of %s",
	                     description->test, known);
}

/* The metric belongs to another description of the benchmark than this test's, so a limit on it would never be met.
 * This test has its answer instead, or the answer as a percentage. */
static int complain_other(const struct result_description *description, const struct result_description *other,
                          const char *shown, const struct node *node, struct error *error)
{
	const char *percent = other->answer_percent ? description->answer_percent : NULL;
	const bool same = percent && !strcmp(node->name, other->answer_percent);

	return plan_complain(error, node, shown, "must be %s here: with these settings the test finds %c%s (%s)",
	                     same ? percent : description->answer, tolower((unsigned char)*description->title),
	                     description->title + 1, description->clause);
}

/* NULL after a complaint. */
static const struct metric *find_metric(const struct plan_test *test, const char *shown, const struct node *node,
                                        struct error *error)
{
	const struct result_description *const *results = test->benchmark->results;
	const struct result_description *description = description_of(test);
	const struct metric *metric = limited(description, node->name);

	for (; *results && !metric; results++) {
		if (limited(*results, node->name)) {
			complain_other(description, *results, shown, node, error);
			return NULL;
		}
	}
	if (!metric)
		complain_key(description, shown, node, error);
	return metric;
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

/* Adds one limit for every size that the group names; for all sizes if it names none. */
static int add_limit(struct plan_test *test, const struct node *sizes, const struct plan_requirement *requirement,
                     struct error *error)
{
	struct plan_requirement one = *requirement;
	int status = 0;

	if (!sizes)
		return append(test, requirement, error);
	for (size_t i = 0; i < sizes->count && !status; i++) {
		one.frame_octets = (uint32_t)strtoul(sizes->children[i]->text, NULL, 10);
		status = append(test, &one, error);
	}
	return status;
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
	const struct node *sizes = node_child(group, "frame_sizes");
	int status = check_sizes(test, sizes, error);

	for (size_t i = 0; i < group->count && !status; i++) {
		const struct node *node = group->children[i];
		struct plan_requirement requirement = {0};
		const struct metric *metric;
		char shown[160];

		if (node == sizes)
			continue;
		snprintf(shown, sizeof(shown), "require.%.100s", node->name);
		metric = find_metric(test, shown, node, error);
		if (!metric)
			return error->code;
		status = read_limit(metric, shown, node, &requirement, error);
		if (!status)
			status = add_limit(test, sizes, &requirement, error);
	}
	return status;
}

int plan_require_read(struct plan_test *test, const struct node *node, struct error *error)
{
	int status = 0;

	if (node->kind == NODE_GROUP)
		return read_group(test, node, error);
	if (node->kind != NODE_LIST || node->count == 0)
		return plan_complain(error, node, "require", "must be a group of limits, or a list of such groups");
	for (size_t i = 0; i < node->count && !status; i++) {
		if (node->children[i]->kind != NODE_GROUP)
			return plan_complain(error, node->children[i], "require", "must be a group of limits, { ... }");
		status = read_group(test, node->children[i], error);
	}
	return status;
}
