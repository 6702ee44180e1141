/* SPDX-License-Identifier: Apache-2.0 */
/* The slow path: while a trial runs, the host reads the unexpected frames that the ports kept, counts them by kind,
 * and answers those that ask for a host that a port plays (docs/trial.md). Knows no time; it is told how much has
 * passed. */
#ifndef FPGAUGE_TRIAL_DEVICE_SLOW_PATH_H
#define FPGAUGE_TRIAL_DEVICE_SLOW_PATH_H

#include "drivers/device.h"
#include "host/traffic/protocols/answer.h"
#include "host/traffic/protocols/foreign_frame.h"
#include "host/traffic/traffic.h"
#include "host/trial/device/management_watch.h"
#include "host/trial/judging/check.h"
#include "host/trial/pacing/pacing.h"
#include "host/trial/tester.h"

struct slow_port {
	bool serves; /* the port has a part in the traffic, and a flow for the host's frames */
	struct neighbour_hosts hosts;
	uint64_t place_ot;     /* time after which a frame that was asked for has begun */
	uint64_t busy_ot;      /* time until which no other one can be asked for */
	uint64_t asked_frames; /* frames that the device was asked for; those at the end of sending do not leave */
	uint64_t kept_frames;  /* read since the last clear */
	uint64_t kinds[FOREIGN_KINDS]; /* kinds of these frames */
	/* A neighbour that is looked for. NULL: none. */
	const struct neighbour_address *wanted;
	bool heard;
	uint8_t heard_mac[MAC_OCTETS];
};

struct slow_path {
	unsigned ports, flow;
	uint64_t interval_ot, longest_ot; /* time between polls while nothing comes; it doubles up to the longest */
	struct slow_port port[TRIAL_MAX_PORTS];
	struct management_watch management;
};

/* Prepares, before the registers of a trial are written, the hosts of its shape, and which ports can answer for
 * them. */
void slow_path_begin(struct slow_path *slow, const struct device_identity *identity,
                     const struct trial_request *request, const struct traffic *traffic, const struct pacing *pacing);

/* passed_ot later than the last time: reads what came to each port, and answers. One access per port if nothing did. */
int slow_path_serve(struct slow_path *slow, struct device *device, uint64_t passed_ot, struct error *error);

/* Returns how long it may take until the next slow_path_serve(). */
uint64_t slow_path_patience(const struct slow_path *slow);

/* Sends a frame as soon as the port can: false if it cannot now. */
int slow_path_send(struct slow_path *slow, struct device *device, unsigned port, const struct neighbour_frame *frame,
                   bool *sent, struct error *error);

/* Reads, after sending has ended, the host's frames that left each port from the last snapshot. */
int slow_path_sent(const struct slow_path *slow, struct device *device, uint64_t frames[TRIAL_MAX_PORTS],
                   struct error *error);

/* Reads the frames that were kept up to the snapshot of these counters. */
int slow_path_finish(struct slow_path *slow, struct device *device, const struct trial_counters *counters,
                     struct error *error);

/* Puts the kinds into a result, and what became of management queries. */
void slow_path_report(const struct slow_path *slow, struct trial_result *result);

#endif
