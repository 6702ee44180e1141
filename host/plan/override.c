/* SPDX-License-Identifier: Apache-2.0 */
/* --set path=value: replaces or adds one setting of the tree. A complaint about it, here or later, names the --set. */
#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/plan/node.h"

struct override {
	const char *place; /* "--set path=value" */
	const char *at;    /* the rest of the path, after the part followed so far */
	const char *end;   /* end of the path */
	struct error *error;
};

/* A step of the path: a name, or an index in brackets. */
struct step {
	char name[64]; /* empty: index */
	size_t index;
};

static int complain(struct override *override, const char *text)
{
	return error_set(override->error, ERROR_PLAN, "%s: %s", override->place, text);
}

static int complain_form(struct override *override)
{
	return complain(override, "must be path=value, such as dut.buffer_frames=64 or run[1].repetitions=5");
}

static int next_step(struct override *override, struct step *step)
{
	const char *begin = override->at;
	int length = 0;

	*step = (struct step){0};
	if (*begin == '[') {
		if (!isdigit((unsigned char)begin[1]) || sscanf(begin, "[%7zu]%n", &step->index, &length) < 1 ||
		    !length)
			return complain(override, "must have a whole number in [ ]");
	} else if (!isalpha((unsigned char)*begin) || sscanf(begin, "%63[a-zA-Z0-9_*-]%n", step->name, &length) < 1) {
		return complain_form(override);
	}
	override->at += length;
	if (override->at < override->end && *override->at == '.') {
		if (++override->at == override->end)
			return complain(override, "path must not end with a point");
	} else if (override->at < override->end && *override->at != '[') {
		return complain_form(override);
	}
	return 0;
}

/* The slot that a step leads to; a missing name gets an empty group, which the last step replaces. */
static struct node **follow(struct override *override, struct node *node, const struct step *step)
{
	struct node *fresh;

	if (!*step->name) {
		if (node->kind == NODE_LIST && step->index < node->count)
			return &node->children[step->index];
		if (node->kind == NODE_LIST)
			error_set(override->error, ERROR_PLAN, "%s: [%zu]: the list has %zu elements, counted from 0",
			          override->place, step->index, node->count);
		else
			error_set(override->error, ERROR_PLAN, "%s: [%zu]: must follow a list", override->place,
			          step->index);
		return NULL;
	}
	if (node->kind != NODE_GROUP) {
		error_set(override->error, ERROR_PLAN, "%s: %s: must follow a group (a list takes [0], [1] ...)",
		          override->place, step->name);
		return NULL;
	}
	for (size_t i = 0; i < node->count; i++) {
		if (!strcmp(node->children[i]->name, step->name))
			return &node->children[i];
	}
	fresh = node_new(NODE_GROUP, step->name, NULL, override->place, 0);
	if (!fresh || node_append(node, fresh)) {
		error_set(override->error, ERROR_INTERNAL, "out of memory");
		return NULL;
	}
	return &node->children[node->count - 1];
}

static void set_place(struct node *node, const char *place)
{
	char *copy = strdup(place);

	if (copy) {
		free(node->place);
		node->place = copy;
	}
	node->line = 0;
	for (size_t i = 0; i < node->count; i++)
		set_place(node->children[i], place);
}

/* A value in libconfig's own syntax, read through the same scanner and parser. */
static struct node *parse_value(struct override *override, const char *value)
{
	struct source source = {0};
	struct node *root = NULL, *node = NULL;
	char *text;

	if (asprintf(&text, "value = %s;", value) < 0) {
		error_set(override->error, ERROR_INTERNAL, "out of memory");
		return NULL;
	}
	if (!source_scan_text(&source, override->place, text, override->error) &&
	    node_parse(&source, &root, override->error))
		complain(override, "syntax error in the value");
	if (root && root->count != 1)
		complain(override, "must have one value");
	else if (root)
		node = root->children[--root->count];
	node_free(root);
	source_free(&source);
	free(text);
	return node;
}

/* Numbers, true, false and anything that begins with a bracket or quote is parsed by libconfig; anything else is text,
 * taken literally. */
static struct node *make_value(struct override *override, const char *value)
{
	char decimal[80];
	struct node *node;
	bool number = source_begins_number(value) && !source_number(value, 0, decimal, sizeof(decimal));
	size_t octet;
	const char *wrong = source_check_text(value, strlen(value), &octet);

	if (wrong) {
		complain(override, wrong);
		return NULL;
	}
	if (strchr("\"([{", value[0]) && value[0])
		return parse_value(override, value);
	if (number)
		node = node_of_number(NULL, decimal, value, override->place, 0);
	else if (!strcmp(value, "true") || !strcmp(value, "false"))
		node = node_new(NODE_BOOL, NULL, value, override->place, 0);
	else
		node = node_new(NODE_TEXT, NULL, value, override->place, 0);
	if (!node)
		error_set(override->error, ERROR_INTERNAL, "out of memory");
	return node;
}

/* Puts the new node in place of the old one, with its name and, for a test or list, its line. */
static void replace(const struct override *override, struct node **slot, struct node *fresh)
{
	char *name = fresh->name;

	set_place(fresh, override->place);
	fresh->line = (*slot)->line;
	fresh->name = (*slot)->name;
	(*slot)->name = name;
	node_free(*slot);
	*slot = fresh;
}

int node_override(struct node *root, const char *text, struct error *error)
{
	struct override override = {.at = text, .end = strchr(text, '='), .error = error};
	struct node **slot = &root;
	struct node *fresh;
	struct step step;
	char *place;
	int result = 0;

	if (asprintf(&place, "--set %.200s", text) < 0)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	override.place = place;
	if (!override.end || override.end == text)
		result = complain_form(&override);
	while (!result && override.at < override.end) {
		result = next_step(&override, &step);
		if (!result && !(slot = follow(&override, *slot, &step)))
			result = (int)error->code;
	}
	if (!result) {
		fresh = make_value(&override, override.end + 1);
		if (fresh)
			replace(&override, slot, fresh);
		else
			result = error->code;
	}
	free(place);
	return result;
}
