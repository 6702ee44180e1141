/* SPDX-License-Identifier: Apache-2.0 */
/* The register map as a list. */
#include "tests/differential/registers.h"

#include <stdio.h>

#include "hw/regs/fpgauge_regs.h"

enum access { ACCESS_ro, ACCESS_rw, ACCESS_wo };

#define ENTRY(NAME, offset, access, bits, words)                                                                       \
	{#NAME, offset, ACCESS_##access != ACCESS_wo, ACCESS_##access != ACCESS_ro, bits, words},

const struct register_entry GLOBAL_REGISTERS[] = {FPGAUGE_GLOBAL_REGISTERS(ENTRY)};
const struct register_entry PORT_REGISTERS[] = {FPGAUGE_PORT_REGISTERS(ENTRY)};
const size_t GLOBAL_REGISTER_COUNT = sizeof(GLOBAL_REGISTERS) / sizeof(GLOBAL_REGISTERS[0]);
const size_t PORT_REGISTER_COUNT = sizeof(PORT_REGISTERS) / sizeof(PORT_REGISTERS[0]);

#define NAME_OF(upper, lower) #lower,
const char *const COUNTER_NAMES[] = {FPGAUGE_COUNTERS(NAME_OF)};

static const struct register_entry *find(const struct register_entry *entries, size_t count, uint32_t offset)
{
	for (size_t i = 0; i < count; i++) {
		const uint32_t octets = entries[i].bits > 32 ? 8 : 4 * entries[i].words;

		if (offset >= entries[i].offset && offset < entries[i].offset + octets)
			return &entries[i];
	}
	return NULL;
}

const char *register_name(uint32_t address, char *text, size_t size)
{
	const uint32_t offset = address % FPGAUGE_PORT_STRIDE;
	const struct register_entry *entry = address < FPGAUGE_PORT_BASE
	                                             ? find(GLOBAL_REGISTERS, GLOBAL_REGISTER_COUNT, offset)
	                                             : find(PORT_REGISTERS, PORT_REGISTER_COUNT, offset);
	const uint32_t counter = (offset - FPGAUGE_COUNTER_BASE) / 8;
	char port[16] = "";

	if (address >= FPGAUGE_PORT_BASE)
		snprintf(port, sizeof(port), "(%u)", (unsigned)((address - FPGAUGE_PORT_BASE) / FPGAUGE_PORT_STRIDE));
	if (entry != NULL && entry->words > 1)
		snprintf(text, size, "%s%s[%u]", entry->name, port, (unsigned)(offset - entry->offset) / 4);
	else if (entry != NULL)
		snprintf(text, size, "%s%s%s", entry->name, port, offset >= entry->offset + 4 ? " high" : "");
	else if (port[0] != '\0' && offset >= FPGAUGE_COUNTER_BASE && counter < FPGAUGE_COUNTER_COUNT)
		snprintf(text, size, "%s%s%s", COUNTER_NAMES[counter], port, offset % 8 >= 4 ? " high" : "");
	else
		snprintf(text, size, "unmapped%s", port);
	return text;
}
