/* SPDX-License-Identifier: Apache-2.0 */
/* dut.model = "verilog": its settings, and the library that they name. */
#ifndef FPGAUGE_SIM_VERILOG_SETTINGS_H
#define FPGAUGE_SIM_VERILOG_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/dut_abi.h"
#include "sim/dut/options.h"

#ifdef __cplusplus
extern "C" {
#endif

struct verilog_settings {
	void *handle; /* library from dlopen */
	const struct fpgauge_dut_api *api;
	struct verilog_clock {
		uint64_t hz, parts; /* hertz, as a fraction */
	} clock[FPGAUGE_DUT_MAX_CLOCKS];
	uint64_t link_bps;
	bool strips_fcs;    /* checks and strips it, and makes a new one; else it passes through */
	bool waits_for_end; /* a frame is sent once all of it is there */
	bool never_idle;    /* device.idle_skip = false: plays every clock, whatever the device says */
	uint32_t buffer_octets;
	char *waveform;               /* a path; NULL: none is drawn */
	uint64_t waveform_stretch_ps; /* drawn only near the first loss; 0: all of it */
};

/* True if dut.model asks for it. */
bool verilog_is_asked_for(const struct sim_options *options);

/* Reads the settings and loads the library, which must have so many ports. Extra tables name other settings that the
 * caller knows (device.*). 0, or -1 with the option refused and nothing left open. */
int verilog_settings_open(const struct sim_options *options, const struct sim_option_rule *extra, size_t extra_count,
                          unsigned ports, struct verilog_settings *settings);
void verilog_settings_close(struct verilog_settings *settings);

#ifdef __cplusplus
}
#endif

#endif
