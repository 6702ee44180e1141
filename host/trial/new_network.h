/* SPDX-License-Identifier: Apache-2.0 */
/* The tagged frame to "a new destination network" (RFC 2544 section 26.2): a rule at the tag of each sending port,
 * whose frame is one of the stream but for its destination, node 2 of one of the 256 networks behind the router that
 * the receiving port plays (test_host_in_network()). */
#ifndef FPGAUGE_TRIAL_NEW_NETWORK_H
#define FPGAUGE_TRIAL_NEW_NETWORK_H

#include "host/traffic/traffic.h"

/* Adds the rules to the traffic of a shape with TRAFFIC_NEW_NETWORK; nothing to that of others. */
int trial_new_network_add(struct traffic *traffic, const struct traffic_shape *shape, struct error *error);

/* The frames go to other networks for every number; after 256 numbers, fewer where several ports send to the same one,
 * they come again. */
void trial_new_network_number(struct traffic *traffic, unsigned number);

/* The rule at the tag of a port; NULL: it has none. */
const struct traffic_rule *trial_rule_at_tag(const struct traffic *traffic, unsigned port);

#endif
