/* SPDX-License-Identifier: Apache-2.0 */
/* Somebody who looks on while the frames of a trial are sent, and may end it before its time. */
#ifndef FPGAUGE_TRIAL_DEVICE_SEND_WATCH_H
#define FPGAUGE_TRIAL_DEVICE_SEND_WATCH_H

#include "host/trial/judging/check.h"
#include "host/trial/pacing/pacing.h"

struct send_watch {
	/* Called whenever some time has passed, and for certain when a multiple of interval_ot has. *sent_ot: device
	 * time since the start, by what was waited for; who has read the device's clock, which also goes on while
	 * registers are read, puts that there. Nonzero ends the trial with that error. */
	int (*look)(void *user, uint64_t *sent_ot, struct error *error);
	void *user;
	uint64_t interval_ot;
	const _Atomic int *stop; /* set: no further frame is sent, and what was sent is waited for and judged */
};

/* Returns how much of `step` may pass until the next look that is certain. */
uint64_t send_watch_step(const struct send_watch *watch, uint64_t sent_ot, uint64_t step);

/* Makes of the request for a load that was stopped the one that was carried out: it ends with the last frame that left
 * any port, but not before it was stopped, after stopped_ot. All ports stop in the same clock, so that one which had
 * stopped sending before, or all of them, are found out. */
int send_watch_shorten(struct trial_request *request, uint64_t link_bps, uint64_t stopped_ot,
                       const struct trial_counters *counters, struct pacing *pacing, struct error *error);

#endif
