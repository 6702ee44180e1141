/* SPDX-License-Identifier: Apache-2.0 */
/* A device that keeps a frame for longer than the drain has not lost it, so nothing is known about its loss. */
#include "host/trial/device/stragglers.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "host/base/format.h"
#include "host/base/rate.h"
#include "host/trial/device/registers.h"
#include "host/trial/judging/verdict.h"

static int read_received(struct device *device, const struct trial_counters *counters, unsigned port, uint64_t *more,
                         uint64_t *last_ot, struct error *error)
{
	const uint64_t before = counters->port[port].rx_received_frames;
	uint64_t received, rx_last_ot = 0;
	int status = device_read64(device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_RX_RECEIVED_FRAMES), &received, error);

	if (status == 0 && received > before) {
		*more += received - before;
		status = device_read64(device, FPGAUGE_COUNTER(port, FPGAUGE_COUNTER_RX_LAST_TIME), &rx_last_ot, error);
	}
	if (rx_last_ot > *last_ot)
		*last_ot = rx_last_ot;
	return status;
}

/* Returns the time from the last frame sent to the last one that came, with room for that frame. */
static double needed_s(const struct trial_counters *counters, uint64_t last_ot, uint64_t link_bps)
{
	uint64_t sent_ot = 0;

	for (unsigned port = 0; port < counters->ports; port++)
		if (counters->port[port].tx_frames && counters->port[port].tx_last_time > sent_ot)
			sent_ot = counters->port[port].tx_last_time;
	return last_ot > sent_ot ? seconds_from_octet_times(last_ot - sent_ot + MAX_FRAME_OCTETS, link_bps) : 0;
}

/* Rounded up to two digits, and not below what a plan may say. */
static struct format_text drain_text(double needed)
{
	const double least = fmax(needed, 1e-6);
	const double digit = pow(10, floor(log10(least)) - 1);

	return format_time(ceil(least / digit) * digit);
}

int device_stragglers_judge(const struct device_steps *steps, const struct trial_request *request,
                            const struct trial_counters *counters, struct trial_result *result, struct error *error)
{
	const uint64_t link_bps = device_identity(steps->device)->link_bps;
	uint64_t more = 0, last_ot = 0;
	int status;

	if (steps->all_came || !result->valid)
		return 0;
	status = steps_strobe(steps, FPGAUGE_GLOBAL_CONTROL_SNAPSHOT, error);
	for (unsigned port = 0; port < counters->ports && status == 0; port++)
		status = read_received(steps->device, counters, port, &more, &last_ot, error);
	if (status || more == 0)
		return status;
	trial_invalid(result,
	              "%" PRIu64
	              " frames arrived in the settle time, after the drain of %s: they were not lost; a drain of "
	              "at least %s would do",
	              more, format_time(seconds_from_octet_times(request->drain_ot, link_bps)).text,
	              drain_text(needed_s(counters, last_ot, link_bps)).text);
	return registers_check_id(steps->device, error); /* a card that went away reads all ones */
}
