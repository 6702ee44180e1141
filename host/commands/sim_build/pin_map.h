/* SPDX-License-Identifier: Apache-2.0 */
/* The map from ports of a user's module to pins: by name, as by convention, or as a map file says. */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_PIN_MAP_H
#define FPGAUGE_COMMANDS_SIM_BUILD_PIN_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"
#include "host/commands/sim_build/map_file.h"
#include "host/commands/sim_build/pin_rules.h"
#include "host/commands/sim_build/verilog_ports.h"

struct pin_map {
	/* The question: */
	enum pin_style style;
	unsigned ports;
	unsigned width; /* width of the data of a port, in bits; 0: that of the module's */

	/* The answer. Names are "" for what the module does not have. */
	char names[PINS][PIN_MAX_PORTS][PIN_NAME_SIZE]; /* one a port, or only the first: a vector for all */
	bool vector[PINS];
	unsigned bits[PINS]; /* bits of one port */
	char clock[PIN_NAME_SIZE], reset[PIN_NAME_SIZE], idle[PIN_NAME_SIZE];
	bool reset_low; /* it is active when low */
	struct pin_set sets[PIN_MAX_SETS];
	size_t set_count;
	struct pin_set clocks[PIN_MAX_CLOCKS]; /* others than that of the ports */
	size_t clock_count;
};

/* Finds the pins of the module. path: of a map file, or NULL. */
int pin_map_read(struct pin_map *map, struct verilog_module *module, const char *path, struct error *error);

#endif
