/* SPDX-License-Identifier: Apache-2.0 */
/* dut.model = "tap": its settings, and the TAPs that they name. */
#ifndef FPGAUGE_SIM_TAP_TAP_SETTINGS_H
#define FPGAUGE_SIM_TAP_TAP_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/dut/device.h"
#include "sim/dut/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tap_settings {
	uint64_t link_bps;
	int fds[DUT_MAX_PORTS];
	uint32_t queue_frames; /* room of the shortest queue */
};

/* True if dut.model asks for TAPs. */
bool tap_is_asked_for(const struct sim_options *options);

/* Reads the settings and opens the TAPs, one for each port. Extra tables name other settings that the caller knows
 * (device.*). 0, or -1 with the option refused and nothing left open. */
int tap_settings_open(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
                      unsigned ports, struct tap_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
