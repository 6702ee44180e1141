/* SPDX-License-Identifier: Apache-2.0 */
/* Runs side by side on this machine: each is a process of the program on one point. What it did is what its run file
 * says; its exit code and its death decide only whether to try again. */
#include "host/commands/sweep/local.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/base/spawn.h"
#include "host/commands/sweep/state.h"
#include "host/console/exit_code.h"
#include "host/console/interrupt.h"
#include "host/report/load.h"

enum { LOOK_NS = 20000000 };

/* This very program, even if another one has its name by now. */
static const char PROGRAM[] = "/proc/self/exe";

struct worker {
	pid_t pid; /* 0: none */
	size_t number;
};

struct local {
	const struct sweep *sweep;
	const struct sweep_options *options;
	struct worker *workers;
	unsigned worker_count, working;
	unsigned *attempts; /* attempts at each point, from 1 */
	size_t *waiting;    /* points to be started, in order, from `next` on */
	size_t waiting_count, next, done;
	bool told; /* was told to end */
};

void sweep_say_done(const struct sweep *sweep, size_t number, size_t done, const struct sweep_options *options)
{
	const bool taken = options->outputs.json_path && !strcmp(options->outputs.json_path, "-");
	struct error ignored;
	json_t *report;
	char text[300];

	if (options->outputs.quiet || taken)
		return;
	sweep_state(sweep, number, &report, &ignored);
	printf("%zu of %zu: %s: %s\n", done, sweep_points(sweep), sweep_point_text(sweep, number, text, sizeof(text)),
	       report && report_passes(report) ? "pass" : "NOT PASSED");
	fflush(stdout);
	json_decref(report);
}

static int start(struct local *local, struct worker *worker, size_t number, struct error *error)
{
	char point[24];
	const char *allow = local->options->allow_command ? "--allow-command" : NULL;
	const char *const arguments[] = {"fpgauge", "sweep", "--resume", local->sweep->directory, "--point", point,
	                                 "--quiet", allow,   NULL};
	const struct spawn_file files[] = {{SPAWN_NO_FILE, STDIN_FILENO}};
	const struct spawn_request request = {
	        .program = PROGRAM, .arguments = arguments, .files = files, .file_count = 1, .group = SPAWN_OWN_GROUP};
	int why;

	snprintf(point, sizeof(point), "%zu", number);
	why = spawn_start(&request, &worker->pid);
	if (why) {
		worker->pid = 0;
		return error_set(error, ERROR_INTERNAL, "%s: cannot be started: %s", PROGRAM, strerror(why));
	}
	worker->number = number;
	local->attempts[number]++;
	local->working++;
	return 0;
}

/* A run that was lost goes to the end of the queue, which has room for every attempt. */
static void ended(struct local *local, struct worker *worker)
{
	const struct spawn_end end = spawn_reap(worker->pid);
	const bool lost = end.how != SPAWN_EXITED || end.number == EXIT_INVALID;
	const size_t number = worker->number;
	char text[SPAWN_END_TEXT];
	struct error ignored;

	worker->pid = 0;
	local->working--;
	if (sweep_state(local->sweep, number, NULL, &ignored) == POINT_DONE) {
		sweep_say_done(local->sweep, number, ++local->done, local->options);
	} else if (lost && !local->told && local->attempts[number] < SWEEP_ATTEMPTS) {
		spawn_end_text(&end, text);
		fprintf(stderr, "fpgauge sweep: run %zu %s; it is started again\n", number, text);
		local->waiting[local->waiting_count++] = number;
	}
}

static void tell_all_to_end(struct local *local)
{
	for (unsigned i = 0; i < local->worker_count; i++)
		if (local->workers[i].pid)
			kill(local->workers[i].pid, SIGTERM);
	local->told = true;
}

static int work(struct local *local, struct error *error)
{
	const _Atomic int *cancel = interrupt_watch();
	int status = 0;

	while (local->working || (local->next < local->waiting_count && !local->told)) {
		for (unsigned i = 0; i < local->worker_count; i++) {
			struct worker *worker = &local->workers[i];
			struct spawn_end end;

			if (worker->pid && spawn_has_ended(worker->pid, &end))
				ended(local, worker);
			if (!worker->pid && !local->told && local->next < local->waiting_count && status == 0)
				status = start(local, worker, local->waiting[local->next++], error);
		}
		if ((*cancel || status) && !local->told)
			tell_all_to_end(local);
		if (local->working)
			clock_sleep_ns(LOOK_NS);
	}
	return status || !*cancel ? status : error_set(error, ERROR_CANCELLED, "interrupted");
}

int sweep_local(const struct sweep *sweep, const struct sweep_options *options, unsigned jobs, struct error *error)
{
	const size_t points = sweep_points(sweep);
	struct local local = {.sweep = sweep,
	                      .options = options,
	                      .worker_count = jobs,
	                      .workers = calloc(jobs, sizeof(*local.workers)),
	                      .attempts = calloc(points + 1, sizeof(*local.attempts)),
	                      .waiting = calloc(points * SWEEP_ATTEMPTS, sizeof(*local.waiting))};
	struct error ignored;
	int status = 0;

	if (!local.workers || !local.attempts || !local.waiting)
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t number = 1; status == 0 && number <= points; number++) {
		if (sweep_state(sweep, number, NULL, &ignored) == POINT_DONE)
			local.done++;
		else
			local.waiting[local.waiting_count++] = number;
	}
	if (status == 0)
		status = work(&local, error);
	free(local.workers);
	free(local.attempts);
	free(local.waiting);
	return status;
}
