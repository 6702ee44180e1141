/* SPDX-License-Identifier: Apache-2.0 */
/* The host decides between two phases when the next one begins: one that is held up there, by its machine or its
 * device, begins it too late for what the device remembers (RFC 2889 section 5.7.3). */
#include "host/bench/rfc2889/learning_late.h"

#include <inttypes.h>
#include <stdio.h>

/* The time from the first address that is taught to the last one that is asked for. */
static double took_s(const struct session *session, const struct learning_point *point)
{
	const struct trial_result *trial = session->trial;

	return (double)(point->addresses - 1) / (double)point->learning_fps +
	       session_seconds(session, trial->port[TEST_PORT].tx_last_ot - trial->before.last_ot);
}

int learning_try(struct learning *learning, const struct learning_point *point, const struct trial_request *request,
                 struct error *error)
{
	struct session *session = learning->session;

	for (unsigned repeats = 0; repeats <= MAX_TRIAL_REPEATS; repeats++) {
		const int status = session_trial(session, &learning->config, learning->search, request, error);

		if (status || took_s(session, point) < learning->ageing.shortest_s)
			return status;
		session->invalid_trials++;
	}
	snprintf(session->why_invalid, sizeof(session->why_invalid),
	         "%" PRIu64
	         " addresses were taught and asked for in %.6g s, because the tester was late, %d times in a "
	         "row: the device may forget after %.6g s",
	         point->addresses, took_s(session, point), MAX_TRIAL_REPEATS + 1, learning->ageing.shortest_s);
	return SESSION_INVALID;
}
