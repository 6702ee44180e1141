/* SPDX-License-Identifier: Apache-2.0 */
/* What each word of the register map is: hw/rtl/csr as a table, built from the map itself. */
#ifndef FPGAUGE_SIM_TWIN_REGISTERS_H
#define FPGAUGE_SIM_TWIN_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "hw/regs/fpgauge_regs.h"

enum global_register {
#define GLOBAL_ENUM(NAME, offset, access, bits, words) GLOBAL_##NAME,
	FPGAUGE_GLOBAL_REGISTERS(GLOBAL_ENUM)
#undef GLOBAL_ENUM
	        GLOBAL_REGISTERS
};

enum port_register {
#define PORT_ENUM(NAME, offset, access, bits, words) PORT_##NAME,
	FPGAUGE_PORT_REGISTERS(PORT_ENUM)
#undef PORT_ENUM
	        PORT_COUNTERS, /* all of them, word by word */
	PORT_REGISTERS = PORT_COUNTERS
};

/* A word of 32 bits. */
struct register_word {
	bool there;
	bool writable, stored; /* stored: reads give what was written */
	unsigned reg;          /* value of its block's enum */
	unsigned word;         /* index in the register, or in the counters */
	uint32_t mask;         /* bits that exist */
};

enum { BLOCK_WORDS = FPGAUGE_PORT_STRIDE / 4 };

struct register_map {
	struct register_word global[BLOCK_WORDS], port[BLOCK_WORDS];
};

void register_map_make(struct register_map *map);

#endif
