/* SPDX-License-Identifier: Apache-2.0 */
/* plan_read(): file to tree to struct plan. The plan keeps the tree: its options point into it. */
#include "host/plan/plan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/node.h"
#include "host/plan/plan_benchmark.h"
#include "host/plan/plan_parts.h"
#include "host/plan/source.h"
#include "host/plan/source_file.h"

enum { MAX_TESTS = 100 };

int plan_read_link(struct plan_private *owner, const struct node *group, struct error *error)
{
	int result = plan_require_group(group, "link", error);

	if (!result)
		result = plan_settings_read(&PLAN_LINK_KEYS, "link.", group, &owner->plan, error);
	owner->plan.device.link_bps = owner->plan.link_bps;
	return result;
}

static int read_info(struct plan_private *owner, const struct node *group, struct error *error)
{
	int result = plan_require_group(group, "info", error);

	return result ? result : plan_settings_read(&PLAN_INFO_KEYS, "info.", group, &owner->plan.info, error);
}

bool plan_info_at(const struct plan *plan, size_t index, const char **key, const char **text)
{
	const struct key_slice *slice = PLAN_INFO_KEYS.slices[0];

	if (index >= slice->count)
		return false;
	*key = slice->keys[index].name;
	memcpy(text, (const char *)&plan->info + slice->keys[index].value.offset, sizeof(*text));
	if (*text && !**text)
		*text = NULL;
	return true;
}

/* The benchmark determines what the other keys mean, so it is read first. */
static int read_benchmark(const struct key_family *benchmarks, struct plan_test *test, const struct node *group,
                          struct error *error)
{
	const struct node *node = node_child(group, "test");
	char names[PLAN_NAMES_SIZE];

	if (!node)
		return error_set(error, ERROR_PLAN, "%s: test must be given: %s", group->place,
		                 plan_family_names(benchmarks, NULL, NULL, "\"", " or ", names, sizeof(names)));
	test->benchmark = (const struct plan_benchmark *)plan_family_pick(benchmarks, "", node, error);
	if (!test->benchmark)
		return error->code;
	if (!test->benchmark->settings_size)
		return 0;
	test->settings = calloc(1, test->benchmark->settings_size);
	return test->settings ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");
}

static int read_settings(const struct key_family *benchmarks, struct plan_test *test, const struct node *group,
                         struct error *error)
{
	const struct key_set keys = {test->benchmark->keys.name, test->benchmark->keys.slices, benchmarks};
	int result = 0;

	for (size_t i = 0; !result && i < group->count; i++)
		result = plan_check_mixed(test->benchmark, group->children[i], error);
	return result ? result : plan_settings_read(&keys, "", group, test, error);
}

static bool says_duration(const struct node *group)
{
	static const char *const KEYS[] = {"trial_duration", "search_trial_duration", "initial_trial_duration",
	                                   "tag_after", "goals"};

	for (size_t i = 0; i < sizeof(KEYS) / sizeof(KEYS[0]); i++) {
		if (node_child(group, KEYS[i]))
			return true;
	}
	return false;
}

/* Defaults that follow from other settings. */
static void derive(struct plan_test *test, const struct node *group)
{
	while (!node_child(group, "search") && test->benchmark->searches &&
	       !(test->benchmark->searches & 1u << test->search))
		test->search++;
	test->has_width = node_child(group, "width") != NULL;
	test->says_duration = says_duration(group);
	test->counts_repeats = node_child(group, "max_repeats") != NULL;
	if (test->search == PLAN_SEARCH_BINARY)
		test->max_trials = 1; /* plain Binary Search never repeats a trial */
}

static int read_test(const struct plan_private *owner, struct plan_test *test, const struct node *group,
                     struct error *error)
{
	const struct plan *plan = &owner->plan;
	const struct node *require = node_child(group, "require");

	if (plan_require_group(group, "run", error) || read_benchmark(owner->benchmarks, test, group, error))
		return error->code;
	test->line = group->line;
	if (plan_read_traffic(owner->root, group, &test->shape, error) ||
	    read_settings(owner->benchmarks, test, group, error) ||
	    plan_finish_traffic(plan, test, owner->root, group, error))
		return error->code;
	derive(test, group);
	if (plan_check_test(plan, test, group, error) ||
	    (test->benchmark->finish && test->benchmark->finish(plan, test, group, error)) ||
	    (test->search == PLAN_SEARCH_MLRSEARCH && plan_read_goals(test, group, error)))
		return error->code;
	return require ? plan_require_read(test, require, error) : 0;
}

static int read_run(struct plan_private *owner, const struct node *run, struct error *error)
{
	struct plan *plan = &owner->plan;
	int result = 0;

	if (run->kind != NODE_LIST || run->count == 0 || run->count > MAX_TESTS)
		return plan_complain(error, run, "run", "must be a list of 1 to %d tests, ( { test = ...; }, ... )",
		                     MAX_TESTS);
	plan->tests = calloc(run->count, sizeof(*plan->tests));
	if (!plan->tests)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; !result && i < run->count; i++) {
		result = read_test(owner, &plan->tests[plan->test_count++], run->children[i], error);
		plan->device.needs_tcp |= plan->tests[i].benchmark && plan->tests[i].benchmark->needs_tcp;
	}
	return result ? result : plan_check_run(plan, run, error);
}

static int read_tree(struct plan_private *owner, struct error *error)
{
	const struct node *root = owner->root;
	const struct node *device = node_child(root, "device"), *link = node_child(root, "link");
	const struct node *dut = node_child(root, "dut"), *run = node_child(root, "run");
	const struct node *trial_log = node_child(root, "trial_log"), *info = node_child(root, "info");

	for (size_t i = 0; i < root->count; i++) {
		const struct node *node = root->children[i];

		if (node != device && node != link && node != dut && node != run && node != info &&
		    !plan_key_find(&PLAN_TOP_KEYS, node->name, NULL))
			return plan_complain(error, node, node->name,
			                     "unknown key; must be device, link, dut, info, traffic, run or trial_log");
	}
	if (!device || !run)
		return error_set(error, ERROR_PLAN, "%s: %s must be given", owner->plan.path,
		                 device ? "run" : "device");
	if ((trial_log && plan_setting_read(&PLAN_TOP_KEYS, "", trial_log, &owner->plan, error)) ||
	    plan_read_device(owner, device, dut, error) || (link && plan_read_link(owner, link, error)) ||
	    (info && read_info(owner, info, error)))
		return error->code;
	if (owner->plan.exec.command && !owner->plan.link_bps)
		return error_set(error, ERROR_PLAN,
		                 "%s: link.speed must be given with backend = \"exec\", such as link = { speed = "
		                 "\"100G\"; }",
		                 link ? link->place : device->place);
	return read_run(owner, run, error);
}

int plan_make(struct node *root, const char *path, const char *const *overrides, size_t override_count,
              const struct key_family *benchmarks, int (*read)(struct plan_private *owner, struct error *error),
              struct plan **plan, struct error *error)
{
	struct plan_private *owner = calloc(1, sizeof(*owner));
	int result = 0;

	if (!owner || !(owner->plan.path = strdup(path))) {
		node_free(root);
		free(owner);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	owner->root = root;
	owner->benchmarks = benchmarks;
	for (size_t i = 0; !result && i < override_count; i++)
		result = node_override(root, overrides[i], error);
	if (!result)
		result = read(owner, error);
	if (result)
		plan_free(&owner->plan);
	else
		*plan = &owner->plan;
	return result;
}

/* The plan keeps the files that it was read from. */
static int make_of_source(struct source *source, const char *path, const struct key_family *benchmarks,
                          const char *const *overrides, size_t override_count, struct plan **plan, struct error *error)
{
	struct node *root = NULL;
	int result = source_read(source, path, error);

	*plan = NULL;
	if (!result)
		result = node_parse(source, &root, error);
	if (!result)
		result = plan_make(root, path, overrides, override_count, benchmarks, read_tree, plan, error);
	if (!result) {
		(*plan)->files = source->files;
		(*plan)->file_count = source->file_count;
		(*plan)->text = source->files[0].text;
		source->files = NULL;
		source->file_count = 0;
	}
	source_free(source);
	return result;
}

/* The path is part of the report, as the text is: what a report cannot hold is refused here, not after the trials. */
static int check_path(const char *path, struct error *error)
{
	size_t octet;
	const char *wrong = source_check_text(path, strlen(path), &octet);

	return wrong ? error_set(error, ERROR_PLAN, "PLAN %s: octet %zu, 0x%02x: %s", path, octet + 1,
	                         (unsigned char)path[octet], wrong)
	             : 0;
}

int plan_read(const char *path, const struct key_family *benchmarks, const char *const *overrides,
              size_t override_count, struct plan **plan, struct error *error)
{
	struct source source = {0};

	*plan = NULL;
	if (check_path(path, error))
		return error->code;
	return make_of_source(&source, path, benchmarks, overrides, override_count, plan, error);
}

int plan_read_recorded(const struct plan_file *files, size_t file_count, const struct key_family *benchmarks,
                       const char *const *overrides, size_t override_count, struct plan **plan, struct error *error)
{
	struct source source = {.recorded = files, .recorded_count = file_count};

	*plan = NULL;
	if (file_count == 0)
		return error_set(error, ERROR_INTERNAL, "no plan is recorded");
	return make_of_source(&source, files[0].path, benchmarks, overrides, override_count, plan, error);
}

/* The words belong to the tree, the array of them does not. */
static void free_command(const struct plan_test *test)
{
	if (test->settings && test->benchmark->command)
		free((void *)(uintptr_t)test->benchmark->command(test));
}

static void free_test(struct plan_test *test)
{
	free(test->frame_sizes);
	free(test->filters_command);
	free(test->filters_interfaces);
	free(test->goals);
	free(test->requirements);
	free_command(test);
	free(test->settings);
}

int plan_leave_out(struct plan *plan, size_t index, const char *why, struct error *error)
{
	struct plan_test *test = &plan->tests[index];
	char *text = NULL;
	const int length = asprintf(&text, "%s%s%s of line %u: %s", plan->left_out ? plan->left_out : "",
	                            plan->left_out ? "; " : "", plan_test_name(test), test->line, why);

	if (length < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	free(plan->left_out);
	plan->left_out = text;
	free_test(test);
	plan->test_count--;
	memmove(test, test + 1, (plan->test_count - index) * sizeof(*test));
	for (size_t i = index; i < plan->test_count; i++)
		plan->tests[i].left_out_before++;
	return 0;
}

void plan_free(struct plan *plan)
{
	struct plan_private *owner = (struct plan_private *)plan; /* it is the first member */

	if (!plan)
		return;
	source_free_files(plan->files, plan->file_count);
	for (size_t i = 0; i < plan->test_count; i++)
		free_test(&plan->tests[i]);
	free(plan->left_out);
	free(plan->left_aside);
	plan_device_free(owner);
	free(plan->tests);
	node_free(owner->root);
	free(plan->path);
	free(owner);
}

const char *plan_option_place(const struct plan *plan, const char *option_name)
{
	const struct plan_private *owner = (const struct plan_private *)plan;
	char section[16];
	const char *point = strchr(option_name, '.');
	const struct node *group, *node;

	if (!point)
		return plan->path;
	snprintf(section, sizeof(section), "%.*s", (int)(point - option_name), option_name);
	group = node_child(owner->root, section);
	node = group ? node_child(group, point + 1) : NULL;
	return node ? node->place : group ? group->place : plan->path;
}
