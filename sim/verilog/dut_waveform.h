/* SPDX-License-Identifier: Apache-2.0 */
/* A waveform of the device: all of it, or only what is near the first loss. For that the latest stretch of time is kept
 * in the file, the one before in another one beside it, and older ones are thrown away; a loss lets the file go on for
 * one more stretch, and then nothing is drawn any more. */
#ifndef FPGAUGE_SIM_VERILOG_DUT_WAVEFORM_H
#define FPGAUGE_SIM_VERILOG_DUT_WAVEFORM_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/dut_abi.h"

enum { DUT_WAVEFORM_PATH = 1024 };

struct dut_waveform {
	const struct fpgauge_dut_api *api;
	struct fpgauge_dut *dut;
	char path[DUT_WAVEFORM_PATH], before[DUT_WAVEFORM_PATH + 16]; /* "dut.fst", "dut.before.fst" */
	uint64_t stretch_ps;                                          /* 0: all is drawn */
	uint64_t begin_ps, end_ps, drawn_ps; /* times in the file; end_ps 0: no end is in sight */
	bool open, lost;
	bool failed; /* a file could not be made or renamed: nothing is drawn any more */
};

/* False: the file cannot be made. */
bool dut_waveform_open(struct dut_waveform *waveform, const struct fpgauge_dut_api *api, struct fpgauge_dut *dut,
                       const char *path, uint64_t stretch_ps);

/* All signals as they are now. A time that is not later than the last one is left out. */
void dut_waveform_draw(struct dut_waveform *waveform, uint64_t time_ps);

/* A frame has been lost. Only the first loss counts. */
void dut_waveform_loss(struct dut_waveform *waveform);

/* True if nothing is drawn any more. */
static inline bool dut_waveform_is_done(const struct dut_waveform *waveform)
{
	return !waveform->open;
}

/* Closes the file; nothing is left of a stretch without a loss. */
void dut_waveform_close(struct dut_waveform *waveform);

#endif
