// SPDX-License-Identifier: Apache-2.0
/* Verilator reads the module and says what its ports are; then it makes C++ of it and of the wrapper that joins these
 * ports to our pins, and has that compiled. */
#include "host/commands/sim_build/library.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/base/text.h"
#include "host/commands/sim_build/pin_wrapper.h"
#include "host/commands/sim_build/sources.h"
#include "host/commands/sim_build/verilator.h"

/* A build under way. */
struct build {
	const struct sim_build_request *request;
	char output[PATH_MAX]; /* absolute */
	char folder[PATH_MAX - 32], log[PATH_MAX];
	struct verilog_module module;
	struct pin_map map;
	struct verilator_arguments arguments;
};

static const char *join(char path[PATH_MAX], const struct build *build, const char *name)
{
	snprintf(path, PATH_MAX, "%s/%s", build->folder, name);
	return path;
}

/* -- files --------------------------------------------------------------------------------------------------------- */

/* Leaves a file alone that is as it should be: what is made of it is then not made again. */
static int write_file(const struct build *build, const char *name, const char *text, struct error *error)
{
	const size_t length = strlen(text);
	char path[PATH_MAX], *old = malloc(length + 1);
	FILE *file = fopen(join(path, build, name), "r");
	bool same = file != NULL && old != NULL && fread(old, 1, length + 1, file) == length &&
	            memcmp(old, text, length) == 0;

	free(old);
	if (file != NULL)
		fclose(file);
	if (same)
		return 0;
	file = fopen(path, "w");
	same = file != NULL && fwrite(text, 1, length, file) == length;
	if (file == NULL || fclose(file) != 0 || !same)
		return error_set(error, ERROR_PLAN, "%s: %s", path, strerror(errno));
	return 0;
}

static int write_wrapper(const struct build *build, struct error *error)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int status;

	if (out == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	pin_wrapper_write(out, &build->map, &build->module, build->request->parameters,
	                  build->request->parameter_count);
	status = fclose(out) == 0 ? write_file(build, "dut_pins.sv", text, error)
	                          : error_set(error, ERROR_INTERNAL, "out of memory");
	free(text);
	return status;
}

static int write_settings(const struct build *build, struct error *error)
{
	const struct sim_build_request *request = build->request;
	char text[2048], clocks[1024];
	size_t length = text_add(clocks, sizeof(clocks), 0, "\"%s\"", request->clock != NULL ? request->clock : "");

	for (size_t i = 0; i < build->map.clock_count; i++)
		length = text_add(clocks, sizeof(clocks), length, ", \"%s\"", build->map.clocks[i].value);
	snprintf(text, sizeof(text),
	         "#define DUT_MODULE \"%s\"\n#define DUT_PORTS %uu\n#define DUT_OCTETS %uu\n#define DUT_STYLE %s\n"
	         "#define DUT_CLOCKS %s\n#define DUT_HAS_IDLE %d\n#define DUT_WAVEFORM %d\n",
	         build->module.name, request->ports, build->map.width / 8,
	         request->style == PIN_MII ? "FPGAUGE_DUT_MII" : "FPGAUGE_DUT_AXIS", clocks, build->map.idle[0] != '\0',
	         request->waveform);
	return write_file(build, "dut_settings.h", text, error);
}

static int make_folder(struct build *build, struct error *error)
{
	const char *output = build->request->output;
	const char *slash = strrchr(output, '/');
	char parent[PATH_MAX], real[PATH_MAX];
	int used;

	snprintf(parent, sizeof(parent), "%.*s",
	         slash == NULL     ? 1
	         : slash == output ? 1
	                           : (int)(slash - output),
	         slash == NULL ? "." : output);
	if (realpath(parent, real) == NULL)
		return error_set(error, ERROR_PLAN, "%s: %s", output, strerror(errno));
	used = snprintf(build->output, sizeof(build->output), "%s/%s", real, slash == NULL ? output : slash + 1);
	if (used < 0 || (size_t)used >= sizeof(build->folder) - sizeof(".build"))
		return error_set(error, ERROR_PLAN, "%s: the path is too long", output);
	snprintf(build->folder, sizeof(build->folder), "%.*s.build", used, build->output);
	join(build->log, build, "log");
	if (mkdir(build->folder, 0777) != 0 && errno != EEXIST)
		return error_set(error, ERROR_PLAN, "%s: %s", build->folder, strerror(errno));
	return 0;
}

/* -- Verilator ----------------------------------------------------------------------------------------------------- */

static void add_sources(struct build *build)
{
	static const char *const quiet[] = {"-Wno-fatal", "-Wno-lint", "-Wno-style"};

	for (size_t i = 0; i < sizeof(quiet) / sizeof(quiet[0]); i++)
		verilator_add(&build->arguments, quiet[i]);
	for (size_t i = 0; i < build->request->source_count; i++)
		verilator_add(&build->arguments, build->request->sources[i]);
}

static void add_all(struct build *build, const char *const *words)
{
	build->arguments.count = 0;
	for (; *words != NULL; words++)
		verilator_add(&build->arguments, *words);
}

static int read_module(struct build *build, struct error *error)
{
	const struct sim_build_request *request = build->request;
	char path[PATH_MAX], folder[PATH_MAX];
	const char *const words[] = {"verilator",
	                             "--xml-only",
	                             "--xml-output",
	                             join(path, build, "module.xml"),
	                             "--Mdir",
	                             join(folder, build, "xml"),
	                             "--top-module",
	                             request->top,
	                             NULL};
	char *parameters = calloc(request->parameter_count + 1, PIN_NAME_SIZE);
	int status;

	if (parameters == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	add_all(build, words);
	for (size_t i = 0; i < request->parameter_count; i++) {
		snprintf(parameters + i * PIN_NAME_SIZE, PIN_NAME_SIZE, "-G%s", request->parameters[i]);
		verilator_add(&build->arguments, parameters + i * PIN_NAME_SIZE);
	}
	add_sources(build);
	status = verilator_run(&build->arguments, build->log, error);
	free(parameters);
	if (status == ERROR_PLAN && strstr(error->text, "--top-module") != NULL)
		return error_set(error, ERROR_PLAN, "--top %s: no such module in the files", request->top);
	return status != 0 ? status : verilog_ports_read(path, &build->module, error);
}

static int compile(struct build *build, struct error *error)
{
	char wrapper[PATH_MAX], entry[PATH_MAX];
	const char *const words[] = {"verilator",
	                             "--cc",
	                             "--exe",
	                             "--build",
	                             "-j",
	                             "0",
	                             "-O3",
	                             "--no-MMD",
	                             "--prefix",
	                             "Vdut",
	                             "--Mdir",
	                             build->folder,
	                             "--top-module",
	                             "dut_pins",
	                             "-o",
	                             build->output,
	                             "-CFLAGS",
	                             "-fPIC -fvisibility=hidden",
	                             "-LDFLAGS",
	                             "-shared",
	                             "-MAKEFLAGS",
	                             "OPT_FAST=-O2 OPT_GLOBAL=-O2",
	                             join(wrapper, build, "dut_pins.sv"),
	                             join(entry, build, "dut_entry.cpp"),
	                             NULL};

	add_all(build, words);
	if (build->request->waveform)
		verilator_add(&build->arguments, "--trace-fst");
	add_sources(build);
	return verilator_run(&build->arguments, build->log, error);
}

/* -- all of it ----------------------------------------------------------------------------------------------------- */

static void list_tied(const struct verilog_module *module, char *text, size_t size)
{
	size_t length = 0;

	text[0] = '\0';
	for (size_t i = 0; i < module->count; i++)
		if (!module->ports[i].used && !module->ports[i].output)
			length = text_add(text, size, length, "%s%s", length > 0 ? ", " : "", module->ports[i].name);
}

/* When the library was last made, in nanoseconds; -1: never. */
static long long made_at(const struct build *build)
{
	struct stat found;

	if (stat(build->output, &found) != 0)
		return -1;
	return (long long)found.st_mtim.tv_sec * 1000000000 + found.st_mtim.tv_nsec;
}

static int make(struct build *build, struct sim_build_result *result, struct error *error)
{
	const struct sim_build_request *request = build->request;
	long long before;

	if (make_folder(build, error) != 0 || read_module(build, error) != 0)
		return error->code;
	build->map = (struct pin_map){.style = request->style, .ports = request->ports, .width = request->width};
	if (pin_map_read(&build->map, &build->module, request->map_path, error) != 0 ||
	    write_wrapper(build, error) != 0 || write_settings(build, error) != 0 ||
	    write_file(build, "dut_entry.cpp", SIM_BUILD_ENTRY, error) != 0 ||
	    write_file(build, "dut_abi.h", SIM_BUILD_ABI, error) != 0)
		return error->code;
	before = made_at(build);
	if (compile(build, error) != 0)
		return error->code;
	result->was_there = made_at(build) == before;
	result->has_idle = build->map.idle[0] != '\0';
	result->width = build->map.width;
	list_tied(&build->module, result->tied, sizeof(result->tied));
	return 0;
}

int sim_build(const struct sim_build_request *request, struct sim_build_result *result, struct error *error)
{
	struct build *build = calloc(1, sizeof(*build));
	int status;

	if (build == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	build->request = request;
	status = make(build, result, error);
	verilog_ports_free(&build->module);
	free(build);
	return status;
}
