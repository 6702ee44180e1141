/* SPDX-License-Identifier: Apache-2.0 */
/* A device behind the contract. Private to drivers. */
#ifndef FPGAUGE_DRIVERS_DEVICE_STATE_H
#define FPGAUGE_DRIVERS_DEVICE_STATE_H

#include "drivers/backend.h"

/* A bus returns this if nobody answers. */
static const uint32_t ALL_ONES = UINT32_MAX;

struct device {
	const struct backend_ops *ops;
	void *handle;
	bool only_looks, claimed;
	struct device_identity identity;
};

#endif
