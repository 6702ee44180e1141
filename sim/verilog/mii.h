/* SPDX-License-Identifier: Apache-2.0 */
/* A port of a device that has the groups of the line on its pins, some in a clock: 8 octets, and a bit for each that
 * marks a control character. */
#ifndef FPGAUGE_SIM_VERILOG_MII_H
#define FPGAUGE_SIM_VERILOG_MII_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "drivers/dut_abi.h"
#include "sim/line/line.h"

struct mii {
	unsigned groups; /* groups in a clock */
	unsigned in_count, out_count;
	struct fpgauge_dut_pins in;  /* pins that came in since the last edge */
	struct fpgauge_dut_pins out; /* pins that leave until the next one */
};

static inline void mii_idle(struct fpgauge_dut_pins *pins)
{
	memset(pins->data, LINE_IDLE, sizeof(pins->data));
	pins->keep = UINT64_MAX;
}

static inline void mii_init(struct mii *mii, unsigned octets)
{
	memset(mii, 0, sizeof(*mii));
	mii->groups = octets / LINE_GROUP_OCTETS;
	mii_idle(&mii->in);
	mii_idle(&mii->out);
}

static inline bool mii_pins_idle(const struct fpgauge_dut_pins *pins, unsigned octets)
{
	for (unsigned i = 0; i < octets; i++)
		if (pins->data[i] != LINE_IDLE || (pins->keep >> i & 1) == 0)
			return false;
	return true;
}

/* Nothing is on its way, in either direction. */
static inline bool mii_rests(const struct mii *mii)
{
	const unsigned octets = mii->groups * LINE_GROUP_OCTETS;

	return mii_pins_idle(&mii->in, octets) && mii_pins_idle(&mii->out, octets);
}

/* The group that has come in. */
static inline void mii_group_in(struct mii *mii, uint64_t value, uint8_t ctrl)
{
	const unsigned at = mii->in_count++ % mii->groups;

	memcpy(mii->in.data + at * sizeof(value), &value, sizeof(value));
	mii->in.keep &= ~(UINT64_C(0xff) << (8 * at));
	mii->in.keep |= (uint64_t)ctrl << (8 * at);
}

/* Takes, at an edge, what is on the pins of one direction, and puts what has come in on those of the other. */
static inline void mii_edge(struct mii *mii, struct fpgauge_dut_pins *in, const struct fpgauge_dut_pins *out)
{
	mii->out = *out;
	mii->out_count = 0;
	*in = mii->in;
	mii->in_count = 0;
}

/* The group that leaves. False: it is idle. */
static inline bool mii_group_out(struct mii *mii, uint64_t *value, uint8_t *ctrl)
{
	const unsigned at = mii->out_count++ % mii->groups;

	memcpy(value, mii->out.data + at * sizeof(*value), sizeof(*value));
	*ctrl = (uint8_t)(mii->out.keep >> (8 * at));
	return *ctrl != 0xff || *value != LINE_IDLE_GROUP;
}

#endif
