/* SPDX-License-Identifier: Apache-2.0 */
/* Turns libconfig's settings into nodes. libconfig parses; numbers reach it as strings between marks (source.h). */
#include "host/plan/node.h"

#include <libconfig.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"

/* libconfig 1.5 leaks the string that its parser holds at a syntax error. That leak is not ours, so the leak checker is
 * told to ignore it; otherwise a plan with a typo would end a sanitized build with the checker's exit code instead of
 * 2. */
#ifdef __SANITIZE_ADDRESS__
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:strbuf_append\n";
}
#endif

/* NULL if a part of it could not be made. */
static struct node *whole(struct node *node, bool is_whole)
{
	if (is_whole)
		return node;
	node_free(node);
	return NULL;
}

struct node *node_new(enum node_kind kind, const char *name, const char *text, const char *place, unsigned line)
{
	struct node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->kind = kind;
	node->line = line;
	node->name = name ? strdup(name) : NULL;
	node->text = text ? strdup(text) : NULL;
	node->place = strdup(place);
	return whole(node, node->place && (!name || node->name) && (!text || node->text));
}

struct node *node_of_number(const char *name, const char *decimal, const char *literal, const char *place,
                            unsigned line)
{
	struct node *node = node_new(NODE_NUMBER, name, decimal, place, line);

	if (!node || strcmp(decimal, literal) == 0)
		return node;
	node->literal = strdup(literal);
	return whole(node, node->literal);
}

int node_append(struct node *parent, struct node *child)
{
	struct node **added = array_add(&parent->children, parent->count, sizeof(*added));

	if (!added) {
		node_free(child);
		return -1;
	}
	*added = child;
	parent->count++;
	return 0;
}

void node_free(struct node *node)
{
	if (!node)
		return;
	for (size_t i = 0; i < node->count; i++)
		node_free(node->children[i]);
	free(node->children);
	free(node->name);
	free(node->text);
	free(node->literal);
	free(node->place);
	free(node);
}

struct node *node_child(const struct node *group, const char *name)
{
	for (size_t i = 0; i < group->count; i++) {
		if (group->children[i]->name && !strcmp(group->children[i]->name, name))
			return group->children[i];
	}
	return NULL;
}

const char *node_show(const struct node *node, char *buffer, size_t size)
{
	switch (node->kind) {
	case NODE_GROUP:
		snprintf(buffer, size, "{...}");
		break;
	case NODE_LIST:
		snprintf(buffer, size, node->count ? "[...]" : "[]");
		break;
	case NODE_TEXT:
		snprintf(buffer, size, strlen(node->text) > 60 ? "\"%.60s...\"" : "\"%s\"", node->text);
		break;
	case NODE_NUMBER:
	case NODE_BOOL:
		snprintf(buffer, size, "%s", node->text);
		break;
	}
	return buffer;
}

/* A scalar string of libconfig's: a number when it is one whole pair of marks. Marks anywhere else mean that libconfig
 * joined neighbours ("5 5", "5 \"a\""), which is not valid for numbers. */
static struct node *node_from_string(const char *name, const char *value, const char *place, unsigned line,
                                     struct error *error)
{
	size_t length = strlen(value);
	bool whole = length >= 2 && value[0] == NUMBER_BEGIN && value[length - 1] == NUMBER_END;
	size_t marks = 0;
	char decimal[80];
	struct node *node;
	char *text;

	for (size_t i = 0; i < length; i++)
		marks += value[i] == NUMBER_BEGIN || value[i] == NUMBER_END;
	if (marks && !(whole && marks == 2)) {
		error_set(error, ERROR_PLAN, "%s: syntax error: a comma or semicolon is missing beside a number",
		          place);
		return NULL;
	}
	text = marks ? strndup(value + 1, length - 2) : strdup(value);
	if (marks && text && !source_number(text, 0, decimal, sizeof(decimal)))
		node = node_of_number(name, decimal, text, place, line);
	else
		node = text ? node_new(NODE_TEXT, name, text, place, line) : NULL;
	free(text);
	if (!node)
		error_set(error, ERROR_INTERNAL, "out of memory");
	return node;
}

static struct node *node_from_setting(const struct source *source, const config_setting_t *setting, struct error *error)
{
	unsigned line = config_setting_source_line(setting);
	const char *name = config_setting_name(setting);
	struct node *node = NULL;
	char place[600];

	source_place(source, line, place, sizeof(place));
	line = line > 0 && line <= source->line_count ? source->lines[line - 1].line : 0;
	if (config_setting_type(setting) == CONFIG_TYPE_STRING)
		return node_from_string(name, config_setting_get_string(setting), place, line, error);
	if (config_setting_type(setting) == CONFIG_TYPE_BOOL)
		node = node_new(NODE_BOOL, name, config_setting_get_bool(setting) ? "true" : "false", place, line);
	else
		node = node_new(config_setting_is_group(setting) ? NODE_GROUP : NODE_LIST, name, NULL, place, line);
	for (int i = 0; node && config_setting_is_aggregate(setting) && i < config_setting_length(setting); i++) {
		struct node *child = node_from_setting(source, config_setting_get_elem(setting, (unsigned)i), error);

		if (!child || node_append(node, child)) {
			node_free(node);
			return NULL;
		}
	}
	if (!node)
		error_set(error, ERROR_INTERNAL, "out of memory");
	return node;
}

/* libconfig gives a line number and one of three texts; what helps is the line itself. */
static int complain_syntax(const struct source *source, const config_t *config, struct error *error)
{
	unsigned line = config_error_line(config) > 0 ? (unsigned)config_error_line(config) : 1;
	const char *what = config_error_text(config) ? config_error_text(config) : "syntax error";
	char place[600], text[120];

	source_place(source, line, place, sizeof(place));
	source_line_text(source, line, text, sizeof(text));
	if (!strcmp(what, "duplicate setting name"))
		return error_set(error, ERROR_PLAN, "%s: duplicate key, each may appear only once: %s", place, text);
	if (!*text)
		return error_set(error, ERROR_PLAN, "%s: %s at the end: a bracket or a value is missing", place, what);
	return error_set(error, ERROR_PLAN, "%s: %s at or before: %s", place, what, text);
}

int node_parse(const struct source *source, struct node **root, struct error *error)
{
	config_t config;

	*root = NULL;
	config_init(&config);
	if (config_read_string(&config, source->text) != CONFIG_TRUE)
		complain_syntax(source, &config, error);
	else
		*root = node_from_setting(source, config_root_setting(&config), error);
	config_destroy(&config);
	return *root ? 0 : (int)error->code;
}
