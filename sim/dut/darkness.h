/* SPDX-License-Identifier: Apache-2.0 */
/* The model reset: the times in which a device is dark. Definition: docs/dut-models.md. */
#ifndef FPGAUGE_SIM_DUT_DARKNESS_H
#define FPGAUGE_SIM_DUT_DARKNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/models.h"

enum { DARKNESS_TIMES = 5 }; /* that a frame still to come can see; darkness.c says why so few */

struct dark_time {
	uint64_t from_ot, until_ot;
};

struct darkness {
	uint64_t length_ot; /* of one on command; 0: the device has no reset */
	bool on;            /* the first has begun, and no frame has been seen that starts behind it */
	size_t count;
	struct dark_time times[DARKNESS_TIMES]; /* in order, apart */
};

/* None where the model is not named. 0, or -1 with the refusal said. */
int darkness_read(const struct dut_setup *setup, struct darkness *darkness);

/* Beginning of the next time, or of the one that is on; UINT64_MAX: there is none. */
static inline uint64_t darkness_from_ot(const struct darkness *darkness)
{
	return darkness->count != 0 ? darkness->times[0].from_ot : UINT64_MAX;
}

/* What is next of its own accord: the light, or the dark. */
static inline uint64_t darkness_change_ot(const struct darkness *darkness)
{
	return darkness->on ? darkness->times[0].until_ot : darkness_from_ot(darkness);
}

/* While it is on: frames are lost that have any octet on the line before the light is on again. Returns how many. */
size_t darkness_lose(struct darkness *darkness, const struct dut_frame *in, size_t count);

/* Frames that are whole before it gets dark. */
size_t darkness_before(const struct darkness *darkness, const struct dut_frame *in, size_t count);

/* On command, as dut_reset(). True: a time is over that no frame has seen, so what is inside must go at once. */
bool darkness_command(struct darkness *darkness, uint64_t from_ot);

#endif
