// SPDX-License-Identifier: Apache-2.0
/* The backend "sim": a shared library that simulates the device (drivers/sim_abi.h).
 *
 * A library is found by name ("rtl": libfpgauge-sim-rtl.so) in the folders of FPGAUGE_LIBRARY_PATH, in sim/ beside the
 * program, beside the program, and where it is installed; or by path, which is a name with a slash. */
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drivers/backend.h"
#include "drivers/sim_abi.h"

#define DEFAULT_LIBRARY "rtl"
#define ENTRY "fpgauge_sim_entry"
#define PATH_VARIABLE "FPGAUGE_LIBRARY_PATH"
/* Waveforms cost speed even when nobody looks, so they are in a second library. */
#define TRACE_OPTION "device.trace"
#define TRACE_SUFFIX "-trace"

struct sim_handle {
	void *library;
	const struct fpgauge_sim_api *api;
	struct fpgauge_sim *sim;
	char name[64];
};

enum { MAX_TRIED = 512 };

/* A search for a library by name. */
struct lookup {
	char file[PATH_MAX];   /* "libfpgauge-sim-rtl.so" */
	char found[PATH_MAX];  /* path, or empty */
	char tried[MAX_TRIED]; /* folders, for the complaint */
};

/* Looks into one folder; true when the file is there. */
static bool look_in(struct lookup *lookup, const char *folder, size_t length)
{
	size_t used = strlen(lookup->tried);

	if (length == 0)
		return false;
	if (used + 1 < sizeof(lookup->tried))
		snprintf(lookup->tried + used, sizeof(lookup->tried) - used, "%s%.*s", used ? ", " : "", (int)length,
		         folder);
	if (snprintf(lookup->found, sizeof(lookup->found), "%.*s/%s", (int)length, folder, lookup->file) >=
	            (int)sizeof(lookup->found) ||
	    access(lookup->found, F_OK) != 0) {
		lookup->found[0] = '\0';
		return false;
	}
	return true;
}

static bool look_in_path_variable(struct lookup *lookup)
{
	const char *path = getenv(PATH_VARIABLE);

	while (path != NULL && *path != '\0') {
		size_t length = strcspn(path, ":");

		if (look_in(lookup, path, length))
			return true;
		path += length + (path[length] == ':');
	}
	return false;
}

static bool look_beside_program(struct lookup *lookup)
{
	static const char *const places[] = {"/sim/rtl", "/sim", "", "/../lib/fpgauge"};
	char folder[PATH_MAX];
	char program[PATH_MAX];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	char *slash;

	if (length <= 0)
		return false;
	program[length] = '\0';
	slash = strrchr(program, '/');
	if (slash == NULL)
		return false;
	*slash = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		int used = snprintf(folder, sizeof(folder), "%s%s", program, places[i]);

		if (used > 0 && used < (int)sizeof(folder) && look_in(lookup, folder, (size_t)used))
			return true;
	}
	return false;
}

static bool wants_trace(const struct device_config *config)
{
	for (size_t i = 0; i < config->option_count; i++)
		if (strcmp(config->options[i].name, TRACE_OPTION) == 0)
			return true;
	return false;
}

/* Writes the path of the library that config names. */
static int find_library(const struct device_config *config, struct lookup *lookup, struct error *error)
{
	const char *name = config->library != NULL ? config->library : DEFAULT_LIBRARY;

	memset(lookup, 0, sizeof(*lookup));
	if (strchr(name, '/') != NULL) {
		if (strlen(name) >= sizeof(lookup->found))
			return error_set(error, ERROR_DEVICE, "device.library = \"%.64s...\": the path is too long",
			                 name);
		strcpy(lookup->found, name);
	} else {
		snprintf(lookup->file, sizeof(lookup->file), "libfpgauge-sim-%.128s%s.so", name,
		         wants_trace(config) ? TRACE_SUFFIX : "");
		if (!look_in_path_variable(lookup) && !look_beside_program(lookup))
			return error_set(error, ERROR_DEVICE, "device.library = \"%.128s\": no %s in %s", name,
			                 lookup->file, lookup->tried);
	}
	if (access(lookup->found, R_OK) != 0)
		return error_set(error, ERROR_DEVICE, "device.library = \"%.128s\": %.512s: %s", name, lookup->found,
		                 strerror(errno));
	return 0;
}

/* What dlerror() says, as one line. */
static const char *why_not(char *text, size_t size)
{
	const char *why = dlerror();

	snprintf(text, size, "%s", why != NULL ? why : "unknown error");
	for (char *c = text; *c != '\0'; c++)
		if (*c == '\n')
			*c = ' ';
	return text;
}

static int load(struct sim_handle *handle, const char *path, struct error *error)
{
	const struct fpgauge_sim_api *(*entry)(void);
	char why[512];

	handle->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (handle->library == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: cannot be loaded: %s", path, why_not(why, sizeof(why)));
	/* POSIX's own way to make a function of what dlsym gives. */
	*(void **)&entry = dlsym(handle->library, ENTRY);
	if (entry == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: is no simulation library: it has no " ENTRY, path);
	handle->api = entry();
	if (handle->api == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: " ENTRY " gives nothing", path);
	if (handle->api->abi_version != FPGAUGE_SIM_ABI_VERSION)
		return error_set(error, ERROR_DEVICE,
		                 "%.256s: is built for version %u of the interface; this program has %u", path,
		                 handle->api->abi_version, FPGAUGE_SIM_ABI_VERSION);
	return 0;
}

/* Opens the simulation; a refused option comes back as "dut.buffer_frames = 0: must be 1 to 65536". */
static int start(struct sim_handle *handle, const struct device_config *config, const char **bad_option,
                 struct error *error)
{
	struct fpgauge_sim_option *options = calloc(config->option_count + 1, sizeof(*options));
	const char *bad = NULL;
	char text[512] = "";
	int result = 0;

	if (options == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	for (size_t i = 0; i < config->option_count; i++)
		options[i] = (struct fpgauge_sim_option){config->options[i].name, config->options[i].value};
	handle->sim = handle->api->open(options, config->option_count, &bad, text, sizeof(text));
	if (handle->sim == NULL && bad != NULL) {
		*bad_option = bad;
		result = error_set(error, ERROR_PLAN, "%s = %s", bad, text);
	} else if (handle->sim == NULL) {
		result = error_set(error, ERROR_DEVICE, "%s: %s", handle->name, text);
	}
	free(options);
	return result;
}

static void sim_close(void *opaque)
{
	struct sim_handle *handle = opaque;

	if (handle->sim != NULL)
		handle->api->close(handle->sim);
	if (handle->library != NULL)
		dlclose(handle->library);
	free(handle);
}

static int sim_open(const struct device_config *config, void **opaque, char *name, size_t name_size,
                    const char **bad_option, struct error *error)
{
	struct sim_handle *handle = calloc(1, sizeof(*handle));
	struct lookup lookup;
	int result;

	if (handle == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	result = find_library(config, &lookup, error);
	if (result == 0)
		result = load(handle, lookup.found, error);
	if (result == 0) {
		snprintf(handle->name, sizeof(handle->name), "sim %s", handle->api->name);
		snprintf(name, name_size, "%s", handle->name);
		result = start(handle, config, bad_option, error);
	}
	if (result != 0) {
		sim_close(handle);
		return result;
	}
	*opaque = handle;
	return 0;
}

static int failed(const struct sim_handle *handle, struct error *error)
{
	return error_set(error, ERROR_DEVICE, "%s: %s", handle->name, handle->api->error_text(handle->sim));
}

static int sim_read32(void *opaque, uint32_t address, uint32_t *value, struct error *error)
{
	struct sim_handle *handle = opaque;

	return handle->api->read32(handle->sim, address, value) == 0 ? 0 : failed(handle, error);
}

static int sim_write32(void *opaque, uint32_t address, uint32_t value, struct error *error)
{
	struct sim_handle *handle = opaque;

	return handle->api->write32(handle->sim, address, value) == 0 ? 0 : failed(handle, error);
}

static int sim_wait(void *opaque, uint64_t octet_times, struct error *error)
{
	struct sim_handle *handle = opaque;

	return handle->api->wait(handle->sim, octet_times) == 0 ? 0 : failed(handle, error);
}

static int sim_now(void *opaque, uint64_t *octet_times, struct error *error)
{
	struct sim_handle *handle = opaque;

	(void)error;
	*octet_times = handle->api->now(handle->sim);
	return 0;
}

static bool sim_truth(void *opaque, uint32_t frame_octets, struct dut_truth *truth)
{
	struct sim_handle *handle = opaque;
	struct fpgauge_sim_truth theirs;

	if (handle->api->truth(handle->sim, frame_octets, &theirs) != 0)
		return false;
	memcpy(truth->model, theirs.model, sizeof(truth->model));
	truth->model[sizeof(truth->model) - 1] = '\0';
	truth->throughput_fps = theirs.throughput_fps;
	truth->buffer_frames = theirs.buffer_frames;
	truth->longest_burst_frames = theirs.longest_burst_frames;
	truth->latency_ot = theirs.latency_ot;
	return true;
}

static int sim_reset_dut(void *opaque, struct error *error)
{
	struct sim_handle *handle = opaque;

	return handle->api->reset_dut(handle->sim) == 0 ? 0 : failed(handle, error);
}

const struct backend_ops backend_sim = {
        .name = "sim",
        .open = sim_open,
        .close = sim_close,
        .read32 = sim_read32,
        .write32 = sim_write32,
        .wait = sim_wait,
        .now = sim_now,
        .truth = sim_truth,
        .reset_dut = sim_reset_dut,
};
