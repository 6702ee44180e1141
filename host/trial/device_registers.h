/* SPDX-License-Identifier: Apache-2.0 */
/* Register traffic of a trial: settings and frame headers in, counters out. Knows addresses; decides nothing. */
#ifndef FPGAUGE_TRIAL_DEVICE_REGISTERS_H
#define FPGAUGE_TRIAL_DEVICE_REGISTERS_H

#include <stdint.h>

#include "drivers/device.h"
#include "host/trial/pacing.h"
#include "host/trial/tester.h"
#include "host/trial/trial_check.h"

/* A status or identity read; all ones is a card that is gone: ERROR_DEVICE. */
int registers_read_alive(struct device *device, uint32_t address, uint32_t *value, struct error *error);

/* Proves that the device still answers and is still fpgauge, else ERROR_DEVICE. */
int registers_check_id(struct device *device, struct error *error);

/* What every port sends and how it looks at what it receives. At most 32 accesses a port. */
int registers_write_settings(struct device *device, const struct trial_request *request, const struct pacing *pacing,
                             struct error *error);

/* Frame headers and destination ports of every destination entry: 18 accesses an entry. */
int registers_write_headers(struct device *device, const struct trial_request *request, struct error *error);

/* All counters that the last snapshot froze, and up to TRIAL_MAX_STREAMS_READ streams a sending port, spread over its
 * entries, first and last included. */
int registers_read_counters(struct device *device, const struct trial_request *request, struct trial_counters *counters,
                            struct error *error);

/* All counters of a port that the last snapshot froze. */
int registers_read_port_counters(struct device *device, unsigned port, struct port_counters *counters,
                                 struct error *error);

/* Test frames that came back so far over all ports, duplicates taken out, in the frozen counters. */
int registers_read_received(struct device *device, uint64_t *received_frames, struct error *error);

/* The latencies of a port as the last snapshot has them, from the bins that they can be in by the extremes of all
 * ports, so that the bins of all are alike. */
int registers_read_latencies(struct device *device, unsigned port, const struct latency_stats *latency,
                             struct histogram *histogram, struct error *error);

/* The gaps that left a port as the last snapshot has them, from the bins that they can be in by their extremes. */
int registers_read_gaps(struct device *device, unsigned port, const struct gap_stats *gaps, struct histogram *histogram,
                        struct error *error);

#endif
