// SPDX-License-Identifier: Apache-2.0
/* Read as a plan is: the same syntax, the same complaints. */
#include "host/commands/sim_build/map_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/quantity.h"
#include "host/plan/node.h"

enum { MOST_FIRST_PORT = 100 };

bool clock_is_right(const char *text)
{
	static const double MIN_CLOCK_HZ = 1e3, MAX_CLOCK_HZ = 1e11;
	struct quantity clock;
	const char *why;

	return quantity_parse(text, &clock, &why) == 0 && clock.unit == QUANTITY_PLAIN &&
	       quantity_number(&clock) >= MIN_CLOCK_HZ && quantity_number(&clock) <= MAX_CLOCK_HZ;
}

static int complain(struct error *error, const struct node *node, const char *what)
{
	return error_set(error, ERROR_PLAN, "%s: %s: %s", node->place, node->name != NULL ? node->name : "", what);
}

static int read_text(const struct node *node, const char **text, const char **place, struct error *error)
{
	if (node->kind != NODE_TEXT || node->text[0] == '\0' || strlen(node->text) >= PIN_NAME_SIZE - 4)
		return complain(error, node, "must be the name of a port, in quotes");
	*text = node->text;
	*place = node->place;
	return 0;
}

static int read_first_port(struct map_file *file, const struct node *node, struct error *error)
{
	const unsigned long first = node->kind == NODE_NUMBER ? strtoul(node->text, NULL, 10) : ULONG_MAX;

	if (first > MOST_FIRST_PORT)
		return complain(error, node, "must be 0 to 100, the number that % begins with");
	file->first_port = (unsigned)first;
	return 0;
}

static int read_level(struct map_file *file, const struct node *node, struct error *error)
{
	file->reset_low_given = true;
	file->reset_low = node->kind == NODE_TEXT && strcmp(node->text, "low") == 0;
	if (file->reset_low || (node->kind == NODE_TEXT && strcmp(node->text, "high") == 0))
		return 0;
	return complain(error, node, "must be \"low\" or \"high\"");
}

static int read_sets(struct map_file *file, const struct node *group, struct error *error)
{
	if (group->kind != NODE_GROUP)
		return complain(error, group, "must be a group: { enable = 1; }");
	file->sets_place = group->place;
	for (size_t i = 0; i < group->count; i++) {
		const struct node *node = group->children[i];
		struct pin_set *set = &file->sets[file->set_count];

		if (node->kind != NODE_NUMBER || strspn(node->text, "0123456789") != strlen(node->text))
			return complain(error, node, "must be a whole number, which the input is held at");
		if (file->set_count == PIN_MAX_SETS)
			return complain(error, node, "is one too many: at most 64");
		snprintf(set->name, sizeof(set->name), "%s", node->name);
		snprintf(set->value, sizeof(set->value), "%s", node->text);
		file->set_count++;
	}
	return 0;
}

static int read_clocks(struct map_file *file, const struct node *group, struct error *error)
{
	if (group->kind != NODE_GROUP)
		return complain(error, group, "must be a group: { clk_b = \"156.25M\"; }");
	file->clocks_place = group->place;
	for (size_t i = 0; i < group->count; i++) {
		const struct node *node = group->children[i];
		struct pin_set *clock = &file->clocks[file->clock_count];

		if ((node->kind != NODE_NUMBER && node->kind != NODE_TEXT) || !clock_is_right(node->text))
			return complain(error, node, CLOCK_RULE);
		if (file->clock_count == PIN_MAX_CLOCKS)
			return complain(error, node, "is one too many: at most 7 beside that of the ports");
		snprintf(clock->name, sizeof(clock->name), "%s", node->name);
		snprintf(clock->value, sizeof(clock->value), "%s", node->text);
		file->clock_count++;
	}
	return 0;
}

static int read_one(struct map_file *file, enum pin_style style, const struct node *node, struct error *error)
{
	for (enum pin pin = 0; pin < PINS; pin++)
		if (PIN_RULES[pin].style == style && strcmp(PIN_RULES[pin].key, node->name) == 0)
			return read_text(node, &file->names[pin], &file->places[pin], error);
	if (strcmp(node->name, "clock") == 0)
		return read_text(node, &file->clock, &file->clock_place, error);
	if (strcmp(node->name, "rst") == 0)
		return read_text(node, &file->reset, &file->reset_place, error);
	if (strcmp(node->name, "idle") == 0)
		return read_text(node, &file->idle, &file->idle_place, error);
	if (strcmp(node->name, "rst_active") == 0)
		return read_level(file, node, error);
	if (strcmp(node->name, "first_port") == 0)
		return read_first_port(file, node, error);
	if (strcmp(node->name, "set") == 0)
		return read_sets(file, node, error);
	if (strcmp(node->name, "clocks") == 0)
		return read_clocks(file, node, error);
	return complain(error, node,
	                style == PIN_AXIS ? "no such pin; must be clock, clocks, rst, rst_active, idle, first_port, "
	                                    "set, or s_ or m_ with tdata, tkeep, tvalid, tready, tlast, tuser"
	                                  : "no such pin; must be clock, clocks, rst, rst_active, idle, first_port, "
	                                    "set, rx_data, rx_ctrl, tx_data or tx_ctrl");
}

int map_file_read(struct map_file *file, enum pin_style style, const char *path, struct error *error)
{
	int status;

	file->source = calloc(1, sizeof(*file->source));
	if (file->source == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = source_read(file->source, path, error);
	if (status == 0)
		status = node_parse(file->source, &file->root, error);
	for (size_t i = 0; status == 0 && i < file->root->count; i++)
		status = read_one(file, style, file->root->children[i], error);
	return status;
}

void map_file_free(struct map_file *file)
{
	node_free(file->root);
	if (file->source != NULL)
		source_free(file->source);
	free(file->source);
}
