/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts that were rehearsed say of the whole plan. */
#include <math.h>

#include "host/forecast/rehearsal.h"
#include "host/forecast/rehearsal_likeness.h"

/* Of a plan, but not less than what nobody minds to wait for, nor for ever. */
static const double BUDGET_SHARE = 0.05, BUDGET_LEAST_S = 3, BUDGET_MOST_S = 20;

/* Shares of an estimate by which it is often off, as tools/bench forecast shows. */
static const double DOUBT_COURSE = 0.1, DOUBT_COURSE_OF_OTHERS = 0.25, DOUBT_PACE = 0.5;

static bool is_of(const struct rehearsal_part *part, size_t test)
{
	return test == SIZE_MAX || part->test == test;
}

/* What trials took more than the pace says, of those that another tester did not stand in for: of one test, or of all
 * (SIZE_MAX). NAN: there are none. */
static double pace_off_by(const struct rehearsal *rehearsal, size_t test)
{
	double priced = 0, took = 0;

	for (size_t i = 0; i < rehearsal->count; i++) {
		const struct rehearsal_part *part = &rehearsal->parts[i];

		if (is_of(part, test)) {
			priced += part->begun_priced_s;
			took += part->begun_s;
		}
	}
	return priced > 0 ? took / priced : (double)NAN;
}

/* What the first trial of a part takes more than the others do, on average. */
static double first_extra_s(const struct rehearsal *rehearsal, double off)
{
	double sum_s = 0;
	unsigned count = 0;

	for (size_t i = 0; i < rehearsal->count; i++) {
		const struct rehearsal_part *part = &rehearsal->parts[i];

		if (part->first_s > 0) {
			sum_s += fmax(part->first_s - off * part->first_priced_s, 0);
			count++;
		}
	}
	return count ? sum_s / count : 0;
}

static double first_known(double of_test, double of_all)
{
	if (isfinite(of_test))
		return of_test;
	return isfinite(of_all) ? of_all : 1;
}

double rehearsal_estimate(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	if (isfinite(part->wall_s))
		return part->wall_s * part->gain;
	if (isfinite(part->course_s)) {
		const double off = first_known(pace_off_by(rehearsal, part->test), pace_off_by(rehearsal, SIZE_MAX));

		return part->course_s * part->gain * off + first_extra_s(rehearsal, off);
	}
	return part->modelled_s * likeness_off(rehearsal, part);
}

static double doubt_of(const struct rehearsal *rehearsal, const struct rehearsal_part *part)
{
	if (isfinite(part->wall_s) || !isfinite(part->course_s))
		return likeness_doubt(rehearsal, part);
	if (isfinite(pace_off_by(rehearsal, part->test)))
		return DOUBT_COURSE;
	return isfinite(pace_off_by(rehearsal, SIZE_MAX)) ? DOUBT_COURSE_OF_OTHERS : DOUBT_PACE;
}

int rehearsal_trials(const struct rehearsal *rehearsal, size_t test)
{
	unsigned sum = 0;

	for (size_t i = 0; i < rehearsal->count; i++) {
		const struct rehearsal_part *part = &rehearsal->parts[i];

		if (is_of(part, test) && !part->whole)
			return -1;
		sum += is_of(part, test) ? part->trials : 0;
	}
	return rehearsal->count ? (int)sum : -1;
}

double rehearsal_total_s(const struct rehearsal *rehearsal)
{
	double sum_s = 0;

	for (size_t i = 0; i < rehearsal->count; i++) {
		const double estimate_s = rehearsal_estimate(rehearsal, &rehearsal->parts[i]);

		sum_s += isfinite(estimate_s) ? estimate_s : 0;
	}
	return sum_s;
}

double rehearsal_budget_s(const struct rehearsal *rehearsal)
{
	return fmin(fmax(BUDGET_SHARE * rehearsal_total_s(rehearsal), BUDGET_LEAST_S), BUDGET_MOST_S);
}

double rehearsal_doubt_s(const struct rehearsal *rehearsal)
{
	double sum_s = 0;

	for (size_t i = 0; i < rehearsal->count; i++) {
		const struct rehearsal_part *part = &rehearsal->parts[i];
		const double estimate_s = rehearsal_estimate(rehearsal, part);

		sum_s += isfinite(estimate_s) ? estimate_s * doubt_of(rehearsal, part) : 0;
	}
	return sum_s;
}

static void replace(const struct rehearsal *rehearsal, size_t test, struct wall_time *time)
{
	double sum_s = 0;

	if (rehearsal->tried == 0)
		return;
	for (size_t i = 0; i < rehearsal->count; i++)
		if (is_of(&rehearsal->parts[i], test))
			sum_s += rehearsal_estimate(rehearsal, &rehearsal->parts[i]);
	if (isnan(sum_s))
		return;
	if (test == SIZE_MAX)
		sum_s += rehearsal->before_s;
	time->expected_s = sum_s;
	time->least_s = fmin(time->least_s, sum_s);
	time->most_s = fmax(time->most_s, sum_s);
}

void rehearsal_of_test(const struct rehearsal *rehearsal, size_t test, struct wall_time *time)
{
	replace(rehearsal, test, time);
}

void rehearsal_of_plan(const struct rehearsal *rehearsal, struct wall_time *time)
{
	replace(rehearsal, SIZE_MAX, time);
}
