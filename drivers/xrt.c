// SPDX-License-Identifier: Apache-2.0
/* The backend "xrt": a card driven by the Xilinx Runtime, through a bridge process (xrt_bridge.h says why). The clock
 * of a card runs by itself, so there is neither now nor wait here. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "drivers/backend.h"
#include "drivers/bitstream.h"
#include "drivers/board_lock.h"
#include "drivers/process_state.h"
#include "drivers/program_folder.h"
#include "drivers/xclbin.h"
#include "drivers/xrt_bridge.h"
#include "drivers/xrt_listing.h"
#include "host/base/clock.h"
#include "host/base/spawn.h"
#include "hw/regs/fpgauge_regs.h"

#define DEFAULT_IP "fpgauge:{fpgauge_0}"
/* Whichever way XRT fails (an error, exit(), a signal, no answer), its message begins with what failed. */
#define OPENING "cannot open the card"

/* An access takes about a microsecond on a card. Loading a bitstream takes seconds, listing cards less. */
enum { CORE_LOOKS = 20, CORE_LOOK_NS = 40000000 };
enum { END_LOOKS = 1000, END_LOOK_NS = 1000000 }; /* looks from the end of the socket to that of the bridge's process */
enum { WORK_LOOK_MS = 20, LONGEST_WORK_MS = 10000 };
enum { ACCESS_TIMEOUT_MS = 1200, OPEN_TIMEOUT_MS = 60000, LIST_TIMEOUT_MS = 10000, CLOSE_TIMEOUT_MS = 2000 };

struct xrt_handle {
	char name[96];
	char bitstream[BITSTREAM_TEXT];
	pid_t bridge;     /* also its process group; 0: none, or waited for */
	int socket;       /* -1: none */
	int lock;         /* a file of the board that is locked; -1: none */
	int output;       /* an unnamed file with what XRT printed */
	off_t old_output; /* how much XRT had printed when the card was open: routine output, not worth showing */
	bool failed;      /* an answer is missing: a later one must not be taken for it */
};

/* -- the process -------------------------------------------------------------------------------------------------- */

/* Looks in the folder of the program, above it, and where it is installed. */
static int find_bridge(char *path, size_t size, struct error *error)
{
	static const char *const places[] = {"", "/..", "/../..", ("/" FPGAUGE_LIBEXEC_FROM_BIN)};
	char program[PATH_MAX] = "";
	bool known = program_folder(program, sizeof(program));

	for (size_t i = 0; known && i < sizeof(places) / sizeof(places[0]); i++) {
		int used = snprintf(path, size, "%s%s/" XRT_BRIDGE_PROGRAM, program, places[i]);

		if (used > 0 && (size_t)used < size && access(path, X_OK) == 0)
			return 0;
	}
	return error_set(error, ERROR_DEVICE,
	                 "xrt: there is no " XRT_BRIDGE_PROGRAM " in %s, nor in " FPGAUGE_LIBEXEC_FROM_BIN
	                 " from there; the package fpgauge-xrt has it",
	                 program);
}

/* Starts the bridge in a session of its own: it does not receive Ctrl-C, and signals that XRT sends to its process
 * group do not reach us. */
static int start_bridge(struct xrt_handle *handle, const char *const *arguments, struct error *error)
{
	char path[PATH_MAX];
	int pair[2] = {-1, -1}, why;
	int status = find_bridge(path, sizeof(path), error);

	if (status != 0)
		return status;
	handle->output = memfd_create("what XRT printed", MFD_CLOEXEC);
	if (handle->output < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) != 0)
		return error_set(error, ERROR_INTERNAL, "xrt: %s", strerror(errno));
	handle->socket = pair[0];
	why = spawn_start(&(struct spawn_request){.program = path,
	                                          .arguments = arguments,
	                                          .files = (const struct spawn_file[]){{SPAWN_NO_FILE, STDIN_FILENO},
	                                                                               {handle->output, STDOUT_FILENO},
	                                                                               {handle->output, STDERR_FILENO},
	                                                                               {pair[1], XRT_BRIDGE_FD}},
	                                          .file_count = 4,
	                                          .group = SPAWN_OWN_SESSION},
	                  &handle->bridge);
	close(pair[1]);
	if (why != 0) {
		handle->bridge = 0;
		return error_set(error, ERROR_DEVICE, "%.256s: cannot be started: %s", path, strerror(why));
	}
	return 0;
}

/* The bridge exits by itself when its socket is closed, unless XRT hangs; then it is killed with whatever it started.
 */
static void stop_bridge(struct xrt_handle *handle)
{
	struct spawn_end end;
	int64_t deadline_ms = clock_ms() + (handle->failed ? 0 : CLOSE_TIMEOUT_MS);

	if (handle->socket >= 0)
		close(handle->socket);
	handle->socket = -1;
	if (handle->bridge <= 0)
		return;
	while (!spawn_has_ended(handle->bridge, &end)) {
		if (clock_ms() >= deadline_ms) {
			kill(-handle->bridge, SIGKILL);
			break;
		}
		clock_sleep_ns(END_LOOK_NS);
	}
	spawn_reap(handle->bridge);
	handle->bridge = 0;
}

static void xrt_close(void *opaque)
{
	struct xrt_handle *handle = opaque;

	stop_bridge(handle);
	if (handle->output >= 0)
		close(handle->output);
	if (handle->lock >= 0) /* not before XRT has released the card */
		close(handle->lock);
	free(handle);
}

static struct xrt_handle *make_handle(struct error *error)
{
	struct xrt_handle *handle = calloc(1, sizeof(*handle));

	if (handle == NULL) {
		error_set(error, ERROR_INTERNAL, "out of memory");
		return NULL;
	}
	handle->socket = handle->output = handle->lock = -1;
	snprintf(handle->name, sizeof(handle->name), "xrt");
	return handle;
}

/* -- messages to it ----------------------------------------------------------------------------------------------- */

/* The last line that XRT printed, in parentheses, or nothing. */
static const char *last_words(const struct xrt_handle *handle, char *text, size_t size)
{
	char end[400];
	off_t length = lseek(handle->output, 0, SEEK_END);
	off_t from = length > (off_t)sizeof(end) ? length - (off_t)sizeof(end) + 1 : 0;
	ssize_t got = length > handle->old_output ? pread(handle->output, end, sizeof(end) - 1, from) : 0;
	char *line = end;

	for (end[got > 0 ? got : 0] = '\0'; got > 0 && (end[got - 1] == '\n' || end[got - 1] == ' '); got--)
		end[got - 1] = '\0';
	for (char *c = end; *c != '\0'; c++) {
		if (*c == '\n')
			line = c + 1;
		else if (*c < ' ')
			*c = ' ';
	}
	*text = '\0';
	if (*line != '\0')
		snprintf(text, size, " (XRT said: %.300s)", line);
	return text;
}

/* The bridge is gone: waits for the process and says how it ended. `what` as for take_answer(). */
static int say_how_it_ended(struct xrt_handle *handle, const char *what, struct error *error)
{
	char words[320], how[SPAWN_END_TEXT] = "closed its socket or sent an incomplete answer";
	struct spawn_end end;

	handle->failed = true;
	/* The end of the socket may be seen before that of the process, on a busy machine long before. */
	for (int looks = 0; handle->bridge > 0 && looks < END_LOOKS; looks++) {
		if (spawn_has_ended(handle->bridge, &end)) {
			spawn_end_text(&end, how);
			spawn_reap(handle->bridge);
			handle->bridge = 0;
			break;
		}
		clock_sleep_ns(END_LOOK_NS);
	}
	return error_set(error, ERROR_DEVICE, "%s: %s: XRT's process %s%s", handle->name, what, how,
	                 last_words(handle, words, sizeof(words)));
}

/* -1 when there is something to read, else how long was waited in vain. What hangs is blocked; as long as XRT's process
 * is at work, it may have had no processor for all that time on a busy machine, and gets longer. */
static int64_t wait_for_answer(const struct xrt_handle *handle, int timeout_ms)
{
	struct pollfd awaited = {.fd = handle->socket, .events = POLLIN};
	int64_t began_ms = clock_ms();

	for (;;) {
		int64_t waited_ms = clock_ms() - began_ms, left_ms = timeout_ms - waited_ms;
		/* Asked before the look at the socket: one that has just answered is not at work either. */
		bool at_work = left_ms <= 0 && process_is_at_work(handle->bridge);
		int ready = poll(&awaited, 1, left_ms > 0 ? (int)left_ms : at_work ? WORK_LOOK_MS : 0);

		if (ready > 0)
			return -1;
		if (ready < 0 && errno != EINTR)
			return waited_ms;
		if (ready == 0 && left_ms <= 0 && (!at_work || waited_ms >= timeout_ms + LONGEST_WORK_MS))
			return waited_ms;
	}
}

/* Waits for one answer. `what` is what cannot be done without it: "cannot read register 0x38". */
static int take_answer(struct xrt_handle *handle, int timeout_ms, const char *what, struct xrt_bridge_answer *answer,
                       struct error *error)
{
	char words[320];
	ssize_t length;
	int64_t waited_ms = wait_for_answer(handle, timeout_ms);

	if (waited_ms >= 0) {
		handle->failed = true;
		return error_set(error, ERROR_DEVICE, "%s: %s: XRT gave no answer within %.1f s%s", handle->name, what,
		                 (double)waited_ms / 1e3, last_words(handle, words, sizeof(words)));
	}
	length = recv(handle->socket, answer, sizeof(*answer), 0);
	if (length <= (ssize_t)offsetof(struct xrt_bridge_answer, text))
		return say_how_it_ended(handle, what, error);
	answer->text[sizeof(answer->text) - 1] = '\0';
	if (answer->failed)
		return error_set(error, ERROR_DEVICE, "%s: %s: %s", handle->name, what, answer->text);
	return 0;
}

static int request(struct xrt_handle *handle, const struct xrt_bridge_request *request,
                   struct xrt_bridge_answer *answer, struct error *error)
{
	static const int timeouts_ms[] = {[XRT_BRIDGE_READ32] = ACCESS_TIMEOUT_MS,
	                                  [XRT_BRIDGE_WRITE32] = ACCESS_TIMEOUT_MS,
	                                  [XRT_BRIDGE_LOAD] = OPEN_TIMEOUT_MS,
	                                  [XRT_BRIDGE_SENSOR] = LIST_TIMEOUT_MS};
	char what[64] = OPENING;

	if (request->operation == XRT_BRIDGE_SENSOR)
		snprintf(what, sizeof(what), "cannot read the card's sensors");
	else if (request->operation != XRT_BRIDGE_LOAD)
		snprintf(what, sizeof(what), "cannot %s register 0x%x",
		         request->operation == XRT_BRIDGE_READ32 ? "read" : "write", request->address);
	if (handle->failed)
		return error_set(error, ERROR_DEVICE, "%s: %s: XRT failed before and cannot be asked", handle->name,
		                 what);
	if (send(handle->socket, request, sizeof(*request), MSG_NOSIGNAL) != (ssize_t)sizeof(*request))
		return say_how_it_ended(handle, what, error);
	return take_answer(handle, timeouts_ms[request->operation], what, answer, error);
}

static int xrt_read32(void *opaque, uint32_t address, uint32_t *value, struct error *error)
{
	const struct xrt_bridge_request read = {.operation = XRT_BRIDGE_READ32, .address = address};
	struct xrt_bridge_answer answer;
	int status = request(opaque, &read, &answer, error);

	if (status == 0)
		*value = answer.value;
	return status;
}

static int xrt_write32(void *opaque, uint32_t address, uint32_t value, struct error *error)
{
	const struct xrt_bridge_request write = {.operation = XRT_BRIDGE_WRITE32, .address = address, .value = value};
	struct xrt_bridge_answer answer;

	return request(opaque, &write, &answer, error);
}

/* An answer as xrt_bridge.h says; anything else is the last one. */
static bool read_sensor(const struct xrt_bridge_answer *answer, struct device_sensor *sensor)
{
	char unit;
	int name = 0;

	if (answer->value == 0 || sscanf(answer->text, "%c %lf %n", &unit, &sensor->value, &name) != 2 || name == 0 ||
	    (unit != 'C' && unit != 'W') || !isfinite(sensor->value))
		return false;
	sensor->unit = unit == 'W' ? DEVICE_WATTS : DEVICE_CELSIUS;
	snprintf(sensor->name, sizeof(sensor->name), "%s", answer->text + name);
	return true;
}

static int xrt_sensors(void *opaque, struct device_sensors *sensors, struct error *error)
{
	while (sensors->count < DEVICE_MOST_SENSORS) {
		const struct xrt_bridge_request one = {.operation = XRT_BRIDGE_SENSOR, .value = sensors->count};
		struct xrt_bridge_answer answer;

		if (request(opaque, &one, &answer, error) != 0)
			return error->code;
		if (!read_sensor(&answer, &sensors->sensor[sensors->count]))
			break;
		sensors->count++;
	}
	return 0;
}

/* -- opening ------------------------------------------------------------------------------------------------------ */

static const char *option(const struct device_config *config, const char *name)
{
	for (size_t i = 0; i < config->option_count; i++)
		if (strcmp(config->options[i].name, name) == 0)
			return config->options[i].value;
	return NULL;
}

/* Chooses the file and checks it, because XRT's own messages about a wrong file are of no help. */
static int choose_xclbin(const struct device_config *config, struct xclbin *xclbin, const char **bad_option,
                         struct error *error)
{
	const char *file = option(config, "device.xclbin"), *manifest = option(config, "device.manifest");
	int status = 0;

	memset(xclbin, 0, sizeof(*xclbin));
	*bad_option = manifest != NULL ? "device.manifest" : "device.xclbin";
	if (manifest == NULL && file == NULL)
		return error_set(error, ERROR_PLAN, "device.xclbin or device.manifest must be given");
	if (manifest != NULL) {
		status = xclbin_read_manifest(manifest, xclbin, error);
	} else {
		snprintf(xclbin->path, sizeof(xclbin->path), "%s", file);
		snprintf(xclbin->ip, sizeof(xclbin->ip), "%s", DEFAULT_IP);
	}
	return status ? status : xclbin_check(xclbin, error);
}

/* XRT keeps a second process away from the kernel (IP), but not from loading another bitstream or from waiting forever,
 * and it does not say who has the card. In XRT's emulation each process has cards of its own, which may have addresses
 * too. */
static int lock_card(struct xrt_handle *handle, const char *sysfs, const char *address, struct error *error)
{
	if (strchr(address, ':') == NULL || getenv("XCL_EMULATION_MODE") != NULL)
		return 0;
	return board_lock_by_address(sysfs, address, handle->name, &handle->lock, error);
}

/* Locks the card that XRT has found, before anything on it is changed. */
static int take_card(struct xrt_handle *handle, const char *sysfs, struct error *error)
{
	const struct xrt_bridge_request load = {.operation = XRT_BRIDGE_LOAD};
	struct xrt_bridge_answer answer;
	int status = take_answer(handle, OPEN_TIMEOUT_MS, OPENING, &answer, error);

	if (status != 0)
		return status;
	snprintf(handle->name, sizeof(handle->name), "xrt %.80s", answer.text);
	status = lock_card(handle, sysfs, answer.text, error);
	return status != 0 ? status : request(handle, &load, &answer, error);
}

/* Right after a load the core is in reset until the transceivers run, because its clock is derived from them
 * (docs/boards.md), and reads as all ones. If it stays so, device.c reports it. */
static int wait_for_core(struct xrt_handle *handle, struct error *error)
{
	for (unsigned looks = 1;; looks++) {
		uint32_t id = UINT32_MAX;
		int status = xrt_read32(handle, FPGAUGE_GLOBAL_ID, &id, error);

		if (status != 0 || id != UINT32_MAX || looks == CORE_LOOKS)
			return status;
		clock_sleep_ns(CORE_LOOK_NS);
	}
}

/* Manifests that cannot be read do not matter here, except the plan's, which was read. */
static void name_bitstream(struct xrt_handle *handle, const struct xclbin *xclbin)
{
	struct bitstream found;
	struct error ignored = {0};

	if (xclbin->bitstream.uuid[0] != '\0')
		bitstream_text(&xclbin->bitstream, handle->bitstream);
	else
		bitstream_describe(xclbin->uuid, handle->bitstream, &found, &ignored);
}

static const char *xrt_bitstream(void *opaque)
{
	return ((struct xrt_handle *)opaque)->bitstream;
}

static int xrt_open(const struct device_config *config, void **opaque, char *name, size_t name_size,
                    const char **bad_option, struct error *error)
{
	const char *card = option(config, "device.card");
	struct xrt_handle *handle = make_handle(error);
	struct xclbin *xclbin = calloc(1, sizeof(*xclbin));
	int status = handle && xclbin ? choose_xclbin(config, xclbin, bad_option, error)
	                              : error_set(error, ERROR_INTERNAL, "out of memory");

	if (status == 0) {
		const char *arguments[] = {XRT_BRIDGE_PROGRAM, "open",     card ? card : "",
		                           xclbin->path,       xclbin->ip, NULL};

		*bad_option = card != NULL ? "device.card" : "device.backend";
		status = start_bridge(handle, arguments, error);
	}
	if (status == 0)
		status = take_card(handle, option(config, "device.sysfs"), error);
	if (status == 0)
		name_bitstream(handle, xclbin);
	free(xclbin);
	if (status == 0) {
		handle->old_output = lseek(handle->output, 0, SEEK_END);
		status = wait_for_core(handle, error);
	}
	if (status != 0) {
		if (handle)
			xrt_close(handle);
		return status;
	}
	snprintf(name, name_size, "%s", handle->name);
	*opaque = handle;
	return 0;
}

/* -- listing ------------------------------------------------------------------------------------------------------ */

static int list_one(const struct xrt_bridge_answer *answer, device_found *found, void *context,
                    struct error *bad_manifest)
{
	struct device_listing entry;

	xrt_listing_read(answer->text, &entry, bad_manifest);
	return found(&entry, context);
}

/* Not an error of the cards, which are listed; but then the one that is wanted may be in it. */
static int list_bad_manifest(const struct error *bad_manifest, device_found *found, void *context)
{
	struct device_listing entry = {.name = "xrt", .what = "a manifest cannot be read"};

	device_listing_refuse(&entry, bad_manifest->text);
	return found(&entry, context);
}

static int xrt_list(device_found *found, void *context, struct error *error)
{
	const char *arguments[] = {XRT_BRIDGE_PROGRAM, "list", NULL};
	struct xrt_handle *handle = make_handle(error);
	struct xrt_bridge_answer answer = {.value = 1};
	struct error bad_manifest = {0};
	int status = handle ? start_bridge(handle, arguments, error) : ERROR_INTERNAL;

	while (status == 0 && answer.value != 0) {
		status = take_answer(handle, LIST_TIMEOUT_MS, "cannot list the cards", &answer, error);
		if (status == 0 && answer.value != 0)
			status = list_one(&answer, found, context, &bad_manifest);
	}
	if (status == 0 && bad_manifest.code != ERROR_NONE)
		status = list_bad_manifest(&bad_manifest, found, context);
	if (handle)
		xrt_close(handle);
	return status;
}

const struct backend_ops backend_xrt = {
        .name = "xrt",
        .open = xrt_open,
        .close = xrt_close,
        .read32 = xrt_read32,
        .write32 = xrt_write32,
        .bitstream = xrt_bitstream,
        .sensors = xrt_sensors,
        .list = xrt_list,
};
