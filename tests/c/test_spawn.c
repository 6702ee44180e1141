/* SPDX-License-Identifier: Apache-2.0 */
/* Tests what a program that we start gets from us, and what we learn about how it ended. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/spawn.h"

enum { TEXT = 4096 };

static const int64_t PLENTY_NS = INT64_C(60000000000);

/* No zombie, no running child. */
static void expect_no_child(void)
{
	errno = 0;
	cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1);
	cr_expect_eq(errno, ECHILD, "a child is left");
}

TestSuite(spawn, .fini = expect_no_child);

static int memory_file(void)
{
	int file = memfd_create("test", MFD_CLOEXEC);

	cr_assert_geq(file, 0);
	return file;
}

static const char *contents(int file, char text[TEXT])
{
	ssize_t length = pread(file, text, TEXT - 1, 0);

	cr_assert_geq(length, 0);
	text[length] = '\0';
	return text;
}

static pid_t start(const struct spawn_request *request)
{
	pid_t pid = 0;

	cr_assert_eq(spawn_start(request, &pid), 0);
	cr_assert_gt(pid, 0);
	return pid;
}

/* Returns what a shell script writes to its standard output. */
static const char *output_of(const char *script, enum spawn_group group, char text[TEXT])
{
	int file = memory_file();
	struct spawn_end end =
	        spawn_reap(start(&(struct spawn_request){.program = "sh",
	                                                 .arguments = (const char *[]){"sh", "-c", script, NULL},
	                                                 .files = &(struct spawn_file){file, STDOUT_FILENO},
	                                                 .file_count = 1,
	                                                 .group = group}));

	cr_assert(end.how == SPAWN_EXITED && end.number == 0);
	contents(file, text);
	close(file);
	return text;
}

static void wait_for_end(pid_t pid, struct spawn_end *end)
{
	int64_t deadline_ns = clock_ns() + PLENTY_NS;

	while (!spawn_has_ended(pid, end)) {
		cr_assert_lt(clock_ns(), deadline_ns);
		clock_sleep_ns(1000000);
	}
}

static size_t open_files(void)
{
	DIR *folder = opendir("/proc/self/fd");
	size_t count = 0;

	cr_assert_not_null(folder);
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

/* -- files ------------------------------------------------------------------------------------------------------- */

Test(spawn, our_files_may_have_the_numbers_of_one_another)
{
	int a = memory_file(), b = memory_file(), c = memory_file();
	static const char SCRIPT[] = "for i in 105 106 107; do echo to $i >/proc/self/fd/$i; done";
	char text[TEXT];

	/* Numbers that the test framework does not use. */
	cr_assert(dup3(a, 105, O_CLOEXEC) == 105 && dup3(b, 106, O_CLOEXEC) == 106 && dup3(c, 107, O_CLOEXEC) == 107);
	spawn_reap(start(&(struct spawn_request){
	        .program = "sh",
	        .arguments = (const char *[]){"sh", "-c", SCRIPT, NULL},
	        .files =
	                (const struct spawn_file[]){{105, 106}, {106, 105}, {107, 107}}, /* two swapped, one in place */
	        .file_count = 3}));
	cr_expect_str_eq(contents(a, text), "to 106\n");
	cr_expect_str_eq(contents(b, text), "to 105\n");
	cr_expect_str_eq(contents(c, text), "to 107\n");
}

Test(spawn, without_a_file_there_is_nothing_to_read)
{
	int file = memory_file();
	char text[TEXT];

	spawn_reap(start(&(struct spawn_request){
	        .program = "sh",
	        .arguments = (const char *[]){"sh", "-c", "read -r line || echo the end", NULL},
	        .files = (const struct spawn_file[]){{SPAWN_NO_FILE, STDIN_FILENO}, {file, STDOUT_FILENO}},
	        .file_count = 2}));
	cr_expect_str_eq(contents(file, text), "the end\n");
}

static void read_line(int file, char text[TEXT])
{
	size_t used = 0;

	while (used == 0 || text[used - 1] != '\n') {
		struct pollfd ready = {.fd = file, .events = POLLIN};
		ssize_t got;

		cr_assert_gt(poll(&ready, 1, 60000), 0);
		got = read(file, text + used, TEXT - 1 - used);
		cr_assert_gt(got, 0);
		used += (size_t)got;
	}
	text[used] = '\0';
}

/* A program that had our end of its input open itself would wait forever for the end of that input. */
Test(spawn, a_program_on_pipes_has_its_ends_alone)
{
	char script[256], answer[TEXT];
	struct spawn_end end;
	int to, from;
	pid_t pid;

	cr_assert_eq(spawn_piped(&(struct spawn_request){.program = "sh", .arguments = (const char *[]){"sh", NULL}},
	                         &pid, &to, &from),
	             0);
	snprintf(script, sizeof(script),
	         "for f in %d %d; do test -e /proc/$$/fd/$f && printf 'open '; done; echo asked\n", to, from);
	cr_assert_eq(write(to, script, strlen(script)), (ssize_t)strlen(script));
	read_line(from, answer);
	cr_expect_str_eq(answer, "asked\n");
	close(to);
	end = spawn_reap(pid);
	cr_expect(end.how == SPAWN_EXITED && end.number == 0);
	close(from);
}

/* Flags of an open file, from /proc. */
static int flags_of(pid_t pid, int file)
{
	char path[64], line[64];
	unsigned flags = UINT_MAX;
	FILE *info;

	snprintf(path, sizeof(path), "/proc/%d/fdinfo/%d", (int)pid, file);
	info = fopen(path, "re");
	cr_assert_not_null(info);
	while (fgets(line, sizeof(line), info) != NULL && sscanf(line, "flags: %o", &flags) != 1)
		;
	fclose(info);
	cr_assert_neq(flags, UINT_MAX);
	return (int)flags;
}

Test(spawn, our_ends_of_the_pipes_do_not_block_and_the_programs_do)
{
	int to, from;
	pid_t pid;

	cr_assert_eq(spawn_piped(&(struct spawn_request){.program = "cat", .arguments = (const char *[]){"cat", NULL}},
	                         &pid, &to, &from),
	             0);
	cr_expect(flags_of(getpid(), to) & O_NONBLOCK);
	cr_expect(flags_of(getpid(), from) & O_NONBLOCK);
	cr_expect_not(flags_of(pid, STDIN_FILENO) & O_NONBLOCK);
	cr_expect(flags_of(pid, STDOUT_FILENO) & O_WRONLY);
	cr_expect_not(flags_of(pid, STDOUT_FILENO) & O_NONBLOCK);
	close(to);
	close(from);
	spawn_reap(pid);
}

Test(spawn, a_program_that_cannot_be_started_leaves_nothing_open)
{
	const struct spawn_request missing = {.program = "/nonexistent/program",
	                                      .arguments = (const char *const[]){"program", NULL}};
	static const struct spawn_file FILES[SPAWN_MAX_FILES + 1] = {{STDERR_FILENO, STDOUT_FILENO}};
	struct spawn_request request = missing;
	size_t before = open_files();
	int to = -7, from = -7;
	pid_t pid;

	request.files = FILES;
	request.file_count = 1;
	cr_expect_eq(spawn_start(&request, &pid), ENOENT);
	cr_expect_eq(spawn_piped(&missing, &pid, &to, &from), ENOENT);
	cr_expect(to == -7 && from == -7);
	request.files = &(struct spawn_file){4096, STDOUT_FILENO}; /* not open */
	request.program = "true";
	cr_expect_eq(spawn_start(&request, &pid), EBADF);
	request.files = FILES;
	request.file_count = SPAWN_MAX_FILES + 1;
	cr_expect_eq(spawn_start(&request, &pid), EINVAL);
	cr_expect_eq(open_files(), before);
}

/* -- groups and signals ------------------------------------------------------------------------------------------ */

Test(spawn, a_program_is_in_the_group_and_session_asked_for)
{
	for (enum spawn_group group = SPAWN_OUR_GROUP; group <= SPAWN_OWN_SESSION; group++) {
		pid_t pid = start(&(struct spawn_request){
		        .program = "sleep", .arguments = (const char *[]){"sleep", "600", NULL}, .group = group});

		cr_expect_eq(getpgid(pid), group == SPAWN_OUR_GROUP ? getpgrp() : pid);
		cr_expect_eq(getsid(pid), group == SPAWN_OWN_SESSION ? pid : getsid(0));
		kill(pid, SIGKILL);
		spawn_reap(pid);
	}
}

static bool ignores(const char *status, int number)
{
	unsigned long long mask;
	const char *line = strstr(status, "SigIgn:");

	cr_assert(line != NULL && sscanf(line, "SigIgn: %llx", &mask) == 1);
	return mask >> (number - 1) & 1;
}

Test(spawn, signals_that_we_ignore_or_block_are_the_programs_own_again)
{
	static const char SCRIPT[] = "exec grep Sig /proc/self/status";
	char text[TEXT];
	sigset_t all;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGINT, SIG_IGN);
	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, NULL);
	output_of(SCRIPT, SPAWN_OWN_GROUP, text);
	cr_expect(strstr(text, "SigBlk:\t0000000000000000\n") != NULL, "%s", text);
	cr_expect_not(ignores(text, SIGPIPE));
	cr_expect_not(ignores(text, SIGINT));
	cr_expect_not(ignores(output_of(SCRIPT, SPAWN_OWN_SESSION, text), SIGINT));
	/* A background job of a shell ignores the terminal's Ctrl-C, and so does what it starts. */
	output_of(SCRIPT, SPAWN_OUR_GROUP, text);
	cr_expect(ignores(text, SIGINT));
	cr_expect_not(ignores(text, SIGPIPE));
}

/* -- ends -------------------------------------------------------------------------------------------------------- */

static void expect_end(const char *script, const char *expected)
{
	pid_t pid = start(
	        &(struct spawn_request){.program = "sh", .arguments = (const char *[]){"sh", "-c", script, NULL}});
	struct spawn_end seen, reaped;
	char text[SPAWN_END_TEXT];

	wait_for_end(pid, &seen);
	spawn_end_text(&seen, text);
	cr_expect_str_eq(text, expected);
	cr_expect_eq(kill(pid, 0), 0, "its number is free before it was waited for");
	reaped = spawn_reap(pid);
	cr_expect(reaped.how == seen.how && reaped.number == seen.number);
	cr_expect(kill(pid, 0) == -1 && errno == ESRCH);
}

Test(spawn, an_end_is_told_and_the_number_kept_until_it_is_waited_for)
{
	expect_end("exit 0", "ended with exit status 0");
	expect_end("exit 7", "ended with exit status 7");
	expect_end("kill -KILL $$", "was killed by signal 9 (Killed)");
}

Test(spawn, what_runs_has_not_ended)
{
	pid_t pid =
	        start(&(struct spawn_request){.program = "sleep", .arguments = (const char *[]){"sleep", "600", NULL}});
	struct spawn_end end;

	cr_expect_not(spawn_has_ended(pid, &end));
	kill(pid, SIGTERM);
	end = spawn_reap(pid);
	cr_expect(end.how == SPAWN_KILLED && end.number == SIGTERM);
}

/* A parent may have us ignore SIGCHLD: then the kernel reaps our children, and there is no end to learn about. */
Test(spawn, an_end_that_nobody_was_told_is_one)
{
	struct spawn_end end;
	char text[SPAWN_END_TEXT];
	pid_t pid;

	signal(SIGCHLD, SIG_IGN);
	pid = start(&(struct spawn_request){.program = "true", .arguments = (const char *[]){"true", NULL}});
	wait_for_end(pid, &end);
	cr_expect_eq(end.how, SPAWN_UNKNOWN);
	spawn_end_text(&end, text);
	cr_expect_str_eq(text, "ended, and how is not known");
	cr_expect_eq(spawn_reap(pid).how, SPAWN_UNKNOWN);
}

static int open_descriptors(void)
{
	DIR *folder = opendir("/proc/self/fd");
	int count = 0;

	cr_assert_not_null(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count;
}

/* However many descriptors are left, a program starts with all it needs, or not at all. */
Test(spawn, without_descriptors_no_program_starts_and_none_is_left_open)
{
	const char *const arguments[] = {"true", NULL};
	const struct spawn_request request = {.program = "true", .arguments = arguments};
	const int before = open_descriptors(), next = memory_file();
	struct rlimit plenty, few;
	unsigned refused = 0;
	int why = EMFILE;

	close(next);
	cr_assert_eq(getrlimit(RLIMIT_NOFILE, &plenty), 0);
	few = plenty;
	for (few.rlim_cur = (rlim_t)next; why; few.rlim_cur++, refused++) {
		int to = -1, from = -1;
		pid_t pid = 0;

		cr_assert_eq(setrlimit(RLIMIT_NOFILE, &few), 0);
		why = spawn_piped(&request, &pid, &to, &from);
		cr_assert_eq(setrlimit(RLIMIT_NOFILE, &plenty), 0);
		cr_assert(why == 0 || why == EMFILE || why == EINVAL, "%s", strerror(why));
		if (why == 0) {
			close(to);
			close(from);
			spawn_reap(pid);
		}
		cr_expect_eq(open_descriptors(), before, "with %u more", refused);
	}
	cr_expect_geq(refused, 4u, "the pipes alone are four");
}
