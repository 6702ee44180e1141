/* SPDX-License-Identifier: Apache-2.0 */
/* One request, one answer: numbers the trials, asks the program, and has the answer judged. */
#include "host/trial/exec/tester.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/format.h"
#include "host/base/json_write.h"
#include "host/base/text.h"
#include "host/trial/exec/check.h"
#include "host/trial/exec/process.h"

enum {
	GRACE_S = 5,           /* grace for a program that is done, to shut its generator down */
	FAILED_GRACE_MS = 300, /* grace for a program that failed, or if the user is waiting */
};

struct exec_tester {
	struct tester tester; /* first, so that a struct tester * points to this */
	struct exec_process *process;
	struct exec_terms terms;
	uint64_t timeout_ns; /* 0: depends on the trial */
	uint64_t trials;
	bool failed;
	char name[128];
};

static const char CUT[] = "...";

const char *exec_command_text(const char *const *command, char *buffer, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; command[i] && length < size; i++) {
		int more = snprintf(buffer + length, size - length, "%s%s", i ? " " : "", command[i]);

		length += more > 0 ? (size_t)more : 0;
	}
	if (length < size || size <= sizeof(CUT))
		return text_repair(buffer, size);
	buffer[size - sizeof(CUT)] = '\0';
	text_repair(buffer, size - sizeof(CUT) + 1);
	return strcat(buffer, CUT);
}

/* Adds only what is not plain, so that a program without these keys gets what it knows. */
static void add_traffic(json_t *object, const struct traffic_shape *shape)
{
	const struct traffic_shape plain = traffic_shape_plain(0);
	json_t *sizes = json_array();

	if (shape->pattern != plain.pattern)
		json_put(object, "pattern", json_string(TRAFFIC_PATTERN_NAMES[shape->pattern]));
	if (shape->frame != plain.frame)
		json_put(object, "frame", json_string(TRAFFIC_FRAME_NAMES[shape->frame]));
	if (shape->routed)
		json_put(object, "routed", json_true());
	if (shape->vlan != plain.vlan)
		json_put(object, "vlan", json_integer(shape->vlan));
	if (shape->seed != plain.seed)
		json_put(object, "seed", json_integer(shape->seed));
	for (unsigned i = 0; i < shape->sizes.count; i++)
		json_add(sizes, json_integer(shape->sizes.octets[i]));
	if (shape->sizes.count) {
		json_put(object, "frame_octets", json_null());
		json_put_shared(object, "sizes", sizes);
	}
	json_decref(sizes);
}

/* A line of JSON with its newline, which the caller frees; NULL when out of memory. */
static char *request_line(const struct exec_terms *terms, uint64_t trial, const struct trial_request *request)
{
	json_t *object = json_pack("{s:I, s:I}", "trial", (json_int_t)trial, "frame_octets",
	                           (json_int_t)request->shape.frame_octets);
	char *text, *line = NULL;

	if (request->kind == TRIAL_LOAD) {
		json_put(object, "load_fps", json_real(rate_fps(request->load)));
		json_put(object, "duration_s",
		         json_real(seconds_from_octet_times(request->duration_ot, terms->link_bps)));
	} else {
		json_put(object, "burst_frames", json_integer((json_int_t)request->burst_frames));
		if (trial_bursts(request) > 1) {
			json_put(object, "bursts", json_integer((json_int_t)request->bursts));
			json_put(object, "burst_gap_octets", json_integer((json_int_t)request->burst_gap_octets));
		}
	}
	json_put(object, "direction", json_string(request->shape.bidirectional ? "bidirectional" : "unidirectional"));
	json_put(object, "senders", json_integer(terms->senders));
	json_put(object, "destinations", json_integer(request->shape.addresses));
	add_traffic(object, &request->shape);
	json_put(object, "gap_octets", json_integer(request->gap_octets));
	json_put(object, "link_bps", json_integer((json_int_t)terms->link_bps));
	json_put(object, "drain_s", json_real(seconds_from_octet_times(request->drain_ot, terms->link_bps)));
	json_put(object, "settle_s", json_real(seconds_from_octet_times(request->settle_ot, terms->link_bps)));
	text = json_dumps(object, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(17));
	json_decref(object);
	if (text)
		format_json_reals(text);
	if (text && asprintf(&line, "%s\n", text) < 0)
		line = NULL;
	free(text);
	return line;
}

static uint32_t longest_frame(const struct traffic_shape *shape)
{
	uint32_t longest = shape->frame_octets;

	for (unsigned i = 0; i < shape->sizes.count; i++)
		longest = longest > shape->sizes.octets[i] ? longest : shape->sizes.octets[i];
	return longest;
}

/* The program runs the whole trial, including drain and settle, by its own clock. */
static uint64_t timeout_of(const struct exec_tester *tester, const struct trial_request *request)
{
	double octets_per_s = (double)tester->terms.link_bps / 8;
	double burst = (double)request->burst_frames * (longest_frame(&request->shape) + LINE_OVERHEAD_OCTETS);
	double octets = request->kind == TRIAL_BURST
	                        ? (double)trial_bursts(request) * (burst + (double)request->burst_gap_octets)
	                        : (double)request->duration_ot;
	double trial_s = (octets + (double)request->drain_ot + (double)request->settle_ot) / octets_per_s;

	return tester->timeout_ns ? tester->timeout_ns : (uint64_t)((trial_s + EXEC_SPARE_S) * (double)NS_PER_S);
}

static int exec_tester_run(struct tester *base, const struct trial_request *request, struct trial_result *result,
                           struct error *error)
{
	struct exec_tester *tester = (struct exec_tester *)base;
	uint64_t trial = ++tester->trials;
	char *line = request_line(&tester->terms, trial, request);
	struct exec_answer answer;
	const char *text;
	size_t length;
	int status;

	if (!line)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	status = exec_process_ask(tester->process, line, strlen(line), timeout_of(tester, request), &text, &length,
	                          error);
	if (!status)
		status = exec_answer_read(text, length, trial, request->kind, &answer, error);
	if (!status)
		exec_judge(&tester->terms, request, &answer, result);
	free(line);
	if (status == ERROR_DEVICE)
		error_prefix(error, "%s: trial %" PRIu64 ": ", tester->name, trial);
	tester->failed |= status != 0;
	return status;
}

/* A resumed run goes on with the trial number that it would have reached. */
static void exec_tester_skip(struct tester *base)
{
	((struct exec_tester *)base)->trials++;
}

int exec_tester_try(struct tester *base, struct error *error)
{
	struct exec_tester *tester = (struct exec_tester *)base;
	int status = exec_process_finish(tester->process, GRACE_S * NS_PER_S, error);

	if (status)
		error_prefix(error, "%s: ", tester->name);
	tester->failed |= status != 0;
	return status;
}

static void exec_tester_close(struct tester *base)
{
	struct exec_tester *tester = (struct exec_tester *)base;

	exec_process_end(tester->process, tester->failed ? FAILED_GRACE_MS * (NS_PER_S / 1000) : GRACE_S * NS_PER_S);
	free(tester);
}

static const struct tester_ops EXEC_TESTER_OPS = {
        .run = exec_tester_run, .skip = exec_tester_skip, .close = exec_tester_close};

int exec_tester_open(const struct exec_tester_config *config, const _Atomic int *cancel, struct tester **tester,
                     struct error *error)
{
	struct exec_tester *made = calloc(1, sizeof(*made));
	int status;

	*tester = NULL;
	if (!made)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	made->tester.ops = &EXEC_TESTER_OPS;
	made->tester.info = (struct tester_info){.link_bps = config->link_bps, .senders = config->senders};
	made->terms = (struct exec_terms){config->link_bps, config->senders, config->tolerance};
	made->timeout_ns = config->timeout_ns;
	exec_command_text(config->command, made->name, sizeof(made->name));
	status = exec_process_start(config->command, cancel, &made->process, error);
	if (status) {
		error_prefix(error, "%s: ", made->name);
		free(made);
		return status;
	}
	*tester = &made->tester;
	return 0;
}
