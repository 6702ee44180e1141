/* SPDX-License-Identifier: Apache-2.0 */
/* The settings of a plan as a tree, each with the place it came from: parsed by libconfig, then changed by --set. */
#ifndef FPGAUGE_PLAN_NODE_H
#define FPGAUGE_PLAN_NODE_H

#include <stddef.h>

#include "host/base/error.h"
#include "host/plan/source.h"

enum node_kind {
	NODE_GROUP,
	NODE_LIST, /* libconfig's arrays and lists */
	NODE_NUMBER,
	NODE_TEXT,
	NODE_BOOL,
};

struct node {
	enum node_kind kind;
	char *name;    /* NULL in a list */
	char *text;    /* a scalar: number in decimal, "true" or "false" */
	char *literal; /* a number as it was written: 0x1F, 5L; NULL: the same as text */
	char *place;   /* "lab.cfg:12" or "--set dut.model=wire" */
	unsigned line; /* line in its file; 0 for --set */
	struct node **children;
	size_t count;
};

/* Parses the text of source into a tree. */
int node_parse(const struct source *source, struct node **root, struct error *error);

/* Applies one "path=value" of --set: device.library=twin, run[1].repetitions=5, run.[1].frame_sizes=[64]. */
int node_override(struct node *root, const char *override, struct error *error);

/* NULL when there is none. */
struct node *node_child(const struct node *group, const char *name);

/* The value for a message, cut to fit: 5, "fast", [...]. Returns buffer. */
const char *node_show(const struct node *node, char *buffer, size_t size);

void node_free(struct node *node); /* NULL is allowed */

/* Constructors, for code that builds trees; NULL when out of memory. */
struct node *node_new(enum node_kind kind, const char *name, const char *text, const char *place, unsigned line);
struct node *node_of_number(const char *name, const char *decimal, const char *literal, const char *place,
                            unsigned line);
int node_append(struct node *parent, struct node *child); /* frees the child when out of memory */

#endif
