/* SPDX-License-Identifier: Apache-2.0 */
/* Everything done to a simulated device from opening on, as data: it can be generated from a seed, written as text,
 * read back, and cut down. One line of text is one option or one operation:
 *
 *   option dut.model fifo        before the first operation
 *   write 0x01004 0x40           a register
 *   read 0x00024
 *   wait 12345                   octet times
 *   reset                        the DUT, on command
 *   until 0x1 4096 200           poll status until these bits are 0: octet times between polls, at most so many polls
 *   counters                     read every counter of every port
 *   registers                    read every register that has no side effect on a script
 *   stream 0 17                  read what port 0 sent to entry 17, and what its partner and itself received of it
 *   received 2 0 17              read what port 2 received of entry 17 of port 0
 *   tags 1 4                     read that many of the first tagged frames of port 1
 *   mail 1 2 20                  read 20 words of each of the oldest 2 frames that port 1 keeps, and give them back
 *   bins 1 0 4                   read 4 bins of the latencies at port 1 from bin 0 on
 *   octaves 1 0 4                the same by log bins
 *   gaps 1 0 4                   the same for the gaps sent by it
 *   arrived 1 0 4                the same for the gaps received there
 *   histogram                    take a snapshot and compare whole histograms; last, because sides read differently
 *
 * A # begins a comment. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_SCRIPT_H
#define FPGAUGE_TESTS_DIFFERENTIAL_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum op_kind {
	OP_WRITE,
	OP_READ,
	OP_WAIT,
	OP_RESET,
	OP_UNTIL,
	OP_COUNTERS,
	OP_REGISTERS,
	OP_STREAM,
	OP_RECEIVED,
	OP_TAGS,
	OP_MAIL,
	OP_BINS,
	OP_OCTAVES,
	OP_GAPS,
	OP_ARRIVED,
	OP_HISTOGRAM,
	OP_KINDS
};

enum { OP_MAX_OPERANDS = 3, SCRIPT_MAX_OPTIONS = 32 };

struct op {
	enum op_kind kind;
	uint64_t operand[OP_MAX_OPERANDS]; /* ordered as in the text */
};

struct script_option {
	char name[40];
	char value[120];
};

struct script {
	struct script_option option[SCRIPT_MAX_OPTIONS];
	size_t option_count;
	struct op *ops;
	size_t op_count, op_room;
};

void script_release(struct script *script);

/* Both allocate what they need; the program ends when out of memory. Unused arguments are 0. */
void script_option(struct script *script, const char *name, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
void script_op(struct script *script, enum op_kind kind, uint64_t a, uint64_t b, uint64_t c);

void script_copy(struct script *to, const struct script *from);

/* mark: the number of the operation that gets the comment `why`, or SIZE_MAX. */
void script_print(FILE *file, const struct script *script, size_t mark, const char *why);

/* Reads what script_print writes. False with the number of the invalid line, counted from 1. */
bool script_parse(FILE *file, struct script *script, unsigned *line_number);

#endif
