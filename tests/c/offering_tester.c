/* SPDX-License-Identifier: Apache-2.0 */
/* A tester that sends more or less than it is asked for. */
#include "offering_tester.h"

#include <math.h>

#include "search_device.h"

static const uint64_t LINK_BPS = UINT64_C(100000000000);

double offering_random(struct offering_tester *offering)
{
	return search_device_random(&offering->random);
}

/* Counts as fifo_lost() of fifo_tester.h does, of a rate that was measured. */
static uint64_t received_of(const struct offering_tester *offering, uint64_t frames, double arrival_fps)
{
	double served;

	if (frames == 0 || arrival_fps <= offering->service_fps)
		return frames;
	served = floor((double)(frames - 1) * offering->service_fps / arrival_fps);
	return (uint64_t)fmin((double)frames, (double)offering->buffer_frames + served);
}

static double varied(struct offering_tester *offering, double factor, double by)
{
	return factor + by * (2 * offering_random(offering) - 1);
}

static int offering_run(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                        struct error *error)
{
	struct offering_tester *offering = (struct offering_tester *)tester;
	const double line_fps = rate_fps(rate_max_theoretical(LINK_BPS, request->shape.frame_octets));
	const double factor = varied(offering, offering->fps, offering->fps_vary);
	const double duration = varied(offering, offering->duration, offering->duration_vary);
	struct exec_answer answer = exec_answer_nothing_said();
	double fps = line_fps;

	(void)error;
	offering->trials++;
	if (request->kind == TRIAL_LOAD) {
		const double asked_s = seconds_from_octet_times(request->duration_ot, LINK_BPS);

		answer.duration_s = asked_s * duration;
		fps = fmin(rate_fps(request->load) * factor, offering->most_fps);
		answer.offered_frames = (uint64_t)llround(fps * answer.duration_s);
		offering->highest_fps = fmax(offering->highest_fps, fps);
	} else {
		answer.offered_frames = (uint64_t)llround((double)request->burst_frames * factor);
	}
	answer.received_frames = received_of(offering, answer.offered_frames, fps);
	exec_judge(&offering->terms, request, &answer, result);
	return 0;
}

static const struct tester_ops OFFERING_OPS = {.run = offering_run};

void offering_begin(struct offering_tester *offering, uint32_t frame_octets, double service_fps, uint64_t random)
{
	*offering = (struct offering_tester){
	        .tester = {.ops = &OFFERING_OPS, .info = {.link_bps = LINK_BPS, .senders = 1}},
	        .terms = {.link_bps = LINK_BPS, .senders = 1, .tolerance = {1, 10}},
	        .service_fps = service_fps,
	        .buffer_frames = 8,
	        .fps = 1,
	        .duration = 1,
	        .most_fps = rate_fps(rate_max_theoretical(LINK_BPS, frame_octets)),
	        .random = random,
	};
}
