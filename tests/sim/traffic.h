/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic through a device by plain register accesses, for tests and measurements of the layers below the host. */
#ifndef FPGAUGE_TESTS_SIM_TRAFFIC_H
#define FPGAUGE_TESTS_SIM_TRAFFIC_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/device.h"

/* The frames that every port sends to the port it is paired with (i to i^1). */
struct sent_traffic {
	uint32_t frame_octets;
	uint64_t gap_octets;                     /* whole part of the average gap; 0 means 12 */
	uint32_t gap_numerator, gap_denominator; /* the fraction; denominator 0: none */
	uint64_t stop_frames;                    /* 0: no limit */
	uint64_t duration_ot;                    /* 0: no limit */
	unsigned destinations;                   /* 0 means 1 */
	uint32_t bad_fcs_every;
	uint32_t rx_payload_offset; /* 0: payloads are not checked */
	bool one_way;               /* even ports only */
};

/* Opens a device with options "name=value"; ends the program with a one-line message when it cannot. */
struct device *traffic_open(const char *library, const char *const *options);

/* Clears the device and sets every port up. */
void traffic_prepare(struct device *device, const struct sent_traffic *traffic);
void traffic_start(struct device *device);
void traffic_stop(struct device *device);
void traffic_snapshot(struct device *device);

/* Waits until no port has anything left to send; false when that took longer than most_ot. */
bool traffic_wait_sent(struct device *device, uint64_t step_ot, uint64_t most_ot);

void traffic_wait(struct device *device, uint64_t octet_times);
uint32_t traffic_read32(struct device *device, uint32_t address);
uint64_t traffic_read64(struct device *device, uint32_t address);
void traffic_write32(struct device *device, uint32_t address, uint32_t value);
void traffic_write64(struct device *device, uint32_t address, uint64_t value);

#endif
