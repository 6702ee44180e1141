/* SPDX-License-Identifier: Apache-2.0 */
/* Which port of a user's module is which pin: by name, as by convention, or as a map file says. */
#ifndef FPGAUGE_SIM_BUILD_PIN_MAP_H
#define FPGAUGE_SIM_BUILD_PIN_MAP_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"
#include "host/sim_build/verilog_ports.h"

enum { PIN_MAX_PORTS = 16, PIN_NAME_SIZE = 128, PIN_MAX_SETS = 64 };

enum pin_style { PIN_AXIS, PIN_MII };

enum pin {
	PIN_S_TDATA,
	PIN_S_TKEEP,
	PIN_S_TVALID,
	PIN_S_TREADY,
	PIN_S_TLAST,
	PIN_S_TUSER,
	PIN_M_TDATA,
	PIN_M_TKEEP,
	PIN_M_TVALID,
	PIN_M_TREADY,
	PIN_M_TLAST,
	PIN_M_TUSER,
	PIN_RX_DATA,
	PIN_RX_CTRL,
	PIN_TX_DATA,
	PIN_TX_CTRL,
	PINS
};

/* What one of the user's ports is given besides pins: a constant. */
struct pin_set {
	char name[PIN_NAME_SIZE], value[PIN_NAME_SIZE];
};

struct pin_map {
	/* The question: */
	enum pin_style style;
	unsigned ports;
	unsigned width; /* of the data of a port, in bits; 0: that of the module's */

	/* The answer. Names are "" for what the module does not have. */
	char names[PINS][PIN_MAX_PORTS][PIN_NAME_SIZE]; /* one a port, or only the first: a vector for all */
	bool vector[PINS];
	unsigned bits[PINS]; /* of one port */
	char clock[PIN_NAME_SIZE], reset[PIN_NAME_SIZE], idle[PIN_NAME_SIZE];
	bool reset_low; /* it is active when low */
	struct pin_set sets[PIN_MAX_SETS];
	size_t set_count;
};

/* The places of a pin in the generated module: "s_data", and how far its ports are apart there. */
struct pin_rule {
	const char *key;        /* in a map file, and in complaints */
	const char *each, *all; /* names by convention, with % for the number of the port */
	const char *inner;
	unsigned inner_bits; /* of a port; 0: those of the data */
	enum pin_style style;
	bool output;
	bool may_lack;
};
extern const struct pin_rule PIN_RULES[PINS];

/* Finds the pins of the module. path: of a map file, or NULL. */
int pin_map_read(struct pin_map *map, struct verilog_module *module, const char *path, struct error *error);

#endif
