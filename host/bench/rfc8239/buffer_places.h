/* SPDX-License-Identifier: Apache-2.0 */
/* Tells which ports congest which, in the procedures of RFC 8239 section 3.2: at each place, ports that send and the
 * egress ports to which more is sent than they forward. Pure.
 *
 * The text has slips in its port numbers; here is done what is meant.
 *
 * Procedures 1 and 2 end with "ingress port N-2 sending line rate to egress port N-1, while port N is sending ... to
 * egress port N", which must be N-1, as in the iterations before it; and they stop two ports short of all. Here every
 * port is the egress port once, the ingress port is the one before it, and the third one the one after it.
 *
 * In procedure 3 pairs are 1 to 2, 3 to 4 and so on, and "port N-1 and port N will oversubscribe ... egress port 2 and
 * port 3", then "4 and 5", at last "N-3 and N-2". Ports 3 and 5 are ingress ports, which nobody sends to, so 1% does
 * not congest them. Here they oversubscribe the egress ports of two neighbouring pairs, 2 and 4, then 4 and 6, at last
 * N-4 and N-2. With an odd number of ports, the one before the last two is idle.
 *
 * Procedure 4, "ingress ports N, 1, 2 ... N-2" to N-1, is as meant: each port is the egress port of all others once,
 * the last one first. */
#ifndef FPGAUGE_BENCH_RFC8239_BUFFER_PLACES_H
#define FPGAUGE_BENCH_RFC8239_BUFFER_PLACES_H

#include "host/base/quantity.h"
#include "host/bench/rfc8239/port_traffic.h"

enum {
	MOST_QUEUES = 2,
	PAIRS_LEAST_PORTS = 6 /* two pairs, and two that oversubscribe them */
};

/* Frames that wait for an egress port: more than it forwards come from ingress and extra, or from all other ports. */
struct buffer_queue {
	unsigned ingress, extra, egress;
};

struct buffer_place {
	struct port_plan plan;
	unsigned queues;
	struct buffer_queue queue[MOST_QUEUES];
	unsigned sharing; /* bit p: port p sends a share of line rate, buffer_procedure.share; the others all of it */
};

struct buffer_share {
	uint64_t part, of;
};

struct buffer_procedure {
	/* The number of places; positions: of the plan, 0: all. */
	unsigned (*places)(unsigned ports, unsigned positions);
	struct buffer_place (*place)(unsigned ports, unsigned number);
	struct buffer_share (*share)(const struct quantity *oversubscription, unsigned ports);
	bool all_send; /* all other ports congest the egress port, none of them alone */
};

extern const struct buffer_procedure ONE_EGRESS_PORT; /* procedures 1 and 2 */
extern const struct buffer_procedure PORT_PAIRS;      /* 3 */
extern const struct buffer_procedure MANY_TO_ONE;     /* 4 */

/* The excess over line rate that the egress port of MANY_TO_ONE is sent, as a part of line rate. */
double many_to_one_excess(const struct quantity *oversubscription);

#endif
