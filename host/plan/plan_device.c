/* SPDX-License-Identifier: Apache-2.0 */
/* The device of a plan: what the table knows is checked here, other settings of a simulation are its library's
 * business. A card has no settings but those of the table, and an external program none at all: what it needs stands in
 * its command. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/plan_keys.h"
#include "host/plan/plan_parts.h"

static const struct {
	const char *name;
	unsigned mask;
} BACKENDS[] = {{"sim", BACKEND_SIM}, {"xrt", BACKEND_XRT}, {"pci", BACKEND_PCI}, {"exec", BACKEND_EXEC}};

/* "\"xrt\" and \"pci\"" */
static const char *backends_of(unsigned mask, char *buffer, size_t size)
{
	size_t length = 0;

	*buffer = '\0';
	for (size_t i = 0; i < sizeof(BACKENDS) / sizeof(BACKENDS[0]) && length < size; i++) {
		if (mask & BACKENDS[i].mask)
			length += (size_t)snprintf(buffer + length, size - length, "%s\"%s\"", length ? " and " : "",
			                           BACKENDS[i].name);
	}
	return buffer;
}

static int add_option(struct plan_private *private, const char *section, const struct node *node, struct error *error)
{
	struct device_config *device = &private->plan.device;
	struct device_option *options;
	char *name;

	if (node->kind == NODE_GROUP || node->kind == NODE_LIST) {
		char shown[160];

		snprintf(shown, sizeof(shown), "%s.%.100s", section, node->name);
		return plan_complain(error, node, shown, "must be a single value");
	}
	options = realloc(private->options, (device->option_count + 1) * sizeof(*options));
	if (options) {
		private->options = options;
		device->options = options;
	}
	if (!options || asprintf(&name, "%s.%s", section, node->name) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	options[device->option_count++] = (struct device_option){name, node->text};
	return 0;
}

/* [ "python3", "my-tester.py" ]; the texts stay the tree's. */
static int read_command(struct plan_exec *exec, const char *shown, const struct node *node, struct error *error)
{
	bool words = node->kind == NODE_LIST && node->count > 0;

	for (size_t i = 0; words && i < node->count; i++)
		words = node->children[i]->kind == NODE_TEXT;
	if (!words || !*node->children[0]->text)
		return plan_complain(error, node, shown,
		                     "must be a list of texts, the program first: [\"python3\", \"my-tester.py\"]");
	exec->command = calloc(node->count + 1, sizeof(*exec->command));
	if (!exec->command)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < node->count; i++)
		exec->command[i] = node->children[i]->text;
	return 0;
}

static int read_key(struct plan_private *private, const struct plan_key *key, const struct node *node,
                    struct error *error)
{
	struct device_config *device = &private->plan.device;
	char shown[160];
	int result;

	snprintf(shown, sizeof(shown), "device.%.100s", node->name);
	if (key->type == KEY_WORDS)
		return read_command(&private->plan.exec, shown, node, error);
	result = plan_key_store(key, shown, node, &private->plan, error);
	if (!strcmp(node->name, "library"))
		device->library = node->text;
	else if (!strcmp(node->name, "calibration"))
	private->plan.calibration = node->text;
	else if (!result && key->tests & BACKEND_CARDS && !(key->tests & BACKEND_SIM)) result =
	        add_option(private, "device", node, error);
	return result;
}

/* Which backend: decides what the other keys mean, so it is looked at first. */
static int read_backend(struct plan_private *private, const struct node *group, unsigned *backend, struct error *error)
{
	const struct node *node = node_child(group, "backend");
	int result;

	if (!node)
		return error_set(error, ERROR_PLAN, "%s: device: backend must be given, such as backend = \"sim\"",
		                 group->place);
	result = plan_key_store(plan_key_find(SECTION_DEVICE, PLAN_THROUGHPUT, "backend"), "device.backend", node, NULL,
	                        error);
	if (result)
		return result;
	private->plan.device.backend = node->text;
	for (size_t i = 0; i < sizeof(BACKENDS) / sizeof(BACKENDS[0]); i++) {
		if (!strcmp(node->text, BACKENDS[i].name))
			*backend = BACKENDS[i].mask;
	}
	return 0;
}

static int read_settings(struct plan_private *private, const struct node *group, unsigned backend, struct error *error)
{
	int result = 0;

	for (size_t i = 0; !result && i < group->count; i++) {
		const struct node *node = group->children[i];
		const struct plan_key *key = plan_key_find(SECTION_DEVICE, PLAN_THROUGHPUT, node->name);
		char shown[160], here[24], others[80];

		snprintf(shown, sizeof(shown), "device.%.100s", node->name);
		if (key && !(key->tests & backend))
			result = plan_complain(error, node, shown, "is not a key of backend = %s, only of %s",
			                       backends_of(backend, here, sizeof(here)),
			                       backends_of(key->tests, others, sizeof(others)));
		else if (key)
			result = read_key(private, key, node, error);
		else if (backend != BACKEND_SIM)
			result = plan_key_unknown(SECTION_DEVICE, PLAN_THROUGHPUT, shown, node, error);
		else
			result = add_option(private, "device", node, error);
	}
	return result;
}

/* XRT loads a bitstream before it lets anybody reach a register, so one must be named, by exactly one key. */
static int finish_xrt(const struct node *group, struct error *error)
{
	const struct node *xclbin = node_child(group, "xclbin"), *manifest = node_child(group, "manifest");

	if (xclbin && manifest)
		return plan_complain(error, manifest, "device.manifest",
		                     "must not stand beside xclbin: the manifest names the file");
	if (!xclbin && !manifest)
		return error_set(error, ERROR_PLAN,
		                 "%s: device: xclbin or manifest must be given with backend = \"xrt\", such as "
		                 "manifest = \"bitstreams/u55c/manifest.cfg\"",
		                 group->place);
	return 0;
}

static int finish_exec(struct plan *plan, const struct node *group, struct error *error)
{
	int result = 0;

	if (!plan->exec.command)
		return error_set(error, ERROR_PLAN,
		                 "%s: device: command must be given with backend = \"exec\", such as "
		                 "command = [\"python3\", \"my-tester.py\"]",
		                 group->place);
	for (size_t i = 0; !result && i < PLAN_KEY_COUNT; i++) {
		const struct plan_key *key = &PLAN_KEYS[i];

		if (key->section == SECTION_DEVICE && key->tests == BACKEND_EXEC && !node_child(group, key->name))
			result = plan_key_store_default(key, plan, error);
	}
	return result;
}

static int read_dut(struct plan_private *private, const struct node *dut, unsigned backend, struct error *error)
{
	int result = plan_require_group(dut, "dut", error);

	if (!result && backend == BACKEND_EXEC)
		result = plan_complain(error, dut, "dut",
		                       "is for a simulation; what an external program needs stands in device.command");
	else if (!result && backend & BACKEND_CARDS)
		result = plan_complain(error, dut, "dut", "is for a simulation; a card has a real device at its ports");
	for (size_t i = 0; !result && i < dut->count; i++)
		result = add_option(private, "dut", dut->children[i], error);
	return result;
}

int plan_read_device(struct plan_private *private, const struct node *device, const struct node *dut,
                     struct error *error)
{
	unsigned backend = BACKEND_SIM;
	int result = plan_require_group(device, "device", error);

	if (!result)
		result = read_backend(private, device, &backend, error);
	if (backend == BACKEND_SIM)
	private->plan.device.library = "rtl";
	if (!result)
		result = read_settings(private, device, backend, error);
	if (!result && backend == BACKEND_EXEC)
		result = finish_exec(&private->plan, device, error);
	if (!result && backend == BACKEND_XRT)
		result = finish_xrt(device, error);
	if (!result && dut)
		result = read_dut(private, dut, backend, error);
	return result;
}

void plan_device_free(struct plan_private *private)
{
	for (size_t i = 0; i < private->plan.device.option_count; i++)
		free((char *)(uintptr_t) private->options[i].name);
	free(private->options);
	free(private->plan.exec.command);
}
