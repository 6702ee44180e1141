/* SPDX-License-Identifier: Apache-2.0 */
/* The lock on a board, between processes: who gets it, who is named as the owner, and that it is released however its
 * owner ends. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drivers/board_lock.h"

static char path[] = "/tmp/fpgauge-test-lock-XXXXXX";
static int fd = -1;
static struct error error;

static void begin(void)
{
	fd = mkstemp(path);
	cr_assert_geq(fd, 0);
}

static void end(void)
{
	close(fd);
	unlink(path);
}

TestSuite(board_lock, .init = begin, .fini = end);

/* Starts a shell that takes the lock; returns its pid once it has it. */
static pid_t other_program(void)
{
	int pair[2], other_fd;
	char octet;
	pid_t other;

	cr_assert_eq(pipe(pair), 0);
	other = fork();
	if (other == 0) {
		other_fd = open(path, O_RDONLY | O_CLOEXEC);
		if (other_fd < 0 || board_lock_take(other_fd, "x", &error) != 0)
			_exit(1);
		fcntl(other_fd, F_SETFD, 0); /* the other program inherits the lock with the descriptor */
		dup2(pair[1], STDOUT_FILENO);
		execl("/bin/sh", "sh", "-c", "echo; read line", "--plan of another\nuser", (char *)NULL);
		_exit(127);
	}
	close(pair[1]);
	cr_assert(read(pair[0], &octet, 1) == 1);
	close(pair[0]);
	return other;
}

static void end_other(pid_t other, int number)
{
	kill(other, number);
	waitpid(other, NULL, 0);
}

Test(board_lock, a_free_board_is_taken_and_given_back)
{
	bool taken = false;

	cr_assert_eq(board_lock_take(fd, "pci 0000:3b:00.0", &error), 0);
	board_lock_give_back(fd);
	cr_assert_eq(board_lock_try(fd, "pci 0000:3b:00.0", &taken, &error), 0);
	cr_expect(taken);
}

Test(board_lock, who_has_a_board_is_named_by_number_and_command_in_one_line)
{
	char says[64];
	pid_t other = other_program();

	cr_assert_eq(board_lock_take(fd, "pci 0000:3b:00.0", &error), ERROR_DEVICE);
	snprintf(says, sizeof(says), "pci 0000:3b:00.0: is in use by process %d (sh -c ", other);
	cr_expect(strstr(error.text, says) == error.text, "%s", error.text);
	cr_expect_not_null(strstr(error.text, "--plan of another?user)"), "%s", error.text);
	cr_expect_null(strchr(error.text, '\n'));
	end_other(other, SIGKILL);
}

Test(board_lock, an_owner_that_is_killed_leaves_nothing_behind)
{
	pid_t other = other_program();
	bool taken = true;

	cr_assert_eq(board_lock_try(fd, "board", &taken, &error), 0);
	cr_expect_not(taken);
	end_other(other, SIGKILL);
	cr_expect_eq(board_lock_take(fd, "board", &error), 0, "%s", error.text);
}

static int observer = -1;

static void end_look(int number)
{
	(void)number;
	board_lock_give_back(observer);
}

Test(board_lock, a_board_that_is_only_looked_at_is_waited_for)
{
	const struct itimerval soon = {.it_value.tv_usec = 100000};
	bool taken = false;

	observer = open(path, O_RDONLY | O_CLOEXEC); /* a separate open file, so its lock is like another process's */
	cr_assert_eq(board_lock_try(observer, "board", &taken, &error), 0);
	cr_assert(taken);
	signal(SIGALRM, end_look);
	setitimer(ITIMER_REAL, &soon, NULL);
	cr_expect_eq(board_lock_take(fd, "board", &error), 0, "%s", error.text);
	close(observer);
}

Test(board_lock, a_lock_that_nobody_seems_to_have_is_somebody_s)
{
	cr_expect_eq(board_lock_refuse("/nonexistent/resource0", "board", &error), ERROR_DEVICE);
	cr_expect_not_null(strstr(error.text, "in use by another program, which cannot be seen from here"), "%s",
	                   error.text);
}

Test(board_lock, what_cannot_be_locked_is_said)
{
	bool taken = true;

	cr_expect_eq(board_lock_try(-1, "board", &taken, &error), ERROR_DEVICE);
	cr_expect_not(taken);
	cr_expect_str_eq(error.text, "board: cannot be locked against other programs: Bad file descriptor");
	cr_expect_eq(board_lock_by_address("/nonexistent", "3b:00.1", "board", &fd, &error), ERROR_DEVICE);
	cr_expect_str_eq(error.text, "board: cannot be locked against other programs: "
	                             "/nonexistent/devices/0000:3b:00.1/config: No such file or directory");
}
