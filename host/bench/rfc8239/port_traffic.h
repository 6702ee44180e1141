/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic of the tests of RFC 8239 that say port by port who sends to whom. It is chosen from a full mesh, which has
 * the addresses of all ports; so devices learn the same ones whatever is chosen. */
#ifndef FPGAUGE_BENCH_RFC8239_PORT_TRAFFIC_H
#define FPGAUGE_BENCH_RFC8239_PORT_TRAFFIC_H

#include <jansson.h>
#include <stdbool.h>

#include "host/bench/session.h"
#include "host/plan/plan_benchmark.h"
#include "host/traffic/traffic.h"

/* The ports to which each port sends, in turn; none: it does not send. */
struct port_plan {
	unsigned ports;
	struct {
		unsigned count;
		uint8_t to[TRAFFIC_MAX_PORTS];
	} sends[TRAFFIC_MAX_PORTS];
};

/* Lets port `from` send to port `to` after those it has. */
void port_plan_add(struct port_plan *plan, unsigned from, unsigned to);

/* The same with each port so many further on, the first after the last one. */
struct port_plan port_plan_shifted(const struct port_plan *plan, unsigned by);

/* Keeps of a mesh what the plan says. With several addresses for each pair of ports, all are sent to in turn. False:
 * out of memory. */
bool port_traffic_choose(struct traffic *mesh, const struct port_plan *plan);

/* Builds that traffic, which the session then has for its trials, in place of the one before. *traffic must outlive
 * them, and be freed if this returns 0. */
int port_traffic_use(struct session *session, const struct port_plan *plan, struct traffic *traffic,
                     struct error *error);

/* Ports, as a list of numbers. */
json_t *port_list(unsigned bits);

/* Bit p: port p sends; is sent to. */
unsigned port_plan_senders(const struct port_plan *plan);
unsigned port_plan_receivers(const struct port_plan *plan);

#endif
