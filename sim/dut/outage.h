/* SPDX-License-Identifier: Apache-2.0 */
/* The model reset: the times in which a device is dark. Defined in docs/dut-models.md. */
#ifndef FPGAUGE_SIM_DUT_OUTAGE_H
#define FPGAUGE_SIM_DUT_OUTAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/models.h"

enum { OUTAGE_TIMES = 5 }; /* times that can still affect a frame; outage.c says why so few */

struct dark_time {
	uint64_t from_ot, until_ot;
};

struct outage {
	uint64_t length_ot; /* length of a reset on command; 0: the device has no reset */
	bool on;            /* the first time has begun, and no frame that starts after it has been seen */
	size_t count;
	struct dark_time times[OUTAGE_TIMES]; /* ordered, not touching */
};

/* Reads the settings; no dark times if the model is not named. 0, or -1 with the option refused. */
int outage_read(const struct dut_setup *setup, struct outage *outage);

/* Start of the next dark time, or of the current one; UINT64_MAX: there is none. */
static inline uint64_t outage_from_ot(const struct outage *outage)
{
	return outage->count != 0 ? outage->times[0].from_ot : UINT64_MAX;
}

/* The time of the next change, to dark or back. */
static inline uint64_t outage_change_ot(const struct outage *outage)
{
	return outage->on ? outage->times[0].until_ot : outage_from_ot(outage);
}

/* Loses, while dark, frames that have any octet on the line before the dark time ends. Returns how many. */
size_t outage_lose(struct outage *outage, const struct dut_frame *in, size_t count);

/* Number of the frames that are whole before it goes dark. */
size_t outage_before(const struct outage *outage, const struct dut_frame *in, size_t count);

/* A reset on command, as dut_reset(). True: a dark time has passed without any frame seeing it, so the frames inside
 * must be dropped now. */
bool outage_command(struct outage *outage, uint64_t from_ot);

#endif
