/* SPDX-License-Identifier: Apache-2.0 */
/* What a backend is to device.c. A new one is a file with an ops struct, and a row of the table in device.c. */
#ifndef FPGAUGE_DRIVERS_BACKEND_H
#define FPGAUGE_DRIVERS_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/device.h"

/* Every int result: 0, or a negative error code with *error set. */
struct backend_ops {
	const char *name; /* of device_config.backend */

	/* Makes *handle and writes the name of the device ("sim rtl"). On ERROR_PLAN *bad_option is the option refused.
	 */
	int (*open)(const struct device_config *config, void **handle, char *name, size_t name_size,
	            const char **bad_option, struct error *error);
	void (*close)(void *handle);
	int (*read32)(void *handle, uint32_t address, uint32_t *value, struct error *error);
	int (*write32)(void *handle, uint32_t address, uint32_t value, struct error *error);
	/* A claim of who opened with DEVICE_LOOK, as device_claim(); both NULL: while the device is open, nobody else
	 * reaches it. */
	int (*claim)(void *handle, bool *claimed, struct error *error);
	void (*release)(void *handle);
	/* NULL: the clock runs by itself, and the registers tell the time (drivers/card_time.h). */
	int (*wait)(void *handle, uint64_t octet_times, struct error *error);
	int (*now)(void *handle, uint64_t *octet_times, struct error *error);
	bool (*truth)(void *handle, uint32_t frame_octets, struct dut_truth *truth); /* NULL: never known */
	int (*reset_dut)(void *handle, struct error *error);                         /* NULL: the DUT is not ours */

	/* As device_list(), of this backend; NULL: it has no way to know. Not 0: what found gave, or an error of its
	 * own, and then *error is set. */
	int (*list)(device_found *found, void *context, struct error *error);
};

extern const struct backend_ops backend_sim;
extern const struct backend_ops backend_xrt; /* where FPGAUGE_HAS_XRT is defined */
extern const struct backend_ops backend_pci; /* where FPGAUGE_HAS_PCI is defined */

#endif
