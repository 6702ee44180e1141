/* SPDX-License-Identifier: Apache-2.0 */
/* posix_spawn(3) rather than fork(): the forked copy of a threaded program may do next to nothing before it calls exec.
 */
#include "host/base/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* State that is prepared for one start; undone by release(). */
struct preparation {
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attributes;
	int copies[SPAWN_MAX_FILES]; /* copies of our files; -1: none */
};

static void release(struct preparation *preparation)
{
	for (size_t i = 0; i < SPAWN_MAX_FILES; i++)
		if (preparation->copies[i] >= 0)
			close(preparation->copies[i]);
	posix_spawnattr_destroy(&preparation->attributes);
	posix_spawn_file_actions_destroy(&preparation->actions);
}

static int begin(struct preparation *preparation)
{
	for (size_t i = 0; i < SPAWN_MAX_FILES; i++)
		preparation->copies[i] = -1;
	if (posix_spawn_file_actions_init(&preparation->actions))
		return ENOMEM;
	if (posix_spawnattr_init(&preparation->attributes)) {
		posix_spawn_file_actions_destroy(&preparation->actions);
		return ENOMEM;
	}
	return 0;
}

/* Goes through copies numbered above all that the program gets: one of our files with such a number would otherwise be
 * overwritten by the one moved there first. */
static int hand_over(struct preparation *preparation, const struct spawn_request *request)
{
	int lowest = STDERR_FILENO + 1, why = 0;

	if (request->file_count > SPAWN_MAX_FILES)
		return EINVAL;
	for (size_t i = 0; i < request->file_count; i++)
		if (request->files[i].its >= lowest)
			lowest = request->files[i].its + 1;
	for (size_t i = 0; i < request->file_count && why == 0; i++) {
		const struct spawn_file *file = &request->files[i];

		if (file->ours == SPAWN_NO_FILE) {
			why = posix_spawn_file_actions_addopen(&preparation->actions, file->its, "/dev/null", O_RDWR,
			                                       0);
			continue;
		}
		preparation->copies[i] = fcntl(file->ours, F_DUPFD_CLOEXEC, lowest);
		why = preparation->copies[i] < 0 ? errno
		                                 : posix_spawn_file_actions_adddup2(&preparation->actions,
		                                                                    preparation->copies[i], file->its);
	}
	return why;
}

/* exec resets handlers by itself, but not what is ignored or blocked. SIGINT too is reset where it does not come from
 * the terminal: whoever sends it means the program, even when we are a background job, where shells ignore it. */
static void set_attributes(posix_spawnattr_t *attributes, enum spawn_group group)
{
	short flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF;
	sigset_t none, defaults;

	sigemptyset(&none);
	sigemptyset(&defaults);
	sigaddset(&defaults, SIGPIPE);
	if (group != SPAWN_OUR_GROUP)
		sigaddset(&defaults, SIGINT);
	if (group == SPAWN_OWN_GROUP)
		flags |= POSIX_SPAWN_SETPGROUP;
	if (group == SPAWN_OWN_SESSION)
		flags |= POSIX_SPAWN_SETSID;
	posix_spawnattr_setflags(attributes, flags);
	posix_spawnattr_setpgroup(attributes, 0);
	posix_spawnattr_setsigmask(attributes, &none);
	posix_spawnattr_setsigdefault(attributes, &defaults);
}

int spawn_start(const struct spawn_request *request, pid_t *pid)
{
	struct preparation preparation;
	int why = begin(&preparation);

	if (why != 0)
		return why;
	set_attributes(&preparation.attributes, request->group);
	why = hand_over(&preparation, request);
	if (why == 0) /* POSIX promises not to change the arguments; their type is from before const */
		why = posix_spawnp(pid, request->program, &preparation.actions, &preparation.attributes,
		                   (char *const *)(uintptr_t)request->arguments, environ);
	release(&preparation);
	return why;
}

static void close_pipe(const int ends[2])
{
	close(ends[0]);
	close(ends[1]);
}

int spawn_piped(const struct spawn_request *request, pid_t *pid, int *to, int *from)
{
	struct spawn_request piped = *request;
	int in[2], out[2], why;

	if (pipe2(in, O_CLOEXEC) != 0)
		return errno;
	if (pipe2(out, O_CLOEXEC) != 0) {
		why = errno;
		close_pipe(in);
		return why;
	}
	piped.files = (const struct spawn_file[]){{in[0], STDIN_FILENO}, {out[1], STDOUT_FILENO}};
	piped.file_count = 2;
	/* Our ends only: the program's ends are separate open files, and block as it expects. Before the start, since a
	 * failure after it would leave a program running. */
	why = fcntl(in[1], F_SETFL, O_NONBLOCK) != 0 || fcntl(out[0], F_SETFL, O_NONBLOCK) != 0 ? errno : 0;
	if (why == 0)
		why = spawn_start(&piped, pid);
	close(in[0]);
	close(out[1]);
	if (why != 0) {
		close(in[1]);
		close(out[0]);
		return why;
	}
	*to = in[1];
	*from = out[0];
	return 0;
}

static struct spawn_end end_of(const siginfo_t *info)
{
	return (struct spawn_end){info->si_code == CLD_EXITED ? SPAWN_EXITED : SPAWN_KILLED, info->si_status};
}

bool spawn_has_ended(pid_t pid, struct spawn_end *end)
{
	siginfo_t info = {0};

	*end = (struct spawn_end){SPAWN_UNKNOWN, 0};
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
		return errno == ECHILD;
	*end = end_of(&info);
	return info.si_pid != 0;
}

struct spawn_end spawn_reap(pid_t pid)
{
	siginfo_t info = {0};
	int failed;

	do {
		failed = waitid(P_PID, (id_t)pid, &info, WEXITED);
	} while (failed != 0 && errno == EINTR);
	return failed != 0 ? (struct spawn_end){SPAWN_UNKNOWN, 0} : end_of(&info);
}

void spawn_end_text(const struct spawn_end *end, char text[SPAWN_END_TEXT])
{
	if (end->how == SPAWN_EXITED)
		snprintf(text, SPAWN_END_TEXT, "ended with exit status %d", end->number);
	else if (end->how == SPAWN_KILLED)
		snprintf(text, SPAWN_END_TEXT, "was killed by signal %d (%s)", end->number, strsignal(end->number));
	else
		snprintf(text, SPAWN_END_TEXT, "ended, and how is not known");
}
