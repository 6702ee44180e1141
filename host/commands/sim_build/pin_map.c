// SPDX-License-Identifier: Apache-2.0
/* Names, widths and directions of a module's ports, and what is said of those that are missing or wrong. */
#include "host/commands/sim_build/pin_map.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/commands/sim_build/map_file.h"

enum { KEEP_BITS = 64 };

/* Writes a name with the number of a port in the place of %, or of %% with a leading 0. */
static void put_number(char *name, const char *pattern, unsigned number)
{
	const char *mark = strchr(pattern, '%');

	if (mark == NULL) {
		snprintf(name, PIN_NAME_SIZE, "%s", pattern);
		return;
	}
	const int digits = mark[1] == '%' ? 2 : 1;

	snprintf(name, PIN_NAME_SIZE, "%.*s%0*u%s", (int)(mark - pattern), pattern, digits, number, mark + digits);
}

static int missing(const struct verilog_module *module, enum pin pin, const char *name, const char *where,
                   struct error *error)
{
	const struct pin_rule *rule = &PIN_RULES[pin];
	char first[PIN_NAME_SIZE];

	put_number(first, rule->each, 0);
	if (where != NULL)
		return error_set(error, ERROR_PLAN, "%s: %s: module %s (%s) has no %s \"%s\"", where, rule->key,
		                 module->name, module->place, rule->output ? "output" : "input", name);
	return error_set(error, ERROR_PLAN,
	                 "%s: module %s has no %s \"%s\", nor \"%s\" for all ports: %s; --map FILE names it if it is "
	                 "called otherwise",
	                 module->place, module->name, rule->output ? "output" : "input", first, rule->all, rule->key);
}

/* The bits that one port of ours has of it. */
static int check_width(struct pin_map *map, enum pin pin, const struct verilog_port *port, struct error *error)
{
	const unsigned share = map->vector[pin] ? map->ports : 1;
	const bool is_data = PIN_RULES[pin].inner_bits == 0, is_keep = PIN_RULES[pin].inner_bits == KEEP_BITS;
	const bool is_user = pin == PIN_S_TUSER || pin == PIN_M_TUSER;
	const unsigned bits = port->bits / share;
	const unsigned must = is_data ? map->width : is_keep ? map->width / 8 : 1;

	if (port->bits == 0)
		return error_set(error, ERROR_PLAN,
		                 "%s: \"%s\": must be a vector, not a structure or an unpacked array", port->place,
		                 port->name);
	if (is_data && map->width == 0)
		map->width = bits;
	else if (port->bits != must * share && !(is_user && bits > 0 && port->bits % share == 0))
		return error_set(error, ERROR_PLAN, "%s: \"%s\" has %u bits; must have %u: %u of %s for %u port%s",
		                 port->place, port->name, port->bits, must * share, must, PIN_RULES[pin].key, share,
		                 share == 1 ? "" : "s");
	map->bits[pin] = bits;
	return 0;
}

static int check_port(struct pin_map *map, enum pin pin, struct verilog_port *port, struct error *error)
{
	if (port->output != PIN_RULES[pin].output)
		return error_set(error, ERROR_PLAN, "%s: \"%s\" is an %s; must be an %s: %s", port->place, port->name,
		                 port->output ? "output" : "input", PIN_RULES[pin].output ? "output" : "input",
		                 PIN_RULES[pin].key);
	port->used = true;
	return check_width(map, pin, port, error);
}

static int find_pin(struct pin_map *map, const struct verilog_module *module, const struct map_file *file, enum pin pin,
                    struct error *error)
{
	const char *pattern = file->names[pin], *where = file->places[pin];
	char first[PIN_NAME_SIZE];

	if (pattern == NULL) {
		put_number(first, PIN_RULES[pin].each, file->first_port);
		pattern = verilog_ports_find(module, first) != NULL ? PIN_RULES[pin].each : PIN_RULES[pin].all;
	}
	map->vector[pin] = strchr(pattern, '%') == NULL;
	for (unsigned i = 0; i < (map->vector[pin] ? 1 : map->ports); i++) {
		char *name = map->names[pin][i];
		struct verilog_port *port;

		put_number(name, pattern, file->first_port + i);
		port = verilog_ports_find(module, name);
		if (port == NULL && i == 0 && where == NULL && PIN_RULES[pin].may_lack)
			name[0] = '\0';
		else if (port == NULL)
			return missing(module, pin, name, i > 0 && where == NULL ? module->place : where, error);
		else if (check_port(map, pin, port, error) != 0)
			return error->code;
	}
	return 0;
}

/* A single wire, by the name that the map file has for it, or one of those of the convention. False: there is none. */
static int find_wire(const struct verilog_module *module, const char *named, const char *where,
                     const char *const *usual, bool output, char *name, struct error *error)
{
	struct verilog_port *port = named != NULL ? verilog_ports_find(module, named) : NULL;

	name[0] = '\0';
	if (named != NULL && port == NULL)
		return error_set(error, ERROR_PLAN, "%s: module %s (%s) has no \"%s\"", where, module->name,
		                 module->place, named);
	for (; port == NULL && *usual != NULL; usual++)
		port = verilog_ports_find(module, *usual);
	if (port == NULL)
		return 0;
	if (port->bits != 1 || port->output != output)
		return error_set(error, ERROR_PLAN, "%s: \"%s\" is an %s of %u bit%s; must be an %s of 1: %s",
		                 port->place, port->name, port->output ? "output" : "input", port->bits,
		                 port->bits == 1 ? "" : "s", output ? "output" : "input",
		                 output ? "idle" : "clock or reset");
	port->used = true;
	snprintf(name, PIN_NAME_SIZE, "%s", port->name);
	return 0;
}

static int find_wires(struct pin_map *map, const struct verilog_module *module, const struct map_file *file,
                      struct error *error)
{
	static const char *const clocks[] = {"clk", "aclk", NULL}, *const idles[] = {"idle", NULL};
	static const char *const resets[] = {"rst", "rst_n", "aresetn", NULL};

	if (find_wire(module, file->clock, file->clock_place, clocks, false, map->clock, error) != 0 ||
	    find_wire(module, file->reset, file->reset_place, resets, false, map->reset, error) != 0 ||
	    find_wire(module, file->idle, file->idle_place, idles, true, map->idle, error) != 0)
		return error->code;
	if (map->clock[0] == '\0')
		return error_set(
		        error, ERROR_PLAN,
		        "%s: module %s has no clock: an input \"clk\" or \"aclk\"; --map FILE names it if it is "
		        "called otherwise",
		        module->place, module->name);
	map->reset_low = file->reset_low_given ? file->reset_low
	                                       : strcmp(map->reset, "rst_n") == 0 || strcmp(map->reset, "aresetn") == 0;
	return 0;
}

/* Takes the inputs of a group of the map file: set or clocks. */
static int use_inputs(const struct verilog_module *module, const struct pin_set *sets, size_t count, const char *place,
                      const char *group, struct error *error)
{
	for (size_t i = 0; i < count; i++) {
		struct verilog_port *port = verilog_ports_find(module, sets[i].name);

		if (port == NULL || port->output)
			return error_set(error, ERROR_PLAN, "%s: %s.%s: module %s (%s) has no such input", place, group,
			                 sets[i].name, module->name, module->place);
		if (port->used)
			return error_set(error, ERROR_PLAN, "%s: %s.%s: is something else already", place, group,
			                 sets[i].name);
		port->used = true;
	}
	return 0;
}

static int find_inputs(struct pin_map *map, const struct verilog_module *module, const struct map_file *file,
                       struct error *error)
{
	map->set_count = file->set_count;
	memcpy(map->sets, file->sets, sizeof(map->sets));
	map->clock_count = file->clock_count;
	memcpy(map->clocks, file->clocks, sizeof(map->clocks));
	if (use_inputs(module, file->sets, file->set_count, file->sets_place, "set", error) != 0)
		return error->code;
	return use_inputs(module, file->clocks, file->clock_count, file->clocks_place, "clocks", error);
}

static int check_all_widths(const struct pin_map *map, const struct verilog_module *module, struct error *error)
{
	const bool mii = map->style == PIN_MII;
	const bool fits = mii ? map->width == 64 || map->width == 128 || map->width == 256 || map->width == 512
	                      : map->width % 8 == 0 && map->width >= 8 && map->width <= 512;

	if (!fits)
		return error_set(error, ERROR_PLAN, "%s: module %s: data of %u bits a port; must be %s", module->place,
		                 module->name, map->width, mii ? "64, 128, 256 or 512" : "a multiple of 8, 8 to 512");
	if (mii || map->width == 8)
		return 0;
	for (enum pin pin = PIN_S_TKEEP; pin <= PIN_M_TKEEP; pin += PIN_M_TKEEP - PIN_S_TKEEP)
		if (map->names[pin][0][0] == '\0')
			return missing(module, pin, "", NULL, error);
	return 0;
}

int pin_map_read(struct pin_map *map, struct verilog_module *module, const char *path, struct error *error)
{
	struct map_file *file = calloc(1, sizeof(*file));
	int status = 0;

	if (!file)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	if (path != NULL)
		status = map_file_read(file, map->style, path, error);
	if (status == 0)
		status = find_wires(map, module, file, error);
	for (enum pin pin = 0; status == 0 && pin < PINS; pin++)
		if (PIN_RULES[pin].style == map->style)
			status = find_pin(map, module, file, pin, error);
	if (status == 0)
		status = check_all_widths(map, module, error);
	if (status == 0)
		status = find_inputs(map, module, file, error);
	map_file_free(file);
	free(file);
	return status;
}
