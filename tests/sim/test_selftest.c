// SPDX-License-Identifier: Apache-2.0
/* Self-tests of devices with known faults (faulty_library.c): each fault is found, by the check meant for it. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "host/commands/selftest/checks.h"

static struct error error;

static int run(const char *fault, const struct selftest_config *config, struct selftest_report *report,
               const struct device_option *more)
{
	struct device_option options[3] = {{"device.fault", fault}};
	struct device_config device_config = {
	        .backend = "sim", .library = FAULTY_LIBRARY, .options = options, .option_count = 1};
	struct device *device;
	const char *bad_option;
	int result;

	for (; more != NULL && more->name != NULL && device_config.option_count < 3; more++)
		options[device_config.option_count++] = *more;
	cr_assert(device_open(&device_config, &device, &bad_option, &error) == 0, "%s", error.text);
	result = selftest_run(device, config, report, &error);
	device_close(device);
	return result;
}

static const struct selftest_config PLAIN = {.line_ns = 200000};

/* "check:port " of every row that fails, once each. */
static void failures(const struct selftest_report *report, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < report->count; i++) {
		char one[64];

		snprintf(one, sizeof(one), "%s:%d ", report->rows[i].check, report->rows[i].port);
		if (report->rows[i].verdict == SELFTEST_FAIL && strstr(text, one) == NULL)
			strncat(text, one, size - strlen(text) - 1);
	}
}

Test(selftest, a_sound_device_passes_every_check)
{
	struct selftest_report report;
	char text[256];

	cr_assert(run("none", &PLAIN, &report, NULL) == 0, "%s", error.text);
	failures(&report, text, sizeof(text));
	cr_expect(selftest_passes(&report), "%s", text);
	cr_expect(report.count == 1 + 2 + 2 + 2 + 1 + 2 * 8, "%zu rows", report.count);
	cr_expect(report.cable_count == 0);
	selftest_free(&report);
}

static void expect_found(const char *fault, const char *failing, const char *says)
{
	struct selftest_report report;
	char text[256];
	bool said = false;

	cr_assert(run(fault, &PLAIN, &report, NULL) == 0, "%s: %s", fault, error.text);
	failures(&report, text, sizeof(text));
	cr_expect_str_eq(text, failing, "%s: %s", fault, text);
	cr_expect(!selftest_passes(&report));
	for (size_t i = 0; i < report.count; i++)
		said |= report.rows[i].verdict == SELFTEST_FAIL && strstr(report.rows[i].text, says) != NULL;
	cr_expect(said, "%s: no failure says \"%s\"", fault, says);
	selftest_free(&report);
}

Test(selftest, registers_that_do_not_hold_are_found)
{
	expect_found("stuck register bit", "registers:1 ",
	             "TX_SEED at 0x02040: wrote 0xaaaaaaaa, read 0xaaaaaaae, must be 0xaaaaaaaa");
	expect_found("reserved bit", "registers:1 ", "TX_ENABLE");
	expect_found("aliased registers", "registers:1 ", "RX_MAX_FRAME_OCTETS");
}

Test(selftest, a_stuck_bit_and_swapped_streams_of_the_table_of_expected_streams_are_found)
{
	expect_found("stuck stream bit", "memory:1 ", "entry 77, not expected: 1 frames received and 0 unexpected");
	expect_found("swapped streams", "memory:1 ", "entry 77, not expected");
	expect_found("aliased streams", "memory:1 ", "entry 64, expected: 0 frames received and 1 unexpected");
}

Test(selftest, counters_and_tables_that_are_wrong_are_found)
{
	expect_found("counter not cleared", "counters:1 loopback:1 ", "rx_bad_short_frames is 1, must be 0");
	expect_found("stuck histogram bit", "counters:1 ", "histogram bin 0 has 4 frames, must be 0");
	expect_found("stuck octave bit", "counters:1 ", "octave bin 1 has 4 frames, must be 0");
	expect_found("latency of a stream", "counters:1 ", "rx_stream_latency_sum of entry 0 is 8, must be 0");
	expect_found("stuck gap bit", "counters:1 ", "bin 0 of gaps sent has 4, must be 0");
	expect_found("stuck bit of gaps received", "counters:1 ", "bin 0 of gaps received has 4, must be 0");
	expect_found("counter off by one", "counters:1 loopback:1 ", "rx_gaps is 1000, must be 999");
}

Test(selftest, loopback_that_loses_or_delays_or_widens_is_found)
{
	expect_found("lost frame", "loopback:1 ", "29760 of 29761 frames came back");
	expect_found("wide gap", "loopback:1 ", "the average gap is 12.0003 octets, must be 12");
	expect_found("latency", "counters:1 loopback:1 ", "latency is 8 to 8 octet times, must be 0");
}

Test(selftest, a_device_that_sends_for_ever_is_an_error_and_no_verdict)
{
	struct selftest_report report;

	cr_expect(run("busy", &PLAIN, &report, NULL) == ERROR_DEVICE);
	cr_expect(strstr(error.text, "status.sending is still set") != NULL, "%s", error.text);
	cr_expect(!selftest_passes(&report));
	selftest_free(&report);
}

Test(selftest, a_user_who_stops_it_is_obeyed)
{
	_Atomic int cancel = 1;
	struct selftest_config config = PLAIN;
	struct selftest_report report;

	config.cancel = &cancel;
	cr_expect(run("none", &config, &report, NULL) == ERROR_CANCELLED, "%s", error.text);
	selftest_free(&report);
}

/* -- clock -------------------------------------------------------------------------------------------------------- */

static const struct selftest_row *find(const struct selftest_report *report, const char *check)
{
	for (size_t i = 0; i < report->count; i++)
		if (strcmp(report->rows[i].check, check) == 0)
			return &report->rows[i];
	cr_assert(false, "no row %s", check);
	return NULL;
}

static enum selftest_verdict clock_verdict(const char *fault, double *off_ppm)
{
	struct selftest_config config = {
	        .line_ns = 10000, .real_time = true, .clock_ns = 500000000, .clock_tolerance_ppm = 200};
	struct selftest_report report;
	enum selftest_verdict verdict;

	cr_assert(run(fault, &config, &report, NULL) == 0, "%s", error.text);
	verdict = find(&report, "clock")->verdict;
	cr_expect_str_eq(find(&report, "clock")->values[0].name, "clock_off_ppm");
	*off_ppm = find(&report, "clock")->values[0].value;
	selftest_free(&report);
	return verdict;
}

/* No time limit: what is off is the ratio of two clocks, however long they are observed. */
Test(selftest, clocks_that_are_right_pass_and_others_fail)
{
	double off_ppm;

	cr_expect(clock_verdict("wall clock", &off_ppm) == SELFTEST_PASS, "%f ppm", off_ppm);
	cr_expect(clock_verdict("lazy clock", &off_ppm) == SELFTEST_PASS, "%f ppm", off_ppm);
	cr_expect(clock_verdict("fast clock", &off_ppm) == SELFTEST_FAIL && off_ppm > 700 && off_ppm < 1300, "%f ppm",
	          off_ppm);
	cr_expect(clock_verdict("slow clock", &off_ppm) == SELFTEST_FAIL && off_ppm < -700 && off_ppm > -1300, "%f ppm",
	          off_ppm);
}

Test(selftest, the_clock_of_a_simulation_is_not_judged)
{
	struct selftest_report report;

	cr_assert(run("fast clock", &PLAIN, &report, NULL) == 0, "%s", error.text);
	cr_expect(find(&report, "clock")->verdict == SELFTEST_NOT_APPLICABLE);
	selftest_free(&report);
}

/* -- cables ------------------------------------------------------------------------------------------------------- */

static const struct selftest_config EXTERNAL = {.line_ns = 20000, .external = true};

Test(selftest, a_cable_is_found_and_its_latency_measured)
{
	const struct device_option cable[] = {{"dut.model", "wire"}, {"dut.latency_ns", "800"}, {NULL, NULL}};
	struct selftest_report report;

	cr_assert(run("none", &EXTERNAL, &report, cable) == 0, "%s", error.text);
	cr_expect(selftest_passes(&report) && report.cable_count == 2);
	for (unsigned i = 0; i < 2; i++) {
		cr_expect(report.cables[i].from == i && report.cables[i].to == (i ^ 1));
		cr_expect(report.cables[i].min_ot == 10000 && report.cables[i].max_ot == 10000);
		cr_expect(report.cables[i].mean_ot == 10000 && report.cables[i].frames > 300);
	}
	selftest_free(&report);
}

Test(selftest, a_device_in_place_of_a_cable_is_no_cable)
{
	const struct device_option fifo[] = {{"dut.model", "fifo"}, {"dut.latency_ns", "800"}, {NULL, NULL}};
	struct selftest_report report;
	char text[256];

	cr_assert(run("none", &EXTERNAL, &report, fifo) == 0, "%s", error.text);
	failures(&report, text, sizeof(text));
	cr_expect_str_eq(text, "external:0 external:1 ");
	cr_expect(report.cable_count == 0);
	selftest_free(&report);
}

/* The row "link" of port 1, of a card with that fault; frames are lost on the way or not. */
static void expect_link(const char *fault, const struct selftest_config *config, enum selftest_verdict verdict,
                        const char *says)
{
	const struct device_option wire[] = {{"dut.model", "wire"}, {NULL, NULL}};
	struct selftest_report report;
	unsigned links = 0;

	cr_assert(run(fault, config, &report, wire) == 0, "%s: %s", fault, error.text);
	for (size_t i = 0; i < report.count; i++) {
		const struct selftest_row *row = &report.rows[i];

		if (strcmp(row->check, "link") != 0)
			continue;
		links++;
		if (row->port == 1)
			cr_expect(row->verdict == verdict && strstr(row->text, says) != NULL, "%s: %s", fault,
			          row->text);
		else
			cr_expect(row->verdict == SELFTEST_PASS, "%s: %s", fault, row->text);
	}
	cr_expect(links == 2, "%s: %u rows", fault, links);
	selftest_free(&report);
}

Test(selftest, a_link_that_is_not_up_says_how_far_it_came)
{
	expect_link("link up", &EXTERNAL, SELFTEST_PASS,
	            "the link is up, and has not gone down since the bitstream was loaded");
	expect_link("flapping link", &EXTERNAL, SELFTEST_PASS,
	            "the link is up; since the bitstream was loaded it went down 3 times");
	expect_link("flapped link", &PLAIN, SELFTEST_PASS, "it went down 1 time");
	expect_link("no reference", &EXTERNAL, SELFTEST_FAIL,
	            "no reference clock, or the transceivers have not locked");
	expect_link("no reference", &PLAIN, SELFTEST_FAIL, "no reference clock");
	expect_link("no block lock", &EXTERNAL, SELFTEST_FAIL, "no block lock");
	expect_link("no block lock", &PLAIN, SELFTEST_NOT_APPLICABLE, "no link, and none is needed: no block lock");
	expect_link("bad lane", &EXTERNAL, SELFTEST_FAIL, "not the alignment markers of all lanes");
	expect_link("skew", &EXTERNAL, SELFTEST_FAIL, "their skew is too large");
	expect_link("remote fault", &EXTERNAL, SELFTEST_FAIL, "the far end says that it does not");
	expect_link("silent MAC", &EXTERNAL, SELFTEST_FAIL, "the MAC does not send");
}

Test(selftest, frames_that_the_fec_could_not_correct_are_named_where_frames_are_lost)
{
	const struct device_option lossy[] = {{"dut.model", "faults"}, {"dut.drop_every", "50"}, {NULL, NULL}};
	struct selftest_report report;
	unsigned named = 0, others = 0;

	cr_assert(run("bad FEC", &EXTERNAL, &report, lossy) == 0, "%s", error.text);
	for (size_t i = 0; i < report.count; i++) {
		const struct selftest_row *row = &report.rows[i];

		if (strcmp(row->check, "external") != 0 || row->verdict != SELFTEST_FAIL)
			continue;
		if (strstr(row->text, "port 1 had code words of the FEC") != NULL)
			named++;
		else
			others++;
	}
	cr_expect(named > 0 && others > 0, "%u and %u: to port 0 they are not", named, others);
	selftest_free(&report);
}

Test(selftest, a_cable_that_loses_frames_is_no_cable)
{
	const struct device_option lossy[] = {{"dut.model", "faults"}, {"dut.drop_every", "50"}, {NULL, NULL}};
	struct selftest_report report;
	char text[256];

	cr_assert(run("none", &EXTERNAL, &report, lossy) == 0, "%s", error.text);
	failures(&report, text, sizeof(text));
	cr_expect_str_eq(text, "external:0 external:1 ");
	cr_expect(report.cable_count == 0);
	selftest_free(&report);
}

/* Nothing is between the header and the signature at 64 octets; all other lengths are found out. */
Test(selftest, a_device_that_changes_an_octet_is_no_cable)
{
	const struct device_option altering[] = {{"dut.model", "faults"}, {"dut.alter_every", "2"}, {NULL, NULL}};
	struct selftest_report report;
	unsigned found = 0;

	cr_assert(run("none", &EXTERNAL, &report, altering) == 0, "%s", error.text);
	for (size_t i = 0; i < report.count; i++) {
		const struct selftest_row *row = &report.rows[i];

		if (strcmp(row->check, "external") != 0 || row->frame_octets < 128)
			continue;
		cr_expect(row->verdict == SELFTEST_FAIL && strstr(row->text, " 0 bad, ") != NULL &&
		                  strstr(row->text, " with a changed payload") != NULL &&
		                  strstr(row->text, ", 0 with") == NULL,
		          "%u octets: %s", row->frame_octets, row->text);
		found++;
	}
	cr_expect(found == 2 * 7, "%u rows", found);
	cr_expect(report.cable_count == 0);
	selftest_free(&report);
}

Test(selftest, no_cable_is_said)
{
	const struct device_option none[] = {{"dut.model", "faults"}, {"dut.drop_every", "1"}, {NULL, NULL}};
	struct selftest_report report;

	cr_assert(run("none", &EXTERNAL, &report, none) == 0, "%s", error.text);
	cr_expect(report.rows[report.count - 1].verdict == SELFTEST_FAIL);
	cr_expect(strstr(report.rows[report.count - 1].text, "none of 100 frames came back") != NULL, "%s",
	          report.rows[report.count - 1].text);
	selftest_free(&report);
}
