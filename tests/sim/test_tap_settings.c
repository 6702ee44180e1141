// SPDX-License-Identifier: Apache-2.0
/* Settings of dut.model = "tap" that are refused, with a line that names the limit: none of them opens anything. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "sim/dut/link.h"
#include "sim/tap/tap_settings.h"

enum { MOST = 4, TEXT = 256 };

static struct fpgauge_sim_option given[MOST];
static const char *bad_option;
static char complaint[TEXT];

static struct sim_options options_of(const char *const *settings)
{
	struct sim_options options = {
	        .given = given, .bad_option = &bad_option, .error = complaint, .error_size = sizeof(complaint)};

	complaint[0] = '\0';
	for (; settings[2 * options.count] != NULL; options.count++) {
		given[options.count].name = settings[2 * options.count];
		given[options.count].value = settings[2 * options.count + 1];
	}
	return options;
}

static unsigned open_files(void)
{
	DIR *folder = opendir("/proc/self/fd");
	unsigned count = 0;

	cr_assert_not_null(folder);
	while (readdir(folder) != NULL)
		count++;
	closedir(folder);
	return count;
}

static void expect_refused(const char *const *settings, unsigned ports, const char *name, const char *why)
{
	const struct sim_options options = options_of(settings);
	const unsigned files = open_files();
	struct tap_settings opened;

	cr_expect_eq(tap_settings_open(&options, &dut_link_rule, 1, ports, &opened), -1);
	cr_expect_str_eq(bad_option, name);
	cr_expect_not_null(strstr(complaint, why), "\"%s\" does not say \"%s\"", complaint, why);
	cr_expect_eq(open_files(), files, "something is left open");
}

#define SETTINGS(...) ((const char *const[]){"dut.model", "tap", __VA_ARGS__, NULL})

Test(tap_settings, only_the_model_tap_asks_for_them)
{
	static const struct {
		const char *model;
		bool asks;
	} rows[] = {{"tap", true}, {"wire", false}, {"fifo", false}};

	for (unsigned i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct sim_options options = options_of((const char *const[]){"dut.model", rows[i].model, NULL});

		cr_expect_eq(tap_is_asked_for(&options), rows[i].asks, "%s", rows[i].model);
	}
}

Test(tap_settings, there_is_one_interface_for_each_port)
{
	expect_refused(SETTINGS("dut.tap", "fpg0,fpg1"), 4, "dut.tap",
	               "\"fpg0,fpg1\": names 2 interfaces: must be 4, one for each port");
	expect_refused(SETTINGS("dut.tap", "a, b ,c"), 2, "dut.tap",
	               "\"a, b ,c\": names 3 interfaces: must be 2, one for each port");
	expect_refused(SETTINGS("dut.tap", "a"), 2, "dut.tap", "\"a\": names 1 interfaces: must be 2");
}

Test(tap_settings, an_interface_that_cannot_be_opened_is_named)
{
	expect_refused(SETTINGS("dut.tap", "no/such,fpg1"), 2, "dut.tap", "no/such");
	expect_refused(SETTINGS("dut.tap", "a-name-that-is-too-long-for-an-interface,fpg1"), 2, "dut.tap",
	               "a-name-that-is-too-long");
}

Test(tap_settings, the_link_is_one_that_a_simulation_keeps_up_with)
{
	expect_refused(SETTINGS("device.link", "9M"), 2, "device.link", "must be");
	expect_refused(SETTINGS("device.link", "2G"), 2, "device.link", "must be");
	expect_refused(SETTINGS("device.link", "50%"), 2, "device.link", "must be 10000000 to 1000000000 bit/s");
	expect_refused(SETTINGS("device.link", "fast"), 2, "device.link", "fast");
	expect_refused(SETTINGS("device.link", "10000000.5"), 2, "device.link", "must be a whole number");
}

Test(tap_settings, what_a_tap_does_not_have_is_refused)
{
	expect_refused(SETTINGS("dut.latency_ns", "3"), 2, "dut.latency_ns", "no such setting here");
}
