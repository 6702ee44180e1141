/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out what a device that reads frames will do with those of a port, before they are made. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_FORESEE_H
#define FPGAUGE_SIM_TWIN_SKIP_FORESEE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/dut/device.h"
#include "sim/twin/play/post.h"

/* Foresees the way of frames of one length of a flow with a signature, whatever their fields are. */
enum dut_way foresee_flow(const struct dut_device *device, unsigned port, const struct post *post, uint32_t flow,
                          uint32_t octets, unsigned *output);

#endif
