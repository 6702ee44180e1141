/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates the time left from what is known about trials. */
#include "host/forecast/forecast.h"

#include <math.h>

#include "host/forecast/wall_time.h"

/* The speed of a trial that has run for less than this says less than what was measured on others. */
static const double SETTLED_S = 0.5;

double forecast_sent_s(const struct forecast *forecast)
{
	const struct tester *tester = forecast->tester;

	return tester->ops->sent_ot ? seconds_from_octet_times(tester->ops->sent_ot(tester), tester->info.link_bps)
	                            : -1;
}

static double seconds(uint64_t ns)
{
	return (double)ns / (double)NS_PER_S;
}

static const struct plan_test *test_of(const struct forecast *forecast, const struct bench_progress *now)
{
	return &forecast->plan->tests[now->test_number - 1];
}

static double modelled_s(const struct forecast *forecast, const struct bench_progress *now, double trials,
                         double each_s)
{
	const struct plan_test *test = test_of(forecast, now);
	struct effort effort = {trials, trials * each_s, trials * seconds(test->settle_ns)};

	return pace_wall_s(forecast->pace, test, now->frame_octets, &effort);
}

/* The whole of this trial; NAN when nothing is known about it. */
static double trial_wall_s(const struct forecast *forecast, const struct bench_progress *now, double running_s,
                           double sent_s)
{
	double modelled = modelled_s(forecast, now, 1, now->trial_s);

	if (sent_s > 0 && now->trial_s > 0 && (running_s >= SETTLED_S || isnan(modelled)))
		return fmax(running_s * now->trial_s / fmin(sent_s, now->trial_s), running_s);
	return modelled;
}

/* The average trial before this one at this size. */
static double mean_wall_s(const struct bench_progress *now)
{
	unsigned to_come = now->steps_estimate > now->step ? now->steps_estimate - now->step : 0;

	return now->seconds_left < 0 || to_come == 0 ? (double)NAN : now->seconds_left / to_come;
}

static double size_left_s(const struct forecast *forecast, const struct bench_progress *now, double running_s,
                          double sent_s)
{
	const struct plan_test *test = test_of(forecast, now);
	unsigned after = now->steps_estimate > now->step + 1 ? now->steps_estimate - now->step - 1 : 0;
	double mean_s = mean_wall_s(now), trial_s = trial_wall_s(forecast, now, running_s, sent_s);
	double full_s = now->benchmark->settling_trial_s ? now->benchmark->settling_trial_s(test) : 0, left_s;

	if (isnan(trial_s))
		trial_s = mean_s;
	if (isnan(mean_s))
		mean_s = trial_s;
	left_s = fmax(trial_s - running_s, 0) + (after ? after * mean_s : 0);
	/* The search uses shorter trials than the one that settles it. */
	if (now->trial_s < full_s)
		left_s += fmax(modelled_s(forecast, now, 1, full_s), trial_s * full_s / now->trial_s);
	return isnan(left_s) ? -1 : left_s;
}

/* A program is taken to send in real time. */
static double rest_of_size_s(const struct forecast *forecast, const struct plan_test *test, uint32_t frame_octets)
{
	const struct wall_time time =
	        wall_time_of_size(forecast->pace, test, frame_octets, forecast->tester->info.link_bps);

	return time.why == WALL_PROGRAM ? time.at_pace_s : time.expected_s;
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
