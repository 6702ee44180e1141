/* SPDX-License-Identifier: Apache-2.0 */
/* Live progress: test k of n, size, bracket, time left. */
#include "host/cli/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "host/base/format.h"

static const double INTERVAL_S = 0.1;

double progress_now_s(void *user)
{
	struct timespec now;

	(void)user;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void progress_begin(struct progress *progress, bool quiet)
{
	*progress = (struct progress){.live = !quiet && isatty(STDERR_FILENO)};
}

/* What matters most stands first: a narrow terminal cuts the end. */
void progress_line(const struct bench_progress *now, double seconds_left, char *buffer, int size)
{
	const char *unit = strcmp(now->test, "back_to_back") ? "fps" : "frames";
	unsigned expected = now->steps_estimate > now->step ? now->steps_estimate : now->step + 1;
	char search[48] = "";

	if (now->repetitions > 1)
		snprintf(search, sizeof(search), " search %u/%u,", now->repetition, now->repetitions);
	snprintf(buffer, (size_t)size,
	         "[%u/%u] %s %" PRIu32 ": %s left,%s trial %u/~%u, %" PRIu64 " in %" PRIu64 "..%" PRIu64 " %s",
	         now->test_number, now->test_count, now->test, now->frame_octets,
	         seconds_left < 0 ? "?" : format_clock(seconds_left).text, search, now->step + 1, expected, now->point,
	         now->low, now->high, unit);
}

/* Where the benchmark does not know, from the trials so far of this test at this size. */
static double estimate(const struct progress *progress, const struct bench_progress *now, double time_s)
{
	if (now->seconds_left >= 0)
		return now->seconds_left;
	if (now->step == 0 || now->steps_estimate < now->step)
		return -1;
	return (time_s - progress->began_s) / now->step * (now->steps_estimate - now->step);
}

static int terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
}

void progress_show(void *user, const struct bench_progress *now)
{
	struct progress *progress = user;
	double time_s = progress_now_s(NULL);
	char line[256];

	if (!progress->live)
		return;
	if (now->test_number != progress->test_number || now->frame_octets != progress->frame_octets) {
		progress->test_number = now->test_number;
		progress->frame_octets = now->frame_octets;
		progress->began_s = time_s;
	} else if (time_s - progress->shown_s < INTERVAL_S) {
		return;
	}
	progress->shown_s = time_s;
	progress_line(now, estimate(progress, now, time_s), line, sizeof(line));
	/* A line that wraps could not be taken back. ESC [ K clears what the last one left. */
	fprintf(stderr, "\r%.*s\033[K", terminal_columns() - 1, line);
}

void progress_end(struct progress *progress)
{
	if (progress->live)
		fprintf(stderr, "\r\033[K");
}
