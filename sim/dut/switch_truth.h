/* SPDX-License-Identifier: Apache-2.0 */
/* Computes what a switch passes without loss. */
#ifndef FPGAUGE_SIM_DUT_SWITCH_TRUTH_H
#define FPGAUGE_SIM_DUT_SWITCH_TRUTH_H

#include "sim/dut/switch_settings.h"

/* Computes the same as dut_device_truth(). */
void switch_settings_truth(const struct switch_settings *settings, uint64_t link_bps, const struct dut_load *load,
                           struct fpgauge_sim_truth *truth);

#endif
