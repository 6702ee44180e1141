// SPDX-License-Identifier: Apache-2.0
/* Elements that matter: files/file, netlist/module[@topModule]/var[@dir], netlist/typetable. */
#include "host/commands/sim_build/verilog_ports.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/array.h"

enum { MOST_TYPES_DEEP = 16 };

static bool is_named(const xmlNode *node, const char *name)
{
	return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static const char *attribute(const xmlNode *node, const char *name)
{
	const xmlAttr *found = xmlHasProp(node, (const xmlChar *)name);

	return found != NULL && found->children != NULL ? (const char *)found->children->content : NULL;
}

static const xmlNode *child(const xmlNode *node, const char *name)
{
	for (node = node != NULL ? node->children : NULL; node != NULL; node = node->next)
		if (is_named(node, name))
			return node;
	return NULL;
}

static const xmlNode *child_with(const xmlNode *node, const char *name, const char *value)
{
	for (node = node != NULL ? node->children : NULL; node != NULL; node = node->next) {
		const char *found = node->type == XML_ELEMENT_NODE ? attribute(node, name) : NULL;

		if (found != NULL && value != NULL && strcmp(found, value) == 0)
			return node;
	}
	return NULL;
}

/* "c,12,3,12,9" as "switch.v:12". */
static char *place_of(const xmlNode *root, const xmlNode *node)
{
	const char *loc = attribute(node, "loc");
	char id[16] = "", *place = NULL;
	unsigned line = 0;
	const xmlNode *file;

	if (loc != NULL && sscanf(loc, "%15[^,],%u", id, &line) == 2 &&
	    (file = child_with(child(root, "files"), "id", id)) != NULL && attribute(file, "filename") != NULL &&
	    asprintf(&place, "%s:%u", attribute(file, "filename"), line) > 0)
		return place;
	return strdup("?");
}

static unsigned span(long left, long right)
{
	return (unsigned)(left > right ? left - right : right - left) + 1;
}

/* The bits of a packed array: its range is two constants, "32'h3". */
static unsigned range_of(const xmlNode *type)
{
	const xmlNode *range = child(type, "range");
	long ends[2] = {0, 0};
	unsigned found = 0;

	for (const xmlNode *end = range != NULL ? range->children : NULL; end != NULL; end = end->next) {
		const char *text = is_named(end, "const") ? attribute(end, "name") : NULL;
		const char *digits = text != NULL ? strpbrk(text, "h") : NULL;

		if (digits != NULL && found < 2)
			ends[found++] = strtol(digits + 1, NULL, 16);
	}
	return found == 2 ? span(ends[0], ends[1]) : 0;
}

static unsigned bits_of(const xmlNode *types, const char *id, unsigned depth)
{
	const xmlNode *type = child_with(types, "id", id);
	const char *left, *right;

	if (type == NULL || depth > MOST_TYPES_DEEP)
		return 0;
	if (is_named(type, "packarraydtype"))
		return range_of(type) * bits_of(types, attribute(type, "sub_dtype_id"), depth + 1);
	if (is_named(type, "refdtype"))
		return bits_of(types, attribute(type, "sub_dtype_id"), depth + 1);
	if (!is_named(type, "basicdtype"))
		return 0;
	left = attribute(type, "left");
	right = attribute(type, "right");
	return left != NULL && right != NULL ? span(strtol(left, NULL, 10), strtol(right, NULL, 10)) : 1;
}

static int add(struct verilog_module *module, const xmlNode *root, const xmlNode *types, const xmlNode *var)
{
	struct verilog_port *port = array_add(&module->ports, module->count, sizeof(*port));

	if (port == NULL)
		return -1;
	module->count++;
	*port = (struct verilog_port){.name = strdup(attribute(var, "origName")),
	                              .place = place_of(root, var),
	                              .output = strcmp(attribute(var, "dir"), "output") == 0,
	                              .bits = bits_of(types, attribute(var, "dtype_id"), 0)};
	return port->name != NULL && port->place != NULL ? 0 : -1;
}

static int read(const xmlNode *root, struct verilog_module *module, const char *path, struct error *error)
{
	const xmlNode *netlist = child(root, "netlist"), *types = child(netlist, "typetable");
	const xmlNode *top = child_with(netlist, "topModule", "1");

	if (top == NULL || types == NULL)
		return error_set(error, ERROR_INTERNAL, "%s: Verilator names no top module there", path);
	module->name = strdup(attribute(top, "origName"));
	module->place = place_of(root, top);
	for (const xmlNode *var = top->children; var != NULL; var = var->next)
		if (is_named(var, "var") && attribute(var, "dir") != NULL && add(module, root, types, var) != 0)
			return error_set(error, ERROR_INTERNAL, "out of memory");
	return 0;
}

int verilog_ports_read(const char *path, struct verilog_module *module, struct error *error)
{
	xmlDoc *document = xmlReadFile(path, NULL, XML_PARSE_NONET | XML_PARSE_HUGE | XML_PARSE_NOERROR);
	int status;

	*module = (struct verilog_module){0};
	if (document == NULL)
		return error_set(error, ERROR_INTERNAL, "%s: is not the XML that Verilator should have written", path);
	status = read(xmlDocGetRootElement(document), module, path, error);
	xmlFreeDoc(document);
	return status;
}

void verilog_ports_free(struct verilog_module *module)
{
	for (size_t i = 0; i < module->count; i++) {
		free(module->ports[i].name);
		free(module->ports[i].place);
	}
	free(module->ports);
	free(module->name);
	free(module->place);
	*module = (struct verilog_module){0};
}

struct verilog_port *verilog_ports_find(const struct verilog_module *module, const char *name)
{
	for (size_t i = 0; i < module->count; i++)
		if (strcmp(module->ports[i].name, name) == 0)
			return &module->ports[i];
	return NULL;
}
