/* SPDX-License-Identifier: Apache-2.0 */
/* The xrt backend with a bridge that does what XRT may do to a process (fake_bridge.c): each case is an error that says
 * so, and nothing is left behind. XRT itself is in tests/system/test_xrt.py. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drivers/bitstream.h"
#include "drivers/device.h"
#include "drivers/xrt_listing.h"
#include "hw/regs/fpgauge_regs.h"

/* The accesses of device_open(). */
enum { OPENING = 13 };

static char folder[] = "/tmp/fpgauge-test-xrt-XXXXXX";
static char xclbin[64];
static struct device *device;
static struct error error;

static void begin(void)
{
	char command[1024];

	cr_assert_not_null(mkdtemp(folder));
	snprintf(xclbin, sizeof(xclbin), "%s/core.xclbin", folder);
	snprintf(command, sizeof(command),
	         "%s %s && mkdir -p %s/devices/0000:3b:00.1 && : >%s/devices/0000:3b:00.1/config", FPGAUGE_MAKE_XCLBIN,
	         xclbin, folder, folder);
	cr_assert_eq(system(command), 0);
}

/* No zombie, no running child. */
static void end(void)
{
	char command[128];

	device_close(device);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	cr_expect_eq(system(command), 0);
	errno = 0;
	cr_assert_eq(waitpid(-1, NULL, WNOHANG), -1);
	cr_assert_eq(errno, ECHILD, "a child is left");
}

TestSuite(xrt, .init = begin, .fini = end);

static int open_with(const char *what, const char *card)
{
	struct device_option options[] = {{"device.xclbin", xclbin}, {"device.sysfs", folder}, {"device.card", card}};
	struct device_config config = {.backend = "xrt", .options = options, .option_count = card != NULL ? 3 : 2};
	const char *bad_option;

	setenv("FAKE_BRIDGE", what, 1);
	return device_open(&config, &device, &bad_option, &error);
}

static void expect_open(const char *what)
{
	cr_assert_eq(open_with(what, NULL), 0, "%s", error.text);
}

/* The first access after the opening fails, with this text, and so does every one after it. */
static void expect_failure(const char *what, const char *says)
{
	char late[64];
	uint32_t value;

	snprintf(late, sizeof(late), "%s %d", what, OPENING);
	expect_open(late);
	cr_assert_eq(device_read32(device, FPGAUGE_GLOBAL_SCRATCH, &value, &error), ERROR_DEVICE);
	cr_expect(strstr(error.text, "xrt 0000:3b:00.1: ") == error.text, "%s", error.text);
	cr_expect(strstr(error.text, says) != NULL, "%s", error.text);
	cr_expect_null(strstr(error.text, "what XRT always prints"), "%s", error.text);
	cr_expect_eq(device_write32(device, FPGAUGE_GLOBAL_SCRATCH, 1, &error), ERROR_DEVICE);
}

Test(xrt, registers_are_read_and_written)
{
	uint32_t value;

	expect_open("");
	cr_expect_str_eq(device_identity(device)->name, "xrt 0000:3b:00.1");
	cr_expect_eq(device_identity(device)->link_bps, UINT64_C(100000000000));
	cr_assert_eq(device_write32(device, FPGAUGE_GLOBAL_SCRATCH, 0x12345678, &error), 0, "%s", error.text);
	cr_assert_eq(device_read32(device, FPGAUGE_GLOBAL_SCRATCH, &value, &error), 0, "%s", error.text);
	cr_expect_eq(value, 0x12345678);
}

Test(xrt, a_core_that_wakes_up_after_the_load_is_waited_for)
{
	expect_open("asleep 3");
}

Test(xrt, a_core_that_does_not_wake_up_is_gone)
{
	cr_assert_eq(open_with("asleep 100000", NULL), ERROR_DEVICE);
	cr_expect(strstr(error.text, "the device is gone") != NULL, "%s", error.text);
}

Test(xrt, a_library_that_calls_exit_is_named)
{
	expect_failure("exit", "cannot read register 0x2c: XRT's process ended with exit status 7");
}

Test(xrt, a_library_that_aborts_is_named)
{
	expect_failure("abort", "was killed by signal 6 (Aborted)");
}

Test(xrt, a_library_that_kills_its_process_group_does_not_kill_us)
{
	expect_failure("group", "was killed by signal 15 (Terminated)");
}

Test(xrt, a_library_that_waits_for_ever_is_given_up_and_killed)
{
	expect_failure("hang", "cannot read register 0x2c: XRT gave no answer within ");
}

/* XRT's process may get no processor for seconds on a busy machine. */
Test(xrt, a_library_that_is_late_because_it_is_at_work_is_waited_for)
{
	char late[64];
	uint32_t value;

	snprintf(late, sizeof(late), "work %d", OPENING);
	expect_open(late);
	cr_expect_eq(device_read32(device, FPGAUGE_GLOBAL_SCRATCH, &value, &error), 0, "%s", error.text);
}

Test(xrt, what_works_behind_the_library_is_waited_for_too)
{
	char late[64];
	uint32_t value;

	snprintf(late, sizeof(late), "child works %d", OPENING);
	expect_open(late);
	cr_expect_eq(device_read32(device, FPGAUGE_GLOBAL_SCRATCH, &value, &error), 0, "%s", error.text);
}

Test(xrt, a_library_that_is_at_work_for_ever_is_given_up_and_killed)
{
	expect_failure("spin", "cannot read register 0x2c: XRT gave no answer within ");
}

Test(xrt, an_answer_that_is_none_is_an_error)
{
	expect_failure("short",
	               "cannot read register 0x2c: XRT's process closed its socket or sent an incomplete answer");
}

Test(xrt, what_it_printed_last_is_in_the_error)
{
	expect_failure("print", "(XRT said: ERROR: the card is on fire)");
}

Test(xrt, an_exception_is_an_error_of_that_access)
{
	char late[64];
	uint32_t value;

	snprintf(late, sizeof(late), "throw %d", OPENING);
	expect_open(late);
	cr_expect_eq(device_read32(device, FPGAUGE_GLOBAL_SCRATCH, &value, &error), ERROR_DEVICE);
	cr_expect_str_eq(error.text, "xrt 0000:3b:00.1: cannot read register 0x2c: std::bad_alloc");
}

Test(xrt, a_card_that_cannot_be_opened_says_why)
{
	cr_assert_eq(open_with("refuse", NULL), ERROR_DEVICE);
	cr_expect_str_eq(error.text, "xrt: cannot open the card: the card does not want to");
}

/* XRT's emulation calls exit() where the library throws: a reader who looks for the message finds it either way. */
Test(xrt, a_card_that_cannot_be_opened_says_so_in_the_same_words_whichever_way_xrt_fails)
{
	cr_assert_eq(open_with("load exit", NULL), ERROR_DEVICE);
	cr_expect_str_eq(error.text, "xrt 0000:3b:00.1: cannot open the card: XRT's process ended with exit status 7"
	                             " (XRT said: what XRT always prints)");
	cr_assert_eq(open_with("load throw", NULL), ERROR_DEVICE);
	cr_expect_str_eq(error.text, "xrt 0000:3b:00.1: cannot open the card: std::bad_alloc");
}

Test(xrt, the_card_of_the_plan_is_the_one_that_is_opened)
{
	cr_assert_eq(open_with("arguments", "0000:5e:00.1"), ERROR_DEVICE);
	cr_expect(strstr(error.text, ": 0000:5e:00.1") != NULL, "%s", error.text);
}

struct seen {
	unsigned cards, broken;
};

#define UUID "12345678-9abc-def0-1234-56789abcdef0"

/* The entries of the list for the cards of the fake bridge. */
static const struct {
	const char *name, *what, *why_not;
} CARDS[] = {
        {"xrt:0000:3b:00.1",
         "Alveo U55C, xilinx_u55c_gen3x16_xdma_base_3, loaded: fpgauge, unknown bitstream, UUID " UUID,
         "its bitstream must be named: --set device.manifest=bitstreams/u55c/manifest.cfg when it is built "
         "(docs/boards.md), or device.xclbin=FILE"},
        {"xrt:0000:5e:00.1", "Alveo U30, xilinx_u30_gen3x4_base_2, loaded: vadd:vadd_1, unknown bitstream, UUID " UUID,
         "there is no recipe for this board (docs/boards.md), and a bitstream must be named: --set "
         "device.xclbin=FILE"},
        {"xrt:0000:5f:00.1", "Alveo U50, xilinx_u50_gen3x16_xdma_base_5, nothing is loaded",
         "its bitstream must be named: --set device.manifest=bitstreams/u50/manifest.cfg when it is built "
         "(docs/boards.md), or device.xclbin=FILE"},
        {"xrt:1", "", "no bitstream is named: --set device.manifest=FILE or device.xclbin=FILE"},
};
enum { CARD_COUNT = sizeof(CARDS) / sizeof(CARDS[0]) };

static int see(const struct device_listing *listing, void *context)
{
	struct seen *seen = context;

	if (strncmp(listing->name, "xrt", 3) != 0)
		return 0;
	cr_expect(!listing->ready);
	if (strchr(listing->name, ':') == NULL) {
		seen->broken++;
		return 0;
	}
	cr_assert_lt(seen->cards, CARD_COUNT);
	cr_expect_str_eq(listing->name, CARDS[seen->cards].name);
	cr_expect_str_eq(listing->what, CARDS[seen->cards].what);
	cr_expect_str_eq(listing->why_not, CARDS[seen->cards].why_not);
	seen->cards++;
	return 0;
}

Test(xrt, cards_are_listed_with_board_shell_what_is_loaded_and_what_they_need)
{
	struct seen seen = {0};

	setenv("FAKE_BRIDGE", "", 1);
	cr_assert_eq(device_list(see, &seen), 0);
	cr_expect_eq(seen.cards, CARD_COUNT);
	cr_expect_eq(seen.broken, 0);
}

Test(xrt, the_boards_that_have_recipes_are_those_of_the_folder_of_recipes)
{
	unsigned folders = 0, named = 0;
	DIR *recipes = opendir(FPGAUGE_BITSTREAMS);

	cr_assert_not_null(recipes);
	for (const struct dirent *entry; (entry = readdir(recipes)) != NULL;) {
		char manifest[512];

		snprintf(manifest, sizeof(manifest), FPGAUGE_BITSTREAMS "/%.200s/manifest.cfg", entry->d_name);
		if (access(manifest, F_OK) != 0)
			continue;
		folders++;
		for (const char *const *recipe = XRT_LISTING_RECIPES; *recipe != NULL; recipe++)
			named += strcmp(*recipe, entry->d_name) == 0;
	}
	closedir(recipes);
	cr_expect_eq(named, folders, "%u of %u recipes are named", named, folders);
	for (const char *const *recipe = XRT_LISTING_RECIPES; *recipe != NULL; recipe++)
		folders--;
	cr_expect_eq(folders, 0, "a board is named that has no recipe");
}

Test(xrt, what_xrt_says_of_a_card_may_be_anything)
{
	static const struct {
		const char *said, *what;
	} WORDS[] = {
	        {"", ""},
	        {"0", ""},
	        {"0\nxilinx_u", "xilinx_u"},
	        {"0\nxilinx_u5", "Alveo U5, xilinx_u5"},
	        {"0\nxilinx_vck5000_gen4", "xilinx_vck5000_gen4"},
	        {"0\nxilinx_u5555555555555555555555_x", "xilinx_u5555555555555555555555_x"},
	        {"0\nno card can be opened\n\n", "no card can be opened"},
	        {"0\na\n" UUID, "a, loaded: unknown bitstream, UUID " UUID},
	        {"0\na\n" UUID "\nadd:a, fpgauge:f", "a, loaded: fpgauge, unknown bitstream, UUID " UUID},
	        {"0\na\n123\nfpgauge:f", "a, loaded: fpgauge, unknown bitstream, UUID 123"},
	        {"0\na\n0-0\nfpgauge:f\nmore\n", "a, nothing is loaded"},
	};
	char long_one[2048];
	struct device_listing listing;

	for (size_t i = 0; i < sizeof(WORDS) / sizeof(WORDS[0]); i++) {
		xrt_listing_read(WORDS[i].said, &listing, &error);
		cr_expect_str_eq(listing.what, WORDS[i].what);
		cr_expect(!listing.ready && listing.why_not[0] != '\0');
	}
	memset(long_one, 'x', sizeof(long_one));
	for (size_t i = 500; i < sizeof(long_one); i += 500)
		long_one[i] = '\n';
	long_one[sizeof(long_one) - 1] = '\0';
	xrt_listing_read(long_one, &listing, &error);
	cr_expect_lt(strlen(listing.what), sizeof(listing.what));
}

/* -- which bitstream it is ------------------------------------------------------------------------------------------
 */

static void write_manifest(const char *name, const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	mkdir(path, 0700);
	snprintf(path, sizeof(path), "%s/%s/manifest.cfg", folder, name);
	file = fopen(path, "w");
	cr_assert_not_null(file);
	fputs(text, file);
	fclose(file);
}

/* Looks for manifests in a folder that is not there, nothing, and the test's own. */
static void look_in_folder(void)
{
	char folders[128];

	snprintf(folders, sizeof(folders), "/nowhere::%s", folder);
	setenv("FPGAUGE_BITSTREAM_PATH", folders, 1);
}

static void list_card(struct device_listing *listing)
{
	error = (struct error){0};
	look_in_folder();
	xrt_listing_read("0000:3b:00.1\nxilinx_u55c_gen3x16_xdma_base_3\n" UUID "\nfpgauge:fpgauge_0", listing, &error);
}

Test(xrt, a_bitstream_that_a_manifest_has_is_named_with_version_and_commit_and_so_is_the_manifest_to_use)
{
	struct device_listing listing;
	char needs[200];

	write_manifest("a-other", "uuid = \"12345678-9abc-def0-1234-56789abcdef1\"; version = \"9\"; git = \"no\";");
	write_manifest(
	        "autumn",
	        "uuid = \"12345678-9ABC-def0-1234-56789abcdef0\"; version = \"0.1.0\"; git = \"0a1b2c-changed\";");
	write_manifest("unbuilt", "uuid = \"\";");
	list_card(&listing);
	cr_expect_eq(error.code, ERROR_NONE, "%s", error.text);
	cr_expect_str_eq(listing.what,
	                 "Alveo U55C, xilinx_u55c_gen3x16_xdma_base_3, loaded: autumn (fpgauge 0.1.0, git "
	                 "0a1b2c-changed), UUID " UUID);
	snprintf(needs, sizeof(needs), "its bitstream must be named: --set device.manifest=%s/autumn/manifest.cfg",
	         folder);
	cr_expect_str_eq(listing.why_not, needs);
	write_manifest("autumn", "uuid = \"" UUID "\";"); /* a hand-made build */
	list_card(&listing);
	cr_expect(strstr(listing.what, "loaded: autumn (fpgauge of unknown version, git unknown), UUID " UUID) != NULL,
	          "%s", listing.what);
}

Test(xrt, a_manifest_that_cannot_be_read_is_told_with_file_and_key_and_hides_no_other)
{
	static const struct {
		const char *text, *says;
	} BAD[] = {
	        {"uuid = 5;", "uuid = \"\": must be text such as"},
	        {"uuid = \"" UUID "0\";", "uuid = \"" UUID "0\": must be"},
	        {"uuid = \"12345678-9abc-def0-1234-56789abcdef\";", "uuid = "},
	        {"uuid = \"12345678-9abc-def0-1234-56789abcdefg\";", "uuid = "},
	        {"uuid = \"123456789abc-def0-1234-56789abcdef00\";", "uuid = "},
	        {"version = 1.0;", "version: must be text of up to 40 letters"},
	        {"version = \"1\\x1b[2J\";", "version: must be"},
	        {"git = \"0123456789012345678901234567890123456789x\";", "git: must be"},
	        {"git = \"\xc3\xa9\";", "git: must be"},
	        {"uuid = \n", ":2: syntax error"},
	};

	write_manifest("z-good", "uuid = \"" UUID "\"; version = \"1\"; git = \"2\";");
	for (size_t i = 0; i < sizeof(BAD) / sizeof(BAD[0]); i++) {
		struct device_listing listing;
		char path[128];

		write_manifest("bad", BAD[i].text);
		list_card(&listing);
		snprintf(path, sizeof(path), "%s/bad/manifest.cfg:", folder);
		cr_expect(strstr(error.text, path) == error.text && strstr(error.text, BAD[i].says) != NULL, "%s: %s",
		          BAD[i].text, error.text);
		cr_expect(strstr(listing.what, "loaded: z-good (fpgauge 1, git 2), UUID") != NULL, "%s", listing.what);
	}
}

Test(xrt, a_manifest_that_cannot_be_read_is_a_row_of_the_list)
{
	struct seen seen = {0};

	setenv("FAKE_BRIDGE", "", 1);
	write_manifest("bad", "uuid = 5;");
	look_in_folder();
	cr_assert_eq(device_list(see, &seen), 0);
	cr_expect_eq(seen.cards, CARD_COUNT);
	cr_expect_eq(seen.broken, 1);
}

/* The file that fpgauge-make-xclbin wrote, with its UUID where struct axlf of XRT's header has it. */
static void uuid_of_file(char text[BITSTREAM_UUID])
{
	uint8_t octets[BITSTREAM_UUID_OCTETS];
	FILE *file = fopen(xclbin, "rb");

	cr_assert(file != NULL && fseek(file, 416, SEEK_SET) == 0 && fread(octets, sizeof(octets), 1, file) == 1);
	fclose(file);
	snprintf(text, BITSTREAM_UUID, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x",
	         octets[0], octets[1], octets[2], octets[3], octets[4], octets[5], octets[6], octets[7], octets[8],
	         octets[9], octets[10], octets[11], octets[12], octets[13], octets[14], octets[15]);
}

static int open_manifest(const char *uuid)
{
	char path[128], text[512];
	struct device_option options[] = {{"device.manifest", path}, {"device.sysfs", folder}};
	struct device_config config = {.backend = "xrt", .options = options, .option_count = 2};
	const char *bad_option;

	snprintf(text, sizeof(text),
	         "file = \"../core.xclbin\"; ip = \"fpgauge:{fpgauge_0}\"; map_version = %u; map_hash = \"0x%08x\"; "
	         "uuid = "
	         "\"%s\"; version = \"0.1.0\"; git = \"0a1b2c\";",
	         (unsigned)FPGAUGE_MAP_VERSION, (unsigned)FPGAUGE_MAP_HASH, uuid);
	write_manifest("mine", text);
	snprintf(path, sizeof(path), "%s/mine/manifest.cfg", folder);
	setenv("FAKE_BRIDGE", "", 1);
	return device_open(&config, &device, &bad_option, &error);
}

Test(xrt, a_device_knows_which_bitstream_was_loaded_into_it)
{
	char uuid[BITSTREAM_UUID], expected[200];

	uuid_of_file(uuid);
	expect_open("");
	snprintf(expected, sizeof(expected), "unknown bitstream, UUID %s", uuid);
	cr_expect_str_eq(device_identity(device)->bitstream, expected);
	device_close(device);
	cr_assert_eq(open_manifest(uuid), 0, "%s", error.text);
	snprintf(expected, sizeof(expected), "mine (fpgauge 0.1.0, git 0a1b2c), UUID %s", uuid);
	cr_expect_str_eq(device_identity(device)->bitstream, expected);
	device_close(device);
	look_in_folder(); /* the file is named alone, and its manifest is found */
	expect_open("");
	cr_expect_str_eq(device_identity(device)->bitstream, expected);
	device_close(device);
	cr_assert_eq(open_manifest(""), 0, "%s", error.text); /* nobody wrote it into the manifest */
	cr_expect(strstr(device_identity(device)->bitstream, "unknown bitstream, UUID") != NULL);
}

Test(xrt, a_file_whose_uuid_is_not_the_manifests_is_refused)
{
	cr_assert_eq(open_manifest(UUID), ERROR_DEVICE);
	cr_expect(strstr(error.text, "core.xclbin: is not the file of the manifest: its UUID is ") != NULL, "%s",
	          error.text);
	cr_expect(strstr(error.text, ", the manifest says " UUID) != NULL, "%s", error.text);
}

Test(xrt, a_list_that_breaks_off_is_no_whole_one)
{
	struct seen seen = {0};

	setenv("FAKE_BRIDGE", "exit", 1);
	cr_assert_eq(device_list(see, &seen), 0);
	cr_expect_eq(seen.broken, 1);
}

/* -- two programs -------------------------------------------------------------------------------------------------- */

/* Starts a process that holds the card until it is told to end; returns its pid. */
static pid_t other_program(int *end)
{
	int ready[2], done[2];
	char octet;
	pid_t other;

	cr_assert(pipe(ready) == 0 && pipe(done) == 0);
	other = fork();
	if (other == 0) {
		close(done[1]);
		octet = (char)('0' + (open_with("", NULL) == 0));
		if (write(ready[1], &octet, 1) != 1 || read(done[0], &octet, 1) != 0)
			_exit(1);
		device_close(device);
		_exit(0);
	}
	close(done[0]);
	cr_assert(read(ready[0], &octet, 1) == 1 && octet == '1');
	close(ready[0]);
	close(ready[1]);
	*end = done[1];
	return other;
}

Test(xrt, a_card_that_another_process_has_is_refused_with_its_number_and_is_not_loaded)
{
	char loaded[80], says[80];
	int end;
	pid_t other = other_program(&end);

	snprintf(loaded, sizeof(loaded), "%s/loaded", folder);
	setenv("FAKE_BRIDGE_LOADED", loaded, 1);
	cr_expect_eq(open_with("", NULL), ERROR_DEVICE);
	snprintf(says, sizeof(says), "xrt 0000:3b:00.1: is in use by process %d (", other);
	cr_expect(strstr(error.text, says) == error.text, "%s", error.text);
	cr_expect_neq(access(loaded, F_OK), 0, "a bitstream was loaded into a card that another program drives");
	kill(other, SIGKILL);
	waitpid(other, NULL, 0);
	close(end);
	expect_open(""); /* a killed process holds nothing */
	cr_expect_eq(access(loaded, F_OK), 0);
}

Test(xrt, a_card_without_a_place_in_sysfs_is_not_driven_without_a_lock)
{
	setenv("FAKE_BRIDGE_CARD", "0000:5e:00.1", 1);
	cr_expect_eq(open_with("", NULL), ERROR_DEVICE);
	cr_expect(strstr(error.text, "cannot be locked against other programs") != NULL, "%s", error.text);
}

Test(xrt, an_address_without_a_domain_is_that_of_domain_0)
{
	setenv("FAKE_BRIDGE_CARD", "3b:00.1", 1);
	expect_open("");
}

Test(xrt, a_card_that_xrt_emulates_is_each_process_s_own)
{
	setenv("FAKE_BRIDGE_CARD", "0000:00:00.0", 1);
	setenv("XCL_EMULATION_MODE", "sw_emu", 1);
	expect_open("");
}

/* -- sensors ------------------------------------------------------------------------------------------------------ */

Test(xrt, sensors_are_told_one_by_one_and_their_names_can_be_printed)
{
	struct device_sensors sensors;

	expect_open("");
	cr_assert_eq(device_sensors(device, &sensors, &error), 0, "%s", error.text);
	cr_assert_eq(sensors.count, 3);
	cr_expect_str_eq(sensors.sensor[0].name, "FPGA");
	cr_expect_eq(sensors.sensor[0].unit, DEVICE_CELSIUS);
	cr_expect_eq(sensors.sensor[0].value, 41);
	cr_expect_eq(sensors.sensor[1].value, 36.5);
	cr_expect_str_eq(sensors.sensor[1].name, "PCB \xef\xbf\xbd Top", "an octet of no character is U+FFFD");
	cr_expect_str_eq(sensors.sensor[2].name, "power");
	cr_expect_eq(sensors.sensor[2].unit, DEVICE_WATTS);
	cr_expect_eq(sensors.sensor[2].value, 23.25);
}

Test(xrt, a_sensor_that_is_none_ends_the_list)
{
	static const char *const texts[] = {"sensors C nan FPGA", "sensors X 3 FPGA", "sensors C inf x", "sensors C",
	                                    "sensors 3"};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct device_sensors sensors;

		expect_open(texts[i]);
		cr_assert_eq(device_sensors(device, &sensors, &error), 0, "%s", error.text);
		cr_expect_eq(sensors.count, 2, "%s", texts[i]);
		device_close(device);
		device = NULL;
	}
}

Test(xrt, sensors_of_a_bridge_that_has_died_are_an_error_that_says_what_was_asked)
{
	struct device_sensors sensors;
	char late[32];

	snprintf(late, sizeof(late), "abort %d", OPENING);
	expect_open(late);
	cr_assert_eq(device_sensors(device, &sensors, &error), ERROR_DEVICE);
	cr_expect(strstr(error.text, "cannot read the card's sensors") != NULL, "%s", error.text);
	cr_expect_eq(sensors.count, 0);
}
