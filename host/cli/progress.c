/* SPDX-License-Identifier: Apache-2.0 */
/* Live progress: test k of n, size, bracket, time left. */
#include "host/cli/progress.h"

#include <errno.h>
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

/* Of this test at this size: what the benchmark said, less the time since. */
static double left_s(const struct progress *progress, double time_s)
{
	double left = progress->now.seconds_left - (time_s - progress->told_s);

	return progress->now.seconds_left < 0 ? -1 : left > 0 ? left : 0;
}

static int terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
}

/* With the mutex held. */
static void draw(struct progress *progress, double time_s)
{
	char line[256];

	progress->shown_s = time_s;
	progress_line(&progress->now, left_s(progress, time_s), line, sizeof(line));
	/* A line that wraps could not be taken back. ESC [ K clears what the last one left. */
	fprintf(stderr, "\r%.*s\033[K", terminal_columns() - 1, line);
}

static void *tick(void *user)
{
	struct progress *progress = user;
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	pthread_mutex_lock(&progress->mutex);
	while (!progress->ending) {
		double time_s;

		next.tv_sec++;
		while (!progress->ending &&
		       pthread_cond_timedwait(&progress->changed, &progress->mutex, &next) != ETIMEDOUT)
			;
		if (progress->ending || !progress->known)
			continue;
		time_s = progress_now_s(NULL);
		if (progress->line)
			draw(progress, time_s);
		events_live(progress->events, &progress->now, left_s(progress, time_s), time_s - progress->told_s);
	}
	pthread_mutex_unlock(&progress->mutex);
	return NULL;
}

void progress_begin(struct progress *progress, struct events *events, bool quiet)
{
	pthread_condattr_t attributes;

	*progress = (struct progress){.line = !quiet && isatty(STDERR_FILENO), .events = events};
	pthread_mutex_init(&progress->mutex, NULL);
	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&progress->changed, &attributes);
	pthread_condattr_destroy(&attributes);
	if (progress->line || progress->events)
		progress->ticking = pthread_create(&progress->thread, NULL, tick, progress) == 0;
}

void progress_show(struct progress *progress, const struct bench_progress *now)
{
	double time_s = progress_now_s(NULL);
	bool other;

	pthread_mutex_lock(&progress->mutex);
	other = !progress->known || now->test_number != progress->now.test_number ||
	        now->frame_octets != progress->now.frame_octets;
	progress->now = *now;
	progress->told_s = time_s;
	progress->known = true;
	if (progress->line && (other || time_s - progress->shown_s >= INTERVAL_S))
		draw(progress, time_s);
	pthread_mutex_unlock(&progress->mutex);
}

void progress_end(struct progress *progress)
{
	if (progress->ticking) {
		pthread_mutex_lock(&progress->mutex);
		progress->ending = true;
		pthread_cond_signal(&progress->changed);
		pthread_mutex_unlock(&progress->mutex);
		pthread_join(progress->thread, NULL);
	}
	if (progress->line)
		fprintf(stderr, "\r\033[K");
	pthread_cond_destroy(&progress->changed);
	pthread_mutex_destroy(&progress->mutex);
}
