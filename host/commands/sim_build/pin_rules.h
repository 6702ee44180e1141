/* SPDX-License-Identifier: Apache-2.0 */
/* The pins that a device under test has at each port. */
#ifndef FPGAUGE_COMMANDS_SIM_BUILD_PIN_RULES_H
#define FPGAUGE_COMMANDS_SIM_BUILD_PIN_RULES_H

#include <stdbool.h>

enum { PIN_MAX_PORTS = 16, PIN_NAME_SIZE = 128 };

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

/* The places of a pin in the generated module: "s_data", and how far its ports are apart there. */
struct pin_rule {
	const char *key;        /* name in a map file, and in complaints */
	const char *each, *all; /* names by convention, with % for the number of the port */
	const char *inner;
	unsigned inner_bits; /* bits of a port; 0: those of the data */
	enum pin_style style;
	bool output;
	bool may_lack;
};
extern const struct pin_rule PIN_RULES[PINS];

#endif
