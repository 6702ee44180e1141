/* SPDX-License-Identifier: Apache-2.0 */
/* Frames whose octets are kept until it is known whether the host wants them: those without our signature, which are
 * few. In the order of a number that each has. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_LETTERS_H
#define FPGAUGE_SIM_TWIN_PLAY_LETTERS_H

#include <stdint.h>

#include "sim/dut/ring.h"

struct letter {
	uint64_t number;
	uint32_t octets;
	uint8_t *octet; /* so many */
};

struct letters {
	struct ring ring;
};

int letters_init(struct letters *letters); /* 0, or -1: out of memory */
void letters_release(struct letters *letters);

/* Room for the octets of one with a higher number than all before; NULL: out of memory. */
uint8_t *letters_add(struct letters *letters, uint64_t number, uint32_t octets);

/* NULL: there is none. */
const struct letter *letters_find(const struct letters *letters, uint64_t number);

/* Drops those with a lower number; those with this number or a higher one. */
void letters_drop_below(struct letters *letters, uint64_t number);
void letters_drop_from(struct letters *letters, uint64_t number);

/* Moves the octets of the first one, if it has this number, to whoever frees them; NULL: there is none. */
uint8_t *letters_take(struct letters *letters, uint64_t number);

static inline bool letters_empty(const struct letters *letters)
{
	return ring_empty(&letters->ring);
}

#endif
