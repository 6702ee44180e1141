// SPDX-License-Identifier: Apache-2.0
/* Finds simulation libraries in their folders and loads them. */
#include "drivers/sim_library.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ENTRY "fpgauge_sim_entry"
#define PATH_VARIABLE "FPGAUGE_LIBRARY_PATH"
/* Waveforms cost speed even when nobody looks, so they are in a second library. */
#define TRACE_SUFFIX "-trace"

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
	static const char *const places[] = {"/sim/rtl", "/sim", "", "/..", "/../lib/fpgauge"};
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

/* Writes the path of the library. */
static int find_library(const char *setting, const char *name, bool trace, struct lookup *lookup, struct error *error)
{
	memset(lookup, 0, sizeof(*lookup));
	if (strchr(name, '/') != NULL) {
		if (strlen(name) >= sizeof(lookup->found))
			return error_set(error, ERROR_DEVICE, "%s = \"%.64s...\": the path is too long", setting, name);
		strcpy(lookup->found, name);
	} else {
		snprintf(lookup->file, sizeof(lookup->file), "libfpgauge-sim-%.128s%s.so", name,
		         trace ? TRACE_SUFFIX : "");
		if (!look_in_path_variable(lookup) && !look_beside_program(lookup))
			return error_set(error, ERROR_DEVICE, "%s = \"%.128s\": no %s in %s", setting, name,
			                 lookup->file, lookup->tried);
	}
	if (access(lookup->found, R_OK) != 0)
		return error_set(error, ERROR_DEVICE, "%s = \"%.128s\": %.512s: %s", setting, name, lookup->found,
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

static int load(struct sim_library *library, const char *path, struct error *error)
{
	const struct fpgauge_sim_api *(*entry)(void);
	char why[512];

	library->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (library->handle == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: cannot be loaded: %s", path, why_not(why, sizeof(why)));
	/* POSIX's own way to make a function of what dlsym gives. */
	*(void **)&entry = dlsym(library->handle, ENTRY);
	if (entry == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: is no simulation library: it has no " ENTRY, path);
	library->api = entry();
	if (library->api == NULL)
		return error_set(error, ERROR_DEVICE, "%.256s: " ENTRY " gives nothing", path);
	if (library->api->abi_version != FPGAUGE_SIM_ABI_VERSION)
		return error_set(error, ERROR_DEVICE,
		                 "%.256s: is built for version %u of the interface; this program has %u", path,
		                 library->api->abi_version, FPGAUGE_SIM_ABI_VERSION);
	return 0;
}

int sim_library_open(const char *setting, const char *name, bool trace, struct sim_library *library,
                     struct error *error)
{
	struct lookup lookup;
	int result = find_library(setting, name, trace, &lookup, error);

	*library = (struct sim_library){0};
	if (result == 0)
		result = load(library, lookup.found, error);
	if (result != 0)
		sim_library_close(library);
	return result;
}

void sim_library_close(struct sim_library *library)
{
	if (library->handle != NULL)
		dlclose(library->handle);
	*library = (struct sim_library){0};
}
