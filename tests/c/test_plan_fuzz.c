/* SPDX-License-Identifier: Apache-2.0 */
/* The reader under random damage: a plan is read or refused with one line, and nothing else happens. Seeded, so that
 * failures are reproducible; meant to run under the address sanitizer too (FPGAUGE_SANITIZE). */
#include <string.h>

#include "host/bench/benchmark.h"
#include "tests/c/plan_files.h"

TestSuite(plan_fuzz, .init = enter_plan_directory, .fini = leave_plan_directory);

static const char GOOD[] = "/* fuzz */ device = { backend = \"sim\"; library = \"twin\"; waveform = \"a\\\\b\"; };\n"
                           "@include \"part.cfg\"\n"
                           "dut : { model = \"fifo\", buffer_frames = 2000; service_fps = \"100M\"; x = 1.5e3; y = "
                           "0x1F; z = 5L; t = true; };\n"
                           "traffic = { pattern = \"pairs\"; vlan = 5; };\n"
                           "run = ( { test = \"mlrsearch\"; traffic = { sizes = [64, 570, 64]; addresses = 3; }; },\n"
                           "  { test = \"throughput\"; frame_sizes = [64, 128, 9216]; search = "
                           "\"loss_verification\"; max_trials = 3; },\n"
                           "  { test = \"back_to_back\"; repetitions = 50; max_burst = \"4096 frames\"; actual_rate = "
                           "\"50%\"; } ); # end\n";

static const char *const PIECES[] = {"\"",
                                     "/*",
                                     "*/",
                                     "//",
                                     "@include \"lab.cfg\"\n",
                                     "(",
                                     ")",
                                     "[",
                                     "]",
                                     "{",
                                     "}",
                                     ";",
                                     "=",
                                     "99999999999",
                                     "-",
                                     "0x",
                                     "1e400",
                                     "\\",
                                     "\\x41",
                                     "true",
                                     "L",
                                     "\n",
                                     ",",
                                     "\x01",
                                     "\x02",
                                     "frame_sizes",
                                     "imix",
                                     "genome:aj",
                                     "traffic = { sizes = \"imix\"; };",
                                     "test = \"back_to_back\";",
                                     "%",
                                     "\xff",
                                     "run"};

static size_t mutate(char *text, size_t length, size_t capacity, unsigned *seed)
{
	size_t at = length ? (size_t)rand_r(seed) % length : 0;
	size_t from = length ? (size_t)rand_r(seed) % length : 0;
	size_t count = (size_t)rand_r(seed) % 12;
	const char *piece = PIECES[(size_t)rand_r(seed) % (sizeof(PIECES) / sizeof(PIECES[0]))];

	switch (rand_r(seed) % 4) {
	case 0: /* another octet */
		if (length)
			text[at] = (char)(rand_r(seed) % 8 ? 32 + rand_r(seed) % 95 : rand_r(seed));
		break;
	case 1: /* a piece of grammar */
		piece = strlen(piece) + length < capacity ? piece : "";
		memmove(text + at + strlen(piece), text + at, length - at);
		memcpy(text + at, piece, strlen(piece));
		return length + strlen(piece);
	case 2: /* a hole */
		count = count < length - at ? count : length - at;
		memmove(text + at, text + at + count, length - at - count);
		return length - count;
	default: /* a copy of another part */
		count = from + count <= length && length + count < capacity ? count : 0;
		memmove(text + at + count, text + at, length - at);
		memmove(text + at, text + (from >= at ? from + count : from), count);
		return length + count;
	}
	return length;
}

Test(plan_fuzz, damaged_plans_are_read_or_refused_with_one_line)
{
	enum { ROUNDS = 6000 };
	unsigned seed = 9004, refused = 0;

	write_octets("part.cfg", "link = { speed = \"100G\"; };\n", 28);
	for (unsigned round = 0; round < ROUNDS; round++) {
		char text[sizeof(GOOD) + 512];
		size_t length = sizeof(GOOD) - 1;
		struct plan *plan = NULL;
		struct error error = {0};
		int result;

		memcpy(text, GOOD, sizeof(GOOD));
		for (unsigned changes = (unsigned)rand_r(&seed) % 6; changes > 0; changes--)
			length = mutate(text, length, sizeof(text), &seed);
		write_octets("lab.cfg", text, length);
		result = plan_read("lab.cfg", &BENCHMARK_KEYS, NULL, 0, &plan, &error);
		if (result) {
			refused++;
			cr_assert_eq(result, ERROR_PLAN, "round %u: %d %s", round, result, error.text);
			cr_assert(!plan && *error.text && !strpbrk(error.text, "\n\r\033"), "round %u: %s", round,
			          error.text);
			cr_assert(strstr(error.text, ".cfg"), "round %u: no place: %s", round, error.text);
		} else {
			cr_assert(plan && plan->test_count > 0 && plan->tests[0].frame_size_count > 0);
		}
		plan_free(plan);
	}
	/* One round in six changes nothing, and changes in comments, texts and names of the dut's keys do no harm. */
	cr_expect(refused > ROUNDS / 3 && refused < ROUNDS * 9 / 10, "%u of %u refused", refused, ROUNDS);
}

Test(plan_fuzz, damaged_overrides_are_taken_or_refused_with_one_line)
{
	static const char *const STARTS[] = {"run[2].repetitions=5", "dut.model=wire", "run[1].frame_sizes=[64, 128]",
	                                     "run.[2].max_burst=\"5ms\""};
	unsigned seed = 2544, refused = 0;

	write_octets("part.cfg", "link = { speed = \"100G\"; };\n", 28);
	write_octets("lab.cfg", GOOD, sizeof(GOOD) - 1);
	for (unsigned round = 0; round < 3000; round++) {
		char text[160];
		const char *override = text;
		struct plan *plan = NULL;
		struct error error = {0};
		size_t length;

		snprintf(text, sizeof(text), "%s", STARTS[rand_r(&seed) % 4]);
		length = strlen(text);
		for (unsigned changes = (unsigned)rand_r(&seed) % 4; changes > 0; changes--)
			length = mutate(text, length, sizeof(text) - 1, &seed);
		text[length] = 0;
		if (plan_read("lab.cfg", &BENCHMARK_KEYS, &override, 1, &plan, &error)) {
			refused++;
			cr_assert(!strpbrk(error.text, "\n\r\033") && *error.text, "%s", error.text);
			cr_assert_eq(error.code, ERROR_PLAN, "%s", error.text);
		}
		plan_free(plan);
	}
	cr_expect(refused > 300 && refused < 2900, "%u refused", refused);
}
