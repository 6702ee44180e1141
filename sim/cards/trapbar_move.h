/* SPDX-License-Identifier: Apache-2.0 */
/* The move that an x86-64 program made on a trapped address: which way, which register, how long the instruction. */
#ifndef FPGAUGE_SIM_CARDS_TRAPBAR_MOVE_H
#define FPGAUGE_SIM_CARDS_TRAPBAR_MOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trapbar_move {
	bool store;
	bool immediate; /* a store of a constant */
	uint32_t value; /* that constant */
	unsigned reg;   /* else the register, in the numbering of the instruction: 0 rax, 1 rcx ... 15 r15 */
	size_t length;  /* octets of the instruction */
};

/* Reads the instruction at code. False when it is anything but a 32-bit mov between a register, or a constant, and
 * memory (Intel SDM volume 2, MOV: opcodes 8B, 89, C7): no other is an access of one register of a card. */
bool trapbar_decode(const uint8_t *code, struct trapbar_move *move);

#endif
