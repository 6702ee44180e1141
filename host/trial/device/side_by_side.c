/* SPDX-License-Identifier: Apache-2.0 */
/* Trials in processes of their own.
 *
 * A worker is a copy of this process (fork.h), and so has a copy of the device and of what the tester knows of it. It
 * makes one trial after the other, because to copy the memory that a trial changes takes as long as a short trial. The
 * device itself stands still meanwhile, so each trial begins from the same state but for the time: the device is at
 * rest (device_at_rest()), and its tables hold the traffic of the trial. It would be the same state if the trials were
 * run one after the other. A worker that does not leave its device so is not believed: its trial is run again, on the
 * device. Times in a result are shifted to what they were if all trials before it had been made on the device. */
#include "host/trial/device/side_by_side.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/trial/device/tester.h"
#include "host/trial/device/worker.h"

/* Making a process, and copying what its trials change, takes some milliseconds. */
static const double WORTH_S = 0.02;

enum {
	JOBS_KEPT = 3, /* results that wait to be asked for, and trials under way, for each process at a time */
	LOOK_MS = 50,  /* at least so often a cancel is noticed */
};

/* A trial that was asked for or is expected. */
struct job {
	bool used; /* else it is free */
	bool wanted;
	struct trial_worker *worker; /* NULL: it is over */
	struct trial_request request;
	bool is_lost; /* lost with its worker */
	struct spawn_end end;
	struct trial_outcome outcome; /* unless it is lost */
};

struct side_by_side {
	struct tester tester; /* first, so that a struct tester * points to this */
	struct tester *inner;
	struct device *device;
	struct side_by_side_config config;
	struct trial_worker worker[SIDE_BY_SIDE_MOST_JOBS];
	struct trial_desk *desks;
	struct job job[SIDE_BY_SIDE_MOST_JOBS * JOBS_KEPT];
	unsigned job_count;
	struct trial_request expected[SIDE_BY_SIDE_MOST_JOBS * JOBS_KEPT];
	unsigned expected_count;
	bool forks;                      /* the device is at rest, and has no threads */
	bool one_thread;                 /* it may have but one from now on */
	struct traffic_shape shape;      /* shape of the last trial on the device itself */
	uint64_t device_ot;              /* the device's clock, which stands still while it forks */
	uint64_t late_ot;                /* so much more would it show, had it run all trials */
	double last_s;                   /* how long the last trial took */
	_Atomic uint64_t sent_ot;        /* progress of the last trial that is over */
	_Atomic uint64_t *_Atomic shown; /* progress of the trial that was asked for; NULL: it runs on the device */
};

/* -- which trials ------------------------------------------------------------------------------------------------- */

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

/* -- workers ------------------------------------------------------------------------------------------------------ */

static struct job *job_of(struct side_by_side *side, const struct trial_worker *worker)
{
	for (unsigned i = 0; i < side->job_count; i++)
		if (side->job[i].used && side->job[i].worker == worker)
			return &side->job[i];
	return NULL;
}

/* One that has a process already has copied what a trial changes. NULL: all are at work. */
static struct trial_worker *free_worker(struct side_by_side *side)
{
	struct trial_worker *none_yet = NULL;

	for (unsigned i = 0; i < side->config.jobs; i++) {
		struct trial_worker *worker = &side->worker[i];

		if (job_of(side, worker))
			continue;
		if (worker->child.pid != 0)
			return worker;
		none_yet = worker;
	}
	return none_yet;
}

/* Collects what a worker leaves that is done or has died. One that is not as it was found must not go on. */
static void collect_from(struct side_by_side *side, struct trial_worker *worker, struct job *job)
{
	if (side->shown == &worker->desk->sent_ot) {
		side->sent_ot = worker->desk->sent_ot;
		side->shown = &side->sent_ot;
	}
	job->worker = NULL;
	job->is_lost = worker->child.state == FORK_LOST;
	job->end = worker->child.end;
	if (!job->is_lost)
		job->outcome = worker->desk->outcome;
	if (job->is_lost || job->outcome.status || !job->outcome.leaves_as_found)
		trial_worker_end(worker);
}

static void collect(struct side_by_side *side)
{
	for (unsigned i = 0; i < side->config.jobs; i++) {
		struct trial_worker *worker = &side->worker[i];
		struct job *job = job_of(side, worker);

		if (job && worker->child.state != FORK_RUNS)
			collect_from(side, worker, job);
	}
}

/* -- jobs --------------------------------------------------------------------------------------------------------- */

/* NULL: there is no room, or the system has none for another process. */
static struct job *begin(struct side_by_side *side, const struct trial_request *request)
{
	struct trial_worker *worker = free_worker(side);

	for (unsigned i = 0; worker && i < side->job_count; i++) {
		struct job *job = &side->job[i];

		if (job->used)
			continue;
		if (!trial_worker_begin(worker, request))
			return NULL;
		job->used = job->wanted = true;
		job->worker = worker;
		job->request = *request;
		return job;
	}
	return NULL;
}

static void end_job(struct job *job)
{
	if (job->used && job->worker)
		trial_worker_end(job->worker);
	job->used = false;
}

static void end_all(struct side_by_side *side)
{
	for (unsigned i = 0; i < side->job_count; i++)
		end_job(&side->job[i]);
	for (unsigned i = 0; i < side->config.jobs; i++)
		trial_worker_end(&side->worker[i]);
}

static struct job *find(struct side_by_side *side, const struct trial_request *request)
{
	for (unsigned i = 0; i < side->job_count; i++)
		if (side->job[i].used && !side->job[i].wanted && trial_request_equal(&side->job[i].request, request))
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
			end_job(&side->job[i]);
	return asked;
}

/* Begins what is expected and has no job yet, as far as there are processes for it. */
static void fill(struct side_by_side *side, struct job *asked)
{
	for (unsigned i = 0; i < side->job_count; i++)
		side->job[i].wanted = false;
	asked->wanted = true;
	for (unsigned i = 1; i < side->expected_count && free_worker(side); i++) {
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

/* Waits until the job is done; meanwhile others are begun where some end. False: the user wants no more. */
static bool await(struct side_by_side *side, struct job *asked)
{
	struct fork_child *children[SIDE_BY_SIDE_MOST_JOBS];

	for (unsigned i = 0; i < side->config.jobs; i++)
		children[i] = &side->worker[i].child;
	while (!is_cancelled(side)) {
		collect(side);
		fill(side, asked);
		if (!asked->worker)
			return true;
		fork_await(children, side->config.jobs, LOOK_MS);
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

/* Runs a trial on the device itself, which is a state further then. */
static int run_alone(struct side_by_side *side, const struct trial_request *request, struct trial_result *result,
                     struct error *error)
{
	const double begin_s = clock_s();
	int status;

	end_all(side);
	side->shown = NULL;
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
	return device_now(side->device, &side->device_ot, error);
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

/* Takes the result of a job that is over, which is free afterwards. */
static int take(struct side_by_side *side, struct job *job, struct trial_result *result, struct error *error)
{
	const struct trial_outcome *outcome = &job->outcome;
	int status = 0;

	if (job->is_lost) {
		report_lost(side, &job->end, result);
	} else if (outcome->status) {
		*error = outcome->error;
		status = outcome->status;
	} else {
		*result = outcome->result;
		shift_times(result, side->device_ot + side->late_ot - outcome->begin_ot);
		side->late_ot += outcome->end_ot - outcome->begin_ot;
		side->last_s = outcome->took_s;
	}
	end_job(job);
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
	side->shown = job->worker ? &job->worker->desk->sent_ot : &side->sent_ot;
	if (!await(side, job)) {
		end_all(side);
		return error_set(error, ERROR_CANCELLED, "stopped by the user");
	}
	if (!job->is_lost && job->outcome.status == 0 && !job->outcome.leaves_as_found)
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
	const _Atomic uint64_t *shown = side->shown;

	return shown ? *shown : side->inner->ops->sent_ot(side->inner);
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
	fork_unshare(side->desks, side->config.jobs * sizeof(*side->desks));
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
		side->config = *config;
		side->job_count = config->jobs * JOBS_KEPT;
		side->desks = fork_share(config->jobs * sizeof(*side->desks));
	}
	if (!side || !side->desks) {
		free(side);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	side->tester = (struct tester){.ops = &SIDE_BY_SIDE_OPS, .info = inner->info};
	side->inner = inner;
	side->device = device;
	for (unsigned i = 0; i < config->jobs; i++)
		side->worker[i] = (struct trial_worker){.tester = inner, .device = device, .desk = &side->desks[i]};
	*tester = &side->tester;
	return 0;
}
