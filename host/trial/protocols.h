/* SPDX-License-Identifier: Apache-2.0 */
/* The frames of protocols that the modifiers of a shape add to its traffic: a management query as the first frame of
 * each second (RFC 2544 section 11.2), and routing updates (section 11.3). They are rules of ports, so they take places
 * of test frames. */
#ifndef FPGAUGE_TRIAL_PROTOCOLS_H
#define FPGAUGE_TRIAL_PROTOCOLS_H

#include "host/traffic/protocols/snmp.h"
#include "host/traffic/traffic.h"

/* Adds the rules of the shape's modifiers to its traffic: updates A and B at every sending port, then queries at the
 * first of them. Queries have no MAC address of the device yet; that is for traffic_send_to(). */
int trial_protocols_add(struct traffic *traffic, const struct traffic_shape *shape, struct error *error);

/* The queries in traffic of this shape, of which the first has the request id of *query. False: there are none. */
bool trial_protocols_query(const struct traffic *traffic, const struct traffic_shape *shape, unsigned *port,
                           struct management_query *query);

/* Queries begin with the request id of this trial, so that an answer that comes a trial too late is not taken for one
 * of this trial. */
void trial_protocols_number(struct traffic *traffic, uint8_t run_id);

#endif
