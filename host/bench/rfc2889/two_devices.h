/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic of a full mesh without what stays at one of two devices (RFC 2889 section 5.3.3). */
#ifndef FPGAUGE_BENCH_RFC2889_TWO_DEVICES_H
#define FPGAUGE_BENCH_RFC2889_TWO_DEVICES_H

#include "host/traffic/traffic.h"

/* Removes the flows between ports at the same device; ports 0 to first - 1 are at the first one. Port number k of a
 * device then begins with port number k of the other one, cyclically, as in the table of 5.4.3: so no two ports of a
 * device send to the same port at the same transmit opportunity, if the other device has as many. traffic: of a mesh,
 * as traffic_build() makes it. */
void two_devices_remote_only(struct traffic *traffic, unsigned first);

#endif
