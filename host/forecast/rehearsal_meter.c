/* SPDX-License-Identifier: Apache-2.0 */
#include "host/forecast/rehearsal_meter.h"

#include <math.h>

#include "host/base/clock.h"

static const double TELLS_S = 0.02; /* a trial that takes so long tells how long a longer one takes */
enum { SHORTER = 4096, GROWTH = 4 };

double meter_part_s(const struct meter *meter)
{
	if (meter->stands_in)
		return meter->priced_s;
	return passed_s(meter->began) + meter->trials * meter->pace->commit_s;
}

/* -- the price of a trial ------------------------------------------------------------------------------------------ */

static double seconds(const struct meter *meter, uint64_t octet_times)
{
	return seconds_from_octet_times(octet_times, meter->tester.info.link_bps);
}

static double sending_s(const struct meter *meter, const struct trial_request *request)
{
	const uint64_t link_bps = meter->tester.info.link_bps;
	double burst_s;

	if (request->kind == TRIAL_LOAD)
		return seconds(meter, request->duration_ot);
	burst_s = (double)request->burst_frames / rate_fps(plan_max_rate(meter->test, meter->frame_octets, link_bps));
	if (trial_bursts(request) > 1)
		burst_s += seconds(meter, request->burst_gap_octets);
	return (double)trial_bursts(request) * burst_s;
}

/* By the pace: what sends, and what waits. Only for a frame that does not come, drain is waited for. */
static double price_s(const struct meter *meter, const struct trial_request *request, const struct trial_result *result)
{
	const bool drains = meter->waits || !result->valid || result->lost_frames;
	const struct effort effort = {.trials = 1,
	                              .sending_s = sending_s(meter, request),
	                              .waiting_s = seconds(meter, request->settle_ot) +
	                                           seconds(meter, request->pause_ot) +
	                                           (drains ? seconds(meter, request->drain_ot) : 0)};
	double price = pace_wall_s(meter->pace, meter->test, meter->frame_octets, &effort);

	if (request->before)
		price += price_s(meter, request->before, result);
	return price;
}

/* -- TCP ----------------------------------------------------------------------------------------------------------- */

static double tcp_s(const struct meter *meter, const struct trial_request *request)
{
	return seconds(meter, request->tcp.lead_ot) + seconds(meter, request->tcp.duration_ot);
}

/* Segments of TCP are played one by one, so a trial takes many times what the pace says, which is of other frames. Ever
 * longer ones tell what this one would take. */
static int foretell(struct meter *meter, const struct trial_request *request, double *whole_s, struct error *error)
{
	*whole_s = 0;
	for (unsigned part = SHORTER; part > 1; part /= GROWTH) {
		const struct passed_since since = passed_begin();
		struct trial_request shorter = *request;
		struct trial_result ignored;
		double took_s;
		int status;

		shorter.tcp.lead_ot = request->tcp.lead_ot / part / 8 * 8 + 8;
		shorter.tcp.duration_ot = request->tcp.duration_ot / part + 1;
		status = tester_run(meter->inner, &shorter, &ignored, error);
		if (status)
			return status;
		took_s = passed_s(since);
		*whole_s = took_s * tcp_s(meter, request) / tcp_s(meter, &shorter);
		if (took_s >= TELLS_S)
			break;
	}
	return 0;
}

/* -- the tester ---------------------------------------------------------------------------------------------------- */

static int time_is_up(struct error *error)
{
	return error_set(error, ERROR_CANCELLED, "the time of this part is up");
}

static void note_trial(struct meter *meter, const struct trial_request *request, double price, double took_s)
{
	if (meter->trials == 0) {
		meter->first_s = took_s;
		meter->first_priced_s = price;
	}
	meter->trials++;
	meter->priced_s += price;
	jobs_clock_run(&meter->jobs, request, meter->stands_in ? price : took_s,
	               meter->device && device_at_rest(meter->device));
}

static int run_trial(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                     struct error *error)
{
	struct meter *meter = (struct meter *)tester;
	struct passed_since since;
	double whole_s = 0;
	int status = 0;

	if (passed_s(meter->began) > meter->most_s)
		return time_is_up(error);
	if (request->tcp.senders && !meter->stands_in && meter->trials == 0)
		status = foretell(meter, request, &whole_s, error);
	if (status == 0 && passed_s(meter->began) + whole_s > meter->most_s) {
		meter->long_trial_s = whole_s;
		status = time_is_up(error);
	}
	if (whole_s > 0)
		meter->began = passed_begin(); /* the run does not ask beforehand */
	since = passed_begin();
	if (status == 0)
		status = tester_run(meter->inner, request, result, error);
	if (status)
		return status;
	note_trial(meter, request, price_s(meter, request, result), passed_s(since) + meter->pace->commit_s);
	return 0;
}

static bool tell_truth(struct tester *tester, uint32_t frame_octets, struct dut_truth *truth)
{
	struct tester *inner = ((struct meter *)tester)->inner;

	return inner->ops->truth && inner->ops->truth(inner, frame_octets, truth);
}

static unsigned looks_ahead(const struct tester *tester)
{
	return jobs_clock_looks_ahead(&((const struct meter *)tester)->jobs);
}

static void expect(struct tester *tester, const struct trial_request *requests, unsigned count)
{
	jobs_clock_expect(&((struct meter *)tester)->jobs, requests, count);
}

static void close_nothing(struct tester *tester)
{
	(void)tester;
}

static const struct tester_ops METER_OPS = {
        .run = run_trial, .truth = tell_truth, .looks_ahead = looks_ahead, .expect = expect, .close = close_nothing};

void meter_open(struct meter *meter, struct tester *inner)
{
	*meter = (struct meter){.tester = {.ops = &METER_OPS, .info = inner->info}, .inner = inner};
}

void meter_begin_part(struct meter *meter, const struct plan_test *test, uint32_t frame_octets, double most_s,
                      unsigned jobs, bool also_short)
{
	meter->test = test;
	meter->frame_octets = frame_octets;
	meter->most_s = most_s;
	meter->trials = 0;
	meter->priced_s = meter->long_trial_s = 0;
	meter->first_s = meter->first_priced_s = 0;
	jobs_clock_begin(&meter->jobs, jobs, also_short);
	meter->began = passed_begin();
}
