/* SPDX-License-Identifier: Apache-2.0 */
/* Checks what a port counted as held against the pause frames that it counted. */
#include "host/trial/judging/held.h"

#include <inttypes.h>

#include "host/trial/judging/verdict.h"

/* A pause asks for up to 65535 quanta of 512 bit times (annex 31B.2). */
enum { MOST_PAUSE_OT = 65535 * (512 / 8) };

static void check_obeys_nothing(const struct port_counters *c, unsigned port, struct trial_result *result)
{
	if (c->tx_held_time)
		trial_invalid(result,
		              "port %u: held for %" PRIu64
		              " octet times by pause frames, which this trial does not obey",
		              port, c->tx_held_time);
	if (c->rx_pause_frames || c->rx_resume_frames)
		trial_invalid(result, "port %u: %" PRIu64 " pause frames obeyed, in a trial that obeys none", port,
		              c->rx_pause_frames ? c->rx_pause_frames : c->rx_resume_frames);
}

void trial_check_held(const struct trial_request *request, const struct trial_counters *counters, unsigned port,
                      struct trial_result *result)
{
	const struct port_counters *c = &counters->port[port];
	uint64_t pauses;

	if (!request->obeys_pause || !traffic_sends(request->traffic, port)) {
		check_obeys_nothing(c, port, result);
		return;
	}
	if (c->rx_resume_frames > c->rx_pause_frames) {
		trial_invalid(result, "port %u: %" PRIu64 " pause frames, of which %" PRIu64 " have 0 quanta", port,
		              c->rx_pause_frames, c->rx_resume_frames);
		return;
	}
	pauses = c->rx_pause_frames - c->rx_resume_frames;
	if (c->tx_held_time && pauses == 0)
		trial_invalid(result, "port %u: held for %" PRIu64 " octet times without a pause frame", port,
		              c->tx_held_time);
	else if ((c->tx_held_time + MOST_PAUSE_OT - 1) / MOST_PAUSE_OT > pauses)
		trial_invalid(result,
		              "port %u: held for %" PRIu64 " octet times, longer than %" PRIu64
		              " pause frames can ask for, %d each",
		              port, c->tx_held_time, pauses, MOST_PAUSE_OT);
}

struct trial_request trial_less_held(const struct trial_request *request, const struct trial_counters *counters,
                                     unsigned port)
{
	const uint64_t held_ot = counters->port[port].tx_held_time;
	struct trial_request left = *request;

	left.duration_ot = held_ot < request->duration_ot ? request->duration_ot - held_ot : 0;
	return left;
}
