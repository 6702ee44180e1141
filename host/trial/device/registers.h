/* SPDX-License-Identifier: Apache-2.0 */
/* Reads counters, streams and histograms of a device for a trial. Knows addresses; decides nothing. */
#ifndef FPGAUGE_TRIAL_DEVICE_REGISTERS_H
#define FPGAUGE_TRIAL_DEVICE_REGISTERS_H

#include <stdint.h>

#include "drivers/device.h"
#include "host/traffic/traffic.h"
#include "host/trial/judging/check.h"
#include "host/trial/tester.h"

enum { REGISTERS_HISTOGRAM_WIDTH_LOG2 = 7 }; /* bins of 128 octet times, 10.24 ns at 100G; 1022 of them cover 10 us */

/* Reads a status or identity register; all ones means that the card is gone: ERROR_DEVICE. */
int registers_read_alive(struct device *device, uint32_t address, uint32_t *value, struct error *error);

/* Checks that the device still answers and is still fpgauge, else ERROR_DEVICE. */
int registers_check_id(struct device *device, struct error *error);

/* Reads all counters that the last snapshot froze, and streams, each at the lowest port where it must arrive: all, if
 * they are at most TRIAL_ALL_STREAMS; else up to TRIAL_MAX_STREAMS_READ per sending port, spread over its flows, first
 * and last included. */
int registers_read_counters(struct device *device, const struct traffic *traffic, struct trial_counters *counters,
                            struct error *error);

/* Reads what the last snapshot froze of a stream at a receiver: 14 accesses. The first three members say which. */
int registers_read_stream(struct device *device, struct stream_counters *stream, struct error *error);

/* Frames that a flow sent: 3 accesses. */
int registers_read_sent(struct device *device, unsigned port, unsigned flow, uint64_t *frames, struct error *error);

/* Reads at a receiver what else it counted of a stream: how many frames were reordered, and latencies. 13 accesses. */
int registers_read_stream_latency(struct device *device, const struct trial_flow *flow, unsigned receiver,
                                  uint64_t *reordered_frames, struct latency_stats *latency, struct error *error);

/* Frames of a stream at a port where they must not arrive: 3 accesses. */
int registers_read_unexpected(struct device *device, const struct trial_flow *flow, unsigned receiver, uint64_t *frames,
                              struct error *error);

/* Reads all counters of a port that the last snapshot froze. */
int registers_read_port_counters(struct device *device, unsigned port, struct port_counters *counters,
                                 struct error *error);

/* Reads from the frozen counters how many test frames have come back so far over all ports, duplicates not counted. */
int registers_read_received(struct device *device, uint64_t *received_frames, struct error *error);

/* Reads the latency histogram of a port from the last snapshot: the bins that can hold values between the extremes of
 * all ports, so that all ports have the same bins; at most 1023, three accesses each. */
int registers_read_latencies(struct device *device, unsigned port, const struct latency_stats *latency,
                             struct histogram *histogram, struct error *error);

/* Reads the histogram of log bins of a port from the last snapshot: the bins between the extremes of all ports,
 * three accesses each; at most OCTAVE_BINS, and 33 for latencies that differ by less than a factor of 2. */
int registers_read_octaves(struct device *device, unsigned port, const struct latency_stats *latency,
                           struct octaves *octaves, struct error *error);

/* Reads the histogram of the gaps that left a port from the last snapshot: the bins between their extremes. */
int registers_read_gaps(struct device *device, unsigned port, const struct gap_stats *gaps, struct histogram *histogram,
                        struct error *error);

/* The same for the gaps that came in at a port, octet by octet from the smallest one on. */
int registers_read_received_gaps(struct device *device, unsigned port, const struct gap_stats *gaps,
                                 struct histogram *histogram, struct error *error);

#endif
