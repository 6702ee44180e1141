/* SPDX-License-Identifier: Apache-2.0 */
/* Lets pass at most so many frames per second, each a period after the one before. As frames start on groups of 8
 * octets, one may come up to 8 octet times early without harm: exactly the rate passes, at any rate (the generic cell
 * rate algorithm of ITU-T I.371 with a tolerance of one group). */
#ifndef FPGAUGE_SIM_DUT_METER_H
#define FPGAUGE_SIM_DUT_METER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/dut.h"

struct meter {
	uint64_t period, period_part, denominator; /* period + period_part / denominator octet times; 0: no limit */
	uint64_t due, due_part;                    /* when the next frame is due */
};

/* Takes the frame at now_ot into account if it passes. Time does not go back. */
static inline bool meter_pass(struct meter *meter, uint64_t now_ot)
{
	if (meter->denominator == 0)
		return true;
	if (meter->due + (meter->due_part != 0) > now_ot + DUT_GROUP_OCTETS)
		return false;
	if (meter->due < now_ot) {
		meter->due = now_ot;
		meter->due_part = 0;
	}
	meter->due += meter->period;
	meter->due_part += meter->period_part;
	if (meter->due_part >= meter->denominator) {
		meter->due_part -= meter->denominator;
		meter->due++;
	}
	return true;
}

#endif
