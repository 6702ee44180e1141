/* SPDX-License-Identifier: Apache-2.0 */
/* plan_read(): file to tree to struct plan. The tree stays with the plan: its options point into it. */
#include "host/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/node.h"
#include "host/plan/plan_check.h"
#include "host/plan/plan_keys.h"
#include "host/plan/plan_parts.h"
#include "host/plan/source.h"
#include "host/plan/source_file.h"

enum { MAX_TESTS = 100 };

int plan_require_group(const struct node *node, const char *shown, struct error *error)
{
	if (node->kind != NODE_GROUP)
		return plan_complain(error, node, shown, "must be a group, { ... }");
	return 0;
}

const struct result_description *const *(*plan_results)(enum plan_test_kind kind);

static int read_link(struct plan_private *private, const struct node *group, struct error *error)
{
	int result = plan_require_group(group, "link", error);

	return result ? result : plan_settings_read(&PLAN_LINK_KEYS, "link.", group, &private->plan, error);
}

/* Which benchmark: decides what the other keys mean, so it is looked at first. */
static int read_kind(struct plan_test *test, const struct node *group, struct error *error)
{
	const struct node *node = node_child(group, "test");
	char names[PLAN_NAMES_SIZE];

	if (!node)
		return error_set(error, ERROR_PLAN, "%s: test must be given: %s", group->place,
		                 plan_family_names(&PLAN_TESTS, NULL, NULL, "\"", " or ", names, sizeof(names)));
	return plan_setting_read(PLAN_TESTS.sets, "", node, test, error); /* every benchmark has this key */
}

static int read_settings(struct plan_test *test, const struct node *group, struct error *error)
{
	int result = 0;

	for (size_t i = 0; !result && i < group->count; i++)
		result = plan_check_mixed(test->kind, group->children[i], error);
	return result ? result : plan_settings_read(&PLAN_TESTS.sets[test->kind], "", group, test, error);
}

/* Defaults that follow from other settings. */
static void derive(const struct plan *plan, struct plan_test *test, const struct node *group)
{
	/* One port that sends has nobody to send to it. */
	if (plan->exec.command && plan->exec.senders == 1 && !node_child(group, "direction"))
		test->bidirectional = false;
	if (test->kind == PLAN_MLRSEARCH && !node_child(group, "search"))
		test->search = PLAN_SEARCH_MLRSEARCH;
	test->has_width = node_child(group, "width") != NULL;
	test->has_trial_duration = node_child(group, "trial_duration") != NULL;
	test->counts_repeats = node_child(group, "max_repeats") != NULL;
	test->has_actual_rate = node_child(group, "actual_rate") != NULL;
	if (!node_child(group, "search_trial_duration"))
		test->search_trial_duration_ns = test->trial_duration_ns;
	if (test->search == PLAN_SEARCH_BINARY)
		test->max_trials = 1; /* plain Binary Search never looks twice */
	if (!node_child(group, "first_burst") && test->max_burst.unit == QUANTITY_FRAMES &&
	    test->first_burst_frames > test->max_burst.numerator)
		test->first_burst_frames = 0;
}

static int read_test(const struct plan *plan, struct plan_test *test, const struct node *group, struct error *error)
{
	int result = plan_require_group(group, "run", error);

	if (!result)
		result = read_kind(test, group, error);
	if (!result) {
		test->line = group->line;
		result = read_settings(test, group, error);
	}
	if (!result) {
		derive(plan, test, group);
		result = plan_check_test(plan, test, group, error);
	}
	if (!result && test->search == PLAN_SEARCH_MLRSEARCH)
		result = plan_read_goals(test, group, error);
	if (!result && node_child(group, "require"))
		result = plan_require_read(test, plan_results(test->kind), node_child(group, "require"), error);
	return result;
}

static int read_run(struct plan *plan, const struct node *run, struct error *error)
{
	int result = 0;

	if (run->kind != NODE_LIST || run->count == 0 || run->count > MAX_TESTS)
		return plan_complain(error, run, "run", "must be a list of 1 to %d tests, ( { test = ...; }, ... )",
		                     MAX_TESTS);
	plan->tests = calloc(run->count, sizeof(*plan->tests));
	if (!plan->tests)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; !result && i < run->count; i++)
		result = read_test(plan, &plan->tests[plan->test_count++], run->children[i], error);
	return result ? result : plan_check_run(plan, run, error);
}

static int read_tree(struct plan_private *private, struct error *error)
{
	const struct node *root = private->root;
	const struct node *device = node_child(root, "device"), *link = node_child(root, "link");
	const struct node *dut = node_child(root, "dut"), *run = node_child(root, "run");
	const struct node *trial_log = node_child(root, "trial_log");
	int result = 0;

	for (size_t i = 0; i < root->count; i++) {
		const struct node *node = root->children[i];

		result = plan_key_check_name(node->name, node, error);
		if (result)
			return result;
		if (node != device && node != link && node != dut && node != run && node != trial_log)
			return plan_complain(error, node, node->name,
			                     "unknown key; must be device, link, dut, run or trial_log");
	}
	if (!device || !run)
		return error_set(error, ERROR_PLAN, "%s: %s must be given", private->plan.path,
		                 device ? "run" : "device");
	if (trial_log)
		result = plan_setting_read(&PLAN_TOP_KEYS, "", trial_log, &private->plan, error);
	if (!result)
		result = plan_read_device(private, device, dut, error);
	if (!result && link)
		result = read_link(private, link, error);
	if (!result && private->plan.exec.command && !private->plan.link_bps)
		result = error_set(error, ERROR_PLAN,
		                   "%s: link.speed must be given with backend = \"exec\", such as link = { speed = "
		                   "\"100G\"; }",
		                   link ? link->place : device->place);
	return result ? result : read_run(&private->plan, run, error);
}

/* What the plan keeps of its source: names are its own, for the source frees them. */
static int keep_files(struct plan *plan, struct source *source, struct error *error)
{
	plan->files = calloc(source->text_count + 1, sizeof(*plan->files));
	if (!plan->files)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < source->text_count; i++) {
		struct source_text *text = &source->texts[i];
		struct plan_file *file = &plan->files[plan->file_count++];

		*file = (struct plan_file){strdup(text->name), text->absolute, text->text};
		*text = (struct source_text){0};
		if (!file->path)
			return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	plan->text = plan->files[0].text;
	return 0;
}

static int read_source(struct plan_private *private, struct source *source, const char *const *overrides,
                       size_t override_count, struct error *error)
{
	int result = source_read(source, private->plan.path, error);

	if (!result)
		result = node_parse(source, &private->root, error);
	for (size_t i = 0; !result && i < override_count; i++)
		result = node_override(private->root, overrides[i], error);
	if (!result)
		result = read_tree(private, error);
	return result ? result : keep_files(&private->plan, source, error);
}

static int plan_make(const char *path, struct source *source, const char *const *overrides, size_t override_count,
                     struct plan **plan, struct error *error)
{
	struct plan_private *private = calloc(1, sizeof(*private));
	int result;

	*plan = NULL;
	if (!private || !(private->plan.path = strdup(path))) {
		free(private);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	result = read_source(private, source, overrides, override_count, error);
	source_free(source);
	if (result)
		plan_free(&private->plan);
	else
		*plan = &private->plan;
	return result;
}

/* The path is a part of the report, as the text is: what no report can have is refused here, not after the trials. */
static int check_path(const char *path, struct error *error)
{
	size_t octet;
	const char *wrong = source_check_text(path, strlen(path), &octet);

	return wrong ? error_set(error, ERROR_PLAN, "PLAN %s: octet %zu, 0x%02x: %s", path, octet + 1,
	                         (unsigned char)path[octet], wrong)
	             : 0;
}

int plan_read(const char *path, const char *const *overrides, size_t override_count, struct plan **plan,
              struct error *error)
{
	struct source source = {0};
	int result = check_path(path, error);

	*plan = NULL;
	return result ? result : plan_make(path, &source, overrides, override_count, plan, error);
}

int plan_read_recorded(const struct plan_file *files, size_t file_count, const char *const *overrides,
                       size_t override_count, struct plan **plan, struct error *error)
{
	struct source_text *texts = calloc(file_count + 1, sizeof(*texts));
	struct source source = {.recorded = texts, .recorded_count = file_count};
	int result;

	*plan = NULL;
	if (!texts || file_count == 0) {
		free(texts);
		return error_set(error, ERROR_INTERNAL, file_count ? "out of memory" : "no plan is recorded");
	}
	for (size_t i = 0; i < file_count; i++)
		texts[i] = (struct source_text){files[i].path, files[i].absolute, files[i].text};
	result = plan_make(files[0].path, &source, overrides, override_count, plan, error);
	free(texts);
	return result;
}

void plan_free(struct plan *plan)
{
	struct plan_private *private = (struct plan_private *)plan; /* its first member */

	if (!plan)
		return;
	for (size_t i = 0; i < plan->file_count; i++) {
		free(plan->files[i].path);
		free(plan->files[i].absolute);
		free(plan->files[i].text);
	}
	free(plan->files);
	for (size_t i = 0; i < plan->test_count; i++) {
		free(plan->tests[i].frame_sizes);
		free(plan->tests[i].goals);
		free(plan->tests[i].requirements);
	}
	plan_device_free(private);
	free(plan->tests);
	node_free(private->root);
	free(plan->path);
	free(private);
}

struct rate plan_load(const struct quantity *load, struct rate line)
{
	return load->unit == QUANTITY_PERCENT ? rate_scale(line, load->numerator, load->denominator)
	                                      : (struct rate){load->numerator, load->denominator};
}

const char *plan_option_place(const struct plan *plan, const char *option_name)
{
	const struct plan_private *private = (const struct plan_private *)plan;
	char section[16];
	const char *point = strchr(option_name, '.');
	const struct node *group, *node;

	if (!point)
		return plan->path;
	snprintf(section, sizeof(section), "%.*s", (int)(point - option_name), option_name);
	group = node_child(private->root, section);
	node = group ? node_child(group, point + 1) : NULL;
	return node ? node->place : group ? group->place : plan->path;
}
