/* SPDX-License-Identifier: Apache-2.0 */
/* Trials in processes of their own.
 *
 * A child is a copy of this process (fork.h), and so has a copy of the device and of what the tester knows of it. The
 * device itself stands still meanwhile, so all children begin from the same state. That is right because it is also the
 * state from which each trial would begin if the trials were run one after the other, but for the time: the device is
 * at rest (device_at_rest()), its tables hold the traffic of the trial, and a child that does not leave it so is not
 * believed: its trial is run again, on the device. Times in a result are shifted by the time that all trials before it
 * took. */
#include "host/trial/side_by_side.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/base/fork.h"
#include "host/trial/device_tester.h"

/* To make a process and to end it takes about a millisecond. */
static const double WORTH_S = 0.02;

enum {
	JOBS_KEPT = 3, /* results that wait to be asked for, and trials under way, for each process at a time */
	LOOK_MS = 50,  /* at least so often a cancel is noticed */
};

/* What a child leaves. */
struct outcome {
	int status;
	struct error error;
	struct trial_result result;
	uint64_t took_ot; /* device time from the end of the trial before to the end of this one */
	double took_s;
	bool leaves_as_found; /* the device at rest, and nothing new known of it */
	_Atomic uint64_t sent_ot;
};

struct job {
	struct side_by_side *of;
	struct fork_child child; /* without one, the job is free */
	struct trial_request request;
	bool wanted;
	struct outcome *outcome; /* shared with the child */
};

struct side_by_side {
	struct tester tester; /* first, so that a struct tester * points to this */
	struct tester *inner;
	struct device *device;
	struct side_by_side_config config;
	struct job job[SIDE_BY_SIDE_MOST_JOBS * JOBS_KEPT];
	unsigned job_count;
	struct outcome *outcomes;
	struct trial_request expected[SIDE_BY_SIDE_MOST_JOBS * JOBS_KEPT];
	unsigned expected_count;
	bool forks;                  /* the device is at rest, and has no threads */
	bool one_thread;             /* it may have but one from now on */
	struct traffic_shape shape;  /* of the last trial on the device itself */
	uint64_t late_ot;            /* what the device's clock would show more, had it run all trials */
	double last_s;               /* how long the last trial took */
	struct outcome *_Atomic now; /* of the trial that was asked for; NULL: it runs on the device */
};

/* -- which trials ------------------------------------------------------------------------------------------------- */

static bool same_rate(const struct rate *a, const struct rate *b)
{
	return a->numerator == b->numerator && a->denominator == b->denominator;
}

_Static_assert(sizeof(struct trial_request) - offsetof(struct trial_request, gap_octets) == 160,
               "same() compares every member: add the new one, and correct this size");

static bool same(const struct trial_request *a, const struct trial_request *b)
{
	return a->kind == b->kind && traffic_shape_equal(&a->shape, &b->shape) && a->gap_octets == b->gap_octets &&
	       same_rate(&a->load, &b->load) && a->duration_ot == b->duration_ot &&
	       a->next_load_ot == b->next_load_ot && same_rate(&a->next_load, &b->next_load) &&
	       a->reset_ot == b->reset_ot && a->reset == b->reset && a->reset_command == b->reset_command &&
	       a->burst_frames == b->burst_frames && a->bursts == b->bursts &&
	       a->burst_gap_octets == b->burst_gap_octets && a->drain_ot == b->drain_ot &&
	       a->settle_ot == b->settle_ot && a->tag_after_ot == b->tag_after_ot && a->traffic == b->traffic &&
	       a->filters == b->filters && a->pause_ot == b->pause_ot && a->before == b->before;
}

/* A command of the user is not to be run before its trial is asked for. With other traffic than before, tables are
 * written first, and addresses learned: the device itself does that. */
static bool can_fork(const struct side_by_side *side, const struct trial_request *request)
{
	return side->forks && request->traffic == NULL && request->before == NULL && request->filters == NULL &&
	       request->reset != TRIAL_RESET_COMMAND && traffic_shape_equal(&request->shape, &side->shape);
}

static bool is_worth_it(const struct side_by_side *side)
{
	return side->config.also_short || side->last_s >= WORTH_S;
}

/* -- a job -------------------------------------------------------------------------------------------------------- */

/* GCOV_EXCL_START: in the child, which ends without a count of its lines */
static void run_job(void *user)
{
	struct job *job = user;
	struct side_by_side *side = job->of;
	struct outcome *outcome = job->outcome;
	const uint64_t before = device_tester_knowledge(side->inner);
	const double begin_s = clock_s();
	uint64_t begin_ot = 0, end_ot = 0;

	device_tester_show(side->inner, &outcome->sent_ot);
	outcome->status = device_now(side->device, &begin_ot, &outcome->error);
	if (outcome->status == 0)
		outcome->status = tester_run(side->inner, &job->request, &outcome->result, &outcome->error);
	if (outcome->status == 0)
		outcome->status = device_now(side->device, &end_ot, &outcome->error);
	outcome->took_ot = end_ot - begin_ot;
	outcome->took_s = clock_s() - begin_s;
	outcome->leaves_as_found = device_tester_knowledge(side->inner) == before &&
	                           !device_tester_listens(side->inner) && device_at_rest(side->device);
}
/* GCOV_EXCL_STOP */

static bool is_free(const struct job *job)
{
	return job->child.pid == 0;
}

static bool runs(const struct job *job)
{
	return !is_free(job) && job->child.state == FORK_RUNS;
}

static unsigned running(const struct side_by_side *side)
{
	unsigned count = 0;

	for (unsigned i = 0; i < side->job_count; i++)
		count += runs(&side->job[i]);
	return count;
}

/* NULL: there is no room, or the system has none for another process. */
static struct job *begin(struct side_by_side *side, const struct trial_request *request)
{
	for (unsigned i = 0; i < side->job_count; i++) {
		struct job *job = &side->job[i];

		if (!is_free(job))
			continue;
		memset(job->outcome, 0, sizeof(*job->outcome));
		job->request = *request;
		job->wanted = true;
		return fork_start(&job->child, run_job, job) == 0 ? job : NULL;
	}
	return NULL;
}

static void end_all(struct side_by_side *side)
{
	for (unsigned i = 0; i < side->job_count; i++)
		fork_end(&side->job[i].child);
}

static struct job *find(struct side_by_side *side, const struct trial_request *request)
{
	for (unsigned i = 0; i < side->job_count; i++)
		if (!is_free(&side->job[i]) && !side->job[i].wanted && same(&side->job[i].request, request))
			return &side->job[i];
	return NULL;
}

/* -- all of them -------------------------------------------------------------------------------------------------- */

/* Ends the jobs that are for none of the trials that were asked for and are expected, each of which needs one of its
 * own. Returns that of the one asked for; NULL: it has none. */
static struct job *choose(struct side_by_side *side, const struct trial_request *request)
{
	struct job *asked;

	for (unsigned i = 0; i < side->job_count; i++)
		side->job[i].wanted = false;
	asked = find(side, request);
	if (asked)
		asked->wanted = true;
	for (unsigned i = 1; asked && i < side->expected_count; i++) {
		struct job *later = find(side, &side->expected[i]);

		if (later)
			later->wanted = true;
	}
	for (unsigned i = 0; i < side->job_count; i++)
		if (!side->job[i].wanted)
			fork_end(&side->job[i].child);
	return asked;
}

/* Begins what is expected and has no job yet, as far as there are processes for it. */
static void fill(struct side_by_side *side, struct job *asked)
{
	for (unsigned i = 0; i < side->job_count; i++)
		side->job[i].wanted = false;
	asked->wanted = true;
	for (unsigned i = 1; i < side->expected_count && running(side) < side->config.jobs; i++) {
		struct job *job = find(side, &side->expected[i]);

		if (job)
			job->wanted = true;
		else if (!can_fork(side, &side->expected[i]) || !begin(side, &side->expected[i]))
			break;
	}
}

static bool is_cancelled(const struct side_by_side *side)
{
	return side->config.cancel && *side->config.cancel;
}

/* Until the job is done; meanwhile others are begun where some end. False: the user wants no more. */
static bool await(struct side_by_side *side, struct job *asked)
{
	struct fork_child *children[SIDE_BY_SIDE_MOST_JOBS * JOBS_KEPT];

	for (unsigned i = 0; i < side->job_count; i++)
		children[i] = &side->job[i].child;
	while (!is_cancelled(side)) {
		fill(side, asked);
		if (!runs(asked))
			return true;
		fork_await(children, side->job_count, LOOK_MS);
	}
	return false;
}

/* -- a trial ------------------------------------------------------------------------------------------------------ */

/* A time of 0 says that there is none. */
static void shift(uint64_t *time_ot, uint64_t by_ot)
{
	if (*time_ot != 0)
		*time_ot += by_ot;
}

static void shift_times(struct trial_result *result, uint64_t by_ot)
{
	shift(&result->reset_ot, by_ot);
	shift(&result->before.last_ot, by_ot);
	for (unsigned i = 0; i < result->ports; i++) {
		struct trial_port *port = &result->port[i];

		shift(&port->tx_first_ot, by_ot);
		shift(&port->tx_last_ot, by_ot);
		shift(&port->rx_first_ot, by_ot);
		shift(&port->rx_last_ot, by_ot);
		shift(&port->last_loss_ot, by_ot);
		shift(&port->next_load_ot, by_ot);
		shift(&port->silence_ot, by_ot);
	}
}

/* On the device itself, which is a state further then. */
static int run_alone(struct side_by_side *side, const struct trial_request *request, struct trial_result *result,
                     struct error *error)
{
	const double begin_s = clock_s();
	int status;

	end_all(side);
	side->now = NULL;
	side->forks = false;
	if (side->one_thread)
		device_use_threads(side->device, 0);
	side->one_thread = false;
	status = tester_run(side->inner, request, result, error);
	if (status)
		return status;
	shift_times(result, side->late_ot);
	side->last_s = clock_s() - begin_s;
	side->shape = request->shape;
	side->one_thread = request->traffic == NULL && request->before == NULL && !device_tester_listens(side->inner) &&
	                   device_at_rest(side->device);
	side->forks = side->one_thread && device_use_threads(side->device, 1);
	return 0;
}

/* A process that died has measured nothing. */
static int report_lost(const struct side_by_side *side, const struct spawn_end *end, struct trial_result *result)
{
	char how[SPAWN_END_TEXT];

	spawn_end_text(end, how);
	*result = (struct trial_result){.ports = side->tester.info.device->ports};
	snprintf(result->why_invalid, sizeof(result->why_invalid), "the process that simulated the trial %s", how);
	return 0;
}

/* Of a job that is done or lost, which is free afterwards. */
static int take(struct side_by_side *side, struct job *job, struct trial_result *result, struct error *error)
{
	const struct outcome *outcome = job->outcome;
	int status = 0;

	if (job->child.state == FORK_LOST) {
		report_lost(side, &job->child.end, result);
	} else if (outcome->status) {
		*error = outcome->error;
		status = outcome->status;
	} else {
		*result = outcome->result;
		shift_times(result, side->late_ot);
		side->late_ot += outcome->took_ot;
		side->last_s = outcome->took_s;
	}
	fork_end(&job->child);
	return status;
}

static int side_by_side_run(struct tester *base, const struct trial_request *request, struct trial_result *result,
                            struct error *error)
{
	struct side_by_side *side = (struct side_by_side *)base;
	struct job *job = NULL;
	int status;

	if (can_fork(side, request) && is_worth_it(side)) {
		job = choose(side, request);
		job = job ? job : begin(side, request);
	}
	if (!job)
		return run_alone(side, request, result, error);
	side->now = job->outcome;
	if (!await(side, job)) {
		end_all(side);
		return error_set(error, ERROR_CANCELLED, "stopped by the user");
	}
	if (job->child.state == FORK_DONE && job->outcome->status == 0 && !job->outcome->leaves_as_found)
		return run_alone(side, request, result, error);
	status = take(side, job, result, error);
	if (status)
		end_all(side);
	return status;
}

static unsigned side_by_side_looks_ahead(const struct tester *base)
{
	const struct side_by_side *side = (const struct side_by_side *)base;

	return side->forks && is_worth_it(side) ? side->job_count : 0;
}

static void side_by_side_expect(struct tester *base, const struct trial_request *requests, unsigned count)
{
	struct side_by_side *side = (struct side_by_side *)base;

	side->expected_count = count < side->job_count ? count : side->job_count;
	memcpy(side->expected, requests, side->expected_count * sizeof(*requests));
}

static bool side_by_side_truth(struct tester *base, uint32_t frame_octets, struct dut_truth *truth)
{
	struct tester *inner = ((struct side_by_side *)base)->inner;

	return inner->ops->truth(inner, frame_octets, truth);
}

static uint64_t side_by_side_sent_ot(const struct tester *base)
{
	const struct side_by_side *side = (const struct side_by_side *)base;
	const struct outcome *now = side->now;

	return now ? now->sent_ot : side->inner->ops->sent_ot(side->inner);
}

static void side_by_side_skip(struct tester *base)
{
	struct tester *inner = ((struct side_by_side *)base)->inner;

	if (inner->ops->skip)
		inner->ops->skip(inner);
}

static void side_by_side_close(struct tester *base)
{
	struct side_by_side *side = (struct side_by_side *)base;

	end_all(side);
	fork_unshare(side->outcomes, side->job_count * sizeof(*side->outcomes));
	tester_close(side->inner);
	free(side);
}

static const struct tester_ops SIDE_BY_SIDE_OPS = {
        .run = side_by_side_run,
        .truth = side_by_side_truth,
        .sent_ot = side_by_side_sent_ot,
        .skip = side_by_side_skip,
        .looks_ahead = side_by_side_looks_ahead,
        .expect = side_by_side_expect,
        .close = side_by_side_close,
};

int side_by_side_open(const struct side_by_side_config *config, struct tester *inner, struct device *device,
                      struct tester **tester, struct error *error)
{
	struct side_by_side *side = calloc(1, sizeof(*side));

	*tester = NULL;
	if (side) {
		side->job_count = config->jobs * JOBS_KEPT;
		side->outcomes = fork_share(side->job_count * sizeof(*side->outcomes));
	}
	if (!side || !side->outcomes) {
		free(side);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	side->tester = (struct tester){.ops = &SIDE_BY_SIDE_OPS, .info = inner->info};
	side->inner = inner;
	side->device = device;
	side->config = *config;
	for (unsigned i = 0; i < side->job_count; i++) {
		side->job[i].of = side;
		side->job[i].outcome = &side->outcomes[i];
	}
	*tester = &side->tester;
	return 0;
}
