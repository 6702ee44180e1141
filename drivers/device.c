// SPDX-License-Identifier: Apache-2.0
/* Devices, whatever their backend: which ones there are, checking their identity, and distrusting their answers. */
#include "drivers/device.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drivers/card_time.h"
#include "drivers/device_state.h"
#include "host/base/text.h"
#include "hw/regs/fpgauge_regs.h"

static const struct backend_ops *const backends[] = {
        &backend_sim,
#ifdef FPGAUGE_HAS_XRT
        &backend_xrt,
#endif
#ifdef FPGAUGE_HAS_PCI
        &backend_pci,
#endif
};

/* Backends that are left out if a package is missing when fpgauge is built. */
static const struct {
	const char *name, *library, *packages;
} optional[] = {
        {"xrt", "XRT", "libxrt-dev, uuid-dev and nettle-dev"},
        {"pci", "libpci", "libpci-dev"},
};

enum {
	MAX_GROUPS = 16,
	MAX_CONNECTIONS = FPGAUGE_PORT_TCP_LOOK_INDEX_MAX + 1,
	MAX_TIME_ERROR_OT = 65535,
	MAX_DESTINATIONS = 256, /* tx_flow_index and stream numbers have 8 bits for them */
	ALL_SENDS = DEVICE_SENDS_WRONG_CODE | DEVICE_SENDS_SHORT_FRAMES | DEVICE_SENDS_GAP_88_BITS,
	MIN_HISTOGRAM_BINS = 3, /* values below, one bin, values beyond */
	MAX_HISTOGRAM_BINS = 1024,
	MIN_CLOCK_HZ = 1000,
};

bool device_has_observers(const struct device *device)
{
	return device->ops->claim != NULL;
}

int device_claim(struct device *device, bool *claimed, struct error *error)
{
	int status = 0;

	*claimed = true;
	if (device->only_looks && device->ops->claim != NULL)
		status = device->ops->claim(device->handle, claimed, error);
	device->claimed = status == 0 && *claimed;
	return status;
}

void device_release(struct device *device)
{
	if (device->only_looks && device->claimed && device->ops->release != NULL)
		device->ops->release(device->handle);
	device->claimed = false;
}

int device_wait(struct device *device, uint64_t octet_times, struct error *error)
{
	return device->ops->wait != NULL ? device->ops->wait(device->handle, octet_times, error)
	                                 : card_wait(device, octet_times, error);
}

int device_now(struct device *device, uint64_t *octet_times, struct error *error)
{
	return device->ops->now != NULL ? device->ops->now(device->handle, octet_times, error)
	                                : card_now(device, octet_times, error);
}

const char *device_library(const struct device *device)
{
	return device->ops->library ? device->ops->library(device->handle) : "";
}

bool device_truth(struct device *device, uint32_t frame_octets, struct dut_truth *truth)
{
	if (device->ops->truth == NULL || !device->ops->truth(device->handle, frame_octets, truth))
		return false;
	text_repair(truth->model, sizeof(truth->model));
	return true;
}

int device_reset_dut(struct device *device, struct error *error)
{
	if (device->ops->reset_dut == NULL)
		return error_set(error, ERROR_DEVICE,
		                 "%s: a reset on command is only for a simulated device under test",
		                 device->identity.name);
	return device->ops->reset_dut(device->handle, error);
}

enum device_disturbance device_disturbance(struct device *device, char text[DEVICE_DISTURBANCE_SIZE])
{
	enum device_disturbance seen = DEVICE_UNDISTURBED;

	text[0] = '\0';
	if (device->ops->disturbance != NULL)
		seen = device->ops->disturbance(device->handle, text, DEVICE_DISTURBANCE_SIZE);
	text[DEVICE_DISTURBANCE_SIZE - 1] = '\0';
	text_repair(text, DEVICE_DISTURBANCE_SIZE); /* it comes from a library, and goes into JSON */
	return seen;
}

int device_sensors(struct device *device, struct device_sensors *sensors, struct error *error)
{
	int status = 0;

	*sensors = (struct device_sensors){0};
	if (device->ops->sensors != NULL)
		status = device->ops->sensors(device->handle, sensors, error);
	for (unsigned i = 0; i < sensors->count; i++) {
		char *const name = text_repair(sensors->sensor[i].name, sizeof(sensors->sensor[i].name));

		for (char *c = name; *c != '\0'; c++)
			if (iscntrl((unsigned char)*c))
				*c = ' '; /* it goes to a terminal too */
	}
	return status;
}

bool device_at_rest(struct device *device)
{
	return device->ops->at_rest != NULL && device->ops->at_rest(device->handle);
}

bool device_use_threads(struct device *device, unsigned threads)
{
	return device->ops->use_threads == NULL || device->ops->use_threads(device->handle, threads);
}

/* -- opening ----------------------------------------------------------------------------------------------------- */

static const struct backend_ops *find_backend(const char *name)
{
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++)
		if (strcmp(backends[i]->name, name) == 0)
			return backends[i];
	return NULL;
}

static int refuse_backend(const char *name, const char **bad_option, struct error *error)
{
	char known[128] = "";
	size_t used = 0;

	*bad_option = "device.backend";
	for (size_t i = 0; i < sizeof(optional) / sizeof(optional[0]); i++)
		if (strcmp(name, optional[i].name) == 0)
			return error_set(error, ERROR_PLAN,
			                 "device.backend = \"%s\": this fpgauge was built without %s: install %s, then "
			                 "configure and build it again",
			                 name, optional[i].library, optional[i].packages);
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]) && used < sizeof(known); i++) {
		int more = snprintf(known + used, sizeof(known) - used, "%s\"%s\"", i ? ", " : "", backends[i]->name);

		used += more > 0 ? (size_t)more : 0;
	}
	return error_set(error, ERROR_PLAN, "device.backend = \"%s\": must be one of %s", name, known);
}

int device_list(device_found *found, void *context)
{
	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++) {
		struct device_listing broken = {0};
		struct error why = {0};
		int status = backends[i]->list ? backends[i]->list(found, context, &why) : 0;

		if (status != 0 && why.code != ERROR_NONE) {
			snprintf(broken.name, sizeof(broken.name), "%s", backends[i]->name);
			snprintf(broken.what, sizeof(broken.what), "cannot be listed");
			device_listing_refuse(&broken, why.text);
			status = found(&broken, context);
		}
		if (status != 0)
			return status;
	}
	return 0;
}

/* Is it fpgauge, and the one that this program was built for? */
static int check_map(struct device *device, struct error *error)
{
	struct device_identity *identity = &device->identity;
	uint32_t id;
	int status = device->ops->read32(device->handle, FPGAUGE_GLOBAL_ID, &id, error);

	if (status != 0)
		return status;
	if (id == ALL_ONES) /* a card whose core has never run answers so (axil_crossing) */
		return error_set(
		        error, ERROR_DEVICE,
		        "%s: the device is gone: every register reads 0x%08" PRIx32
		        ", even the id. Or the core of a card has no clock: no reference clock at port 0, or its "
		        "transceivers have not locked to it",
		        identity->name, ALL_ONES);
	if (id != FPGAUGE_MAP_ID)
		return error_set(error, ERROR_DEVICE,
		                 "%s: id is 0x%08" PRIx32 ", not 0x%08" PRIx32 ": this is not an fpgauge",
		                 identity->name, id, FPGAUGE_MAP_ID);
	status = device_read32(device, FPGAUGE_GLOBAL_MAP_VERSION, &identity->map_version, error);
	if (status == 0)
		status = device_read32(device, FPGAUGE_GLOBAL_MAP_HASH, &identity->map_hash, error);
	if (status != 0)
		return status;
	if (identity->map_version != FPGAUGE_MAP_VERSION || identity->map_hash != FPGAUGE_MAP_HASH)
		return error_set(error, ERROR_DEVICE,
		                 "%s: its register map is version %" PRIu32 ", hash 0x%08" PRIx32
		                 "; this program needs version %" PRIu32 ", hash 0x%08" PRIx32,
		                 identity->name, identity->map_version, identity->map_hash, FPGAUGE_MAP_VERSION,
		                 FPGAUGE_MAP_HASH);
	return 0;
}

/* Reads a value of the device's identity and checks its limits; device data are not trusted. */
static int read_within(struct device *device, uint32_t address, const char *what, uint32_t least, uint32_t most,
                       uint32_t *value, struct error *error)
{
	int status = device_read32(device, address, value, error);

	if (status == 0 && (*value < least || *value > most))
		return error_set(error, ERROR_DEVICE,
		                 "%s: impossible %s = %" PRIu32 ": must be %" PRIu32 " to %" PRIu32,
		                 device->identity.name, what, *value, least, most);
	return status;
}

_Static_assert(DEVICE_SENDS_WRONG_CODE == FPGAUGE_GLOBAL_SENDS_WRONG_CODE &&
                       DEVICE_SENDS_SHORT_FRAMES == FPGAUGE_GLOBAL_SENDS_SHORT_FRAMES &&
                       DEVICE_SENDS_GAP_88_BITS == FPGAUGE_GLOBAL_SENDS_GAP_88_BITS,
               "device.h and the register sends have the same bits");

/* The register is the whole number of hertz next to the clock. */
static uint64_t link_of(const struct device *device, uint64_t word_bits, uint32_t clock_hz)
{
	const uint64_t exact_bps = device->ops->link_bps != NULL ? device->ops->link_bps(device->handle) : 0;

	return (exact_bps + word_bits / 2) / word_bits == clock_hz ? exact_bps : word_bits * clock_hz;
}

static int read_identity(struct device *device, struct error *error)
{
	struct device_identity *identity = &device->identity;
	uint32_t clock_hz;
	const struct {
		uint32_t address;
		const char *what;
		uint32_t least, most;
		uint32_t *value;
	} rows[] = {
	        {FPGAUGE_GLOBAL_PORTS, "number of ports", 1, FPGAUGE_MAX_PORTS, &identity->ports},
	        {FPGAUGE_GLOBAL_GROUPS, "groups", 1, MAX_GROUPS, &identity->groups},
	        {FPGAUGE_GLOBAL_CLOCK_HZ, "clock_hz", MIN_CLOCK_HZ, UINT32_MAX - 1, &clock_hz},
	        {FPGAUGE_GLOBAL_FLOWS, "flows", 1, MAX_DESTINATIONS, &identity->destinations},
	        {FPGAUGE_GLOBAL_HISTOGRAM_BINS, "histogram_bins", MIN_HISTOGRAM_BINS, MAX_HISTOGRAM_BINS,
	         &identity->histogram_bins},
	        {FPGAUGE_GLOBAL_SENDS, "sends", 0, ALL_SENDS, &identity->sends},
	        {FPGAUGE_PORT_TCP_CONNECTIONS(0), "tcp_connections", 0, MAX_CONNECTIONS, &identity->tcp_connections},
	        {FPGAUGE_GLOBAL_TX_TIME_ERROR, "tx_time_error", 0, MAX_TIME_ERROR_OT, &identity->tx_time_error_ot},
	        {FPGAUGE_GLOBAL_RX_TIME_ERROR, "rx_time_error", 0, MAX_TIME_ERROR_OT, &identity->rx_time_error_ot},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		int status = read_within(device, rows[i].address, rows[i].what, rows[i].least, rows[i].most,
		                         rows[i].value, error);

		if (status != 0)
			return status;
	}
	identity->link_bps = link_of(device, (uint64_t)identity->groups * 64, clock_hz);
	return 0;
}

static int check_ports(const struct device *device, const struct device_config *config, const char **bad_option,
                       struct error *error)
{
	if (config->ports == 0 || config->ports == device->identity.ports)
		return 0;
	*bad_option = "device.ports";
	return error_set(error, ERROR_PLAN, "device.ports = %u: %s has %u", config->ports, device->identity.name,
	                 device->identity.ports);
}

int device_open(const struct device_config *config, struct device **device, const char **bad_option,
                struct error *error)
{
	const struct backend_ops *ops = find_backend(config->backend);
	struct device *made;
	int status;

	*device = NULL;
	*bad_option = NULL;
	if (ops == NULL)
		return refuse_backend(config->backend, bad_option, error);
	made = calloc(1, sizeof(*made));
	if (made == NULL)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	made->ops = ops;
	made->only_looks = config->use == DEVICE_LOOK;
	snprintf(made->identity.backend, sizeof(made->identity.backend), "%s", ops->name);
	status = ops->open(config, &made->handle, made->identity.name, sizeof(made->identity.name), bad_option, error);
	if (status != 0) {
		free(made);
		return status;
	}
	if (ops->bitstream != NULL)
		text_copy(made->identity.bitstream, sizeof(made->identity.bitstream), ops->bitstream(made->handle));
	text_repair(made->identity.name,
	            sizeof(made->identity.name)); /* it comes from the device, and goes into JSON */
	status = check_map(made, error);
	if (status == 0)
		status = read_identity(made, error);
	if (status == 0)
		status = check_ports(made, config, bad_option, error);
	if (status != 0) {
		device_close(made);
		return status;
	}
	*device = made;
	return 0;
}

void device_close(struct device *device)
{
	if (device == NULL)
		return;
	device->ops->close(device->handle);
	free(device);
}
