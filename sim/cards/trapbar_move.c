// SPDX-License-Identifier: Apache-2.0
/* Decodes three instructions (Intel SDM volume 2, sections 2.1 and 2.2: prefixes, ModR/M, SIB, displacement). */
#include "sim/cards/trapbar_move.h"

#include <string.h>

enum {
	REX = 0x40, /* 0100WRXB */
	REX_MASK = 0xf0,
	REX_W = 0x8, /* 64-bit operand */
	REX_R = 0x4, /* fourth bit of the register */
	MOV_TO_MEMORY = 0x89,
	MOV_FROM_MEMORY = 0x8b,
	MOV_CONSTANT = 0xc7, /* needs 0 in place of the register */
	MODE_REGISTER = 3,   /* no memory at all */
	RM_SIB = 4,          /* a SIB octet follows */
	BASE_NONE = 5,       /* means, with mode 0, a 32-bit displacement and no base */
};

/* Number of octets after ModR/M up to the end of the displacement. */
static size_t address_octets(unsigned mode, unsigned rm, const uint8_t *after)
{
	size_t octets = rm == RM_SIB ? 1 : 0;
	unsigned base = rm == RM_SIB ? after[0] & 7 : rm;

	if (mode == 1)
		return octets + 1;
	if (mode == 2 || base == BASE_NONE)
		return octets + 4;
	return octets;
}

bool trapbar_decode(const uint8_t *code, struct trapbar_move *move)
{
	const uint8_t *at = code;
	unsigned rex = (*at & REX_MASK) == REX ? *at++ : 0;
	unsigned opcode = *at++;
	unsigned mode = *at >> 6, reg = *at >> 3 & 7, rm = *at & 7;

	if ((opcode != MOV_TO_MEMORY && opcode != MOV_FROM_MEMORY && opcode != MOV_CONSTANT) || mode == MODE_REGISTER ||
	    rex & REX_W || (opcode == MOV_CONSTANT && reg != 0))
		return false;
	at++;
	at += address_octets(mode, rm, at);
	*move = (struct trapbar_move){.store = opcode != MOV_FROM_MEMORY,
	                              .immediate = opcode == MOV_CONSTANT,
	                              .reg = reg | (rex & REX_R ? 8u : 0u)};
	if (move->immediate) {
		memcpy(&move->value, at, sizeof(move->value));
		at += sizeof(move->value);
	}
	move->length = (size_t)(at - code);
	return true;
}
