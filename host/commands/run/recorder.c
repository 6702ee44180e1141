/* SPDX-License-Identifier: Apache-2.0 */
/* Connects benchmarks on one side with run file, progress and events on the other. */
#include "host/commands/run/recorder.h"

#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/clock.h"
#include "host/base/json_write.h"
#include "host/bench/bench.h"
#include "host/commands/run/host_info.h"
#include "host/commands/run/progress.h"
#include "host/console/exit_code.h"
#include "host/console/interrupt.h"
#include "host/console/long_run.h"
#include "host/console/outputs.h"
#include "host/console/shell_word.h"
#include "host/forecast/wall_time.h"
#include "host/store/journal.h"

struct recorder {
	struct store *store;
	struct journal *journal;
	struct progress progress;
	struct streams *streams;
	size_t told; /* results that an event was made for */
};

/* 17 digits let every double read back as it was. */
static const size_t DOCUMENT = JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17);

static const char *text_of(const json_t *object, const char *key, const char *otherwise)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : otherwise;
}

static int put_results(struct recorder *recorder, const json_t *results, struct error *error)
{
	size_t count = json_array_size(results);
	struct store_result *rows = calloc(count + 1, sizeof(*rows));
	int status = rows ? json_write_check(error) : error_set(error, ERROR_INTERNAL, "out of memory");

	for (size_t i = 0; i < count && status == 0; i++) {
		const json_t *result = json_array_get(results, i);

		rows[i] = (struct store_result){
		        .test_number = (unsigned)json_integer_value(json_object_get(result, "test_number")),
		        .test = text_of(result, "test", ""),
		        .rfc = text_of(result, "rfc", ""),
		        .why_invalid = text_of(result, "why_invalid", NULL),
		        .frame_octets = (uint32_t)json_integer_value(json_object_get(result, "frame_octets")),
		        .valid = json_is_true(json_object_get(result, "valid")),
		        .document = json_dumps(result, DOCUMENT),
		};
		if (!rows[i].document)
			status = error_set(error, ERROR_INTERNAL, "out of memory, or a text that is not UTF-8");
	}
	if (status == 0)
		status = store_results_put(recorder->store, rows, count, error);
	for (size_t i = 0; rows && i < count; i++)
		free((char *)(uintptr_t)rows[i].document);
	free(rows);
	return status;
}

/* Takes over the reference. A failure to write shows at the next trial. */
static void note(struct recorder *recorder, const char *kind, json_t *detail)
{
	struct error ignored = {0};
	char *text = detail ? json_dumps(detail, DOCUMENT) : NULL;

	if (text)
		store_event(recorder->store, kind, text, &ignored);
	free(text);
	json_decref(detail);
}

/* If all trials so far come from the file, it may have their results already, from the program that measured them.
 * These are left alone until it is certain that this program takes the same course. */
static int on_done(void *user, const json_t *results, struct error *error)
{
	struct recorder *recorder = user;
	int status;

	if (journal_replaying(recorder->journal)) {
		recorder->told = json_array_size(results);
		return 0;
	}
	status = put_results(recorder, results, error);
	for (; status == 0 && recorder->told < json_array_size(results); recorder->told++) {
		const json_t *result = json_array_get(results, recorder->told);

		events_result(recorder->streams->events, result);
		note(recorder, "result",
		     json_pack("{s:i, s:O, s:O, s:O}", "position", (int)recorder->told, "test",
		               json_object_get(result, "test"), "frame_octets", json_object_get(result, "frame_octets"),
		               "valid", json_object_get(result, "valid")));
	}
	return status;
}

static void on_progress(void *user, const struct bench_progress *now)
{
	struct recorder *recorder = user;
	struct store_place place = {.test_number = now->test_number,
	                            .frame_octets = now->frame_octets,
	                            .repetition = now->repetition,
	                            .point = now->point,
	                            .low = now->low,
	                            .high = now->high};

	snprintf(place.test, sizeof(place.test), "%s", benchmark_name(now->benchmark));
	journal_place(recorder->journal, &place);
	if (!journal_replaying(recorder->journal))
		progress_show(&recorder->progress, now);
}

/* Trials from the file took no time now, but they tell how long the others will take. */
static double on_clock(void *user)
{
	const struct recorder *recorder = user;

	return clock_s() + journal_replayed_s(recorder->journal);
}

static void on_trial(void *user, uint64_t number, const struct store_trial *trial)
{
	struct recorder *recorder = user;

	events_trial(recorder->streams->events, number, trial);
	if (!trial->result.valid)
		note(recorder, "invalid_trial",
		     json_pack("{s:I, s:s}", "trial", (json_int_t)number, "why", trial->result.why_invalid));
}

static int run_tests(struct recorder *recorder, const struct plan *plan, json_t *results, struct error *error)
{
	struct bench_context context = {
	        .trace = recorder->streams->trial_log.out ? trial_log_show : NULL,
	        .trace_user = &recorder->streams->trial_log,
	        .tester = journal_tester(recorder->journal),
	        .progress = on_progress,
	        .now_s = on_clock,
	        .done = on_done,
	        .user = recorder,
	        .results = results,
	};
	struct error second = {0};
	int status = bench_run(&context, plan, error);
	int stored;

	if (status == ERROR_STORE) /* the file keeps what it has */
		return status;
	if (status && journal_replaying(recorder->journal))
		return status;
	stored = put_results(recorder, results, &second);
	if (status == 0 && stored)
		*error = second;
	return status ? status : stored;
}

static int begin_session(struct recorder *recorder, const struct device *device, const char *command,
                         struct error *error)
{
	char *host = host_info(device);
	int status = host ? json_write_check(error) : error_set(error, ERROR_INTERNAL, "out of memory");

	if (status == 0)
		status = store_session_begin(recorder->store, command, "fpgauge " FPGAUGE_VERSION, host, error);
	free(host);
	return status;
}

static int run_session(struct recorder *recorder, const struct plan *plan, const struct session_options *options,
                       const struct forecast *forecast, struct error *error)
{
	json_t *results = json_array();
	struct error ignored = {0};
	int status;

	journal_observe(recorder->journal, on_trial, recorder);
	events_begin_run(recorder->streams->events, recorder->store);
	progress_begin(&recorder->progress, recorder->streams->events, forecast, options->outputs.quiet);
	status =
	        results ? run_tests(recorder, plan, results, error) : error_set(error, ERROR_INTERNAL, "out of memory");
	progress_end(&recorder->progress);
	json_decref(results);
	/* The error that ended the run is reported even if it can no longer be written to the file. */
	if (status)
		store_session_end(recorder->store, error->text, &ignored);
	else
		status = store_session_end(recorder->store, NULL, error);
	events_end_run(recorder->streams->events, status ? error->text : NULL);
	return status;
}

int streams_open(struct streams *streams, const struct session_options *options, const struct plan *plan,
                 struct error *error)
{
	const char *trial_log = options->trial_log_path ? options->trial_log_path : plan->trial_log;
	int status = events_open(options->events_path, &streams->events, error);

	if (status == 0)
		status = trial_log_open(&streams->trial_log, trial_log, error);
	if (status)
		events_close(streams->events);
	return status;
}

int streams_close(struct streams *streams, struct error *error)
{
	events_close(streams->events);
	return trial_log_close(&streams->trial_log, error);
}

/* Only for a new run; for a resumed one, nobody knows how much of that time has passed already. */
static void say_wall_time(const struct store *store, const struct setup *setup, const struct session_options *options,
                          const struct pace *pace, const char *command)
{
	const struct wall_time time = wall_time_of_plan(pace, setup->plan, setup->tester->info.link_bps);
	char name[32];

	if (store_trial_count(store) || (pace->kind != PACE_MEASURED && pace->kind != PACE_DEVICE))
		return;
	outputs_say(&options->outputs, "On this machine: %s\n", wall_time_text(&time).text);
	snprintf(name, sizeof(name), "fpgauge %s", command);
	long_run_warn(&options->plan, setup, pace, name);
}

int recorder_run(struct store *store, const struct setup *setup, const struct session_options *options,
                 struct streams *streams, const char *command, struct error *error)
{
	struct recorder recorder = {.store = store, .streams = streams};
	struct error second = {0};
	struct pace pace;
	const struct forecast forecast = {setup->plan, &pace, setup->tester};
	int status = journal_open(store, setup->tester, interrupt_watch(), &recorder.journal, error);

	if (status == 0)
		status = begin_session(&recorder, setup->device, command, error);
	pace_measure(setup, interrupt_watch(), &pace);
	say_wall_time(store, setup, options, &pace, command);
	if (status == 0)
		status = run_session(&recorder, setup->plan, options, &forecast, error);
	pace_free(&pace);
	if (streams_close(streams, &second) && status == 0) {
		*error = second;
		status = second.code;
	}
	journal_close(recorder.journal);
	return status;
}

static void say_resume(const struct store *store, struct error *error)
{
	const struct error why = *error;
	char name[PATH_MAX];

	error_set(error, why.code, "%s; to go on: fpgauge resume %s", why.text,
	          shell_word(store_path(store), name, sizeof(name)));
}

int recorder_finish(int status, struct store *store, const struct session_options *options, const char *command,
                    const struct error *error)
{
	struct error report_error = {0}, ended = {0};
	bool passed = false;
	int report_code = outputs_write(&options->outputs, store, &passed, &report_error)
	                          ? exit_code_of(&report_error, command)
	                          : EXIT_VALID;

	/* Last, below the report, where users look for what to do next. */
	if (status) {
		ended = *error;
		if (status == ERROR_CANCELLED)
			say_resume(store, &ended);
		return exit_code_of(&ended, command);
	}
	return report_code ? report_code : passed ? EXIT_VALID : EXIT_INVALID;
}
