/* SPDX-License-Identifier: Apache-2.0 */
/* The gateway of each port: the router under test, to which frames for other networks go (docs/traffic.md). */
#ifndef FPGAUGE_TRIAL_DEVICE_GATEWAYS_H
#define FPGAUGE_TRIAL_DEVICE_GATEWAYS_H

#include "host/traffic/protocols/neighbour_frame.h"
#include "host/trial/device/steps.h"

/* The gateways known so far; all 0: none. */
struct device_gateways {
	bool known;
	uint64_t hash; /* hash of the traffic they were asked for */
	uint8_t mac[TRIAL_MAX_PORTS][MAC_OCTETS];
};

/* Sends the traffic of a routed shape to its gateways: before the first trial with it, every host of each port asks the
 * gateway there for its MAC address, by which the gateway learns that of the host. Fills why and returns 0 with
 * *found = false if one does not answer; `why` names port and address. After an error nothing is known: the caller
 * forgets it. */
int device_find_gateways(struct device_gateways *gateways, struct device_steps *steps, struct slow_path *slow,
                         const struct trial_request *request, struct traffic *traffic, bool *found, char *why,
                         size_t size, struct error *error);

/* Lets settle_ot pass, in which the hosts still answer. The result of the trial has been read. */
int device_serve_settle(struct device_steps *steps, struct slow_path *slow, const struct trial_request *request,
                        struct error *error);

#endif
