/* SPDX-License-Identifier: Apache-2.0 */
/* The routing update before a trial (RFC 2544 sections 13 and 23 a). */
#ifndef FPGAUGE_TRIAL_DEVICE_ROUTING_H
#define FPGAUGE_TRIAL_DEVICE_ROUTING_H

#include "host/trial/device/steps.h"

/* Announces networks where the traffic of a request goes to some of which only updates tell (traffic_is_learned()):
 * at every port where frames must arrive, host 0 tells the device under test of the network behind it; then the time
 * of the plan passes, in which hosts answer. */
int device_announce(struct device_steps *steps, struct slow_path *slow, const struct trial_request *request,
                    struct error *error);

#endif
