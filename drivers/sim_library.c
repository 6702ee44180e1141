// SPDX-License-Identifier: Apache-2.0
/* Folders, file names, dlopen. */
#include "drivers/sim_library.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drivers/dut_abi.h"
#include "drivers/program_folder.h"
#include "host/base/text.h"
#include "hw/regs/fpgauge_regs.h"

#define DEFAULT_LIBRARY RTL
#define RTL "rtl"
#define RTL_PORTS 2 /* ports of the library without a number */
#define ENTRY "fpgauge_sim_entry"
#define PATH_VARIABLE "FPGAUGE_LIBRARY_PATH"
#define PREFIX "libfpgauge-sim-"
#define SUFFIX ".so"
/* Waveform support costs speed even when not used, so it is in a second library. */
#define WAVEFORM_OPTION "device.waveform"
#define WAVEFORM_SUFFIX "-trace"

/* -- folders ------------------------------------------------------------------------------------------------------ */

/* Called for each folder; true ends the search. */
typedef bool visit_folder(const char *folder, void *context);

static bool visit_path_variable(visit_folder *visit, void *context)
{
	const char *path = getenv(PATH_VARIABLE);
	char folder[PATH_MAX];

	while (path != NULL && *path != '\0') {
		size_t length = strcspn(path, ":");

		if (length > 0 && length < sizeof(folder)) {
			memcpy(folder, path, length);
			folder[length] = '\0';
			if (visit(folder, context))
				return true;
		}
		path += length + (path[length] == ':');
	}
	return false;
}

/* Looks in the build tree, next to a program that was copied with its libraries, and where an installation has them. */
static bool visit_beside_program(visit_folder *visit, void *context)
{
	static const char *const places[] = {"/sim", "", "/..", ("/" FPGAUGE_SIM_FROM_BIN)};
	char folder[PATH_MAX], plain[PATH_MAX];
	size_t length, room;

	if (!program_folder(folder, sizeof(folder)))
		return false;
	length = strlen(folder);
	room = sizeof(folder) - length;
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		/* Resolve "..", because users read the path. A folder that does not exist is shown as it is. */
		if (snprintf(folder + length, room, "%s", places[i]) < (int)room &&
		    visit(realpath(folder, plain) != NULL ? plain : folder, context))
			return true;
	}
	return false;
}

static bool visit_folders(visit_folder *visit, void *context)
{
	return visit_path_variable(visit, context) || visit_beside_program(visit, context);
}

/* -- one by name -------------------------------------------------------------------------------------------------- */

enum { MAX_TRIED = 512, NAME_SIZE = 16 };

struct lookup {
	char file[256];        /* "libfpgauge-sim-rtl.so" */
	char *found;           /* path, or empty */
	char tried[MAX_TRIED]; /* folders, for the message */
};

static bool look_in(const char *folder, void *context)
{
	struct lookup *lookup = context;
	size_t used = strlen(lookup->tried);

	text_add(lookup->tried, sizeof(lookup->tried), used, "%s%s", used ? ", " : "", folder);
	if (snprintf(lookup->found, PATH_MAX, "%s/%s", folder, lookup->file) < PATH_MAX &&
	    access(lookup->found, F_OK) == 0)
		return true;
	lookup->found[0] = '\0';
	return false;
}

static bool wants_waveform(const struct device_config *config)
{
	for (size_t i = 0; i < config->option_count; i++)
		if (strcmp(config->options[i].name, WAVEFORM_OPTION) == 0)
			return true;
	return false;
}

/* The RTL is built once for each number of ports, and the library of 2 has no number in its name. */
static void rtl_name(unsigned ports, char *name, size_t size)
{
	if (ports == RTL_PORTS)
		snprintf(name, size, RTL);
	else
		snprintf(name, size, RTL "%u", ports);
}

/* Adds the numbers of ports for which a folder has a library of the RTL to a mask. */
static bool look_for_rtl(const char *folder, void *context)
{
	uint32_t *there = context;

	for (unsigned ports = 1; ports <= FPGAUGE_MAX_PORTS; ports++) {
		char file[PATH_MAX], name[NAME_SIZE];

		rtl_name(ports, name, sizeof(name));
		if (snprintf(file, sizeof(file), "%s/" PREFIX "%s" SUFFIX, folder, name) < (int)sizeof(file) &&
		    access(file, F_OK) == 0)
			*there |= UINT32_C(1) << ports;
	}
	return false;
}

/* There is no library of the RTL for so many ports: says which there are, and how to get this one. */
static int refuse_ports(unsigned ports, const struct lookup *lookup, const char **bad_option, struct error *error)
{
	char names[256] = "none";
	uint32_t there = 0;
	size_t used = 0;

	visit_folders(look_for_rtl, &there);
	for (unsigned n = 1; n <= FPGAUGE_MAX_PORTS; n++) {
		char name[NAME_SIZE];

		rtl_name(n, name, sizeof(name));
		if (there >> n & 1)
			used = text_add(names, sizeof(names), used, "%s\"%s\" (%u ports)", used ? ", " : "", name, n);
	}
	*bad_option = "device.ports";
	return error_set(error, ERROR_PLAN,
	                 "device.ports = %u: no %s in %s; there is %s. CMake with -DFPGAUGE_SIM_PORTS=%u builds it; "
	                 "library = \"twin\" takes 2 to 16",
	                 ports, lookup->file, lookup->tried, names, ports);
}

static int find_by_name(const struct device_config *config, const char *name, struct lookup *lookup,
                        const char **bad_option, struct error *error)
{
	const bool of_rtl = strcmp(name, RTL) == 0 && config->ports != 0;
	char numbered[NAME_SIZE];

	if (of_rtl) {
		rtl_name(config->ports, numbered, sizeof(numbered));
		name = numbered;
	}
	snprintf(lookup->file, sizeof(lookup->file), PREFIX "%.128s" WAVEFORM_SUFFIX SUFFIX, name);
	if (wants_waveform(config) && visit_folders(look_in, lookup))
		return 0;
	/* The library without waveforms will say why it has none. */
	snprintf(lookup->file, sizeof(lookup->file), PREFIX "%.128s" SUFFIX, name);
	lookup->tried[0] = '\0';
	if (visit_folders(look_in, lookup))
		return 0;
	if (of_rtl && config->ports != RTL_PORTS)
		return refuse_ports(config->ports, lookup, bad_option, error);
	return error_set(error, ERROR_DEVICE, "device.library = \"%.128s\": no %s in %s", name, lookup->file,
	                 lookup->tried);
}

int sim_library_find(const struct device_config *config, char *path, const char **bad_option, struct error *error)
{
	const char *name = config->library != NULL ? config->library : DEFAULT_LIBRARY;
	struct lookup lookup = {.found = path};
	int status = 0;

	path[0] = '\0';
	if (strchr(name, '/') == NULL)
		status = find_by_name(config, name, &lookup, bad_option, error);
	else if (strlen(name) < PATH_MAX)
		strcpy(path, name);
	else
		status = error_set(error, ERROR_DEVICE, "device.library = \"%.64s...\": the path is too long", name);
	if (status == 0 && access(path, R_OK) != 0)
		status = error_set(error, ERROR_DEVICE, "device.library = \"%.128s\": %.512s: %s", name, path,
		                   strerror(errno));
	return status;
}

/* -- loading ------------------------------------------------------------------------------------------------------ */

/* The text of dlerror(), as one line. */
static const char *why_not(char *text, size_t size)
{
	const char *why = dlerror();

	snprintf(text, size, "%s", why != NULL ? why : "unknown error");
	for (char *c = text; *c != '\0'; c++)
		if (*c == '\n')
			*c = ' ';
	return text;
}

int sim_library_load(const char *path, struct sim_library *library, struct error *error)
{
	const struct fpgauge_sim_api *(*entry)(void);
	char why[512];

	*library = (struct sim_library){.handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)};
	if (library->handle == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: cannot be loaded: %s", path, why_not(why, sizeof(why)));
	/* The way that POSIX gives to convert the result of dlsym() to a function pointer. */
	*(void **)&entry = dlsym(library->handle, ENTRY);
	if (entry == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: is not a simulation library: it has no " ENTRY, path);
	library->api = entry();
	if (library->api == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: " ENTRY "() returned NULL", path);
	if (library->api->abi_version != FPGAUGE_SIM_ABI_VERSION)
		return error_set(error, ERROR_DEVICE,
		                 "%.256s: was built for version %u of the interface; this program has %u", path,
		                 library->api->abi_version, FPGAUGE_SIM_ABI_VERSION);
	return 0;
}

unsigned sim_library_dut_ports(const char *path)
{
	const struct fpgauge_dut_api *(*entry)(void);
	void *handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	unsigned ports = 0;

	if (handle == NULL)
		return 0;
	*(void **)&entry = dlsym(handle, FPGAUGE_DUT_ENTRY);
	if (entry != NULL)
		ports = entry()->ports;
	dlclose(handle);
	return ports;
}

void sim_library_unload(struct sim_library *library)
{
	if (library->handle != NULL)
		dlclose(library->handle);
	*library = (struct sim_library){0};
}

const char *sim_library_path(const struct sim_library *library)
{
	Dl_info info;

	return dladdr(library->api, &info) && info.dli_fname ? info.dli_fname : "";
}

/* -- all of them -------------------------------------------------------------------------------------------------- */

enum { MAX_LISTED = 256 };

struct listing {
	device_found *found;
	void *context;
	char names[MAX_LISTED][64]; /* the first of each name is the one that would be loaded */
	size_t count;
	int status;
};

/* Turns "libfpgauge-sim-rtl.so" into "rtl"; false for other files, and for libraries that only device.waveform uses. */
static bool library_name(const char *file, char *name, size_t size)
{
	static const char *const endings[] = {SUFFIX, WAVEFORM_SUFFIX SUFFIX};
	const size_t before = strlen(PREFIX);
	size_t length = strlen(file);

	if (strncmp(file, PREFIX, before) != 0 || length <= before + strlen(SUFFIX) ||
	    strcmp(file + length - strlen(endings[0]), endings[0]) != 0)
		return false;
	if (length >= strlen(endings[1]) && strcmp(file + length - strlen(endings[1]), endings[1]) == 0)
		return false;
	length -= before + strlen(SUFFIX);
	if (length >= size)
		return false;
	memcpy(name, file + before, length);
	name[length] = '\0';
	return true;
}

static bool is_listed(const struct listing *listing, const char *name)
{
	for (size_t i = 0; i < listing->count; i++)
		if (strcmp(listing->names[i], name) == 0)
			return true;
	return false;
}

static int list_one(struct listing *listing, const char *folder, const char *file)
{
	struct device_listing entry = {0};
	struct sim_library library;
	struct error error = {0};
	char path[PATH_MAX];

	snprintf(entry.name, sizeof(entry.name), "sim:%s", listing->names[listing->count - 1]);
	if (snprintf(path, sizeof(path), "%s/%s", folder, file) >= (int)sizeof(path))
		return 0;
	entry.ready = sim_library_load(path, &library, &error) == 0;
	if (entry.ready && library.api->most_ports != 0)
		snprintf(entry.what, sizeof(entry.what), "simulation of up to %u ports %s/%s", library.api->most_ports,
		         folder, file);
	else
		snprintf(entry.what, sizeof(entry.what), "simulation %s/%s", folder, file);
	if (!entry.ready)
		device_listing_refuse(&entry, error.text);
	sim_library_unload(&library);
	return listing->found(&entry, listing->context);
}

static bool list_folder(const char *folder, void *context)
{
	struct listing *listing = context;
	struct dirent **files;
	int count = scandir(folder, &files, NULL, alphasort);

	if (count < 0) /* a folder that does not exist has no libraries */
		return false;
	for (int i = 0; i < count; i++) {
		char name[sizeof(listing->names[0])];

		if (listing->status == 0 && listing->count < MAX_LISTED &&
		    library_name(files[i]->d_name, name, sizeof(name)) && !is_listed(listing, name)) {
			memcpy(listing->names[listing->count++], name, sizeof(name));
			listing->status = list_one(listing, folder, files[i]->d_name);
		}
		free(files[i]);
	}
	free(files);
	return listing->status != 0;
}

int sim_library_list(device_found *found, void *context, struct error *error)
{
	struct listing *listing = calloc(1, sizeof(*listing));
	int status;

	if (listing == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	listing->found = found;
	listing->context = context;
	visit_folders(list_folder, listing);
	status = listing->status;
	free(listing);
	return status;
}
