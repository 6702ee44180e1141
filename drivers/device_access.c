// SPDX-License-Identifier: Apache-2.0
/* Accesses to the registers of a device, whatever its backend, and its identity. */
#include <inttypes.h>

#include "drivers/device_state.h"
#include "hw/regs/fpgauge_regs.h"

static int gone(const struct device *device, struct error *error)
{
	return error_set(error, ERROR_DEVICE,
	                 "%s: the device is gone: every register reads 0x%08" PRIx32 ", even the id",
	                 device->identity.name, ALL_ONES);
}

int device_read32(struct device *device, uint32_t address, uint32_t *value, struct error *error)
{
	int status = device->ops->read32(device->handle, address, value, error);
	uint32_t id;

	if (status != 0 || *value != ALL_ONES)
		return status;
	/* All ones may be a valid value (the minimum of no values), so the id decides. */
	status = device->ops->read32(device->handle, FPGAUGE_GLOBAL_ID, &id, error);
	if (status != 0)
		return status;
	return id == ALL_ONES ? gone(device, error) : 0;
}

int device_write32(struct device *device, uint32_t address, uint32_t value, struct error *error)
{
	if (device->only_looks && !device->claimed)
		return error_set(error, ERROR_INTERNAL, "%s: a write to register 0x%05" PRIx32 " while only observing",
		                 device->identity.name, address);
	return device->ops->write32(device->handle, address, value, error);
}

int device_read64(struct device *device, uint32_t address, uint64_t *value, struct error *error)
{
	uint32_t low, high;
	int status = device_read32(device, address, &low, error);

	if (status == 0)
		status = device_read32(device, address + 4, &high, error);
	if (status == 0)
		*value = (uint64_t)high << 32 | low;
	return status;
}

int device_write64(struct device *device, uint32_t address, uint64_t value, struct error *error)
{
	int status = device_write32(device, address, (uint32_t)value, error);

	return status != 0 ? status : device_write32(device, address + 4, (uint32_t)(value >> 32), error);
}

const struct device_identity *device_identity(const struct device *device)
{
	return &device->identity;
}
