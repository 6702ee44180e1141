/* SPDX-License-Identifier: Apache-2.0 */
/* Turns DEVICE of the command line into the tree of a plan that only names its device. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/plan_keys.h"
#include "host/plan/plan_parts.h"

static int add_text(struct node *group, const char *name, const char *text, const char *place)
{
	struct node *node = node_new(NODE_TEXT, name, text, place, 0);

	return node ? node_append(group, node) : -1;
}

/* Makes device = { backend = "sim"; library = "rtl"; } from "sim:rtl". The part after the colon is the key that tells
 * devices of one backend apart. */
static struct node *make_tree(const char *device)
{
	size_t length = strcspn(device, ":");
	struct node *root = node_new(NODE_GROUP, NULL, NULL, device, 0);
	struct node *group = node_new(NODE_GROUP, "device", NULL, device, 0);
	char backend[32];

	snprintf(backend, sizeof(backend), "%.*s", (int)length, device);
	if (root && group && !node_append(root, group)) { /* belongs to the root from here on */
		const char *key = strcmp(backend, "sim") ? "card" : "library";

		if (!add_text(group, "backend", backend, device) &&
		    (!device[length] || !add_text(group, key, device + length + 1, device)))
			return root;
	} else if (!root) {
		node_free(group);
	}
	node_free(root);
	return NULL;
}

static int read_tree(struct plan_private *owner, struct error *error)
{
	const struct node *root = owner->root;
	const struct node *device = node_child(root, "device"), *dut = node_child(root, "dut");
	const struct node *link = node_child(root, "link");

	for (size_t i = 0; i < root->count; i++) {
		if (root->children[i] != device && root->children[i] != dut && root->children[i] != link)
			return plan_complain(error, root->children[i], root->children[i]->name,
			                     "must be a setting of device, dut or link: there is no plan here");
	}
	return plan_read_device(owner, device, dut, error) || (link && plan_read_link(owner, link, error)) ? error->code
	                                                                                                   : 0;
}

int plan_of_device(const char *device, const char *const *overrides, size_t override_count, struct plan **plan,
                   struct error *error)
{
	struct node *root;

	*plan = NULL;
	if (!strncmp(device, "exec", 4) && (!device[4] || device[4] == ':'))
		return error_set(error, ERROR_PLAN, "%s: is an external tester, which has no registers", device);
	root = make_tree(device);
	if (!root)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	return plan_make(root, device, overrides, override_count, NULL, read_tree, plan, error);
}
