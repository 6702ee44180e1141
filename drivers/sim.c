// SPDX-License-Identifier: Apache-2.0
/* The backend "sim": a shared library that simulates the device (drivers/sim_abi.h). */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/backend.h"
#include "drivers/sim_library.h"
#include "host/base/quantity.h"

struct sim_handle {
	struct sim_library library;
	struct fpgauge_sim *sim;
	uint64_t link_bps; /* rate that was asked for; 0: none was */
	char name[64];
};

/* Settings that the driver adds to those of the plan. */
enum { NUMBER_TEXT_SIZE = 24, MOST_ADDED = 3 };

#define TCP_OPTION "device.tcp"

/* The speed of the links, which a plan gives by the name it has for all devices, or for this one. */
#define LINK_OPTION "device.link"
#define LINK_OF_PLAN "link.speed"

/* Settings that are implied where the library given is a device under test. */
#define DUT_MODEL_OPTION "dut.model"
#define DUT_MODEL "verilog"
#define DUT_LIBRARY_OPTION "dut.library"
#define DUT_TESTER "rtl"
enum { DUT_OPTIONS = 2 };

static const char *option_value(const struct device_config *config, const char *name)
{
	for (size_t i = 0; i < config->option_count; i++)
		if (strcmp(config->options[i].name, name) == 0)
			return config->options[i].value;
	return NULL;
}

static void add(struct fpgauge_sim_option *options, size_t *count, const char *name, char *text, uint64_t value)
{
	snprintf(text, NUMBER_TEXT_SIZE, "%" PRIu64, value);
	options[(*count)++] = (struct fpgauge_sim_option){name, text};
}

/* The settings for the library, and those that the driver knows by itself. Returns how many. */
static size_t settings_of(const struct sim_handle *handle, const struct device_config *config,
                          struct fpgauge_sim_option *options, char text[MOST_ADDED][NUMBER_TEXT_SIZE])
{
	size_t count = config->option_count;

	for (size_t i = 0; i < count; i++)
		options[i] = (struct fpgauge_sim_option){config->options[i].name, config->options[i].value};
	if (config->ports != 0 && handle->library.api->most_ports != 0)
		add(options, &count, "device.ports", text[0], config->ports);
	if (config->needs_tcp && handle->library.api->most_ports != 0 && option_value(config, TCP_OPTION) == NULL)
		options[count++] = (struct fpgauge_sim_option){TCP_OPTION, "true"};
	if (config->link_bps != 0 && option_value(config, LINK_OPTION) == NULL)
		add(options, &count, LINK_OPTION, text[1], config->link_bps);
	return count;
}

/* Returns the link as the library has it: what it was asked for, if it was asked for a number of its own. */
static uint64_t asked_link(const struct device_config *config)
{
	const char *text = option_value(config, LINK_OPTION), *why;
	struct quantity link;

	if (text == NULL)
		return config->link_bps;
	return quantity_parse(text, &link, &why) == 0 && link.denominator == 1 ? link.numerator : 0;
}

/* Opens the simulation; a refused option is reported as "dut.buffer_frames = 0: must be 1 to 65536". */
static int start(struct sim_handle *handle, const struct device_config *config, const char **bad_option,
                 struct error *error)
{
	struct fpgauge_sim_option *options = calloc(config->option_count + MOST_ADDED, sizeof(*options));
	const char *bad = NULL;
	char text[512] = "", numbers[MOST_ADDED][NUMBER_TEXT_SIZE];
	size_t count;
	int status = 0;

	if (options == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	count = settings_of(handle, config, options, numbers);
	handle->link_bps = asked_link(config);
	handle->sim = handle->library.api->open(options, count, &bad, text, sizeof(text));
	if (handle->sim == NULL && bad != NULL && strcmp(bad, LINK_OPTION) == 0 && option_value(config, bad) == NULL)
		bad = LINK_OF_PLAN;
	if (handle->sim == NULL && bad != NULL) {
		*bad_option = bad;
		status = error_set(error, ERROR_PLAN, "%s = %s", bad, text);
	} else if (handle->sim == NULL) {
		status = error_set(error, ERROR_DEVICE, "%s: %s", handle->name, text);
	}
	free(options);
	return status;
}

static void sim_close(void *opaque)
{
	struct sim_handle *handle = opaque;

	if (handle->sim != NULL)
		handle->library.api->close(handle->sim);
	sim_library_unload(&handle->library);
	free(handle);
}

/* device.library = "my-switch.so": the simulated logic of as many ports, with that device between them. *own has room
 * for two options more than config. */
static int put_dut_between(struct device_config *own, struct device_option *options, const char *path, unsigned ports,
                           const char **bad_option, struct error *error)
{
	for (size_t i = 0; i < own->option_count; i++) {
		options[i] = own->options[i];
		if (strcmp(options[i].name, DUT_MODEL_OPTION) != 0 && strcmp(options[i].name, DUT_LIBRARY_OPTION) != 0)
			continue;
		*bad_option = own->options[i].name;
		return error_set(error, ERROR_PLAN,
		                 "%s = \"%.128s\": device.library = \"%.256s\" is the device under test",
		                 options[i].name, options[i].value, path);
	}
	if (own->ports != 0 && own->ports != ports) {
		*bad_option = "device.ports";
		return error_set(error, ERROR_PLAN, "device.ports = %u: \"%.256s\" has %u", own->ports, path, ports);
	}
	options[own->option_count++] = (struct device_option){DUT_MODEL_OPTION, DUT_MODEL};
	options[own->option_count++] = (struct device_option){DUT_LIBRARY_OPTION, path};
	own->options = options;
	own->library = DUT_TESTER;
	own->ports = ports;
	return 0;
}

/* Loads and starts the library that config names. */
static int load(struct sim_handle *handle, const struct device_config *config, char *name, size_t name_size,
                const char **bad_option, struct error *error)
{
	char path[PATH_MAX];
	int status = sim_library_find(config, path, bad_option, error);

	if (status == 0)
		status = sim_library_load(path, &handle->library, error);
	if (status != 0)
		return status;
	snprintf(handle->name, sizeof(handle->name), "sim %s", handle->library.api->name);
	snprintf(name, name_size, "%s", handle->name);
	return start(handle, config, bad_option, error);
}

/* Does what sim_library_dut_ports() does for device.library; only a path can be one. */
static unsigned dut_ports(const struct device_config *config, char *path)
{
	const char *bad_option;
	struct error error;

	if (config->library == NULL || strchr(config->library, '/') == NULL ||
	    sim_library_find(config, path, &bad_option, &error) != 0)
		return 0;
	return sim_library_dut_ports(path);
}

static int sim_open(const struct device_config *config, void **opaque, char *name, size_t name_size,
                    const char **bad_option, struct error *error)
{
	struct sim_handle *handle = calloc(1, sizeof(*handle));
	struct device_option *options = calloc(config->option_count + DUT_OPTIONS, sizeof(*options));
	struct device_config own = *config;
	char path[PATH_MAX];
	const unsigned ports = dut_ports(config, path);
	int status = 0;

	if (handle == NULL || options == NULL) {
		free(handle);
		free(options);
		return error_set(error, ERROR_INTERNAL, "out of memory");
	}
	if (ports != 0)
		status = put_dut_between(&own, options, path, ports, bad_option, error);
	if (status == 0)
		status = load(handle, &own, name, name_size, bad_option, error);
	free(options);
	if (status != 0)
		sim_close(handle);
	else
		*opaque = handle;
	return status;
}

static int failed(const struct sim_handle *handle, struct error *error)
{
	return error_set(error, ERROR_DEVICE, "%s: %s", handle->name, handle->library.api->error_text(handle->sim));
}

static int sim_read32(void *opaque, uint32_t address, uint32_t *value, struct error *error)
{
	struct sim_handle *handle = opaque;

	return handle->library.api->read32(handle->sim, address, value) == 0 ? 0 : failed(handle, error);
}

static int sim_write32(void *opaque, uint32_t address, uint32_t value, struct error *error)
{
	struct sim_handle *handle = opaque;

	return handle->library.api->write32(handle->sim, address, value) == 0 ? 0 : failed(handle, error);
}

static int sim_wait(void *opaque, uint64_t octet_times, struct error *error)
{
	struct sim_handle *handle = opaque;

	return handle->library.api->wait(handle->sim, octet_times) == 0 ? 0 : failed(handle, error);
}

static int sim_now(void *opaque, uint64_t *octet_times, struct error *error)
{
	struct sim_handle *handle = opaque;

	(void)error;
	*octet_times = handle->library.api->now(handle->sim);
	return 0;
}

static uint64_t sim_link_bps(void *opaque)
{
	return ((const struct sim_handle *)opaque)->link_bps;
}

static bool sim_truth(void *opaque, uint32_t frame_octets, struct dut_truth *truth)
{
	struct sim_handle *handle = opaque;
	struct fpgauge_sim_truth theirs;

	if (handle->library.api->truth(handle->sim, frame_octets, &theirs) != 0)
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

	return handle->library.api->reset_dut(handle->sim) == 0 ? 0 : failed(handle, error);
}

static enum device_disturbance sim_disturbance(void *opaque, char *text, size_t size)
{
	struct sim_handle *handle = opaque;

	if (handle->library.api->disturbance == NULL)
		return DEVICE_OWN_TIME;
	switch (handle->library.api->disturbance(handle->sim, text, size)) {
	case FPGAUGE_SIM_OWN_TIME:
		return DEVICE_OWN_TIME;
	case FPGAUGE_SIM_UNDISTURBED:
		return DEVICE_UNDISTURBED;
	case FPGAUGE_SIM_DISTURBED:
		break;
	}
	return DEVICE_DISTURBED;
}

static bool sim_at_rest(void *opaque)
{
	struct sim_handle *handle = opaque;

	return handle->library.api->at_rest != NULL && handle->library.api->at_rest(handle->sim) != 0;
}

static bool sim_use_threads(void *opaque, unsigned threads)
{
	struct sim_handle *handle = opaque;

	return handle->library.api->use_threads == NULL || handle->library.api->use_threads(handle->sim, threads) == 0;
}

static const char *sim_library_file(void *opaque)
{
	return sim_library_path(&((struct sim_handle *)opaque)->library);
}

const struct backend_ops backend_sim = {
        .name = "sim",
        .open = sim_open,
        .close = sim_close,
        .read32 = sim_read32,
        .write32 = sim_write32,
        .wait = sim_wait,
        .now = sim_now,
        .link_bps = sim_link_bps,
        .truth = sim_truth,
        .reset_dut = sim_reset_dut,
        .disturbance = sim_disturbance,
        .at_rest = sim_at_rest,
        .use_threads = sim_use_threads,
        .library = sim_library_file,
        .list = sim_library_list,
};
