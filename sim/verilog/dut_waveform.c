/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/verilog/dut_waveform.h"

#include <stdio.h>
#include <string.h>

/* "dut.before.fst" */
static void name_before(struct dut_waveform *waveform)
{
	const char *slash = strrchr(waveform->path, '/'), *dot = strrchr(waveform->path, '.');
	const size_t stem =
	        dot != NULL && (slash == NULL || dot > slash) ? (size_t)(dot - waveform->path) : strlen(waveform->path);

	snprintf(waveform->before, sizeof(waveform->before), "%.*s.before%s", (int)stem, waveform->path,
	         waveform->path + stem);
}

static void begin(struct dut_waveform *waveform, uint64_t time_ps)
{
	waveform->open = waveform->api->draw_open(waveform->dut, waveform->path) == 0;
	waveform->failed = !waveform->open;
	waveform->begin_ps = time_ps;
}

static void end(struct dut_waveform *waveform)
{
	if (waveform->open)
		waveform->api->draw_close(waveform->dut);
	waveform->open = false;
}

bool dut_waveform_open(struct dut_waveform *waveform, const struct fpgauge_dut_api *api, struct fpgauge_dut *dut,
                       const char *path, uint64_t stretch_ps)
{
	*waveform = (struct dut_waveform){.api = api, .dut = dut, .stretch_ps = stretch_ps};
	snprintf(waveform->path, sizeof(waveform->path), "%s", path);
	name_before(waveform);
	if (stretch_ps != 0)
		remove(waveform->before);
	begin(waveform, 0);
	return waveform->open;
}

static void next_stretch(struct dut_waveform *waveform, uint64_t time_ps)
{
	end(waveform);
	if (rename(waveform->path, waveform->before) != 0)
		waveform->failed = true;
	else
		begin(waveform, time_ps);
}

void dut_waveform_draw(struct dut_waveform *waveform, uint64_t time_ps)
{
	if (!waveform->open || (waveform->drawn_ps != 0 && time_ps <= waveform->drawn_ps))
		return;
	if (waveform->end_ps != 0 && time_ps > waveform->end_ps) {
		end(waveform);
		return;
	}
	if (waveform->stretch_ps != 0 && !waveform->lost && time_ps - waveform->begin_ps >= waveform->stretch_ps)
		next_stretch(waveform, time_ps);
	if (!waveform->open)
		return;
	waveform->api->draw(waveform->dut, time_ps);
	waveform->drawn_ps = time_ps;
}

void dut_waveform_loss(struct dut_waveform *waveform)
{
	if (waveform->stretch_ps == 0 || waveform->lost)
		return;
	waveform->lost = true;
	waveform->end_ps = waveform->drawn_ps + waveform->stretch_ps;
}

void dut_waveform_close(struct dut_waveform *waveform)
{
	end(waveform);
	if (waveform->stretch_ps == 0 || waveform->lost)
		return;
	remove(waveform->path);
	remove(waveform->before);
}
