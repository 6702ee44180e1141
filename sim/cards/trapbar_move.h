/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the move that an x86-64 program made on a trapped address: direction, register, length of the instruction. */
#ifndef FPGAUGE_SIM_CARDS_TRAPBAR_MOVE_H
#define FPGAUGE_SIM_CARDS_TRAPBAR_MOVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trapbar_move {
	bool store;
	bool immediate; /* a store of a constant */
	uint32_t value; /* the constant */
	unsigned reg;   /* else the register, numbered as in the instruction: 0 rax, 1 rcx ... 15 r15 */
	size_t length;  /* octets of the instruction */
};

/* Decodes the instruction at code. False if it is anything but a 32-bit mov between a register, or a constant, and
 * memory (Intel SDM volume 2, MOV: opcodes 8B, 89, C7): no other accesses exactly one register of a card. */
bool trapbar_decode(const uint8_t *code, struct trapbar_move *move);

#endif
