/* SPDX-License-Identifier: Apache-2.0 */
/* The program's side of the pipes. It acts while the host waits: it reads a request, or writes another portion. */
#include "tests/fuzz/fake_program.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/base/rate.h"

enum { PID = 4194304 + 1, REQUEST_OCTETS = 4096 }; /* PID: no pid that Linux assigns */

static struct {
	struct fake_script script;
	int pipes[2][2]; /* pipes as the host made them: its output to us, ours to it */
	int made;
	int in, out;               /* our ends */
	char *line;                /* text that is being said */
	size_t length, said, next; /* next: of the answers */
} fake;

int __wrap_pipe2(int ends[2], int flags);
int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const envp[]);
int __wrap_waitid(idtype_t type, id_t id, siginfo_t *info, int options);
int __wrap_kill(pid_t pid, int number);
int __wrap_poll(struct pollfd *files, nfds_t count, int timeout_ms);
int __real_pipe2(int ends[2], int flags);
int __real_poll(struct pollfd *files, nfds_t count, int timeout_ms);

static void shut(int *file)
{
	if (*file >= 0)
		close(*file);
	*file = -1;
}

void fake_program_end(void)
{
	shut(&fake.in);
	shut(&fake.out);
	free(fake.line);
	fake.line = NULL;
}

void fake_program_next(const struct fake_script *script)
{
	memset(&fake, 0, sizeof(fake));
	fake.script = *script;
	fake.in = fake.out = -1;
}

/* -- what it says -------------------------------------------------------------------------------------------------- */

static void say(char *text, size_t length)
{
	free(fake.line);
	fake.line = text;
	fake.length = length;
	fake.said = 0;
}

/* The next line of the answers, with its newline if it has one. */
static struct fuzz_piece next_line(void)
{
	const struct fuzz_piece *all = &fake.script.answers;
	const uint8_t *begin, *end;

	if (fake.next >= all->size)
		fake.next = 0;
	begin = all->octets + fake.next;
	end = all->size ? memchr(begin, '\n', all->size - fake.next) : NULL;
	end = end ? end + 1 : all->octets + all->size;
	fake.next += (size_t)(end - begin);
	return (struct fuzz_piece){begin, (size_t)(end - begin)};
}

/* Everything requested, from all senders: a burst to the frame, a load rounded up. */
static double offered_of(const json_t *request)
{
	const json_t *burst = json_object_get(request, "burst_frames");
	double frames = burst ? json_number_value(burst)
	                      : json_number_value(json_object_get(request, "load_fps")) *
	                                json_number_value(json_object_get(request, "duration_s"));
	double whole = frames < 1e15 ? (double)(uint64_t)frames : frames;

	return (frames > whole ? whole + 1 : whole) * json_number_value(json_object_get(request, "senders"));
}

static void answer(const char *text)
{
	json_t *request = json_loads(text, 0, NULL);
	char trial[32], offered[32], duration[32];
	const struct fuzz_name names[] = {
	        {"\"$TRIAL\"", trial}, {"\"$OFFERED\"", offered}, {"\"$DURATION\"", duration}};
	struct fuzz_piece line = next_line();
	size_t length;
	char *said;

	FUZZ_EXPECT(json_is_object(request), "a request that is not JSON: %s", text);
	snprintf(trial, sizeof(trial), "%" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(request, "trial")));
	snprintf(offered, sizeof(offered), "%.0f", offered_of(request));
	snprintf(duration, sizeof(duration), "%.17g", json_number_value(json_object_get(request, "duration_s")));
	said = fuzz_replace(&line, names, sizeof(names) / sizeof(names[0]), &length);
	say(said, length);
	json_decref(request);
}

/* True when something has changed for the host. */
static bool act(void)
{
	char text[REQUEST_OCTETS];
	size_t portion = fake.script.portion && fake.script.portion < fake.length - fake.said ? fake.script.portion
	                                                                                      : fake.length - fake.said;
	ssize_t got;

	if (fake.out < 0)
		return false;
	if (portion == 0) {
		got = read(fake.in, text, sizeof(text) - 1);
		if (got <= 0) { /* end of file, or a host that waits for more than it will get: we end */
			shut(&fake.out);
			return true;
		}
		text[got] = '\0';
		answer(text);
		if (fake.length == 0)
			shut(&fake.out);
		return true;
	}
	got = write(fake.out, fake.line + fake.said, portion);
	if (got < 0 && errno == EAGAIN)
		return false;
	fake.said += got > 0 ? (size_t)got : portion;
	return true;
}

/* -- what the system would do -------------------------------------------------------------------------------------- */

int __wrap_pipe2(int ends[2], int flags)
{
	int status = __real_pipe2(ends, flags);

	if (status == 0)
		memcpy(fake.pipes[fake.made++ % 2], ends, sizeof(fake.pipes[0]));
	return status;
}

int __wrap_posix_spawnp(pid_t *pid, const char *file, const posix_spawn_file_actions_t *actions,
                        const posix_spawnattr_t *attributes, char *const argv[], char *const envp[])
{
	char *text;
	size_t length;

	(void)file;
	(void)actions;
	(void)attributes;
	(void)argv;
	(void)envp;
	fake.in = fcntl(fake.pipes[0][0], F_DUPFD_CLOEXEC, 3);
	fake.out = fcntl(fake.pipes[1][1], F_DUPFD_CLOEXEC, 3);
	FUZZ_EXPECT(fake.in >= 0 && fake.out >= 0, "no pipe");
	fcntl(fake.in, F_SETFL, O_NONBLOCK);
	fcntl(fake.out, F_SETFL, O_NONBLOCK);
	text = fuzz_replace(&fake.script.banner, NULL, 0, &length);
	say(text, length);
	/* The banner is written before the first request, as far as the pipe has room. */
	if (length)
		act();
	*pid = PID;
	return 0;
}

int __wrap_waitid(idtype_t type, id_t id, siginfo_t *info, int options)
{
	FUZZ_EXPECT(type == P_PID && id == (id_t)PID && (options & WEXITED), "process %d", (int)id);
	info->si_pid = PID;
	info->si_code = fake.script.exit_status < 128 ? CLD_EXITED : CLD_KILLED;
	info->si_status = fake.script.exit_status < 128 ? fake.script.exit_status : SIGSEGV;
	return 0;
}

int __wrap_kill(pid_t pid, int number)
{
	(void)number;
	FUZZ_EXPECT(pid == -PID, "process %d", pid);
	return 0;
}

int __wrap_poll(struct pollfd *files, nfds_t count, int timeout_ms)
{
	(void)timeout_ms;
	for (;;) {
		int ready = __real_poll(files, count, 0);

		if (ready != 0)
			return ready;
		/* A host with nothing left to wait for waits for the program's end, which waitid() reports. */
		if (count == 0 || !act())
			return 0;
	}
}
