/* SPDX-License-Identifier: Apache-2.0 */
/* The interface of a backend to device.c. A new backend is a file with an ops struct, and a row of the table in
 * device.c. */
#ifndef FPGAUGE_DRIVERS_BACKEND_H
#define FPGAUGE_DRIVERS_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/device.h"

/* All int results are 0, or a negative error code with *error set. */
struct backend_ops {
	const char *name; /* the name as in device_config.backend */

	/* Creates *handle and writes the name of the device ("sim rtl"). On ERROR_PLAN *bad_option is the refused
	 * option. */
	int (*open)(const struct device_config *config, void **handle, char *name, size_t name_size,
	            const char **bad_option, struct error *error);
	void (*close)(void *handle);
	int (*read32)(void *handle, uint32_t address, uint32_t *value, struct error *error);
	int (*write32)(void *handle, uint32_t address, uint32_t value, struct error *error);
	/* Claim and release for a device opened with DEVICE_LOOK, as device_claim(). Both NULL: while the device is
	 * open, nobody else can reach it. */
	int (*claim)(void *handle, bool *claimed, struct error *error);
	void (*release)(void *handle);
	/* NULL: the clock runs by itself, and registers tell the time (drivers/card_time.h). */
	int (*wait)(void *handle, uint64_t octet_times, struct error *error);
	int (*now)(void *handle, uint64_t *octet_times, struct error *error);
	bool (*truth)(void *handle, uint32_t frame_octets, struct dut_truth *truth); /* NULL: never known */
	int (*reset_dut)(void *handle, struct error *error);                         /* NULL: the DUT is not ours */
	/* Does what device_disturbance() does. NULL: DEVICE_UNDISTURBED, as it has a clock of its own that nothing
	 * stops. */
	enum device_disturbance (*disturbance)(void *handle, char *text, size_t size);

	/* The exact speed of its links, where the device only says it to a hertz of its clock; 0: not known. NULL: 0.
	 */
	uint64_t (*link_bps)(void *handle);

	/* Returns which bitstream was loaded, one line; NULL: nobody knows. */
	const char *(*bitstream)(void *handle);

	/* Does what device_library() does. NULL: there is none. */
	const char *(*library)(void *handle);

	/* Does what device_sensors() does. NULL: there are none. */
	int (*sensors)(void *handle, struct device_sensors *sensors, struct error *error);

	bool (*at_rest)(void *handle);                       /* does what device_at_rest() does; NULL: false */
	bool (*use_threads)(void *handle, unsigned threads); /* does what device_use_threads() does; NULL: true */

	/* Does what device_list() does, for this backend only; NULL: it cannot tell. A non-zero result is what
	 * `found` returned, or an error of its own, and then *error is set. */
	int (*list)(device_found *found, void *context, struct error *error);
};

extern const struct backend_ops backend_sim;
extern const struct backend_ops backend_xrt; /* if FPGAUGE_HAS_XRT is defined */
extern const struct backend_ops backend_pci; /* if FPGAUGE_HAS_PCI is defined */

#endif
