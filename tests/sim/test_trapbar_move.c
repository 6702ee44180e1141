// SPDX-License-Identifier: Apache-2.0
/* The decoder of the trapped BAR against instructions as an assembler writes them. */
#include <criterion/criterion.h>

#include "sim/cards/trapbar_move.h"

struct row {
	const char *text;
	uint8_t code[12];
	struct trapbar_move move;
};

static const struct row rows[] = {
        {"mov eax, [rdi]", {0x8b, 0x07}, {.reg = 0, .length = 2}},
        {"mov [rdi], esi", {0x89, 0x37}, {.store = true, .reg = 6, .length = 2}},
        {"mov r9d, [r10]", {0x45, 0x8b, 0x0a}, {.reg = 9, .length = 3}},
        {"mov [rbp-8], edx", {0x89, 0x55, 0xf8}, {.store = true, .reg = 2, .length = 3}},
        {"mov ecx, [rax+0x1000]", {0x8b, 0x88, 0x00, 0x10, 0x00, 0x00}, {.reg = 1, .length = 6}},
        {"mov eax, [rdi+rsi*4]", {0x8b, 0x04, 0xb7}, {.reg = 0, .length = 3}},
        {"mov eax, [rsp+0x10]", {0x8b, 0x44, 0x24, 0x10}, {.reg = 0, .length = 4}},
        {"mov r15d, [r12]", {0x45, 0x8b, 0x3c, 0x24}, {.reg = 15, .length = 4}},
        {"mov eax, [rsi*4+0x20]", {0x8b, 0x04, 0xb5, 0x20, 0, 0, 0}, {.reg = 0, .length = 7}},
        {"mov ebx, [rip+0x40]", {0x8b, 0x1d, 0x40, 0, 0, 0}, {.reg = 3, .length = 6}},
        {"mov dword [rax], 0x12345678",
         {0xc7, 0x00, 0x78, 0x56, 0x34, 0x12},
         {.store = true, .immediate = true, .value = 0x12345678, .length = 6}},
        {"mov dword [rax+8], 1",
         {0xc7, 0x40, 0x08, 1, 0, 0, 0},
         {.store = true, .immediate = true, .value = 1, .length = 7}},
};

Test(trapbar_move, reads_every_32_bit_move_between_register_and_memory)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct trapbar_move *wanted = &rows[i].move;
		struct trapbar_move move;

		cr_assert(trapbar_decode(rows[i].code, &move), "%s", rows[i].text);
		cr_expect(move.store == wanted->store && move.immediate == wanted->immediate, "%s", rows[i].text);
		cr_expect(move.reg == wanted->reg && move.value == wanted->value, "%s", rows[i].text);
		cr_expect(move.length == wanted->length, "%s: %zu octets", rows[i].text, move.length);
	}
}

Test(trapbar_move, refuses_whatever_is_no_access_of_one_register)
{
	static const struct {
		const char *text;
		uint8_t code[12];
	} refused[] = {
	        {"mov rax, [rdi] (64 bits)", {0x48, 0x8b, 0x07}},
	        {"mov ax, [rdi] (16 bits)", {0x66, 0x8b, 0x07}},
	        {"mov al, [rdi] (8 bits)", {0x8a, 0x07}},
	        {"mov eax, edi (no memory)", {0x89, 0xf8}},
	        {"add eax, [rdi]", {0x03, 0x07}},
	        {"cmp dword [rdi], 0", {0x83, 0x3f, 0x00}},
	        {"movzx eax, byte [rdi]", {0x0f, 0xb6, 0x07}},
	        {"movdqu xmm0, [rdi]", {0xf3, 0x0f, 0x6f, 0x07}},
	        {"rep movsd", {0xf3, 0xa5}},
	        {"xbegin (c7 with another register field)", {0xc7, 0xf8, 0, 0, 0, 0}},
	};
	struct trapbar_move move;

	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++)
		cr_expect(!trapbar_decode(refused[i].code, &move), "%s", refused[i].text);
}
