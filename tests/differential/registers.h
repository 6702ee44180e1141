/* SPDX-License-Identifier: Apache-2.0 */
/* The register map as a list, from the generated header: what a test that touches every register needs. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_REGISTERS_H
#define FPGAUGE_TESTS_DIFFERENTIAL_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct register_entry {
	const char *name;
	uint32_t offset; /* offset in its block */
	bool readable, writable;
	unsigned bits, words; /* words: of an array, otherwise 1 */
};

extern const struct register_entry GLOBAL_REGISTERS[], PORT_REGISTERS[];
extern const size_t GLOBAL_REGISTER_COUNT, PORT_REGISTER_COUNT;
extern const char *const COUNTER_NAMES[];

/* "TX_GAP_OCTETS(1) high", for people; returns text. */
const char *register_name(uint32_t address, char *text, size_t size);

#endif
