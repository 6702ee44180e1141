/* SPDX-License-Identifier: Apache-2.0 */
/* Lines of JSON. */
#include "host/commands/run/events.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/base/clock.h"
#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/traffic/modifiers.h"
#include "host/traffic/sizes.h"

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

	text[length++] = '\n'; /* takes the place of the NUL */
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
	if (text) {
		format_json_reals(text);
		write_line(events, text);
	}
	free(text);
}

static json_t *begin(const char *name)
{
	char now[40];

	clock_rfc3339_now(now, true);
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

/* File names may contain any octets. */
static void set_text(json_t *event, const char *key, const char *text)
{
	char *repaired = text_repaired(text);

	json_put(event, key, repaired ? json_string(repaired) : json_null());
	free(repaired);
}

void events_begin_run(struct events *events, const struct store *store)
{
	json_t *event;

	if (!events)
		return;
	event = begin("run");
	set_text(event, "db", store_path(store));
	set_text(event, "plan_path", store_run(store)->plan_path);
	json_put(event, "recorded_trials", count(store_trial_count(store)));
	tell(events, event);
}

static json_t *known(double value)
{
	return value < 0 ? json_null() : number(value);
}

/* "low_fps", "low_frames" */
static void set_bound(json_t *event, const char *which, const struct benchmark *benchmark, uint64_t bound)
{
	char key[32];

	snprintf(key, sizeof(key), "%s_%s", which, benchmark->point_unit);
	json_put(event, key, count(bound));
}

/* Writes the frames as results do. */
static void set_frames(json_t *event, uint32_t frame_octets, const struct traffic_sizes *sizes, uint32_t modifiers)
{
	char text[TRAFFIC_SIZES_TEXT], names[TRAFFIC_MODIFIERS_TEXT];

	json_put(event, "frame_octets", frame_octets ? json_integer(frame_octets) : json_null());
	json_put(event, "sizes",
	         frame_octets ? json_null() : json_string(traffic_sizes_text(sizes, text, sizeof(text))));
	json_put(event, "modifier",
	         modifiers ? json_string(traffic_modifiers_text(modifiers, names, sizeof(names))) : json_null());
}

void events_live(struct events *events, const struct bench_progress *now, struct time_left left, double sent_s,
                 double running_s)
{
	json_t *event;

	if (!events)
		return;
	event = begin("live");
	json_put(event, "test", json_string(benchmark_name(now->benchmark)));
	json_put(event, "test_number", json_integer(now->test_number));
	json_put(event, "test_count", json_integer(now->test_count));
	set_frames(event, now->frame_octets, now->sizes, now->modifiers);
	json_put(event, "repetition", json_integer(now->repetition));
	json_put(event, "repetitions", json_integer(now->repetitions));
	json_put(event, "trials", json_integer(now->step));
	json_put(event, "trials_estimate", json_integer(now->steps_estimate));
	json_put(event, now->benchmark->point_key, count(now->point));
	set_bound(event, "low", now->benchmark, now->low);
	set_bound(event, "high", now->benchmark, now->high);
	json_put(event, "trial_s", number(running_s));
	json_put(event, "sent_s", known(sent_s));
	json_put(event, "sending_s", number(now->trial_s));
	json_put(event, "left_s", known(left.size_s));
	json_put(event, "left_run_s", known(left.run_s));
	tell(events, event);
}

void events_trial(struct events *events, uint64_t trial_number, const struct store_trial *trial)
{
	const struct trial_result *result = &trial->result;
	json_t *event;

	if (!events)
		return;
	event = begin("step");
	json_put(event, "trial", count(trial_number));
	json_put(event, "test", json_string(trial->place.test));
	json_put(event, "test_number", json_integer(trial->place.test_number));
	set_frames(event, trial->place.frame_octets, &trial->request.shape.sizes, trial->request.shape.modifiers);
	json_put(event, "repetition", json_integer(trial->place.repetition));
	json_put(event, trial->request.kind == TRIAL_BURST ? "burst_frames" : "load_fps",
	         trial->request.kind == TRIAL_BURST ? count(trial->request.burst_frames)
	                                            : number(rate_fps(trial->request.load)));
	if (trial->request.bursts)
		json_put(event, "burst_gap_octets", count(trial->request.burst_gap_octets));
	json_put(event, "valid", json_boolean(result->valid));
	json_put(event, "why_invalid", result->valid ? json_null() : json_string(result->why_invalid));
	json_put(event, "offered_frames", count(result->offered_frames));
	json_put(event, "received_frames", count(result->received_frames));
	json_put(event, "lost_frames", count(result->lost_frames));
	json_put(event, "wall_s", number(trial->wall_s));
	tell(events, event);
}

void events_result(struct events *events, const json_t *result)
{
	json_t *event;

	if (!events)
		return;
	event = begin("result");
	json_put_shared(event, "result", (json_t *)(uintptr_t)result);
	tell(events, event);
}

void events_end_run(struct events *events, const char *why_not)
{
	json_t *event;

	if (!events)
		return;
	event = begin("end");
	json_put(event, "incomplete", why_not ? json_string(why_not) : json_null());
	tell(events, event);
}
