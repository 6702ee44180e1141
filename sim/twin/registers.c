// SPDX-License-Identifier: Apache-2.0
/* The register map as a table. */
#include "sim/twin/registers.h"

#include <string.h>

enum access { ro, rw, wo };

struct description {
	uint32_t offset;
	enum access access;
	unsigned bits, words;
};

static const struct description GLOBALS[GLOBAL_REGISTERS] = {
#define GLOBAL_ROW(NAME, offset, access, bits, words) {offset, access, bits, words},
        FPGAUGE_GLOBAL_REGISTERS(GLOBAL_ROW)
#undef GLOBAL_ROW
};

static const struct description PORTS[PORT_REGISTERS] = {
#define PORT_ROW(NAME, offset, access, bits, words) {offset, access, bits, words},
        FPGAUGE_PORT_REGISTERS(PORT_ROW)
#undef PORT_ROW
};

static void describe(struct register_word *block, const struct description *rows, unsigned count)
{
	for (unsigned reg = 0; reg < count; reg++) {
		unsigned words = rows[reg].bits > 32 ? 2 : rows[reg].words;

		for (unsigned word = 0; word < words; word++) {
			unsigned bits = rows[reg].bits > 32 && word == 1 ? rows[reg].bits - 32 : rows[reg].bits;

			block[rows[reg].offset / 4 + word] =
			        (struct register_word){.there = true,
			                               .writable = rows[reg].access != ro,
			                               .stored = rows[reg].access == rw,
			                               .reg = reg,
			                               .word = word,
			                               .mask = bits >= 32 ? UINT32_MAX : (UINT32_C(1) << bits) - 1};
		}
	}
}

void register_map_make(struct register_map *map)
{
	memset(map, 0, sizeof(*map));
	describe(map->global, GLOBALS, GLOBAL_REGISTERS);
	describe(map->port, PORTS, PORT_REGISTERS);
	for (unsigned word = 0; word < 2 * FPGAUGE_COUNTER_COUNT; word++)
		map->port[FPGAUGE_COUNTER_BASE / 4 + word] =
		        (struct register_word){.there = true, .reg = PORT_COUNTERS, .word = word, .mask = UINT32_MAX};
}
