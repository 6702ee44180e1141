/* SPDX-License-Identifier: Apache-2.0 */
#include "host/forecast/queue_tester.h"

#include <math.h>
#include <stdlib.h>

#include "host/trial/exec_check.h"

struct queue_tester {
	struct tester tester; /* first */
	struct exec_terms terms;
	queue_truth_of truth;
	const void *user;
};

static double seconds(const struct queue_tester *tester, uint64_t octets)
{
	return seconds_from_octet_times(octets, tester->terms.link_bps);
}

/* Of a frame, on average. */
static double line_octets(const struct traffic_shape *shape)
{
	double sum = 0;

	for (unsigned i = 0; i < shape->sizes.count; i++)
		sum += shape->sizes.octets[i];
	return (shape->sizes.count ? sum / shape->sizes.count : shape->frame_octets) + LINE_OVERHEAD_OCTETS;
}

/* The queue takes what is not served while frames come. */
static double passed(const struct queue_truth *truth, double offered, double arrival_fps)
{
	if (arrival_fps <= truth->service_fps)
		return offered;
	return fmin(offered, truth->held_frames + floor((offered - 1) * truth->service_fps / arrival_fps));
}

static int queue_run(struct tester *base, const struct trial_request *request, struct trial_result *result,
                     struct error *error)
{
	const struct queue_tester *tester = (const struct queue_tester *)base;
	const struct queue_truth truth = tester->truth(tester->user, &request->shape);
	double each, bursts = 1, fps = (double)tester->terms.link_bps / 8 / line_octets(&request->shape);
	struct exec_answer answer = exec_answer_nothing_said();

	(void)error;
	if (request->kind == TRIAL_LOAD) {
		fps = rate_fps(request->load);
		each = ceil(fps * seconds(tester, request->duration_ot) * (1 - 1e-12));
	} else {
		each = (double)request->burst_frames;
		bursts = (double)trial_bursts(request);
	}
	answer.offered_frames = (uint64_t)(each * bursts) * tester->terms.senders;
	answer.received_frames =
	        (uint64_t)(bursts * passed(&truth, each * tester->terms.senders, fps * tester->terms.senders));
	answer.duration_s = request->kind == TRIAL_LOAD ? seconds(tester, request->duration_ot) : each / fps;
	exec_judge(&tester->terms, request, &answer, result);
	return 0;
}

static void queue_close(struct tester *tester)
{
	free(tester);
}

static const struct tester_ops QUEUE_OPS = {.run = queue_run, .close = queue_close};

int queue_tester_open(uint64_t link_bps, unsigned senders, queue_truth_of truth, const void *user,
                      struct tester **tester, struct error *error)
{
	struct queue_tester *made = calloc(1, sizeof(*made));

	*tester = NULL;
	if (!made)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	made->tester = (struct tester){.ops = &QUEUE_OPS, .info = {.link_bps = link_bps, .senders = senders}};
	made->terms = (struct exec_terms){link_bps, senders, {1, 1}}; /* it offers what is asked, within rounding */
	made->truth = truth;
	made->user = user;
	*tester = &made->tester;
	return 0;
}
