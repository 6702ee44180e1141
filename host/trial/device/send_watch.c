/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic of a trial that somebody watches. */
#include "host/trial/device/send_watch.h"

/* The longest time from the strobe that starts the ports to the first frame; 0.7 us at 100G. */
enum { START_OT = 8192 };

uint64_t send_watch_step(const struct send_watch *watch, uint64_t sent_ot, uint64_t step)
{
	const uint64_t left_ot = watch->interval_ot - sent_ot % watch->interval_ot;

	return step < left_ot ? step : left_ot;
}

int send_watch_shorten(struct trial_request *request, uint64_t link_bps, uint64_t stopped_ot,
                       const struct trial_counters *counters, struct pacing *pacing, struct error *error)
{
	uint64_t sent_ot = stopped_ot > START_OT ? stopped_ot - START_OT : 0;

	for (unsigned port = 0; port < counters->ports; port++) {
		const struct port_counters *c = &counters->port[port];

		if (c->tx_frames && c->tx_last_time >= c->tx_first_time && c->tx_last_time - c->tx_first_time > sent_ot)
			sent_ot = c->tx_last_time - c->tx_first_time;
	}
	/* Counters are not trusted: a time beyond what was asked for makes no longer request. */
	if (sent_ot < request->duration_ot)
		request->duration_ot = sent_ot + 1;
	return pacing_of_request(request, link_bps, pacing, error);
}
