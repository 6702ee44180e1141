/* SPDX-License-Identifier: Apache-2.0 */
/* Axes, points and the manifest of a sweep: against a matrix that is made in another way, and with whatever people may
 * write. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "host/commands/sweep/lock.h"
#include "host/commands/sweep/manifest.h"
#include "plan_files.h"
#include "tests/seed.h"

static struct error error;

static struct sweep of(const char *const *axes)
{
	struct sweep sweep = {0};

	error = (struct error){0};
	for (; *axes && error.code == 0; axes++)
		sweep_add_axis(&sweep, *axes, &error);
	if (error.code == 0)
		sweep_check(&sweep, &error);
	return sweep;
}
#define OF(...) of((const char *const[]){__VA_ARGS__, NULL})

static size_t draw(size_t most)
{
	return (size_t)random() % most + 1;
}

Test(sweep, values_are_separated_by_commas_that_are_in_no_bracket_and_no_text)
{
	static const struct {
		const char *text;
		const char *values[5];
	} CASES[] = {
	        {"a=1", {"1"}},
	        {"a=1,2", {"1", "2"}},
	        {"a= 1 , 2 ", {"1", "2"}},
	        {"run[0].frame_sizes=[64],[1518]", {"[64]", "[1518]"}},
	        {"run[0].frame_sizes=[64,128],[1518]", {"[64,128]", "[1518]"}},
	        {"a=(1,[2,3]),{b=4;}", {"(1,[2,3])", "{b=4;}"}},
	        {"a=\"x,y\",z", {"\"x,y\"", "z"}},
	        {"a=\"x\\\",]\",z", {"\"x\\\",]\"", "z"}},
	        {"a=60s,0.5%,1500 frames", {"60s", "0.5%", "1500 frames"}},
	        {"a=b=c,d", {"b=c", "d"}},
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct sweep sweep = OF(CASES[i].text);
		size_t count = 0;

		cr_expect_eq(error.code, 0, "%s: %s", CASES[i].text, error.text);
		while (CASES[i].values[count])
			count++;
		cr_assert_eq(sweep.axes[0].count, count, "%s: %zu values", CASES[i].text, sweep.axes[0].count);
		for (size_t j = 0; j < count; j++)
			cr_expect_str_eq(sweep_value(&sweep, j + 1, 0), CASES[i].values[j]);
		sweep_free(&sweep);
	}
}

Test(sweep, what_is_no_list_of_values_is_refused_with_what_is_wrong)
{
	static const struct {
		const char *text, *why;
	} CASES[] = {
	        {"", "must be path=value"},
	        {"a", "must be path=value"},
	        {"=1,2", "must be path=value"},
	        {"a=", "a value is missing"},
	        {"a=1,", "a value is missing"},
	        {"a=,1", "a value is missing"},
	        {"a=1, ,2", "a value is missing"},
	        {"a=1,2,1", "the value 1 is given twice"},
	        {"a=[1,2", "brackets do not match"},
	        {"a=1]", "brackets do not match"},
	        {"a=[1)", "brackets do not match"},
	        {"a=((((((((((((((((((1))))))))))))))))))", "nested too deep"},
	        {"a=\"x", "has no end"},
	        {"a=\"x\\\"", "has no end"},
	        {"a=1\x01", "octet 4, 0x01"},
	        {"a=\xff", "octet 3, 0xff"},
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		struct sweep sweep = OF(CASES[i].text);

		cr_expect_eq(error.code, ERROR_PLAN, "%s", CASES[i].text);
		cr_expect(strstr(error.text, CASES[i].why), "%s: %s", CASES[i].text, error.text);
		cr_expect(strstr(error.text, "--vary"), "%s", error.text);
		sweep_free(&sweep);
	}
}

Test(sweep, axes_that_lead_to_one_setting_or_into_one_another_are_refused)
{
	static const char *const PAIRS[][2] = {
	        {"a=1,2", "a=3"},         {"dut=1", "dut.model=2"},
	        {"dut.model=1", "dut=2"}, {"run[1].x=1", "run.[1].x=2"},
	        {"run=1", "run[0].x=2"},  {"run[0].sizes[1]=1", "run[0].sizes=2"},
	};
	static const char *const APART[][2] = {
	        {"dut.a=1", "dut.ab=2"}, {"run[1].x=1", "run[11].x=2"}, {"run[0].x=1", "run[0].y=1"}, {"a=b", "b=a"}};

	for (size_t i = 0; i < sizeof(PAIRS) / sizeof(PAIRS[0]); i++) {
		struct sweep sweep = OF(PAIRS[i][0], PAIRS[i][1]);

		cr_expect(error.code == ERROR_PLAN && strstr(error.text, "is varied by"), "%s, %s: %s", PAIRS[i][0],
		          PAIRS[i][1], error.text);
		sweep_free(&sweep);
		sweep = OF(PAIRS[i][0]);
		cr_expect_eq(sweep_add_set(&sweep, PAIRS[i][1], &error), 0);
		cr_expect_eq(sweep_check(&sweep, &error), ERROR_PLAN, "%s, --set %s", PAIRS[i][0], PAIRS[i][1]);
		sweep_free(&sweep);
	}
	for (size_t i = 0; i < sizeof(APART) / sizeof(APART[0]); i++) {
		struct sweep sweep = OF(APART[i][0], APART[i][1]);

		cr_expect_eq(error.code, 0, "%s", error.text);
		sweep_free(&sweep);
	}
}

static void add_numbers(struct sweep *sweep, const char *path, size_t count)
{
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	fprintf(out, "%s=", path);
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s%zu", i ? "," : "", i);
	fclose(out);
	sweep_add_axis(sweep, text, &error);
	free(text);
}

Test(sweep, a_thousand_runs_are_the_most_and_six_axes)
{
	struct sweep sweep = {0};

	error = (struct error){0};
	cr_expect_eq(sweep_check(&sweep, &error), ERROR_PLAN, "no axis");
	add_numbers(&sweep, "a", 40);
	add_numbers(&sweep, "b", 25);
	cr_expect_eq(sweep_check(&sweep, &error), 0);
	cr_expect_eq(sweep_points(&sweep), 1000);
	add_numbers(&sweep, "c", 2);
	cr_expect_eq(sweep_check(&sweep, &error), ERROR_PLAN);
	cr_expect(strstr(error.text, "at most 1000 runs"), "%s", error.text);
	sweep_free(&sweep);
	for (size_t i = 0; i < 7; i++) {
		error = (struct error){0};
		add_numbers(&sweep, (char[]){(char)('a' + i), 0}, 1);
		cr_expect_eq(error.code, i < 6 ? 0 : ERROR_PLAN, "axis %zu", i);
	}
	sweep_free(&sweep);
	error = (struct error){0};
	add_numbers(&sweep, "a", 1001);
	cr_expect_eq(error.code, ERROR_PLAN);
	sweep_free(&sweep);
}

/* 1 to 3 axes of 1 to 6 values. */
static struct sweep drawn(void)
{
	struct sweep sweep = {0};
	const size_t axes = draw(3);

	error = (struct error){0};
	for (size_t i = 0; i < axes; i++)
		add_numbers(&sweep, ((const char *const[]){"dut.a", "run[0].b", "link.c"})[i], draw(6));
	sweep.directory = strdup("/x");
	cr_assert_eq(sweep_check(&sweep, &error), 0);
	return sweep;
}

Test(sweep, every_combination_is_one_point_and_the_last_axis_varies_fastest)
{
	srandom((unsigned)test_seed());
	for (unsigned round = 0; round < 50; round++) {
		struct sweep sweep = drawn();
		size_t indices[3] = {0};

		for (size_t number = 1; number <= sweep_points(&sweep); number++) {
			for (size_t i = 0; i < sweep.axis_count; i++)
				cr_assert_eq(strtoul(sweep_value(&sweep, number, i), NULL, 10), indices[i]);
			for (size_t i = sweep.axis_count; i-- > 0;) { /* indices turn like an odometer */
				if (++indices[i] < sweep.axes[i].count)
					break;
				indices[i] = 0;
			}
		}
		cr_expect(indices[0] == 0 && indices[1] == 0 && indices[2] == 0, "not all combinations were there");
		sweep_free(&sweep);
	}
}

Test(sweep, file_names_differ_and_sort_by_number)
{
	srandom((unsigned)test_seed());
	for (unsigned round = 0; round < 50; round++) {
		struct sweep sweep = drawn();
		char before[SWEEP_FILE_NAME] = "", name[SWEEP_FILE_NAME];

		for (size_t number = 1; number <= sweep_points(&sweep); number++) {
			sweep_file_name(&sweep, number, name);
			cr_expect_lt(strcmp(before, name), 0, "%s, %s", before, name);
			cr_expect_eq(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-._"), strlen(name), "%s", name);
			memcpy(before, name, sizeof(before));
		}
		sweep_free(&sweep);
	}
}

Test(sweep, a_file_name_holds_no_slash_and_is_cut_before_its_end)
{
	char longest[400] = "dut.library=", name[SWEEP_FILE_NAME];
	struct sweep sweep = OF("dut.library=\"/a/../b c.so\"", "run[0].frame_sizes=[64, 128]");

	cr_expect_str_eq(sweep_file_name(&sweep, 1, name), "001-library-a-..-b-c.so-frame_sizes-64-128.db");
	sweep_free(&sweep);
	memset(longest + strlen(longest), 'x', 300);
	sweep = OF(longest);
	sweep_file_name(&sweep, 1, name);
	cr_expect_eq(strlen(name), SWEEP_FILE_NAME - 1);
	cr_expect_str_eq(name + strlen(name) - 3, ".db");
	sweep_free(&sweep);
}

Test(sweep, a_point_is_found_in_a_sweep_with_the_axes_in_another_order)
{
	struct sweep a = OF("x=1,2,3", "y=4,5"), b = OF("y=5,4,6", "x=3,9,1"), c = OF("x=1,2,3"),
	             d = OF("x=1,2", "z=4");

	for (size_t number = 1; number <= sweep_points(&a); number++) {
		size_t found = sweep_find(&b, &a, number);
		const bool is_there = strcmp(sweep_value(&a, number, 0), "2") != 0;

		cr_expect_eq(found != 0, is_there);
		if (found) {
			cr_expect_str_eq(sweep_value(&b, found, 1), sweep_value(&a, number, 0));
			cr_expect_str_eq(sweep_value(&b, found, 0), sweep_value(&a, number, 1));
		}
		cr_expect_eq(sweep_find(&a, &a, number), number);
		cr_expect_eq(sweep_find(&c, &a, number), 0, "fewer axes");
		cr_expect_eq(sweep_find(&d, &a, number), 0, "another axis");
	}
	sweep_free(&a);
	sweep_free(&b);
	sweep_free(&c);
	sweep_free(&d);
}

/* A sweep as the command line makes it. */
static struct sweep asked(const char *plan)
{
	struct sweep sweep = OF("run[0].frame_sizes=[64],[64,128]", "dut.name=\"a,\\\"b\",c");

	cr_assert_eq(sweep_add_set(&sweep, "dut.x=1", &error), 0);
	sweep.files = calloc(1, sizeof(*sweep.files));
	sweep.files[0] = (struct plan_file){strdup("lab.cfg"), strdup("/a/lab.cfg"), strdup(plan)};
	sweep.file_count = 1;
	sweep.tool = strdup("fpgauge 0");
	sweep.created = strdup("2026-01-01T00:00:00Z");
	sweep.working_directory = strdup("/a");
	sweep.directory = strdup(plan_directory);
	return sweep;
}

Test(manifest, what_was_written_is_read_again, .init = enter_plan_directory, .fini = leave_plan_directory)
{
	struct sweep sweep = asked("device = {};\n"), got = {0};
	char why[200];

	cr_expect_not(manifest_exists("."));
	cr_assert_eq(manifest_write(&sweep, &error), 0, "%s", error.text);
	cr_expect(manifest_exists("."));
	cr_assert_eq(manifest_read(".", &got, &error), 0, "%s", error.text);
	cr_expect_eq(manifest_check_same(&got, &sweep, &error), 0, "%s", error.text);
	cr_expect_eq(sweep_points(&got), 4);
	cr_expect_str_eq(sweep_setting(&got, 2, 0), "run[0].frame_sizes=[64]");
	cr_expect_str_eq(sweep_setting(&got, 3, 1), "dut.name=\"a,\\\"b\"");
	cr_expect_str_eq(got.directory, plan_directory);
	cr_expect_str_eq(got.working_directory, "/a");
	cr_expect_str_eq(got.files[0].absolute, "/a/lab.cfg");
	cr_expect_not(manifest_is_foreign(&got, why, sizeof(why)), "%s", why);
	sweep_free(&sweep);
	sweep_free(&got);
}

Test(manifest, another_sweep_is_told_from_the_one_in_the_folder_by_each_of_its_parts, .init = enter_plan_directory,
     .fini = leave_plan_directory)
{
	for (unsigned part = 0; part < 5; part++) {
		struct sweep then = asked("device = {};\n"),
		             now = asked(part == 0 ? "device = { };\n" : "device = {};\n");

		error = (struct error){0};
		if (part == 1)
			sweep_add_set(&now, "dut.y=1", &error);
		if (part == 2)
			sweep_add_axis(&now, "dut.z=1,2", &error);
		if (part == 3)
			strcpy(strchr(now.axes[1].settings[1], '=') + 1, "d");
		if (part == 4)
			strcpy(strchr(now.set[0], '=') + 1, "2");
		cr_expect_eq(manifest_check_same(&then, &now, &error), ERROR_PLAN, "part %u", part);
		cr_expect(strstr(error.text, "holds another sweep"), "%s", error.text);
		sweep_free(&then);
		sweep_free(&now);
	}
}

Test(manifest, a_folder_that_was_moved_is_foreign, .init = enter_plan_directory, .fini = leave_plan_directory)
{
	struct sweep sweep = asked("x"), got = {0};
	char why[200];

	free(sweep.directory);
	sweep.directory = strdup(plan_directory);
	cr_assert_eq(mkdir("a", 0777), 0);
	free(sweep.directory);
	cr_assert(asprintf(&sweep.directory, "%s/a", plan_directory) > 0);
	cr_assert_eq(manifest_write(&sweep, &error), 0, "%s", error.text);
	cr_assert_eq(rename("a", "b"), 0);
	cr_assert_eq(manifest_read("b", &got, &error), 0, "%s", error.text);
	cr_expect(manifest_is_foreign(&got, why, sizeof(why)));
	cr_expect(strstr(why, "was made in") && strstr(why, "/b now"), "%s", why);
	sweep_free(&sweep);
	sweep_free(&got);
}

Test(manifest, what_is_no_manifest_is_refused_and_nothing_of_it_is_used, .init = enter_plan_directory,
     .fini = leave_plan_directory)
{
	static const char GOOD[] = "{\"fpgauge_sweep\":1,\"tool\":\"t\",\"created\":\"c\",\"directory\":\"d\","
	                           "\"working_directory\":\"w\",\"set\":[],\"vary\":[{\"path\":\"a\",\"values\":[\"1\","
	                           "\"2\"]}],\"plan\":[{\"path\":\"p\",\"absolute\":\"\",\"text\":\"x\"}]}";
	static const struct {
		const char *from, *to, *why;
	} CASES[] = {
	        {"\"fpgauge_sweep\":1", "\"fpgauge_sweep\":2", "has version 2"},
	        {"\"fpgauge_sweep\":1,", "", "is not the manifest of a sweep"},
	        {"\"tool\":\"t\"", "\"tool\":7", "tool: must be a text"},
	        {"\"set\":[]", "\"set\":[7]", "set: must be a list of texts"},
	        {"\"set\":[]", "\"set\":7", "set: must be a list of texts"},
	        {"\"set\":[]", "\"set\":[\"a=7\"]", "contradicts the setting"},
	        {"\"path\":\"a\"", "\"path\":7", "must be path=value"},
	        {"[\"1\",\"2\"]", "[\"1\",2]", "a value is missing"},
	        {"[\"1\",\"2\"]", "[\"1,2\"]", "vary: must be a list of {path, values}"},
	        {"[\"1\",\"2\"]", "[\"1\",\"[2\"]", "brackets do not match"},
	        {"[\"1\",\"2\"]", "[]", "a value is missing"},
	        {"\"plan\":[{\"path\":\"p\",\"absolute\":\"\",\"text\":\"x\"}]", "\"plan\":[]", "plan: must be a list"},
	        {"\"text\":\"x\"", "\"text\":null", "text: must be a text"},
	        {"{\"fpgauge", "\"fpgauge", "sweep.json:1"},
	};

	for (size_t i = 0; i < sizeof(CASES) / sizeof(CASES[0]); i++) {
		const char *at = strstr(GOOD, CASES[i].from);
		struct sweep got = {0};
		FILE *file = fopen("sweep.json", "w");

		cr_assert_not_null(at, "%s", CASES[i].from);
		fprintf(file, "%.*s%s%s", (int)(at - GOOD), GOOD, CASES[i].to, at + strlen(CASES[i].from));
		fclose(file);
		error = (struct error){0};
		cr_expect_eq(manifest_read(".", &got, &error), ERROR_STORE, "%s", CASES[i].to);
		cr_expect(strstr(error.text, CASES[i].why), "%s: %s", CASES[i].to, error.text);
		sweep_free(&got);
	}
	cr_assert_eq(remove("sweep.json"), 0);
	error = (struct error){0};
	cr_expect_eq(manifest_read(".", &(struct sweep){0}, &error), ERROR_STORE);
	cr_expect(strstr(error.text, "is not the folder of a sweep"), "%s", error.text);
}

Test(sweep_lock, two_processes_never_have_the_same_point_and_a_death_gives_it_back, .init = enter_plan_directory,
     .fini = leave_plan_directory)
{
	int ready[2], mine, status;
	char octet;
	pid_t child;

	cr_assert_eq(pipe(ready), 0);
	child = fork();
	if (child == 0) {
		_Exit(sweep_lock(".", 7, false, &mine, &error) || write(ready[1], "x", 1) != 1 || pause() ? 1 : 0);
	}
	cr_assert_eq(read(ready[0], &octet, 1), 1);
	cr_expect(sweep_is_locked(".", 7));
	cr_expect_not(sweep_is_locked(".", 8));
	cr_expect_eq(sweep_lock(".", 7, false, &mine, &error), ERROR_STORE);
	cr_expect(strstr(error.text, "another fpgauge"), "%s", error.text);
	cr_expect_eq(sweep_lock(".", 8, false, &mine, &error), 0, "%s", error.text);
	cr_expect_eq(sweep_lock(".", 8, false, &(int){-1}, &error), ERROR_STORE, "within a process too");
	cr_assert_eq(close(mine), 0);
	cr_assert_eq(kill(child, SIGKILL), 0);
	cr_assert_eq(waitpid(child, &status, 0), child);
	cr_expect_eq(sweep_lock(".", 7, true, &mine, &error), 0, "%s", error.text);
	close(mine);
}
