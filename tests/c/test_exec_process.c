/* SPDX-License-Identifier: Apache-2.0 */
/* A child process that answers lines: however it ends, the end is named, and nothing is left of it. */
#include <criterion/criterion.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/trial/exec/process.h"

static const uint64_t MS = 1000000, PLENTY = UINT64_C(60000000000);

static _Atomic int cancel;
static struct exec_process *process;
static struct error error;

static void begin(void)
{
	signal(SIGPIPE, SIG_IGN);
}

/* No zombie, no running child. */
static void end(void)
{
	exec_process_end(process, 0);
	process = NULL;
	errno = 0;
	cr_assert_eq(waitpid(-1, NULL, WNOHANG), -1);
	cr_assert_eq(errno, ECHILD, "a child is left");
}

TestSuite(exec_process, .init = begin, .fini = end);

static void start(const char *script)
{
	const char *const argv[] = {"sh", "-c", script, NULL};

	cr_assert_eq(exec_process_start(argv, &cancel, &process, &error), 0, "%s", error.text);
}

static void set_cancel(int signal_number)
{
	(void)signal_number;
	cancel = 1;
}

static int ask(const char *line, uint64_t timeout_ns, const char **answer)
{
	size_t length = 0;
	int status = exec_process_ask(process, line, strlen(line), timeout_ns, answer, &length, &error);

	if (!status)
		cr_assert_eq((*answer)[length], '\0');
	return status;
}

static void expect_error(const char *text, uint64_t timeout_ns)
{
	const char *answer;

	cr_assert_eq(ask("1\n", timeout_ns, &answer), ERROR_DEVICE);
	cr_assert_str_eq(error.text, text);
}

/* A file that a script creates to tell us something. A shell may take any time to get there. */
static char told[] = "/tmp/fpgauge-exec-XXXXXX";

/* Makes its name, with no file there yet. */
static void expect_word(void)
{
	int file = mkstemp(told);

	cr_assert_geq(file, 0);
	close(file);
	unlink(told);
}

/* Starts a script that creates the file $told when it has got far enough, and waits for that. */
static void start_and_wait_for_word(const char *script)
{
	expect_word();
	setenv("told", told, 1);
	start(script);
	while (access(told, F_OK) != 0) {
		siginfo_t info = {0};

		waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT);
		cr_assert_eq(info.si_pid, 0, "it has ended");
		usleep(1000);
	}
}

Test(exec_process, answers_a_thousand_lines_one_for_one)
{
	start("exec cat");
	for (int i = 0; i < 1000; i++) {
		const char *answer;
		char line[32];

		snprintf(line, sizeof(line), "%d\n", i);
		cr_assert_eq(ask(line, PLENTY, &answer), 0, "%s", error.text);
		cr_assert_eq(atoi(answer), i);
	}
}

Test(exec_process, takes_a_line_that_comes_in_pieces_and_one_as_long_as_may_be)
{
	const char *answer;

	start("read a; printf on; sleep 0.05; echo e; read a; head -c 65536 /dev/zero | tr '\\0' x; echo; read a");
	cr_assert_eq(ask("1\n", PLENTY, &answer), 0, "%s", error.text);
	cr_assert_str_eq(answer, "one");
	cr_assert_eq(ask("2\n", PLENTY, &answer), 0, "%s", error.text);
	cr_assert_eq(strlen(answer), EXEC_MAX_LINE_OCTETS);
}

Test(exec_process, names_an_exit_status)
{
	start("read a; exit 42");
	expect_error("ended with exit status 42 before it answered", PLENTY);
}

Test(exec_process, names_a_signal)
{
	start("read a; kill -SEGV $$");
	expect_error("was killed by signal 11 (Segmentation fault) before it answered", PLENTY);
}

Test(exec_process, quotes_the_line_that_death_cut)
{
	start("read a; printf '{\"tri'; exit 1");
	expect_error("ended with exit status 1 before it answered, in the middle of the line \"{\"tri\"", PLENTY);
}

Test(exec_process, a_program_that_never_read_is_no_broken_pipe_of_ours)
{
	siginfo_t info;

	start("exit 3");
	/* The pipe is broken when we write; WNOWAIT leaves the child to be waited for. */
	cr_assert_eq(waitid(P_ALL, 0, &info, WEXITED | WNOWAIT), 0);
	expect_error("ended with exit status 3 before it answered", PLENTY);
}

Test(exec_process, an_answer_before_death_is_an_answer)
{
	const char *answer;

	start("read a; echo fine; exit 5");
	cr_assert_eq(ask("1\n", PLENTY, &answer), 0, "%s", error.text);
	cr_assert_str_eq(answer, "fine");
	expect_error("ended with exit status 5 before it answered", PLENTY);
}

Test(exec_process, names_silence_and_how_long_it_was)
{
	start("read a; exec sleep 60");
	expect_error("no answer within 0.1 s", 100 * MS);
}

Test(exec_process, names_a_line_without_end)
{
	uint64_t timeout_ns = 100 * MS;
	const char *answer;
	char says[100];

	/* Finds a timeout within which the shell gets that far; usually the first one. */
	for (;; timeout_ns *= 2) {
		start("read a; printf half; exec sleep 600");
		cr_assert_eq(ask("1\n", timeout_ns, &answer), ERROR_DEVICE);
		if (timeout_ns > PLENTY || strncmp(error.text, "no answer", strlen("no answer")) != 0)
			break;
		exec_process_end(process, 0);
	}
	snprintf(says, sizeof(says), "no end of the line \"half\" within %.9g s", (double)timeout_ns / 1e9);
	cr_assert_str_eq(error.text, says);
}

Test(exec_process, refuses_a_line_that_is_too_long)
{
	start("read a; exec cat /dev/zero");
	cr_assert_eq(ask("1\n", PLENTY, &(const char *){NULL}), ERROR_DEVICE);
	cr_assert(strstr(error.text, "a line of more than 65536 octets: \"\\x00\\x00"), "%s", error.text);
}

Test(exec_process, refuses_a_line_that_nobody_asked_for)
{
	start_and_wait_for_word("echo hello; : > $told; exec sleep 600");
	unlink(told);
	expect_error("more than one line for a trial: \"hello\\x0a\"", PLENTY);
}

Test(exec_process, refuses_a_second_line)
{
	const char *answer;

	start("read a; printf '1\\n2\\n'; exec sleep 60");
	cr_assert_eq(ask("1\n", PLENTY, &answer), 0);
	expect_error("more than one line for a trial: \"2\\x0a\"", PLENTY);
}

Test(exec_process, a_program_that_does_not_read_does_not_hang_us)
{
	static char line[1 << 20]; /* far more than a pipe holds */
	const char *answer;
	size_t length;

	memset(line, 'x', sizeof(line));
	start("exec sleep 60");
	cr_assert_eq(exec_process_ask(process, line, sizeof(line), 100 * MS, &answer, &length, &error), ERROR_DEVICE);
	cr_assert_str_eq(error.text, "does not read its standard input");
}

/* This would hang if it did not: the program says nothing, and has unlimited time. */
Test(exec_process, a_cancel_before_or_in_the_wait_ends_it)
{
	const char *answer;

	start("exec sleep 600");
	cancel = 1;
	cr_assert_eq(ask("1\n", UINT64_MAX, &answer), ERROR_CANCELLED);
	cancel = 0;
	signal(SIGALRM, set_cancel);
	ualarm(50000, 0);
	cr_assert_eq(ask("1\n", UINT64_MAX, &answer), ERROR_CANCELLED);
	cr_assert_eq(cancel, 1);
}

Test(exec_process, a_program_that_cannot_be_started_says_why)
{
	const char *const argv[] = {"/nowhere/at/all", NULL};

	cr_assert_eq(exec_process_start(argv, NULL, &process, &error), ERROR_DEVICE);
	cr_assert_str_eq(error.text, "cannot be started: No such file or directory");
	cr_assert_null(process);
}

Test(exec_process, the_end_gives_a_program_the_time_it_was_promised)
{
	start_and_wait_for_word(": > $told; while read a; do :; done; sleep 0.5; rm $told");
	exec_process_end(process, 10 * PLENTY);
	process = NULL;
	cr_assert_eq(access(told, F_OK), -1, "it was killed before it was done");
}

/* The state letter as in /proc/PID/stat; 'X' when there is no such process. */
static char state_of(int pid)
{
	char path[64], state = 'X';
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file != NULL && fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		state = 'X';
	if (file != NULL)
		fclose(file);
	return state;
}

Test(exec_process, a_program_that_will_not_end_is_ended_with_its_children)
{
	int child = 0;
	FILE *file;

	start_and_wait_for_word(
	        "trap '' TERM; sleep 100000 & echo $! > $told.new; mv $told.new $told; while :; do sleep 1; done");
	file = fopen(told, "r");
	cr_assert(file != NULL && fscanf(file, "%d", &child) == 1);
	fclose(file);
	unlink(told);
	exec_process_end(process, 100 * MS); /* if this waited for the child, it would wait forever */
	process = NULL;
	/* Once killed, it is a zombie until init reaps it, if there is one; it dies as soon as it gets a processor. */
	while (strchr("ZX", state_of(child)) == NULL)
		usleep(1000);
}

Test(exec_process, its_signals_are_those_that_a_shell_would_give)
{
	const char *answer;

	/* Bit 12 of SigIgn is SIGPIPE, which we ignore ourselves. */
	start("read a; grep SigIgn /proc/self/status | cut -f2");
	cr_assert_eq(ask("1\n", PLENTY, &answer), 0, "%s", error.text);
	cr_assert_eq(strtoull(answer, NULL, 16) & 0x1000, 0, "%s", answer);
}
