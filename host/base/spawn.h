/* SPDX-License-Identifier: Apache-2.0 */
/* Starts another program, and says how it ended. What it gets is what is named here: files of ours are close-on-exec
 * everywhere, and signals are as a shell would hand them over, where we ignore SIGPIPE and may have some blocked. */
#ifndef FPGAUGE_BASE_SPAWN_H
#define FPGAUGE_BASE_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum spawn_group {
	SPAWN_OUR_GROUP,   /* a terminal's Ctrl-C ends it too */
	SPAWN_OWN_GROUP,   /* Ctrl-C is for us to pass on, and kill(-pid) reaches whatever it starts */
	SPAWN_OWN_SESSION, /* and it has no terminal */
};

enum { SPAWN_NO_FILE = -1 }; /* /dev/null */

/* A descriptor of ours, and which one it is to the program. */
struct spawn_file {
	int ours, its;
};

struct spawn_request {
	const char *program;            /* a path, or a name without a slash, which PATH finds */
	const char *const *arguments;   /* the program's name first, NULL last */
	const struct spawn_file *files; /* its standard files are ours where they are not named */
	size_t file_count;              /* at most SPAWN_MAX_FILES */
	enum spawn_group group;
};
enum { SPAWN_MAX_FILES = 4 };

/* Both: 0, or the errno that says why the program cannot be started. Every *pid is due to spawn_reap(). */
int spawn_start(const struct spawn_request *request, pid_t *pid);
/* With pipes for its standard input and output: request->files is not looked at. *to and *from are our ends. They do
 * not block; the program's do. */
int spawn_piped(const struct spawn_request *request, pid_t *pid, int *to, int *from);

struct spawn_end {
	enum { SPAWN_EXITED, SPAWN_KILLED, SPAWN_UNKNOWN } how; /* UNKNOWN: somebody else has waited for it */
	int number;                                             /* exit status, or signal */
};

/* Whether it has ended. It stays a zombie, so that its number and that of its group are not given to others. */
bool spawn_has_ended(pid_t pid, struct spawn_end *end);

/* Waits for its end, and leaves no zombie. */
struct spawn_end spawn_reap(pid_t pid);

enum { SPAWN_END_TEXT = 100 };

/* "ended with exit status 1", "was killed by signal 9 (Killed)" */
void spawn_end_text(const struct spawn_end *end, char text[SPAWN_END_TEXT]);

#endif
