/* SPDX-License-Identifier: Apache-2.0 */
/* Learning frames (RFC 2544 section 23 b, RFC 2889 section 3): from them a bridge learns behind which port each address
 * is, before test frames go there. A frame to an address that it does not know goes to all ports. */
#ifndef FPGAUGE_TRAFFIC_LEARNING_H
#define FPGAUGE_TRAFFIC_LEARNING_H

#include "host/traffic/traffic.h"

enum traffic_learn {
	TRAFFIC_LEARN_NOTHING,  /* two ports exchange frames, so each address is learned from a first frame */
	TRAFFIC_LEARN_ONCE,     /* every address also sends in a trial, which keeps it learned */
	TRAFFIC_LEARN_EACH_TIME /* some only receive, and would be forgotten */
};

struct traffic_learning {
	enum traffic_learn when;
	struct traffic traffic; /* announces from each port the addresses behind it; must arrive nowhere */
	uint64_t frames; /* sent by each port, so that every address has its turn: once, if all ports have as many
	                  * addresses, as traffic_build() makes them; with fewer than others, some again */
};

/* The learning frames of traffic. *learning is to be freed if this returns 0. */
int traffic_learning(const struct traffic *traffic, struct traffic_learning *learning, struct error *error);
void traffic_learning_free(struct traffic_learning *learning);

#endif
