/* SPDX-License-Identifier: Apache-2.0 */
/* Children that work on a copy of our memory: what they leave, how they end, and that none is left. */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/fork.h"

enum { CHILDREN = 5, TIMEOUT_MS = 60000 };

static _Atomic uint64_t *shared;
static uint64_t ours;

static void begin(void)
{
	shared = fork_share(CHILDREN * sizeof(*shared));
	cr_assert_not_null(shared);
	ours = 1;
}

static void end(void)
{
	fork_unshare(shared, CHILDREN * sizeof(*shared));
	errno = 0;
	cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1);
	cr_expect_eq(errno, ECHILD, "a child is left");
}

TestSuite(fork, .init = begin, .fini = end);

static void square(void *user)
{
	const uint64_t number = *(const uint64_t *)user;

	ours = 1000 + number;
	shared[number] = number * number + 1;
}

static void sleep_forever(void *user)
{
	(void)user;
	shared[0] = 1;
	for (;;)
		pause();
}

static void wait_for(struct fork_child *child)
{
	struct fork_child *const children[] = {NULL, child};

	while (child->state == FORK_RUNS)
		fork_await(children, 2, TIMEOUT_MS);
}

Test(fork, children_leave_what_they_found_in_shared_memory_and_nothing_elsewhere)
{
	struct fork_child child[CHILDREN];

	for (uint64_t i = 0; i < CHILDREN; i++)
		cr_assert_eq(fork_start(&child[i], square, &i), 0);
	for (uint64_t i = 0; i < CHILDREN; i++) {
		wait_for(&child[i]);
		cr_expect_eq(child[i].state, FORK_DONE);
		cr_expect_eq(shared[i], i * i + 1);
		fork_end(&child[i]);
		cr_expect_eq(child[i].pid, 0);
	}
	cr_expect_eq(ours, 1);
}

static void count(void *user)
{
	(void)user;
	shared[0] = ++ours;
}

Test(fork, a_child_goes_on_from_where_its_last_work_left_it)
{
	struct fork_child child;
	pid_t pid;

	cr_assert_eq(fork_start(&child, count, NULL), 0);
	pid = child.pid;
	wait_for(&child);
	ours = 100; /* its copy is its own */
	for (uint64_t again = 0; again < 7; again++) {
		cr_assert(fork_again(&child));
		wait_for(&child);
		cr_expect_eq(child.state, FORK_DONE);
		cr_expect_eq(shared[0], again + 3);
	}
	cr_expect_eq(child.pid, pid);
	fork_end(&child);
}

Test(fork, a_child_that_died_while_it_waited_takes_no_more_work)
{
	siginfo_t info;
	struct fork_child child;

	cr_assert_eq(fork_start(&child, count, NULL), 0);
	wait_for(&child);
	cr_assert_eq(kill(child.pid, SIGKILL), 0);
	cr_assert_eq(waitid(P_PID, (id_t)child.pid, &info, WEXITED | WNOWAIT), 0);
	cr_expect_not(fork_again(&child));
	fork_end(&child);
}

Test(fork, a_child_that_is_killed_is_lost_and_says_by_what)
{
	char text[SPAWN_END_TEXT];
	struct fork_child child;

	cr_assert_eq(fork_start(&child, sleep_forever, NULL), 0);
	cr_assert_eq(kill(child.pid, SIGKILL), 0);
	wait_for(&child);
	cr_expect_eq(child.state, FORK_LOST);
	spawn_end_text(&child.end, text);
	cr_expect_str_eq(text, "was killed by signal 9 (Killed)");
	fork_end(&child);
}

Test(fork, a_child_that_is_not_wanted_any_more_is_ended)
{
	struct fork_child child;
	pid_t pid;

	cr_assert_eq(fork_start(&child, sleep_forever, NULL), 0);
	pid = child.pid;
	while (shared[0] == 0)
		continue;
	fork_end(&child);
	cr_expect_eq(kill(pid, 0), -1);
	fork_end(&child); /* there is none */
}

Test(fork, waiting_ends_when_the_time_is_over)
{
	struct fork_child child;
	struct fork_child *const children[] = {&child};

	cr_assert_eq(fork_start(&child, sleep_forever, NULL), 0);
	fork_await(children, 1, 1);
	cr_expect_eq(child.state, FORK_RUNS);
	fork_end(&child);
}

Test(fork, there_is_a_processor)
{
	cr_expect_geq(fork_processors(), 1);
}
