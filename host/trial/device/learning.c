/* SPDX-License-Identifier: Apache-2.0 */
/* Learning frames leave evenly over the time that a trial waits for its last frames, so a device gets as long to learn
 * as to forward: with 2 s, as RFC 2544 section 23 wants, and 100 addresses, 50 a second (RFC 2889 section 3). Then that
 * time passes once more, "to be sure that the learning has settled". */
#include "host/trial/device/learning.h"

#include "host/base/rate.h"
#include "host/traffic/learning.h"
#include "host/trial/traffic.h"

/* A tenth of the line, where there is no time for less. */
enum { SHORTEST_PERIOD_OT = 10 * (MIN_FRAME_OCTETS + LINE_OVERHEAD_OCTETS) };

/* The pacer can count no further. */
static const uint64_t LONGEST_PERIOD_OT = UINT64_C(1) << 39;

static struct pacing pacing_of(uint64_t frames, uint64_t time_ot)
{
	uint64_t period_ot = time_ot / frames;

	if (period_ot < SHORTEST_PERIOD_OT)
		period_ot = SHORTEST_PERIOD_OT;
	if (period_ot > LONGEST_PERIOD_OT)
		period_ot = LONGEST_PERIOD_OT;
	return (struct pacing){.gap_octets = period_ot - PREAMBLE_OCTETS - MIN_FRAME_OCTETS,
	                       .denominator = 1,
	                       .stop_frames = frames,
	                       .sending_ot = frames * period_ot + 1};
}

static int send_frames(struct device_steps *steps, const struct traffic_learning *learning, uint64_t time_ot,
                       struct error *error)
{
	const struct pacing pacing = pacing_of(learning->frames, time_ot);
	int status = trial_traffic_check(&learning->traffic, device_identity(steps->device), error);

	if (status == 0)
		status = steps_program(steps, &learning->traffic, &pacing, error);
	if (status == 0)
		status = steps_send(steps, &pacing, NULL, error);
	return status ? status : steps_wait(steps, time_ot, error);
}

int device_learn(struct device_learning *learning, struct device_steps *steps, const struct trial_request *request,
                 struct error *error)
{
	const uint64_t hash = traffic_hash(request->traffic);
	struct traffic_learning frames;
	int status;

	if (request->traffic->teaches) { /* and what was learned before may be forgotten by now */
		*learning = (struct device_learning){0};
		return 0;
	}
	if (learning->known && learning->hash == hash)
		return 0;
	status = traffic_learning(request->traffic, &frames, error);
	if (status)
		return status;
	if (frames.when != TRAFFIC_LEARN_NOTHING)
		status = send_frames(steps, &frames, request->drain_ot, error);
	*learning = (struct device_learning){.known = frames.when != TRAFFIC_LEARN_EACH_TIME, .hash = hash};
	traffic_learning_free(&frames);
	return status;
}
