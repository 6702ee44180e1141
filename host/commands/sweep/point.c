/* SPDX-License-Identifier: Apache-2.0 */
#include "host/commands/sweep/point.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/commands/run/session.h"
#include "host/commands/sweep/lock.h"
#include "host/commands/sweep/state.h"
#include "host/console/bring_up.h"
#include "host/console/exit_code.h"
#include "host/console/interrupt.h"

/* Options of run and resume for a point. One trial at a time: the processors are for the other points. That what is
 * resumed may start what it names is looked at there too. */
static struct session_options options_of(const struct sweep *sweep, const char *path, const struct sweep_options *given)
{
	return (struct session_options){.plan.files = sweep->files,
	                                .plan.file_count = sweep->file_count,
	                                .db_path = path,
	                                .recorded_plan = true,
	                                .allow_command = given->allow_command,
	                                .jobs = 1,
	                                .outputs.quiet = true};
}

static int run_new(const struct sweep *sweep, size_t number, struct session_options *options, const char *command)
{
	struct text_list *overrides = &options->plan.device.overrides;
	int code;

	overrides->texts = calloc(sweep->set_count + sweep->axis_count, sizeof(*overrides->texts));
	if (!overrides->texts)
		return EXIT_DEVICE;
	overrides->count = sweep_overrides(sweep, number, overrides->texts);
	code = session_run(options, command);
	plan_options_free(&options->plan);
	return code;
}

/* Puts the file away with what SQLite may have left beside it, which would be taken for that of a new file of the
 * name. */
static int put_away(const char *path, bool keep, struct error *error)
{
	static const char *const ENDS[] = {"-wal", "-shm", "-journal", ""};
	int failed = 0;

	for (size_t i = 0; i < sizeof(ENDS) / sizeof(ENDS[0]); i++) {
		char *from = NULL, *to = NULL;

		if (asprintf(&from, "%s%s", path, ENDS[i]) < 0 || asprintf(&to, "%s.damaged%s", path, ENDS[i]) < 0)
			failed = ENOMEM;
		else if ((keep ? rename(from, to) : unlink(from)) && errno != ENOENT)
			failed = errno;
		free(from);
		free(to);
	}
	return failed ? error_set(error, ERROR_STORE, "%s: cannot be put away: %s", path, strerror(failed)) : 0;
}

static int work(const struct sweep *sweep, const char *path, const struct sweep_options *given, const char *command)
{
	struct session_options options = options_of(sweep, path, given);
	struct error error = {0};
	enum point_state state = sweep_state(sweep, given->point, NULL, &error);

	switch (state) {
	case POINT_DONE:
	case POINT_BEGUN:
		return session_resume(&options, command);
	case POINT_DAMAGED:
		fprintf(stderr, "%s: %s; the run is made again, and that file is kept as %s.damaged\n", command,
		        error.text, path);
		break;
	case POINT_FOREIGN:
		return exit_code_of(&error, command);
	case POINT_NOT_BEGUN:
		break;
	}
	if (put_away(path, state == POINT_DAMAGED, &error))
		return exit_code_of(&error, command);
	return run_new(sweep, given->point, &options, command);
}

int sweep_point_run(const struct sweep *sweep, const struct sweep_options *options, const char *command)
{
	char *path = sweep_file_path(sweep, options->point), name[64];
	struct error error = {0};
	int lock, code;

	interrupt_watch(); /* so that Ctrl-C ends the wait for the lock */
	snprintf(name, sizeof(name), "%s: run %u", command, options->point);
	if (!path)
		return EXIT_DEVICE;
	if (sweep_lock(sweep->directory, options->point, true, &lock, &error)) {
		code = exit_code_of(&error, name);
	} else {
		code = work(sweep, path, options, name);
		close(lock);
	}
	free(path);
	return code;
}
