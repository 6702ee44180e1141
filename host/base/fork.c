/* SPDX-License-Identifier: Apache-2.0 */
/* fork(2) where spawn.h will not do: the child goes on with what is in memory, and starts no program. */
#include "host/base/fork.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

void *fork_share(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	return memory != MAP_FAILED ? memory : NULL;
}

void fork_unshare(void *memory, size_t size)
{
	if (memory)
		munmap(memory, size);
}

/* GCOV_EXCL_START: in the child, which ends without a count of its lines */
/* A parent that has died before it could be tied to us is another one by now. */
static void serve(int line, pid_t parent, void (*work)(void *user), void *user)
{
	char octet = 1;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent)
		_exit(1);
	do {
		work(user);
	} while (write(line, &octet, 1) == 1 && read(line, &octet, 1) == 1);
	_exit(1);
}
/* GCOV_EXCL_STOP */

int fork_start(struct fork_child *child, void (*work)(void *user), void *user)
{
	const pid_t parent = getpid();
	int ends[2], why;
	pid_t pid;

	*child = (struct fork_child){0};
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
		return errno;
	pid = fork();
	why = errno;
	if (pid == 0)
		serve(ends[1], parent, work, user); /* GCOV_EXCL_LINE: in the child */
	close(ends[1]);
	if (pid < 0) {
		close(ends[0]);
		return why;
	}
	*child = (struct fork_child){.pid = pid, .line = ends[0], .state = FORK_RUNS};
	return 0;
}

bool fork_again(struct fork_child *child)
{
	const char octet = 1;

	if (send(child->line, &octet, 1, MSG_NOSIGNAL) != 1)
		return false;
	child->state = FORK_RUNS;
	return true;
}

static void look(struct fork_child *child)
{
	char octet;
	ssize_t got;

	do {
		got = read(child->line, &octet, 1);
	} while (got < 0 && errno == EINTR);
	child->state = got == 1 ? FORK_DONE : FORK_LOST;
	if (child->state == FORK_LOST)
		child->end = spawn_reap(child->pid);
}

void fork_await(struct fork_child *const *children, size_t count, int timeout_ms)
{
	struct pollfd files[FORK_MOST];
	struct fork_child *of[FORK_MOST];
	nfds_t running = 0;

	for (size_t i = 0; i < count && running < FORK_MOST; i++) {
		if (!children[i] || children[i]->pid == 0 || children[i]->state != FORK_RUNS)
			continue;
		files[running] = (struct pollfd){.fd = children[i]->line, .events = POLLIN};
		of[running++] = children[i];
	}
	if (poll(files, running, timeout_ms) <= 0)
		return;
	for (nfds_t i = 0; i < running; i++)
		if (files[i].revents)
			look(of[i]);
}

void fork_end(struct fork_child *child)
{
	if (child->pid == 0)
		return;
	if (child->state != FORK_LOST) {
		kill(child->pid, SIGKILL);
		spawn_reap(child->pid);
	}
	close(child->line);
	*child = (struct fork_child){0};
}

unsigned fork_processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) != 0)
		return 1;
	return CPU_COUNT(&set) > 0 ? (unsigned)CPU_COUNT(&set) : 1;
}
