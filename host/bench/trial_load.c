/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/trial_load.h"

#include <math.h>

#include "host/bench/session.h"

/* The sums of a program are those of one port, whoever sent. */
static unsigned senders_of(const struct session *session, const struct trial_result *trial)
{
	unsigned senders = 0;

	if (trial->ports <= 1)
		return session->context->tester->info.senders;
	for (unsigned i = 0; i < trial->ports && i < TRIAL_MAX_PORTS; i++)
		senders += trial->port[i].sent;
	return senders;
}

static bool is_paced(const struct session *session)
{
	return session->context->tester->info.device != NULL;
}

static struct trial_load as_intended(double intended)
{
	return (struct trial_load){.intended = intended, .offered = intended, .claimed = intended};
}

static struct trial_load load_of(const struct session *session, const struct trial_request *asked,
                                 const struct trial_result *trial)
{
	struct trial_load load = as_intended(rate_fps(asked->load));

	if (is_paced(session))
		return load;
	load.claimed = rate_offered_fps(load.intended, INFINITY, senders_of(session, trial), trial->offered_frames,
	                                trial->duration_s);
	load.offered = rate_offered_fps(load.intended, rate_fps(session->max_rate), senders_of(session, trial),
	                                trial->offered_frames, trial->duration_s);
	load.differs = load.offered < load.intended || load.offered > load.intended;
	return load;
}

static struct trial_load burst_of(const struct session *session, const struct trial_request *asked,
                                  const struct trial_result *trial)
{
	struct trial_load load = as_intended((double)asked->burst_frames);

	if (is_paced(session) || trial_bursts(asked) > 1 || trial->offered_frames == trial->intended_frames)
		return load;
	load.offered = (double)trial->offered_frames / senders_of(session, trial);
	load.differs = true;
	return load;
}

struct trial_load trial_load_of(const struct session *session, const struct trial_request *asked,
                                const struct trial_result *trial)
{
	struct trial_load load =
	        asked->kind == TRIAL_LOAD ? load_of(session, asked, trial) : burst_of(session, asked, trial);

	load.external = !is_paced(session);
	return load;
}

uint64_t trial_unoffered_frames(const struct session *session, const struct trial_request *asked,
                                const struct trial_result *trial)
{
	const struct trial_load load = trial_load_of(session, asked, trial);

	if (asked->kind != TRIAL_LOAD || !load.differs || load.offered > load.intended)
		return 0;
	return (uint64_t)llround((load.intended - load.offered) * trial->duration_s * senders_of(session, trial));
}

void load_deviation_add(struct load_deviation *deviation, const struct trial_load *load, double line)
{
	const double ratio = load->offered / load->intended;
	/* Shorter gaps or frames than those of line rate are more than line rate by intention. */
	const bool above_line = load->claimed > (1 + RATE_CLOCK_TOLERANCE) * fmax(line, load->intended);

	deviation->trials++;
	deviation->line_asked |= load->intended >= line;
	deviation->highest = fmax(deviation->highest, load->offered / line);
	if (above_line)
		deviation->highest_claimed = fmax(deviation->highest_claimed, load->claimed / line);
	deviation->above_line += above_line;
	if (!load->differs || fabs(ratio - 1) <= RATE_CLOCK_TOLERANCE)
		return;
	deviation->least = deviation->others ? fmin(deviation->least, ratio) : ratio;
	deviation->most = deviation->others ? fmax(deviation->most, ratio) : ratio;
	deviation->others++;
}

bool load_deviation_below_line(const struct load_deviation *deviation)
{
	return deviation->line_asked && deviation->highest < 1;
}
