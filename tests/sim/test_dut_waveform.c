// SPDX-License-Identifier: Apache-2.0
/* Tests which stretches of time are in which file, with a module that only notes what is asked of it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/verilog/dut_waveform.h"

enum { STRETCH_PS = 1000 };

static char folder[] = "/tmp/fpgauge-test-XXXXXX";
static char path[64], before[64];
static FILE *file; /* the file that is open; each time that is drawn is a line */
static struct dut_waveform waveform;

static int fake_open(struct fpgauge_dut *dut, const char *name)
{
	(void)dut;
	file = fopen(name, "w");
	return file != NULL ? 0 : -1;
}

static void fake_draw(struct fpgauge_dut *dut, uint64_t time_ps)
{
	(void)dut;
	fprintf(file, "%llu\n", (unsigned long long)time_ps);
}

static void fake_close(struct fpgauge_dut *dut)
{
	(void)dut;
	fclose(file);
}

static const struct fpgauge_dut_api API = {.draw_open = fake_open, .draw = fake_draw, .draw_close = fake_close};

static void begin(void)
{
	cr_assert_not_null(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/a.b.fst", folder);
	snprintf(before, sizeof(before), "%s/a.b.before.fst", folder);
}

static void end(void)
{
	remove(path);
	remove(before);
	rmdir(folder);
}

TestSuite(dut_waveform, .init = begin, .fini = end);

static void draw(uint64_t from_ps, uint64_t to_ps, uint64_t step_ps)
{
	for (uint64_t now_ps = from_ps; now_ps < to_ps; now_ps += step_ps)
		dut_waveform_draw(&waveform, now_ps);
}

/* The first and the last time in a file. */
static void expect_file(const char *name, unsigned long long first, unsigned long long last)
{
	FILE *drawn = fopen(name, "r");
	unsigned long long time_ps, least = 0, most = 0;
	unsigned count = 0;

	cr_assert_not_null(drawn, "%s", name);
	while (fscanf(drawn, "%llu", &time_ps) == 1) {
		cr_expect(count == 0 || time_ps > most);
		least = count++ == 0 ? time_ps : least;
		most = time_ps;
	}
	fclose(drawn);
	cr_expect_eq(least, first, "%s begins at %llu", name, least);
	cr_expect_eq(most, last, "%s ends at %llu", name, most);
}

Test(dut_waveform, all_of_a_run_is_in_one_file_and_no_time_is_drawn_twice)
{
	cr_assert(dut_waveform_open(&waveform, &API, NULL, path, 0));
	draw(0, 5000, 7);
	dut_waveform_draw(&waveform, 4998);
	dut_waveform_draw(&waveform, 3);
	dut_waveform_loss(&waveform);
	draw(5005, 9000, 7);
	dut_waveform_close(&waveform);
	expect_file(path, 0, 8995);
	cr_expect_eq(access(before, F_OK), -1);
}

Test(dut_waveform, a_loss_keeps_a_stretch_before_it_and_one_after_it)
{
	cr_assert(dut_waveform_open(&waveform, &API, NULL, path, STRETCH_PS));
	draw(0, 7400, 10);
	dut_waveform_loss(&waveform); /* comes at 7390 */
	draw(7400, 7800, 10);
	dut_waveform_loss(&waveform); /* the first one counts */
	cr_expect_not(dut_waveform_is_done(&waveform));
	draw(7800, 20000, 10);
	cr_expect(dut_waveform_is_done(&waveform));
	dut_waveform_close(&waveform);
	expect_file(before, 6000, 6990);
	expect_file(path, 7000, 7390 + STRETCH_PS);
}

Test(dut_waveform, a_loss_in_the_first_stretch_has_nothing_before_it)
{
	cr_assert(dut_waveform_open(&waveform, &API, NULL, path, STRETCH_PS));
	draw(0, 300, 10);
	dut_waveform_loss(&waveform);
	draw(300, 5000, 10);
	dut_waveform_close(&waveform);
	expect_file(path, 0, 290 + STRETCH_PS);
	cr_expect_eq(access(before, F_OK), -1);
}

Test(dut_waveform, without_a_loss_nothing_is_left)
{
	cr_assert(dut_waveform_open(&waveform, &API, NULL, path, STRETCH_PS));
	draw(0, 5000, 10);
	dut_waveform_close(&waveform);
	cr_expect_eq(access(path, F_OK), -1);
	cr_expect_eq(access(before, F_OK), -1);
}

Test(dut_waveform, a_stretch_that_cannot_be_kept_is_told)
{
	cr_assert(dut_waveform_open(&waveform, &API, NULL, path, STRETCH_PS));
	draw(0, STRETCH_PS, 10);
	cr_expect_not(waveform.failed);
	remove(path);
	draw(STRETCH_PS, 2 * STRETCH_PS, 10);
	cr_expect(waveform.failed && dut_waveform_is_done(&waveform));
	dut_waveform_close(&waveform);
}

Test(dut_waveform, a_file_that_cannot_be_made_is_told)
{
	cr_expect_not(dut_waveform_open(&waveform, &API, NULL, "/nonexistent/a.fst", STRETCH_PS));
	cr_expect(dut_waveform_is_done(&waveform));
	draw(0, 100, 10);
	dut_waveform_close(&waveform);
}
