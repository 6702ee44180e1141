/* SPDX-License-Identifier: Apache-2.0 */
/* Turns documents of a run file into every form of report, and compares them with another report.
 *
 * Input: a report as --json writes one (docs/results.md). "base" in it is what it is compared with, by default itself;
 * "tolerance" is that of `compare`; "limits" are [test_number, frame_octets, key, at_least, limit] each. */
#include <stdlib.h>
#include <string.h>

#include "host/commands/commands.h"
#include "host/console/bring_up.h"
#include "host/report/load.h"
#include "host/store/store.h"
#include "tests/fuzz/forms.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_RESULTS = 32, MOST_LIMITS = 8 };

static struct store *store;
static struct store_run as_made; /* the run before any input changed it */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	fuzz_silence();
	store = forms_store(fuzz_path("run.db"));
	as_made = *store_run(store);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return fuzz_mutate_json(data, size, max_size, seed);
}

static const char *text_of(const json_t *object, const char *key, const char *otherwise)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : otherwise;
}

/* Stores them as the recorder does. */
static int put_results(const json_t *input, struct error *error)
{
	const json_t *results = json_object_get(input, "results"), *result;
	struct store_result rows[MOST_RESULTS] = {0};
	size_t count = 0, i;
	int status;

	json_array_foreach(results, i, result)
	{
		if (count == MOST_RESULTS)
			break;
		rows[count++] = (struct store_result){
		        .test_number = (unsigned)json_integer_value(json_object_get(result, "test_number")),
		        .test = text_of(result, "test", ""),
		        .rfc = text_of(result, "rfc", ""),
		        .why_invalid = text_of(result, "why_invalid", NULL),
		        .frame_octets = (uint32_t)json_integer_value(json_object_get(result, "frame_octets")),
		        .valid = json_is_true(json_object_get(result, "valid")),
		        .document = json_dumps(result, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY),
		};
	}
	status = store_results_put(store, rows, count, error);
	for (i = 0; i < count; i++)
		free((char *)(uintptr_t)rows[i].document);
	return status;
}

static size_t take_limits(const json_t *input, struct store_requirement limits[MOST_LIMITS])
{
	const json_t *list = json_object_get(input, "limits"), *limit;
	size_t i, count = 0;

	json_array_foreach(list, i, limit)
	{
		const char *key = json_string_value(json_array_get(limit, 2));

		if (count == MOST_LIMITS || !key)
			continue;
		limits[count++] = (struct store_requirement){
		        .test_number = (unsigned)json_integer_value(json_array_get(limit, 0)),
		        .frame_octets = (uint32_t)json_integer_value(json_array_get(limit, 1)),
		        .key = key,
		        .at_least = json_is_true(json_array_get(limit, 3)),
		        .limit = json_number_value(json_array_get(limit, 4)),
		};
	}
	return count;
}

static char *dumped(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	return value ? json_dumps(value, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_ENCODE_ANY) : NULL;
}

/* The run of the input instead of the store's: a row written and read again gives the same, but takes longer. */
static json_t *load(const json_t *input)
{
	struct store_run *run = (struct store_run *)(uintptr_t)store_run(store);
	struct store_requirement limits[MOST_LIMITS];
	struct error error = {0};
	char *device = dumped(input, "device"), *calibration = dumped(input, "calibration");
	const char *set = text_of(input, "set", NULL);
	json_t *report = NULL;
	size_t left_out;
	int status;

	*run = as_made;
	run->tool = text_of(input, "tool", as_made.tool);
	run->plan_path = text_of(input, "plan_path", as_made.plan_path);
	run->plan_text = text_of(input, "plan", as_made.plan_text);
	run->tester = device ? device : as_made.tester;
	run->calibration = calibration;
	run->overrides = &set;
	run->override_count = set != NULL;
	run->finished = text_of(input, "finished", NULL);
	run->incomplete = text_of(input, "incomplete", NULL);
	run->requirements = limits;
	run->requirement_count = take_limits(input, limits);
	status = put_results(input, &error);
	if (!status)
		status = report_load_most(store, &report, &left_out, &error);
	if (status)
		fuzz_expect_complaint(status, &error);
	else
		forms_check(report, store);
	*run = as_made;
	free(calibration);
	free(device);
	return report;
}

/* Replaces exit_code_of() (--wrap): what a command says on standard error is checked, not printed. */
int __wrap_exit_code_of(const struct error *error, const char *command);

int __wrap_exit_code_of(const struct error *error, const char *command)
{
	(void)command;
	fuzz_expect_complaint(error->code, error);
	return EXIT_PLAN;
}

/* The command itself, with files. */
static void compare(const json_t *base, const json_t *new, const char *tolerance)
{
	const char *base_path = fuzz_path("base.json"), *new_path = fuzz_path("new.json");
	char command[] = "fpgauge compare", json[] = "--json=/dev/null", option[80];
	char *arguments[] = {command, option, json, (char *)(uintptr_t)base_path, (char *)(uintptr_t)new_path, NULL};

	snprintf(option, sizeof(option), "--tolerance=%s", tolerance);
	FUZZ_EXPECT(json_dump_file(base, base_path, JSON_ENCODE_ANY) == 0 && json_dump_file(new, new_path, 0) == 0,
	            "no room");
	COMPARE_COMMAND.run(5, arguments);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	json_t *input = json_loadb((const char *)data, size, 0, NULL), *report = NULL;
	const json_t *base = json_object_get(input, "base");

	if (json_is_object(input))
		report = load(input);
	if (report) {
		compare(base ? base : report, report, text_of(input, "tolerance", "1%"));
		compare(report, input, "0%");
	}
	json_decref(report);
	json_decref(input);
	return 0;
}
