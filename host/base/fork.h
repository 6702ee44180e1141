/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of this process that does a piece of work on its copy of all that is in memory, and then waits to be asked for
 * the next one, with its memory as the last one left it. What it finds it leaves in memory that both share. It dies
 * with the thread that made it, and takes nothing with it: what it was killed in the middle of counts as not done. */
#ifndef FPGAUGE_BASE_FORK_H
#define FPGAUGE_BASE_FORK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "host/base/spawn.h"

enum { FORK_MOST = 256 }; /* children at a time */

struct fork_child {
	pid_t pid; /* 0: there is none */
	int line;  /* our end: an octet out asks for more, one in says that the work is done, the end that it is gone */
	enum { FORK_RUNS, FORK_DONE, FORK_LOST } state;
	struct spawn_end end; /* end of a child that is FORK_LOST */
};

/* Memory of `size` octets, all 0, that children made from now on share with this process. NULL: out of memory. */
void *fork_share(size_t size);
void fork_unshare(void *memory, size_t size); /* NULL is allowed */

/* Begins work(user) in a child. 0, or the errno that says why not. The child has only the calling thread: the work may
 * take no lock that another thread may hold, and write to no file that it was not given. */
int fork_start(struct fork_child *child, void (*work)(void *user), void *user);

/* Restarts a child that is done: begins the same work(user) once more. False: the child has died meanwhile; end it. */
bool fork_again(struct fork_child *child);

/* Waits until one of the children that run is done or lost, at most so long, and updates the state of each. NULL is
 * allowed among them. */
void fork_await(struct fork_child *const *children, size_t count, int timeout_ms);

/* Kills it, whether it works or waits. Afterwards there is none. */
void fork_end(struct fork_child *child);

/* Processors that this process may use. */
unsigned fork_processors(void);

#endif
