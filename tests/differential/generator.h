/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the parts of the generator. */
#ifndef FPGAUGE_TESTS_DIFFERENTIAL_GENERATOR_H
#define FPGAUGE_TESTS_DIFFERENTIAL_GENERATOR_H

#include "tests/differential/generate.h"

enum {
	SENDING_BUDGET_OT = 64 * 2500, /* line time that the frames of a trial may take */
	SPREAD_BUDGET_OT = 64 * 10000, /* the same with the gaps between them, where those cannot be skipped */
	REST_OT = 20000000,            /* wait until a device of these scripts is empty, unless it is overloaded */
};

enum { PHASES = 7, RULES = 4, SIZED_FLOWS = 12, LISTED = 24 };

/* The average gap: octets + numerator / denominator. */
struct gap {
	uint64_t octets, numerator, denominator;
};

/* Frame lengths of a flow (tx_flow_size) and what is special about it (tx_flow_flags). */
struct flow {
	uint64_t how, first, count, flags;
};

struct rule {
	uint64_t time_ot, period_ot, frame; /* frame: as tx_rule_frame */
};

/* The traffic of one port. */
struct sender {
	uint64_t frame_octets, burst_frames, burst_gap_octets;
	struct gap gap[1 + PHASES]; /* gap of each phase */
	uint64_t phases, phase_ot[1 + PHASES];
	uint64_t stop_frames, duration_ot, start_offset_ot;
	uint64_t order, flows; /* tx_flows */
	uint64_t every, every_flow;
	uint64_t rules;
	struct rule rule[RULES];
	uint64_t turns, listed_from;    /* LISTED entries of the table of lengths are written, */
	uint64_t listed_octets[LISTED]; /* beginning with this one */
	struct flow flow[SIZED_FLOWS];  /* the others are as when the device is loaded */
	bool sized, enable, tags, ends; /* ends: stops by itself */
};

struct generator {
	struct random random;
	unsigned scale, ports;
	struct script *script;
	struct sender sender[GENERATE_MOST_PORTS];
	bool switches;                         /* all ports are joined: by a switch, or */
	bool routers;                          /* all ports are joined by a router */
	bool mails;                            /* unexpected frames are kept for the host */
	bool varies[GENERATE_MOST_PORTS][256]; /* flows that have been given a field */
	bool resets;                           /* the DUT can be told to reset */
	bool looped[GENERATE_MOST_PORTS];
	bool sized[GENERATE_MOST_PORTS]; /* flows have been given lengths or flags */
	bool bodies;                     /* flows may be given bodies, where the payload does not count up */
	bool still;                      /* nothing is being sent, so that tables may be written */
};

static inline uint64_t between(struct generator *g, uint64_t least, uint64_t most)
{
	return random_between(&g->random, least, most);
}

static inline bool chance(struct generator *g, unsigned percent)
{
	return random_chance(&g->random, percent);
}

static inline void write32(struct generator *g, uint32_t address, uint64_t value)
{
	script_op(g->script, OP_WRITE, address, value & UINT32_MAX, 0);
}

/* Writes the low word, then the high one. A high word of 0 is sometimes left out, because it is zero already or as a
 * lazy program would by mistake. */
static inline void write64(struct generator *g, uint32_t address, uint64_t value)
{
	write32(g, address, value);
	if (value >> 32 != 0 || chance(g, 70))
		write32(g, address + 4, value >> 32);
}

static inline void op(struct generator *g, enum op_kind kind, uint64_t a, uint64_t b, uint64_t c)
{
	script_op(g->script, kind, a, b, c);
}

/* Draws what a port will send. */
void draw_sender(struct generator *g, struct sender *sender);
uint64_t draw_frame_octets(struct generator *g);

/* Draws whose turn it is, and how long frames are. draw: after frame_octets. Returns their average, more or less. */
uint64_t draw_flows(struct generator *g, struct sender *sender);
void write_flows(struct generator *g, unsigned port);
uint64_t draw_flags(struct generator *g, unsigned percent); /* tx_flow_flags; percent: how many have some */
void write_flow_tables(struct generator *g, unsigned port);

/* Draws what is sent between the frames of flows that have a turn. draw: last. */
void draw_rules(struct generator *g, struct sender *sender, uint64_t most_ot);
void write_rules(struct generator *g, unsigned port);
void write_rule_table(struct generator *g, unsigned port);
void send_frames(struct generator *g, unsigned port);

/* Headers, bodies, lengths, checksums and fields of some flows, now and then. */
void write_contents(struct generator *g, unsigned port);

/* Writes addresses in the frames, for a switch; looks at what ports that are no partners receive. */
void write_addresses(struct generator *g, unsigned port);
void look_at_others(struct generator *g);

/* Writes packets, ARP and neighbour discovery, for a router. */
void write_packets(struct generator *g, unsigned port);

/* Flows from 0 on that have a turn, or most of them; those of rules without any. */
static inline uint64_t flows_seen(const struct sender *sender)
{
	return sender->order == 2 || sender->flows == 0 ? SIZED_FLOWS : sender->flows;
}

/* Loops ports back, or undoes it; no frames may be in flight. */
void write_loopback(struct generator *g);

/* Writes all settings of a port, as drawn for sending, drawn here for receiving. */
void write_sender(struct generator *g, unsigned port);
void write_receiver(struct generator *g, unsigned port);
void write_payload_offset(struct generator *g, unsigned port);

/* Settings of what a port keeps for the host, as they are from the beginning, or changed at any time; reads of it. */
void write_mail(struct generator *g, unsigned port);
void change_mail(struct generator *g, unsigned port);
void look_at_mail(struct generator *g, unsigned port);

/* Writes which streams a port expects; changes some of them, at any time. */
void write_expected(struct generator *g, unsigned port);
void change_expected(struct generator *g, unsigned port);

#endif
