/* SPDX-License-Identifier: Apache-2.0 */
/* Writes to registers as data, so that what a device is told can be made, compared and tested without one. */
#ifndef FPGAUGE_TRIAL_REGISTER_WRITE_H
#define FPGAUGE_TRIAL_REGISTER_WRITE_H

#include <stdint.h>

struct register_write {
	uint32_t address, value;
};

#endif
