/* SPDX-License-Identifier: Apache-2.0 */
/* Starts another program, and reports how it ended. The program gets only what is named here: all our files are
 * close-on-exec, and its signals are as a shell would set them, although we ignore SIGPIPE and may block some. */
#ifndef FPGAUGE_BASE_SPAWN_H
#define FPGAUGE_BASE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum spawn_group {
	SPAWN_OUR_GROUP,   /* a terminal's Ctrl-C ends it too */
	SPAWN_OWN_GROUP,   /* we must pass Ctrl-C on, and kill(-pid) reaches whatever it starts */
	SPAWN_OWN_SESSION, /* the same, and it has no terminal */
};

enum { SPAWN_NO_FILE = -1 }; /* /dev/null */

/* One of our descriptors, and its number in the program. */
struct spawn_file {
	int ours, its;
};

struct spawn_request {
	const char *program;            /* a path, or a name without a slash, looked up in PATH */
	const char *const *arguments;   /* the program's name first, NULL last */
	const struct spawn_file *files; /* standard files that are not named are ours */
	size_t file_count;              /* is at most SPAWN_MAX_FILES */
	enum spawn_group group;
};
enum { SPAWN_MAX_FILES = 4 };

/* Both return 0, or the errno that says why the program cannot be started. Every *pid must go to spawn_reap(). */
int spawn_start(const struct spawn_request *request, pid_t *pid);
/* Starts it with pipes for its standard input and output: request->files is ignored. *to and *from are our ends.
 * They do not block; the program's do. */
int spawn_piped(const struct spawn_request *request, pid_t *pid, int *to, int *from);

struct spawn_end {
	enum { SPAWN_EXITED, SPAWN_KILLED, SPAWN_UNKNOWN } how; /* UNKNOWN: somebody else waited for it */
	int number;                                             /* exit status, or signal */
};

/* Returns whether it has ended. It stays a zombie, so that its pid and that of its group are not reused. */
bool spawn_has_ended(pid_t pid, struct spawn_end *end);

/* Waits until it ends, and leaves no zombie. */
struct spawn_end spawn_reap(pid_t pid);

enum { SPAWN_END_TEXT = 100 };

/* "ended with exit status 1", "was killed by signal 9 (Killed)" */
void spawn_end_text(const struct spawn_end *end, char text[SPAWN_END_TEXT]);

#endif
