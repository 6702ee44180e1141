// SPDX-License-Identifier: Apache-2.0
/* The device contract against libraries that lie, each in its own way (fake_library.c). FAKES is their folder. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drivers/device.h"
#include "drivers/sim_abi.h"
#include "hw/regs/fpgauge_regs.h"

static struct error error;
static const char *bad_option;

static int open_with(const char *library, unsigned ports, const struct device_option *options, size_t count,
                     struct device **device)
{
	struct device_config config = {
	        .backend = "sim", .library = library, .ports = ports, .options = options, .option_count = count};

	return device_open(&config, device, &bad_option, &error);
}

static int open_fake(const char *name, struct device **device)
{
	setenv("FPGAUGE_LIBRARY_PATH", "/nonexistent:" FAKES, 1);
	return open_with(name, 0, NULL, 0, device);
}

/* Expects it to be refused as a device, with one line that contains all of the texts. */
static void expect_refused(const char *name, const char *const *says)
{
	struct device *device = (struct device *)1;

	cr_assert(open_fake(name, &device) == ERROR_DEVICE, "%s", name);
	cr_expect(error.code == ERROR_DEVICE && device == NULL && bad_option == NULL, "%s", name);
	cr_expect(strchr(error.text, '\n') == NULL, "%s", error.text);
	for (; *says != NULL; says++)
		cr_expect(strstr(error.text, *says) != NULL, "%s: \"%s\" does not say \"%s\"", name, error.text, *says);
}

#define REFUSED(name, ...) expect_refused(name, (const char *const[]){__VA_ARGS__, NULL})

Test(driver, opens_a_library_by_name_and_knows_the_device)
{
	const struct device_identity *identity;
	struct device *device;
	struct dut_truth truth;
	uint64_t value;

	cr_assert(open_fake("fake", &device) == 0, "%s", error.text);
	identity = device_identity(device);
	cr_expect_str_eq(identity->name, "sim fake");
	cr_expect_str_eq(identity->backend, "sim");
	cr_expect(identity->map_version == FPGAUGE_MAP_VERSION && identity->map_hash == FPGAUGE_MAP_HASH);
	cr_expect(identity->ports == 2 && identity->groups == 8 && identity->destinations == 256);
	cr_expect(identity->histogram_bins == 1024 && identity->link_bps == UINT64_C(100000000000));
	cr_expect(device_wait(device, 12345, &error) == 0 && device_now(device, &value, &error) == 0 && value == 12345);
	cr_expect(device_truth(device, 77, &truth) && truth.buffer_frames == 77);
	cr_expect_str_eq(truth.model, "fake");
	device_close(device);
}

Test(driver, a_library_says_whether_it_was_disturbed_or_has_a_time_of_its_own)
{
	char text[DEVICE_DISTURBANCE_SIZE];
	struct device *device;

	cr_assert(open_fake("fake", &device) == 0, "%s", error.text);
	cr_expect_eq(device_disturbance(device, text), DEVICE_OWN_TIME);
	cr_expect_not(device_at_rest(device), "a library that does not say so");
	cr_expect(device_use_threads(device, 1));
	cr_expect_str_empty(text);
	device_close(device);
	cr_assert(open_fake("fake-disturbed", &device) == 0, "%s", error.text);
	cr_expect_eq(device_disturbance(device, text), DEVICE_DISTURBED);
	cr_expect(strncmp(text, "late", 4) == 0 && strlen(text) < sizeof(text) && !strchr(text, '\xff'), "%s", text);
	cr_expect_eq(device_disturbance(device, text), DEVICE_UNDISTURBED);
	device_close(device);
}

Test(driver, reads_and_writes_wide_registers_low_word_first)
{
	const uint32_t address = FPGAUGE_PORT_TX_DURATION(1);
	struct device *device;
	uint64_t wide;
	uint32_t word;

	cr_assert(open_fake("fake", &device) == 0, "%s", error.text);
	cr_expect(device_write64(device, address, UINT64_C(0x0123456789abcdef), &error) == 0);
	cr_expect(device_read32(device, address, &word, &error) == 0 && word == 0x89abcdef);
	cr_expect(device_read64(device, address, &wide, &error) == 0 && wide == UINT64_C(0x0123456789abcdef));
	device_close(device);
}

Test(driver, all_ones_is_a_value_while_the_id_still_answers)
{
	struct device *device;
	uint64_t value;

	cr_assert(open_fake("fake", &device) == 0, "%s", error.text);
	cr_expect(device_write64(device, FPGAUGE_PORT_TX_DURATION(0), UINT64_MAX, &error) == 0);
	cr_expect(device_read64(device, FPGAUGE_PORT_TX_DURATION(0), &value, &error) == 0 && value == UINT64_MAX);
	cr_expect(device_write32(device, FPGAUGE_GLOBAL_SCRATCH, 0xdead, &error) == 0);
	cr_expect(device_read64(device, FPGAUGE_PORT_TX_DURATION(0), &value, &error) == ERROR_DEVICE);
	cr_expect(strstr(error.text, "gone") != NULL && strstr(error.text, "ffffffff") != NULL, "%s", error.text);
	device_close(device);
}

Test(driver, says_that_a_device_under_test_has_no_reset)
{
	struct device *device;

	cr_assert(open_fake("fake", &device) == 0, "%s", error.text);
	cr_expect(device_reset_dut(device, &error) == ERROR_DEVICE);
	cr_expect_str_eq(error.text, "sim fake: " FPGAUGE_SIM_NO_RESET);
	device_close(device);
}

Test(driver, says_which_register_a_library_refused)
{
	struct device *device;
	uint32_t value;

	cr_assert(open_fake("fake", &device) == 0, "%s", error.text);
	cr_expect(device_read32(device, 0x40000, &value, &error) == ERROR_DEVICE);
	cr_expect_str_eq(error.text, "sim fake: register 0x40000: not there");
	cr_expect(device_write32(device, 0x40000, 0, &error) == ERROR_DEVICE);
	device_close(device);
}

Test(driver, refuses_a_device_that_is_not_the_one_expected_with_both_values)
{
	char ours[16];

	snprintf(ours, sizeof(ours), "0x%08" PRIx32, FPGAUGE_MAP_HASH);
	REFUSED("fake-hash", "0xdeadbeef", ours);
	REFUSED("fake-version", "version 99", "needs version 3");
	REFUSED("fake-id", "0x12345678", "0x46504741");
	REFUSED("fake-gone", "gone", "0xffffffff");
	REFUSED("fake-abi", "version 99", "has 6");
}

Test(driver, refuses_impossible_identities)
{
	REFUSED("fake-no-ports", "impossible number of ports = 0", "1 to 16");
	REFUSED("fake-many-ports", "impossible number of ports = 17", "1 to 16");
	REFUSED("fake-bins", "impossible histogram_bins = 100000");
}

Test(driver, refuses_what_is_no_simulation_library)
{
	REFUSED("fake-no-entry", "fake-no-entry.so", "fpgauge_sim_entry");
	REFUSED("nowhere", "nowhere", "libfpgauge-sim-nowhere.so", FAKES);
	REFUSED("/nonexistent/x.so", "/nonexistent/x.so", "No such file");
	REFUSED("./", "cannot be loaded");
	REFUSED(__FILE__, __FILE__, "cannot be loaded");
}

Test(driver, refuses_a_library_that_may_not_be_read)
{
	char path[] = "/tmp/fpgauge-locked-XXXXXX";
	int file = mkstemp(path);

	cr_assert(file >= 0);
	close(file);
	chmod(path, 0);
	if (geteuid() == 0) /* root may read everything, and finds the file empty */
		REFUSED(path, path, "cannot be loaded");
	else
		REFUSED(path, path, "Permission denied");
	unlink(path);
}

Test(driver, a_refused_option_comes_back_by_name_with_value_and_limit)
{
	const struct device_option refuse[] = {{"dut.model", "fifo"}, {"dut.refuse", "7"}};
	const struct device_option explode[] = {{"dut.explode", "7"}};
	struct device *device;

	setenv("FPGAUGE_LIBRARY_PATH", FAKES, 1);
	cr_assert(open_with("fake", 0, refuse, 2, &device) == ERROR_PLAN);
	cr_expect(bad_option == refuse[1].name);
	cr_expect_str_eq(error.text, "dut.refuse = 7: must not be given");
	cr_assert(open_with("fake", 0, explode, 1, &device) == ERROR_DEVICE);
	cr_expect(bad_option == NULL);
	cr_expect_str_eq(error.text, "sim fake: no core to be had");
}

/* -- ports -------------------------------------------------------------------------------------------------------- */

static void expect_ports(const char *library, unsigned ports, unsigned found)
{
	struct device *device;

	cr_assert(open_with(library, ports, NULL, 0, &device) == 0, "%s with %u ports: %s", library, ports, error.text);
	cr_expect_eq(device_identity(device)->ports, found, "%s with %u ports", library, ports);
	device_close(device);
}

static void expect_ports_refused(const char *library, unsigned ports, const char *says)
{
	struct device *device;

	cr_assert(open_with(library, ports, NULL, 0, &device) == ERROR_PLAN, "%s with %u ports", library, ports);
	cr_expect_str_eq(bad_option, "device.ports");
	cr_expect(strstr(error.text, says) != NULL, "\"%s\" does not say \"%s\"", error.text, says);
}

Test(driver, another_number_of_ports_than_the_device_has_is_refused_with_both_numbers)
{
	setenv("FPGAUGE_LIBRARY_PATH", FAKES, 1);
	expect_ports_refused("fake", 4, "device.ports = 4: sim fake has 2");
	expect_ports_refused("fake-four-ports", 2, "device.ports = 2: sim fake has 4");
	expect_ports("fake", 2, 2);
	expect_ports("fake", 0, 2);
	expect_ports("fake-four-ports", 4, 4);
}

Test(driver, a_library_that_has_any_number_of_ports_is_told_how_many)
{
	setenv("FPGAUGE_LIBRARY_PATH", FAKES, 1);
	expect_ports("fake-any-ports", 0, 2);
	expect_ports("fake-any-ports", 5, 5);
	expect_ports("fake-any-ports", 8, 8);
	expect_ports_refused("fake-any-ports", 9, "device.ports = 9: must be at most 8");
}

/* rtl of 2 ports and rtl4, in a folder of their own. */
static void make_rtl_folder(const char *folder)
{
	char path[256];

	mkdir(folder, 0777);
	snprintf(path, sizeof(path), "%s/libfpgauge-sim-rtl.so", folder);
	unlink(path);
	cr_assert(symlink(FAKES "/libfpgauge-sim-fake.so", path) == 0);
	snprintf(path, sizeof(path), "%s/libfpgauge-sim-rtl4.so", folder);
	unlink(path);
	cr_assert(symlink(FAKES "/libfpgauge-sim-fake-four-ports.so", path) == 0);
}

Test(driver, a_library_is_told_the_speed_of_its_links_and_has_it_to_the_bit_a_second)
{
	static const struct device_option own = {"device.link", "123456789"}, refused = {"device.link", "20000000"};
	struct device_config config = {.backend = "sim", .library = FAKES "/libfpgauge-sim-fake.so"};
	static const uint64_t speeds[] = {10000000, 10000255, 123456789, UINT64_C(400000000001),
	                                  UINT64_C(800000000000)};
	struct device *device;

	for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
		config.link_bps = speeds[i];
		cr_assert(device_open(&config, &device, &bad_option, &error) == 0, "%s", error.text);
		cr_expect_eq(device_identity(device)->link_bps, speeds[i]);
		device_close(device);
	}
	config.options = &own;
	config.option_count = 1;
	cr_assert(device_open(&config, &device, &bad_option, &error) == 0, "%s", error.text);
	cr_expect_eq(device_identity(device)->link_bps, 123456789, "its own setting is the nearer one");
	device_close(device);
	config.options = &refused;
	cr_expect(device_open(&config, &device, &bad_option, &error) == ERROR_PLAN);
	cr_expect_str_eq(bad_option, "device.link");
	config.option_count = 0;
	config.link_bps = 20000000;
	cr_expect(device_open(&config, &device, &bad_option, &error) == ERROR_PLAN);
	cr_expect_str_eq(bad_option, "link.speed");
	cr_expect_str_eq(error.text, "link.speed = 20000000: must be another");
}

Test(driver, the_rtl_is_the_library_of_so_many_ports)
{
	const char *missing = "device.ports = 6: no libfpgauge-sim-rtl6.so in ";

	make_rtl_folder("rtl-folder");
	setenv("FPGAUGE_LIBRARY_PATH", "rtl-folder", 1);
	expect_ports("rtl", 0, 2);
	expect_ports("rtl", 2, 2);
	expect_ports(NULL, 4, 4);
	expect_ports("rtl", 4, 4);
	expect_ports("rtl4", 0, 4);
	expect_ports("rtl4", 4, 4);
	expect_ports_refused("rtl4", 2, "device.ports = 2: sim fake has 4");
	expect_ports_refused("rtl", 6, "there is \"rtl\" (2 ports), \"rtl4\" (4 ports)");
	expect_ports_refused("rtl", 6, "-DFPGAUGE_SIM_PORTS=6 builds it; library = \"twin\"");
	cr_expect(strncmp(error.text, missing, strlen(missing)) == 0, "%s", error.text);
	expect_ports_refused("rtl", 5, "-DFPGAUGE_SIM_PORTS=5 builds it");
}

Test(driver, says_so_where_there_is_no_library_of_the_rtl_at_all)
{
	setenv("FPGAUGE_LIBRARY_PATH", FAKES, 1);
	expect_ports_refused("rtl", 8, "there is none");
}

Test(driver, an_unknown_backend_is_refused_with_those_there_are)
{
	const struct device_config config = {.backend = "sym"};
	const char *says = "device.backend = \"sym\": must be one of \"sim\"";
	struct device *device;

	cr_assert(device_open(&config, &device, &bad_option, &error) == ERROR_PLAN);
	cr_expect_str_eq(bad_option, "device.backend");
	/* The packages that the build found decide which other backends exist. */
	cr_expect(strncmp(error.text, says, strlen(says)) == 0, "%s", error.text);
	device_close(NULL);
}

/* -- the list ----------------------------------------------------------------------------------------------------- */

struct listed {
	struct device_listing entries[64];
	size_t count;
	size_t most; /* ends the list after this many */
};

static int note(const struct device_listing *listing, void *context)
{
	struct listed *listed = context;

	cr_assert(listed->count < sizeof(listed->entries) / sizeof(listed->entries[0]));
	listed->entries[listed->count++] = *listing;
	return listed->count == listed->most ? 77 : 0;
}

static const struct device_listing *find_listed(const struct listed *listed, const char *name)
{
	const struct device_listing *found = NULL;

	for (size_t i = 0; i < listed->count; i++) {
		if (strcmp(listed->entries[i].name, name) != 0)
			continue;
		cr_expect(found == NULL, "%s stands twice", name);
		found = &listed->entries[i];
	}
	cr_assert(found != NULL, "%s is missing", name);
	return found;
}

Test(driver, lists_the_libraries_that_load_and_says_why_others_do_not)
{
	struct listed listed = {0};
	const struct device_listing *fake;

	setenv("FPGAUGE_LIBRARY_PATH", "/nonexistent:" FAKES ":" FAKES, 1);
	cr_assert(device_list(note, &listed) == 0);
	fake = find_listed(&listed, "sim:fake");
	cr_expect(fake->ready && fake->why_not[0] == '\0' && strstr(fake->what, "libfpgauge-sim-fake.so") != NULL);
	/* Finding a wrong map is the job of device_open(). */
	cr_expect(find_listed(&listed, "sim:fake-hash")->ready);
	fake = find_listed(&listed, "sim:fake-any-ports");
	cr_expect(strncmp(fake->what, "simulation of up to 8 ports " FAKES,
	                  strlen("simulation of up to 8 ports " FAKES)) == 0,
	          "%s", fake->what);
	fake = find_listed(&listed, "sim:fake-abi");
	cr_expect(!fake->ready && strstr(fake->why_not, "version 99") != NULL, "%s", fake->why_not);
	fake = find_listed(&listed, "sim:fake-no-entry");
	cr_expect(!fake->ready && strstr(fake->why_not, "not a simulation library") != NULL, "%s", fake->why_not);
}

Test(driver, ends_the_list_where_its_reader_does)
{
	struct listed listed = {.most = 3};

	setenv("FPGAUGE_LIBRARY_PATH", FAKES, 1);
	cr_expect(device_list(note, &listed) == 77 && listed.count == 3);
}

Test(driver, lists_nothing_for_waveforms_alone)
{
	const char *folder = "list-folder", *path = "list-folder/libfpgauge-sim-wave-trace.so";
	struct listed listed = {0};
	FILE *file;

	mkdir(folder, 0777);
	file = fopen(path, "w");
	cr_assert(file != NULL);
	fclose(file);
	setenv("FPGAUGE_LIBRARY_PATH", folder, 1);
	cr_expect(device_list(note, &listed) == 0);
	for (size_t i = 0; i < listed.count; i++)
		cr_expect(strstr(listed.entries[i].name, "wave") == NULL, "%s", listed.entries[i].name);
	unlink(path);
	rmdir(folder);
}
