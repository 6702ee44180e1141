/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of JSON. */
#include "host/cli/events.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct events {
	int file;
	const char *path;
	pthread_mutex_t mutex; /* the live line has a thread of its own */
	bool failed;
};

static const size_t LINE = JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17);

int events_open(const char *path, struct events **events, struct error *error)
{
	*events = NULL;
	if (!path)
		return 0;
	*events = calloc(1, sizeof(**events));
	if (!*events)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	(*events)->path = path;
	pthread_mutex_init(&(*events)->mutex, NULL);
	(*events)->file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
	if ((*events)->file < 0) {
		error_set(error, ERROR_PLAN, "--events %s: cannot be written: %s", path, strerror(errno));
		events_close(*events);
		*events = NULL;
		return ERROR_PLAN;
	}
	return 0;
}

void events_close(struct events *events)
{
	if (!events)
		return;
	if (events->file >= 0)
		close(events->file);
	pthread_mutex_destroy(&events->mutex);
	free(events);
}

static void write_line(struct events *events, char *text)
{
	size_t length = strlen(text);

	text[length++] = '\n'; /* in place of the NUL */
	pthread_mutex_lock(&events->mutex);
	if (!events->failed && write(events->file, text, length) != (ssize_t)length) {
		events->failed = true;
		fprintf(stderr, "fpgauge: --events %s: cannot be written any more: %s; the run goes on\n", events->path,
		        strerror(errno));
	}
	pthread_mutex_unlock(&events->mutex);
}

/* Takes over the reference. */
static void tell(struct events *events, json_t *event)
{
	char *text = event ? json_dumps(event, LINE) : NULL;

	json_decref(event);
	if (text)
		write_line(events, text);
	free(text);
}

static json_t *begin(const char *name)
{
	char now[40];

	store_time_now(now, true);
	return json_pack("{s:s, s:s}", "event", name, "time", now);
}

static json_t *count(uint64_t value)
{
	return value <= INT64_MAX ? json_integer((json_int_t)value) : json_null();
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

void events_begin_run(struct events *events, const struct store *store)
{
	json_t *event;

	if (!events)
		return;
	event = begin("run");
	json_object_set_new(event, "db", json_string(store_path(store)));
	json_object_set_new(event, "plan_path", json_string(store_run(store)->plan_path));
	json_object_set_new(event, "recorded_trials", count(store_trial_count(store)));
	tell(events, event);
}

void events_live(struct events *events, const struct bench_progress *now, double seconds_left, double trial_s)
{
	bool burst = !strcmp(now->test, "back_to_back");
	json_t *event;

	if (!events)
		return;
	event = begin("live");
	json_object_set_new(event, "test", json_string(now->test));
	json_object_set_new(event, "test_number", json_integer(now->test_number));
	json_object_set_new(event, "test_count", json_integer(now->test_count));
	json_object_set_new(event, "frame_octets", json_integer(now->frame_octets));
	json_object_set_new(event, "repetition", json_integer(now->repetition));
	json_object_set_new(event, "repetitions", json_integer(now->repetitions));
	json_object_set_new(event, "trials", json_integer(now->step));
	json_object_set_new(event, "trials_estimate", json_integer(now->steps_estimate));
	json_object_set_new(event, burst ? "burst_frames" : "load_fps", count(now->point));
	json_object_set_new(event, burst ? "low_frames" : "low_fps", count(now->low));
	json_object_set_new(event, burst ? "high_frames" : "high_fps", count(now->high));
	json_object_set_new(event, "trial_s", number(trial_s));
	json_object_set_new(event, "left_s", seconds_left < 0 ? json_null() : number(seconds_left));
	tell(events, event);
}

void events_trial(struct events *events, uint64_t trial_number, const struct store_trial *trial)
{
	const struct trial_result *result = &trial->result;
	json_t *event;

	if (!events)
		return;
	event = begin("step");
	json_object_set_new(event, "trial", count(trial_number));
	json_object_set_new(event, "test", json_string(trial->place.test));
	json_object_set_new(event, "test_number", json_integer(trial->place.test_number));
	json_object_set_new(event, "frame_octets", json_integer(trial->place.frame_octets));
	json_object_set_new(event, "repetition", json_integer(trial->place.repetition));
	json_object_set_new(event, trial->request.kind == TRIAL_BURST ? "burst_frames" : "load_fps",
	                    trial->request.kind == TRIAL_BURST ? count(trial->request.burst_frames)
	                                                       : number(rate_fps(trial->request.load)));
	json_object_set_new(event, "valid", json_boolean(result->valid));
	json_object_set_new(event, "why_invalid", result->valid ? json_null() : json_string(result->why_invalid));
	json_object_set_new(event, "offered_frames", count(result->offered_frames));
	json_object_set_new(event, "received_frames", count(result->received_frames));
	json_object_set_new(event, "lost_frames", count(result->lost_frames));
	json_object_set_new(event, "wall_s", number(trial->wall_s));
	tell(events, event);
}

void events_result(struct events *events, const json_t *result)
{
	json_t *event;

	if (!events)
		return;
	event = begin("result");
	json_object_set(event, "result", (json_t *)(uintptr_t)result);
	tell(events, event);
}

void events_end_run(struct events *events, const char *why_not)
{
	json_t *event;

	if (!events)
		return;
	event = begin("end");
	json_object_set_new(event, "incomplete", why_not ? json_string(why_not) : json_null());
	tell(events, event);
}
