/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the time left from what is known about trials. */
#include "host/forecast/forecast.h"

#include <math.h>

#include "host/forecast/wall_time.h"

double forecast_sent_s(const struct forecast *forecast)
{
	const struct tester *tester = forecast->tester;

	return tester->ops->sent_ot ? seconds_from_octet_times(tester->ops->sent_ot(tester), tester->info.link_bps)
	                            : -1;
}

/* The wall time of a trial of this test; NAN when nothing is known about it. */
static double modelled_s(const struct forecast *forecast, const struct bench_progress *now, double sending_s)
{
	const struct plan_test *test = &forecast->plan->tests[now->test_number - 1];
	const struct effort effort = effort_of(test, 1, sending_s, 0);

	return pace_wall_s(forecast->pace, test, now->frame_octets, &effort);
}

/* This trial by what has been sent of it, those to come by the average of those before. */
static double size_left_s(const struct forecast *forecast, const struct bench_progress *now, double running_s,
                          double sent_s)
{
	const struct plan_test *test = &forecast->plan->tests[now->test_number - 1];
	const double full_s = now->benchmark->settling_trial_s ? now->benchmark->settling_trial_s(test) : 0;
	const unsigned to_come = now->steps_estimate > now->step ? now->steps_estimate - now->step : 0;
	double trial_s = modelled_s(forecast, now, now->trial_s), mean_s, left_s;

	if (sent_s > 0 && now->trial_s > 0)
		trial_s = running_s * fmax(now->trial_s / sent_s, 1);
	mean_s = now->seconds_left < 0 || to_come == 0 ? trial_s : now->seconds_left / to_come;
	if (isnan(trial_s))
		trial_s = mean_s;
	left_s = fmax(trial_s - running_s, 0) + (to_come > 1 ? (to_come - 1) * mean_s : 0);
	/* The search uses shorter trials than the one that settles it. */
	if (now->trial_s < full_s)
		left_s += fmax(modelled_s(forecast, now, full_s), trial_s * full_s / now->trial_s);
	return isnan(left_s) ? -1 : left_s;
}

/* A program is taken to send in real time. */
static double rest_of_size_s(const struct forecast *forecast, const struct plan_test *test, uint32_t frame_octets)
{
	const struct wall_time time =
	        wall_time_of_size(forecast->pace, test, frame_octets, forecast->tester->info.link_bps);

	return forecast->pace->kind == PACE_ASKED ? time.at_pace_s : time.expected_s;
}

/* Tests and sizes after this one; NAN when not known. */
static double rest_s(const struct forecast *forecast, const struct bench_progress *now)
{
	double sum_s = 0;
	bool behind = false;

	for (size_t i = now->test_number - 1; i < forecast->plan->test_count; i++) {
		const struct plan_test *test = &forecast->plan->tests[i];

		for (size_t j = 0; j < plan_runs(test) * test->frame_size_count; j++) {
			const uint32_t frame_octets = test->frame_sizes[j % test->frame_size_count];
			if (!behind) {
				behind = j / test->frame_size_count == now->run && frame_octets == now->frame_octets;
				continue;
			}
			sum_s += rest_of_size_s(forecast, test, frame_octets);
		}
	}
	return sum_s;
}

struct time_left forecast_left(const struct forecast *forecast, const struct bench_progress *now, double running_s,
                               double sent_s)
{
	struct time_left left = {.size_s = size_left_s(forecast, now, running_s, sent_s)};
	const double after_s = rest_s(forecast, now);

	left.run_s = left.size_s < 0 || isnan(after_s) ? -1 : left.size_s + after_s;
	return left;
}
