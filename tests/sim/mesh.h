/* SPDX-License-Identifier: Apache-2.0 */
/* A full mesh through a switch: every port sends to all others in turn, first to the one after it (RFC 2889 section
 * 5.1.3), flow i to the port i + 1 further. */
#ifndef FPGAUGE_TESTS_SIM_MESH_H
#define FPGAUGE_TESTS_SIM_MESH_H

#include "tests/sim/traffic.h"

/* Teaches the switch where all ports are, clears the device and sets every port up; destinations of traffic is not
 * used. */
void mesh_prepare(struct device *device, const struct sent_traffic *traffic);

/* Gives the frames of a flow of a port the addresses of a frame to this port. */
void mesh_address(struct device *device, unsigned port, unsigned to, uint32_t flow);

/* The sum of a counter (enum fpgauge_counter) over all ports, as the last snapshot has it. */
uint64_t mesh_sum(struct device *device, unsigned counter);

#endif
