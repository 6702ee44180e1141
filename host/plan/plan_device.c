/* SPDX-License-Identifier: Apache-2.0 */
/* The device of a plan: settings in the table are checked here; other settings of a simulation are up to its library. A
 * card has no settings beyond the table, and an external program none at all: what it needs is in its command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"
#include "host/plan/plan_keys.h"
#include "host/plan/plan_parts.h"

static int add_option(struct plan_private *owner, const char *section, const struct node *node, struct error *error)
{
	struct device_config *device = &owner->plan.device;
	struct device_option *option;
	char *name;

	if (node->kind == NODE_GROUP || node->kind == NODE_LIST) {
		char shown[160];

		snprintf(shown, sizeof(shown), "%s.%.100s", section, node->name);
		return plan_complain(error, node, shown, "must be a single value");
	}
	option = array_add(&owner->options, device->option_count, sizeof(*option));
	device->options = owner->options;
	if (!option || asprintf(&name, "%s.%s", section, node->name) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	*option = (struct device_option){name, node->text};
	device->option_count++;
	return 0;
}

/* The backend determines what the other keys mean, so it is read first. */
static int read_backend(struct plan *plan, const struct node *group, enum plan_backend *backend, struct error *error)
{
	const struct node *node = node_child(group, "backend");
	const struct key_set *set;

	if (!node)
		return error_set(error, ERROR_PLAN, "%s: device: backend must be given, such as backend = \"sim\"",
		                 group->place);
	set = plan_family_pick(&PLAN_BACKENDS, "device.", node, error);
	if (!set)
		return error->code;
	plan->device.backend = set->name;
	while (PLAN_BACKENDS.set(*backend) != set)
		++*backend;
	return 0;
}

/* A key that is in no table belongs to the library, in a simulation. */
static bool is_of_library(enum plan_backend backend, const struct node *node)
{
	const struct key_set *set;

	for (size_t i = 0; (set = PLAN_BACKENDS.set(i)); i++) {
		if (plan_set_has_key(set, node->name))
			return false;
	}
	return backend == BACKEND_SIM;
}

static bool is_of_command_line(const struct node *node)
{
	return node && !strncmp(node->place, "--set ", strlen("--set "));
}

/* A file may say what only its own device has, where the command line names another; the command line may not. */
static bool may_be_left_aside(const struct node *device, const struct node *node)
{
	return is_of_command_line(node_child(device, "backend")) && !is_of_command_line(node);
}

static int leave_aside(struct plan *plan, const char *prefix, const char *name, struct error *error)
{
	char *text = NULL;

	if (asprintf(&text, "%s%s%s%s", plan->left_aside ? plan->left_aside : "", plan->left_aside ? ", " : "", prefix,
	             name) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	free(plan->left_aside);
	plan->left_aside = text;
	return 0;
}

static int read_settings(struct plan_private *owner, const struct node *group, enum plan_backend backend,
                         struct error *error)
{
	const struct key_set *set = PLAN_BACKENDS.set(backend);
	int result = 0;

	for (size_t i = 0; !result && i < group->count; i++) {
		const struct node *node = group->children[i];
		const struct key_slice *slice = NULL;
		bool of_library = is_of_library(backend, node);

		if (!of_library && !plan_set_has_key(set, node->name) && may_be_left_aside(group, node)) {
			result = leave_aside(&owner->plan, "device.", node->name, error);
			continue;
		}
		if (!of_library)
			result = plan_setting_read(set, "device.", node, &owner->plan, error);
		if (!result && (of_library || (plan_key_find(set, node->name, &slice) && slice->for_driver)))
			result = add_option(owner, "device", node, error);
	}
	return result ? result : plan_settings_default(set, group, &owner->plan, error);
}

/* XRT loads a bitstream before it lets anybody reach a register, so one must be named, by exactly one key. */
static int finish_xrt(const struct node *group, struct error *error)
{
	const struct node *xclbin = node_child(group, "xclbin"), *manifest = node_child(group, "manifest");

	if (xclbin && manifest)
		return plan_complain(error, manifest, "device.manifest",
		                     "cannot be combined with xclbin: the manifest names the file");
	if (!xclbin && !manifest)
		return error_set(error, ERROR_PLAN,
		                 "%s: device: xclbin or manifest must be given with backend = \"xrt\", such as "
		                 "manifest = \"bitstreams/u55c/manifest.cfg\"",
		                 group->place);
	return 0;
}

static int finish_exec(const struct plan *plan, const struct node *group, struct error *error)
{
	if (plan->exec.command)
		return 0;
	return error_set(error, ERROR_PLAN,
	                 "%s: device: command must be given with backend = \"exec\", such as "
	                 "command = [\"python3\", \"my-tester.py\"]",
	                 group->place);
}

static bool has_of_command_line(const struct node *group)
{
	bool has = is_of_command_line(group);

	for (size_t i = 0; i < group->count; i++)
		has |= is_of_command_line(group->children[i]);
	return has;
}

static int read_dut(struct plan_private *owner, const struct node *device, const struct node *dut,
                    enum plan_backend backend, struct error *error)
{
	int result = plan_require_group(dut, "dut", error);

	if (!result && backend != BACKEND_SIM && may_be_left_aside(device, dut) && !has_of_command_line(dut))
		return leave_aside(&owner->plan, "", "dut", error);
	if (!result && backend == BACKEND_EXEC)
		result = plan_complain(error, dut, "dut",
		                       "is for a simulation; what an external program needs goes into device.command");
	else if (!result && backend != BACKEND_SIM)
		result = plan_complain(error, dut, "dut", "is for a simulation; a card has a real device at its ports");
	for (size_t i = 0; !result && i < dut->count; i++)
		result = add_option(owner, "dut", dut->children[i], error);
	return result;
}

int plan_read_device(struct plan_private *owner, const struct node *device, const struct node *dut, struct error *error)
{
	enum plan_backend backend = BACKEND_SIM;

	if (plan_require_group(device, "device", error) || read_backend(&owner->plan, device, &backend, error) ||
	    read_settings(owner, device, backend, error) ||
	    (backend == BACKEND_EXEC && finish_exec(&owner->plan, device, error)) ||
	    (backend == BACKEND_XRT && finish_xrt(device, error)))
		return error->code;
	return dut ? read_dut(owner, device, dut, backend, error) : 0;
}

void plan_device_free(struct plan_private *owner)
{
	for (size_t i = 0; i < owner->plan.device.option_count; i++)
		free((char *)(uintptr_t)owner->options[i].name);
	free(owner->options);
	free(owner->plan.exec.command);
}
