/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of all ports while frames run, from snapshots, and what happened between two of them. Writes nothing but the
 * snapshot strobe, and only while no other program drives the device, because a trial is judged by what its own
 * snapshot froze. Reads no register with side effects on other reads. */
#ifndef FPGAUGE_TRIAL_DEVICE_LIVE_COUNTERS_H
#define FPGAUGE_TRIAL_DEVICE_LIVE_COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "drivers/device.h"
#include "host/trial/judging/check.h"
#include "host/trial/tester.h"

struct live_snapshot {
	uint64_t time_ot; /* the device's clock */
	unsigned ports;
	struct port_counters port[TRIAL_MAX_PORTS];
};

/* Takes a snapshot and reads it. While another program drives the device, reads the last snapshot that it took, which
 * may be the same as last time. That program may take a new one meanwhile, which would mix values of two instants; so
 * the snapshot's time is read before and after, and if it changed, everything is read again a little later.
 * ERROR_DEVICE if it keeps changing. */
int live_read(struct device *device, struct live_snapshot *snapshot, struct error *error);

/* The present state of the links, which no snapshot freezes: the registers of these names of each port, 0 where
 * there is no MAC. */
struct live_links {
	unsigned ports;
	uint32_t status[TRIAL_MAX_PORTS], flaps[TRIAL_MAX_PORTS];
};

int live_read_links(struct device *device, struct live_links *links, struct error *error);

/* The activity of a port between two snapshots. A rate is NAN if it is not known: no time passed, or the counters
 * were cleared in between. */
struct live_rates {
	double interval_s;
	double tx_fps, rx_fps;
	double tx_line_bps, rx_line_bps; /* counted with preamble and minimum gap */
	double latency_mean_ns;          /* mean of the frames received in between; NAN if there were none */
};

struct live_rates live_rates(const struct live_snapshot *before, const struct live_snapshot *after, unsigned port,
                             uint64_t link_bps);

/* Counter number `index` of the map, 0 to FPGAUGE_COUNTER_COUNT - 1. */
const char *live_counter_name(unsigned index);
uint64_t live_counter(const struct port_counters *counters, unsigned index);

#endif
