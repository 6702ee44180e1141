/* SPDX-License-Identifier: Apache-2.0 */
/* Live progress: the thread, the terminal. */
#include "host/commands/run/progress.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/commands/run/live_line.h"

static const double INTERVAL_S = 0.1;

/* The state at this moment; called with the mutex held. */
static struct time_left look(const struct progress *progress, double time_s, double *sent_s)
{
	/* Anything beyond what was asked for is the wait for the last frame. */
	*sent_s = fmin(forecast_sent_s(progress->forecast), progress->now.trial_s);
	/* The trial was only just announced: what has been sent belongs to the one before. */
	if (time_s == progress->told_s)
		*sent_s = fmin(*sent_s, 0);
	return forecast_left(progress->forecast, &progress->now, time_s - progress->told_s, *sent_s);
}

static int terminal_columns(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 10 ? size.ws_col : 80;
}

/* Called with the mutex held. */
static void draw(struct progress *progress, double time_s)
{
	char line[512];
	double sent_s;
	struct time_left left = look(progress, time_s, &sent_s);

	progress->shown_s = time_s;
	live_line(&progress->now, left, sent_s, line, sizeof(line));
	/* A line that wraps could not be overwritten. ESC [ K clears what the last one left. */
	fprintf(stderr, "\r%.*s\033[K", terminal_columns() - 1, line);
}

static void *tick(void *user)
{
	struct progress *progress = user;
	struct timespec next = clock_timespec();

	pthread_mutex_lock(&progress->mutex);
	while (!progress->ending) {
		struct time_left left;
		double time_s, sent_s;

		next.tv_sec++;
		while (!progress->ending &&
		       pthread_cond_timedwait(&progress->changed, &progress->mutex, &next) != ETIMEDOUT)
			;
		if (progress->ending || !progress->known)
			continue;
		time_s = clock_s();
		if (progress->line)
			draw(progress, time_s);
		left = look(progress, time_s, &sent_s);
		events_live(progress->events, &progress->now, left, sent_s, time_s - progress->told_s);
	}
	pthread_mutex_unlock(&progress->mutex);
	return NULL;
}

void progress_begin(struct progress *progress, struct events *events, const struct forecast *forecast, bool quiet)
{
	pthread_condattr_t attributes;

	*progress = (struct progress){.line = !quiet && isatty(STDERR_FILENO), .events = events, .forecast = forecast};
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
	double time_s = clock_s();
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
