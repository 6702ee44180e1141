/* SPDX-License-Identifier: Apache-2.0 */
/* Takes what an external tester says through the real reader, the checks and the benchmarks into results.
 *
 * Input: one line with the size of portions and the exit status; what is said unasked; "%%"; answers, one per line. In
 * them the texts "$TRIAL", "$OFFERED" and "$DURATION" become the numbers requested. */
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/bench/bench.h"
#include "host/plan/plan.h"
#include "host/report/report.h"
#include "host/trial/exec/process.h"
#include "host/trial/exec/tester.h"
#include "tests/fuzz/fake_program.h"

/* Short searches, so that an input takes little time. */
static const char PLAN[] = "device = { backend = \"exec\"; command = [\"tester\"]; };\n"
                           "link = { speed = \"400G\"; };\n"
                           "run = (\n"
                           "  { test = \"throughput\"; frame_sizes = [64]; search = \"binary\"; resolution = \"20%\"; "
                           "trial_duration = \"1s\"; },\n"
                           "  { test = \"back_to_back\"; frame_sizes = [64]; search = \"binary\"; repetitions = 2; "
                           "resolution = \"20 frames\";\n"
                           "    first_burst = \"64 frames\"; max_burst = \"1us\"; test_all_sizes = true; },\n"
                           "  { test = \"mlrsearch\"; frame_sizes = [512]; preset = \"tst009\"; width = \"30%\"; "
                           "trial_duration = \"1s\";\n"
                           "    trials_limit = 10; }\n"
                           ");\n";

static struct plan *plan;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	struct error error = {0};

	(void)argc;
	(void)argv;
	fuzz_silence();
	signal(SIGPIPE, SIG_IGN);
	FUZZ_EXPECT(plan_read(fuzz_file(0, PLAN, strlen(PLAN)), &BENCHMARK_KEYS, NULL, 0, &plan, &error) == 0, "%s",
	            error.text);
	return 0;
}

/* Values that were not measured are null: no NaN or infinity, and no time in a result before time began. */
static void check_numbers(const json_t *value, const char *key)
{
	const char *name;
	json_t *inner;
	size_t i;

	if (json_is_real(value))
		FUZZ_EXPECT(isfinite(json_real_value(value)), "%s is %g", key, json_real_value(value));
	json_object_foreach((json_t *)(uintptr_t)value, name, inner) check_numbers(inner, name);
	json_array_foreach(value, i, inner) check_numbers(inner, key);
}

static void check_results(const json_t *results)
{
	char *text = json_dumps(results, JSON_COMPACT | JSON_REAL_PRECISION(17));
	json_t *report = json_pack("{s:O}", "results", results);
	char *table = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&table, &length);

	FUZZ_EXPECT(text && report && out, "results that cannot be written");
	check_numbers(results, "results");
	report_table(report, out);
	fclose(out);
	fuzz_expect_text(table, length, "\n", "the terminal report");
	free(table);
	json_decref(report);
	free(text);
}

static void run(void)
{
	const struct exec_tester_config config = {
	        .command = plan->exec.command,
	        .link_bps = plan->link_bps,
	        .senders = plan->exec.senders,
	        .tolerance = {plan->exec.offered_tolerance.numerator, plan->exec.offered_tolerance.denominator}};
	struct bench_context context = {.results = json_array()};
	struct error error = {0};
	int status = exec_tester_open(&config, NULL, &context.tester, &error);

	FUZZ_EXPECT(status == 0, "%s", error.text);
	status = bench_run(&context, plan, &error);
	if (status) {
		fuzz_expect_complaint(status, &error);
		FUZZ_EXPECT(status == ERROR_DEVICE, "%s", error.text);
	}
	tester_close(context.tester);
	fake_program_end();
	check_results(context.results);
	json_decref(context.results);
}

/* Mutates one answer as JSON, or all as octets. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	static uint8_t changed[EXEC_MAX_LINE_OCTETS];
	struct fuzz_piece pieces[2];
	uint8_t *begin, *end;
	size_t room, length;

	if (fuzz_split(data, size, pieces, 2) < 2 || pieces[1].size == 0 || seed % 8 == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	begin = data + (pieces[1].octets - data) + seed / 8 % pieces[1].size;
	while (begin > pieces[1].octets && begin[-1] != '\n')
		begin--;
	end = memchr(begin, '\n', (size_t)(data + size - begin));
	end = end ? end : data + size;
	length = (size_t)(end - begin);
	room = max_size - size + length;
	room = room < sizeof(changed) ? room : sizeof(changed);
	if (length > room || room == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	memcpy(changed, begin, length);
	length = fuzz_mutate_json(changed, length, room, seed / 64);
	memmove(begin + length, end, (size_t)(data + size - end));
	memcpy(begin, changed, length);
	return size - (size_t)(end - begin) + length;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz_piece pieces[2];
	struct fake_script script = {0};
	const uint8_t *line;
	size_t count = fuzz_split(data, size, pieces, 2);

	line = pieces[0].size ? memchr(pieces[0].octets, '\n', pieces[0].size) : NULL;
	if (count < 2 || !line || line - data > 10 || !isdigit(data[0]))
		return 0;
	script.portion = (unsigned)(strtoul((const char *)data, NULL, 10) % 100000);
	script.exit_status = line > data && isdigit(line[-1]) ? line[-1] - '0' : 255;
	script.banner.octets = line + 1;
	script.banner.size = pieces[0].size - (size_t)(line + 1 - data);
	script.answers = pieces[1];
	fake_program_next(&script);
	run();
	return 0;
}
