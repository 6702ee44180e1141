/* SPDX-License-Identifier: Apache-2.0 */
#include "host/bench/known_queue.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "host/base/format.h"

/* Frames that may be on their way beside the buffer. */
enum { BESIDE_FRAMES = 8 };

/* The margin for those: half as much again as the buffer takes. */
static const double MARGIN = 1.5;

/* Loss counts to a ten-thousandth of the frames, 0.01 percentage points: a tenth of the resolution of a search. */
static const double LOSS_COUNTS = 1e-4;

/* The highest percentile that is reported, 99.9%, rests on a hundred frames. */
static const double LATENCY_FRAMES = 1e5;

/* A queue that fills for a five-hundredth of a trial lowers the mean latency by at most a thousandth. */
static const double FILLING_TRIALS = 500;

/* Rates are ratios of whole numbers, and as floating-point numbers wrong by less than this. */
static const double SAME_RATE = 1e-12;

void need(struct needed_trial *needed, double seconds, const char *format, ...)
{
	va_list values;

	if (seconds <= needed->seconds)
		return;
	needed->seconds = seconds;
	va_start(values, format);
	vsnprintf(needed->why, sizeof(needed->why), format, values);
	va_end(values);
}

bool queue_forwards(const struct known_queue *queue, double load_fps)
{
	return load_fps <= queue->fps * (1 + SAME_RATE);
}

/* Loads are counted from the top. */
static double lowest_overload_fps(const struct load_grid *grid, double fps)
{
	const double step_fps = load_step_fps(grid), above_fps = rate_fps(grid->line) - fps;

	/* A rate that is itself a load of the search is not above it, whatever the rounding. */
	return above_fps - (ceil(above_fps / step_fps * (1 - 1e-9)) - 1) * step_fps;
}

static void need_some_frames(struct rate line, struct needed_trial *needed)
{
	need(needed, BESIDE_FRAMES / rate_fps(line), "the device forwards line rate for ever");
}

void need_overflow(const struct known_queue *queue, const struct load_grid *grid, struct needed_trial *needed)
{
	double overload_fps, seconds;

	need_some_frames(grid->line, needed);
	if (queue_forwards(queue, rate_fps(grid->line)))
		return;
	overload_fps = lowest_overload_fps(grid, queue->fps);
	seconds = MARGIN * ((double)queue->buffer_frames + BESIDE_FRAMES) / overload_fps;
	need(needed, seconds,
	     "the lowest load tried that it cannot forward for ever, %s above its %s, fills its buffer of %" PRIu64
	     " frames within %s",
	     format_fps(overload_fps).text, format_fps(queue->fps).text, queue->buffer_frames,
	     format_time(seconds).text);
}

void need_loss(const struct known_queue *queue, struct rate line, struct needed_trial *needed)
{
	if (queue_forwards(queue, rate_fps(line)))
		return;
	need(needed, ((double)queue->buffer_frames + BESIDE_FRAMES) / queue->fps / LOSS_COUNTS,
	     "its buffer, %" PRIu64 " frames, keeps at most %s of those of a trial from being lost",
	     queue->buffer_frames, format_percent(LOSS_COUNTS).text);
}

void need_latency(const struct known_queue *queue, double load_fps, struct needed_trial *needed)
{
	need(needed, LATENCY_FRAMES / load_fps, "so many frames, %.0f, are enough for percentiles up to 99.9%%",
	     LATENCY_FRAMES);
	if (queue_forwards(queue, load_fps))
		return;
	need(needed, FILLING_TRIALS * ((double)queue->buffer_frames + BESIDE_FRAMES) / (load_fps - queue->fps),
	     "at that load its buffer of %" PRIu64 " frames fills within a %.0fth of a trial", queue->buffer_frames,
	     FILLING_TRIALS);
}
