/* SPDX-License-Identifier: Apache-2.0 */
/* Tells how far a test at a frame size is, and how many trials it will take. */
#include "host/bench/session.h"

double session_clock_s(const struct bench_context *context)
{
	return context->now_s ? context->now_s(context->user) : 0;
}

uint64_t session_in_unit(const struct session *session, uint64_t point)
{
	const struct search_points *points = session->points;

	return points && points->in_unit ? points->in_unit(points->user, point) : point;
}

static double seconds(const struct session *session, uint64_t octet_times)
{
	return seconds_from_octet_times(octet_times, session->context->tester->info.link_bps);
}

double session_burst_s(const struct session *session, const struct trial_request *request)
{
	const uint64_t longer = trial_bursts(request) > 1 ? request->burst_gap_octets - request->gap_octets : 0;

	return (double)request->burst_frames / rate_fps(session->max_rate) + seconds(session, longer);
}

double session_sending_s(const struct session *session, const struct trial_request *request)
{
	if (request->kind == TRIAL_BURST)
		return (double)trial_bursts(request) * session_burst_s(session, request);
	return seconds(session, request->duration_ot);
}

void session_next_case(struct session *session, unsigned cases)
{
	session->cases = cases;
	session->cases_begun++;
	session->case_begin = session->trials;
}

/* Searches still to come are taken to be as long as the finished ones or, without any, as this one may get. The same of
 * cases. */
static unsigned trials_estimate(const struct session *session, unsigned of_search, unsigned left)
{
	const struct bench_progress *progress = &session->progress;
	const unsigned in_case = session->trials - session->case_begin;
	const unsigned cases_done = session->cases_begun ? session->cases_begun - 1 : 0;
	const unsigned cases_left = session->cases > session->cases_begun ? session->cases - session->cases_begun : 0;
	const unsigned repetitions_left = progress->repetitions - progress->repetition;
	const unsigned a_search = progress->repetition > 1 ? in_case / progress->repetition + 1 : of_search + left;
	const unsigned this_case = in_case + left + repetitions_left * a_search;

	return session->case_begin + this_case +
	       cases_left * (cases_done ? session->case_begin / cases_done : this_case);
}

void session_tell_progress(struct session *session, const struct search_config *config, const struct search *search,
                           const struct trial_request *request)
{
	struct bench_progress *progress = &session->progress;
	struct search_result bracket = search_result(search);
	unsigned estimate = search_trials_estimate(search);
	unsigned left = estimate > bracket.trials ? estimate - bracket.trials : 0;
	struct search_request wanted = {0};

	if (session->context->progress == NULL)
		return;
	search_next(search, &wanted);
	progress->point = session_in_unit(session, wanted.point);
	progress->low = session_in_unit(session, bracket.has_lower ? bracket.lower : config->low);
	progress->high = session_in_unit(session, bracket.has_upper ? bracket.upper : config->high);
	if (progress->low > progress->high) { /* a unit in which less is harder */
		const uint64_t least = progress->high;

		progress->high = progress->low;
		progress->low = least;
	}
	progress->step = session->trials;
	progress->trial_s = session_sending_s(session, request);
	progress->steps_estimate = trials_estimate(session, bracket.trials, left);
	progress->seconds_left = -1;
	if (session->context->now_s && session->trials)
		progress->seconds_left = (session_clock_s(session->context) - session->begin_s) / session->trials *
		                         (progress->steps_estimate - session->trials);
	session->context->progress(session->context->user, progress);
}
