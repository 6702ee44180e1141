/* SPDX-License-Identifier: Apache-2.0 */
/* Traffic as data: for each port which frames it sends, in which order and of which length, and where each must arrive.
 * Pure: it knows no device, and no time; how fast frames leave is said elsewhere. docs/traffic.md has the words. */
#ifndef FPGAUGE_TRAFFIC_TRAFFIC_H
#define FPGAUGE_TRAFFIC_TRAFFIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/error.h"
#include "host/base/rate.h"
#include "host/traffic/packet.h"
#include "host/traffic/pattern.h"
#include "host/traffic/shape.h"

enum {
	TRAFFIC_FIELDS = 4,     /* varying fields of a flow */
	TRAFFIC_TURNS = 4096,   /* size of a port's table of turns */
	TRAFFIC_LENGTHS = 1024, /* size of a port's table of lengths */
	TRAFFIC_RULES = 4       /* rules of a port */
};

/* Bits that vary from frame to frame of a flow: value k, of k modulo count, is start + k x step, under the mask. They
 * are 0 in the packet. If drawn, a uniform random number below count takes the place of k. */
struct traffic_field {
	uint32_t start, step, mask;
	uint32_t count; /* 1 to 2^24; 0: there is no such field */
	uint8_t octet;  /* where its 32 bits begin, 0 to 124 */
	bool drawn;     /* step must be a power of two */
};

/* The fault that the frames of a flow have on purpose. A wrong length is a length like others. */
enum traffic_wrong { TRAFFIC_RIGHT, TRAFFIC_WRONG_FCS, TRAFFIC_WRONG_CODE };

/* Frames of one kind from one port; also a stream, with a sequence of its own. */
struct traffic_flow {
	struct packet packet;
	uint16_t arrives; /* bit p: they must arrive at port p; 0: nowhere */
	bool measured;    /* they carry the signature */
	bool apart;       /* its frames are those of a modifier: counted apart, and their loss is none of the trial's */
	enum traffic_wrong wrong;
	uint16_t first_length, lengths; /* entries of the port's table, in turn; lengths = 0: all as the port says */
	struct traffic_field field[TRAFFIC_FIELDS];
};

/* The order in which the flows of a port have their turns. */
enum traffic_order { TRAFFIC_IN_TURN, TRAFFIC_DRAWN, TRAFFIC_BY_TABLE };

/* A frame of a flow that takes the place of the first frame that begins first_ns after the start or later, and again
 * after each period; 0: only once. It costs no turn: the frame that would have begun there is the next one. Where two
 * rules wait for the same place, the one whose time came first has it, or else the one with the lower number. Its
 * frames are none of the port's first n frames, of which the functions below speak. */
struct traffic_rule {
	unsigned flow;                  /* a flow that has no turns and no other rule */
	enum traffic_modifier modifier; /* the modifier whose frames they are */
	uint32_t frame_octets;
	uint64_t first_ns, period_ns;
	bool at_tag; /* its time is that of the port's tag, whatever these say, so that its one frame is the tagged one
	              */
};

struct traffic_port {
	struct traffic_flow *flow;
	unsigned flows;
	unsigned ordered; /* flows 0 to ordered - 1 have turns; 0: the port does not send */
	enum traffic_order order;
	uint32_t seed; /* seed of a drawn order and of drawn fields */
	uint8_t *turn; /* TRAFFIC_BY_TABLE: whose turn it is */
	unsigned turns;
	uint32_t every; /* each frame with a number that this divides is of every_flow, and costs no turn; 0: none */
	unsigned every_flow;
	uint32_t frame_octets; /* length in flows without lengths of their own */
	/* The port's share of the load of a trial, which is never several bursts or a load that changes then; share_of
	 * 0: all of it. */
	uint32_t share, share_of;
	uint16_t *length;
	unsigned lengths;
	unsigned rules;
	struct traffic_rule rule[TRAFFIC_RULES];
};

struct traffic {
	unsigned ports;
	bool teaches; /* its trials are about the addresses that are known: no learning frames go before them */
	struct traffic_port port[TRAFFIC_MAX_PORTS];
};

/* Limits of a device. */
struct traffic_limits {
	unsigned flows, bodies;             /* a port's; bodies: flows with more than 64 octets of header */
	uint32_t least_octets, most_octets; /* lengths of frames */
};

/* The traffic of a shape, checked. ERROR_PLAN with a message that names the limit. *traffic is to be freed if this
 * returns 0. */
int traffic_build(const struct traffic_shape *shape, unsigned ports, const struct traffic_limits *limits,
                  struct traffic *traffic, struct error *error);
void traffic_free(struct traffic *traffic);

/* The shortest test frames that have room for the headers of a shape and the signature; at least 64 octets. */
uint32_t traffic_least_octets(const struct traffic_shape *shape);

static inline bool traffic_sends(const struct traffic *traffic, unsigned port)
{
	return traffic->port[port].ordered != 0;
}

/* The rule that sends a flow; NULL: none does. */
static inline const struct traffic_rule *traffic_rule_of(const struct traffic_port *port, unsigned flow)
{
	for (unsigned i = 0; i < port->rules && i < TRAFFIC_RULES; i++)
		if (port->rule[i].flow == flow)
			return &port->rule[i];
	return NULL;
}

/* A rule for a new flow with these frames, which must arrive nowhere: they are for the device under test itself. Only
 * those of a rule at the tag may be changed to be measured, and to arrive. Fills in the flow of the rule. */
int traffic_add_rule(struct traffic *traffic, unsigned port, const struct packet *packet,
                     const struct traffic_rule *rule, struct error *error);

/* Counts the frames of the flow among the first `frames` frames of a port. Not for a drawn order. */
uint64_t traffic_frames_of_flow(const struct traffic *traffic, unsigned port, unsigned flow, uint64_t frames);

/* Frames that must arrive at each port if each has sent offered[port]. */
void traffic_expected(const struct traffic *traffic, const uint64_t offered[TRAFFIC_MAX_PORTS],
                      uint64_t expected[TRAFFIC_MAX_PORTS]);

/* The same of flows that are counted apart, and how many frames of them each port has sent. */
void traffic_expected_apart(const struct traffic *traffic, const uint64_t offered[TRAFFIC_MAX_PORTS],
                            uint64_t sent[TRAFFIC_MAX_PORTS], uint64_t expected[TRAFFIC_MAX_PORTS]);

/* Octets of the first `frames` frames of a port, FCS included; fewer than 2^49 frames. Not for a drawn order, unless
 * all frames have the same length. */
uint64_t traffic_octets(const struct traffic *traffic, unsigned port, uint64_t frames);

/* The longest frame of any port; 0 without frames. */
uint32_t traffic_longest(const struct traffic *traffic);

/* The number of frames after which turns and lengths are again as at the start; 0 if there are more than 2^48. */
uint64_t traffic_cycle(const struct traffic *traffic, unsigned port);

/* The average length of a port's frames: exactly octets / frames, reduced. Not for a drawn order, as above. 0 / 1 for a
 * port that does not send. */
struct traffic_mean {
	uint64_t octets, frames;
};
struct traffic_mean traffic_mean_octets(const struct traffic *traffic, unsigned port);

/* Maximum theoretical frame rate of the port (RFC 5180 A.1 with the average length), reduced. The port sends. */
struct rate traffic_max_rate(const struct traffic *traffic, unsigned port, uint64_t link_bps);

/* The same for traffic that is the same in every frame; it differs, but for a chance of 2^-64, for other traffic. */
uint64_t traffic_hash(const struct traffic *traffic);

#endif
