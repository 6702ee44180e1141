/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep as an array job of Slurm: a task for each point that is not done. Slurm starts a task again on another node
 * when its node fails (--requeue); it finds in the run file what was measured before. A task that ends in any other way
 * without being done is submitted again by --wait. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/array.h"
#include "host/base/clock.h"
#include "host/commands/sweep/capture.h"
#include "host/commands/sweep/local.h"
#include "host/commands/sweep/state.h"
#include "host/console/interrupt.h"
#include "host/console/shell_word.h"

enum { LOOK_NS = 1000000000, MOST_FAILED_LOOKS = 120 };

struct slurm {
	const struct sweep *sweep;
	const struct sweep_options *options;
	bool *done; /* one for each point, from 1 */
	size_t done_count;
	char job[32];
};

/* Only the machine that writes a run file may look into it; one that nobody writes has no journal beside it. */
static bool is_written(const struct sweep *sweep, size_t number)
{
	char *path = sweep_file_path(sweep, number), *journal = NULL;
	bool written = path && asprintf(&journal, "%s-wal", path) >= 0 && access(journal, F_OK) == 0;

	free(journal);
	free(path);
	return written;
}

/* Journals that are there after the end of the job belong to runs that were lost. */
static void look(struct slurm *slurm, bool ended, bool says)
{
	struct error ignored;

	for (size_t number = 1; number <= sweep_points(slurm->sweep); number++) {
		if (slurm->done[number] || (!ended && is_written(slurm->sweep, number)) ||
		    sweep_state(slurm->sweep, number, NULL, &ignored) != POINT_DONE)
			continue;
		slurm->done[number] = true;
		slurm->done_count++;
		if (says)
			sweep_say_done(slurm->sweep, number, slurm->done_count, slurm->options);
	}
}

/* "--array=1-4,7%8": the points that are not done, and how many at a time. */
static char *array_option(const struct slurm *slurm)
{
	const size_t points = sweep_points(slurm->sweep);
	const char *comma = "";
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (!out)
		return NULL;
	fputs("--array=", out);
	for (size_t first = 1; first <= points; first++) {
		size_t last = first;

		if (slurm->done[first])
			continue;
		while (last < points && !slurm->done[last + 1])
			last++;
		fprintf(out, last > first ? "%s%zu-%zu" : "%s%zu", comma, first, last);
		comma = ",";
		first = last;
	}
	if (slurm->options->jobs)
		fprintf(out, "%%%u", slurm->options->jobs);
	return fclose(out) ? NULL : text;
}

/* Finds the path of this program for other machines. the path of this program. */
static int find_program(char path[PATH_MAX], struct error *error)
{
	ssize_t length = readlink("/proc/self/exe", path, PATH_MAX - 1);

	if (length < 0)
		return error_set(error, ERROR_INTERNAL, "/proc/self/exe: cannot be read: %s", strerror(errno));
	path[length] = '\0';
	return 0;
}

/* Makes the option that says what each task does. */
static char *task_option(const struct slurm *slurm, struct error *error)
{
	char program[PATH_MAX], word[2 * PATH_MAX], *text = NULL;
	size_t length;
	FILE *out;

	if (find_program(program, error))
		return NULL;
	out = open_memstream(&text, &length);
	if (out) {
		fprintf(out, "--wrap=exec %s sweep", shell_word(program, word, sizeof(word)));
		fprintf(out, " --resume %s", shell_word(slurm->sweep->directory, word, sizeof(word)));
		fprintf(out, " --point \"$SLURM_ARRAY_TASK_ID\" --quiet%s",
		        slurm->options->allow_command ? " --allow-command" : "");
	}
	if (out && fclose(out) == 0)
		return text;
	error_set(error, ERROR_INTERNAL, "out of memory");
	return NULL;
}

static int call_sbatch(struct slurm *slurm, const char *array, const char *task, const char *folder, const char *log,
                       struct error *error)
{
	const char *const first[] = {"sbatch", "--parsable", "--requeue", "--open-mode=append",
	                             "--job-name=fpgauge-sweep"};
	const size_t before = sizeof(first) / sizeof(first[0]), given = slurm->options->to_slurm.count;
	const char **arguments = calloc(before + given + 5, sizeof(*arguments));
	char *printed = NULL;
	int status = arguments ? 0 : error_set(error, ERROR_INTERNAL, "out of memory");

	if (status == 0) {
		memcpy(arguments, first, sizeof(first));
		arguments[before] = folder;
		arguments[before + 1] = log;
		if (given) /* later ones win */
			memcpy(arguments + before + 2, slurm->options->to_slurm.texts, given * sizeof(*arguments));
		arguments[before + 2 + given] = array;
		arguments[before + 3 + given] = task;
		status = capture(arguments, &printed, error);
	}
	if (status == 0)
		snprintf(slurm->job, sizeof(slurm->job), "%.*s", (int)strcspn(printed, ";\n"), printed);
	if (status == 0 && strspn(slurm->job, "0123456789") != strlen(slurm->job))
		status = error_set(error, ERROR_DEVICE, "sbatch: printed %.100s in place of a job's number", printed);
	free(arguments);
	free(printed);
	return status;
}

static int submit(struct slurm *slurm, struct error *error)
{
	char *array = array_option(slurm), *task = task_option(slurm, error), *log = NULL, *folder = NULL;
	int status = 0;

	if (!task)
		status = error->code;
	else if (!array || asprintf(&log, "--output=%s/slurm-%%a.log", slurm->sweep->directory) < 0 ||
	         asprintf(&folder, "--chdir=%s", slurm->sweep->working_directory) < 0)
		status = error_set(error, ERROR_INTERNAL, "out of memory");
	else
		status = call_sbatch(slurm, array, task, folder, log, error);
	free(folder);
	free(log);
	free(array);
	free(task);
	return status;
}

/* Finds out whether the job has tasks that wait or run. squeue is not asked for the job alone: of one that ended a
 * while ago it would say that there is none such, as an error. */
static int is_queued(const struct slurm *slurm, bool *queued, struct error *error)
{
	static const char *const ARGUMENTS[] = {"squeue", "--noheader", "--format=%F", NULL};
	char *printed, *rest;
	int status = capture(ARGUMENTS, &printed, error);

	*queued = false;
	if (status)
		return status;
	rest = printed;
	for (char *line; (line = strsep(&rest, "\n"));)
		*queued |= !strcmp(line, slurm->job);
	free(printed);
	return 0;
}

/* Waits for the end of the job. The controller of Slurm may be away for a while. */
static int wait_for_job(struct slurm *slurm, struct error *error)
{
	const _Atomic int *cancel = interrupt_watch();
	bool queued = true;
	int failed = 0;

	while (queued && !*cancel) {
		clock_sleep_ns(LOOK_NS);
		failed = is_queued(slurm, &queued, error) ? failed + 1 : 0;
		if (failed == MOST_FAILED_LOOKS)
			return error->code;
		if (failed)
			queued = true;
		look(slurm, !queued, true);
	}
	if (*cancel)
		return error_set(error, ERROR_CANCELLED, "interrupted; job %s goes on, and scancel %s ends it",
		                 slurm->job, slurm->job);
	return 0;
}

static int run(struct slurm *slurm, struct error *error)
{
	const size_t points = sweep_points(slurm->sweep);
	int status = 0;

	look(slurm, true, false);
	for (unsigned attempt = 0; attempt < SWEEP_ATTEMPTS && slurm->done_count < points && status == 0; attempt++) {
		status = submit(slurm, error);
		if (status == 0 && !slurm->options->outputs.quiet)
			fprintf(stderr, "Job %s of Slurm: %zu runs\n", slurm->job, points - slurm->done_count);
		if (!slurm->options->wait)
			break;
		if (status == 0)
			status = wait_for_job(slurm, error);
	}
	return status;
}

int sweep_slurm_check(struct error *error)
{
	static const char *const ARGUMENTS[] = {"sbatch", "--version", NULL};
	char *printed;
	int status = capture(ARGUMENTS, &printed, error);

	free(printed);
	if (status)
		error_prefix(error,
		             "--slurm: Slurm's commands do not work here, and without --slurm all runs are made on "
		             "this machine: ");
	return status;
}

int sweep_slurm(const struct sweep *sweep, const struct sweep_options *options, struct error *error)
{
	struct slurm slurm = {.sweep = sweep, .options = options};
	int status;

	slurm.done = calloc(sweep_points(sweep) + 1, sizeof(*slurm.done));
	status = slurm.done ? run(&slurm, error) : error_set(error, ERROR_INTERNAL, "out of memory");
	free(slurm.done);
	return status;
}
