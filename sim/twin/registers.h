/* SPDX-License-Identifier: Apache-2.0 */
/* Describes each word of the register map: hw/regs/csr_port.v and csr_global.v as a table, built from the map itself.
 */
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

/* A word of a register's value. */
static inline uint32_t register_word_of(uint64_t value, unsigned word)
{
	return (uint32_t)(value >> 32 * word);
}

enum { BLOCK_WORDS = FPGAUGE_PORT_STRIDE / 4 };

struct register_map {
	struct register_word global[BLOCK_WORDS], port[BLOCK_WORDS];
};

void register_map_make(struct register_map *map);

/* Writes a word into the register that it belongs to. */
static inline void register_put(uint64_t *to, const struct register_word *word, uint32_t value)
{
	const uint64_t mask = (uint64_t)UINT32_MAX << 32 * word->word;

	*to = (*to & ~mask) | (uint64_t)(value & word->mask) << 32 * word->word;
}

#endif
