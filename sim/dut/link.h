/* SPDX-License-Identifier: Apache-2.0 */
/* The speed of the lines of a simulation. Simulated time is counted in octet times, so a speed only says how long one
 * is; whatever a setting gives in seconds is converted with it. */
#ifndef FPGAUGE_SIM_DUT_LINK_H
#define FPGAUGE_SIM_DUT_LINK_H

#include <stdint.h>

#include "sim/dut/options.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { DUT_LINK_WORD_BITS = 512 }; /* width of a word of the line, one a clock */

/* device.link, a row of the caller's own table. */
extern const struct sim_option_rule dut_link_rule;

/* The setting, or the fallback, which may be at most most_bps. 0, or -1 with the option refused. */
int dut_link_read(const struct sim_options *options, const char *fallback, uint64_t most_bps, uint64_t *link_bps);

/* The register clock_hz at this speed: the nearest whole number. */
static inline uint32_t dut_link_clock_hz(uint64_t link_bps)
{
	return (uint32_t)((link_bps + DUT_LINK_WORD_BITS / 2) / DUT_LINK_WORD_BITS);
}

#define DUT_LINK_DEFAULT "100G"
#define DUT_LINK_MOST_BPS UINT64_C(800000000000)

#ifdef __cplusplus
}
#endif

#endif
