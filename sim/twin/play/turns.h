/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whose turn it is and how long the frame is: hw/rtl/tx/tx_sequencer.v, frame by frame.
 *
 * It knows nothing of time, and so may be asked ahead. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_TURNS_H
#define FPGAUGE_SIM_TWIN_PLAY_TURNS_H

#include <stdbool.h>
#include <stdint.h>

enum {
	TURNS_FLOWS = 256,
	TURNS_LENGTHS = 1024,
	TURNS_MOST = 4096,
	TURNS_LEAST_OCTETS = 54, /* header, signature and FCS; a shorter length acts as this one */
};

enum turns_order { ORDER_IN_TURN, ORDER_DRAWN, ORDER_TABLE };                        /* tx_order; 3 acts as 0 */
enum turns_how { HOW_FRAME_OCTETS, HOW_IN_TURN, HOW_DRAWN_ENTRY, HOW_DRAWN_LENGTH }; /* tx_flow_size, bits 1:0 */
enum { FLOW_UNSIGNED = 1, FLOW_BAD_FCS = 2, FLOW_CODE_ERROR = 4 };                   /* tx_flow_flags */

struct flow {
	uint8_t how; /* enum turns_how */
	uint8_t flags;
	uint16_t first, count;
};

/* Tables that the host writes. A trial needs them to stand still. */
struct turns_tables {
	struct flow flow[TURNS_FLOWS];
	uint16_t octets[TURNS_LENGTHS];
	uint8_t turn[TURNS_MOST];
};

/* The settings that a start strobe latches. */
struct turns_settings {
	uint32_t order, turns;
	uint32_t flows; /* 0: there are no turns, and no frames */
	uint32_t seed, size_seed;
	uint32_t frame_octets;
	uint32_t every; /* 0, or frames n, 2n ... are of this flow, without a turn */
	uint8_t every_flow;
};

struct turns {
	uint32_t turn;            /* the next one */
	uint32_t every_left;      /* frames up to the next one without a turn, including it */
	uint32_t draw, size_draw; /* stepped already */
	uint16_t position[TURNS_FLOWS];
};

/* All about a frame but its time. */
struct descriptor {
	uint8_t flow, flags;
	uint16_t octets;
};

void turns_init(struct turns *turns, const struct turns_settings *settings);

/* Properties that the flows with a turn have in common. */
struct turns_summary {
	uint32_t flows;         /* all of them are below this number */
	uint32_t flags;         /* flags that at least one of them has */
	bool fixed_octets;      /* all have frame_octets, */
	bool uses_frame_octets; /* or one of them has */
};

void turns_summarise(const struct turns_settings *settings, const struct turns_tables *tables,
                     struct turns_summary *summary);

/* Number of frames after which the same ones come again, and how many octets those have; 0: there are none, they are
 * drawn, or it is more than `most`. */
uint64_t turns_period_frames(const struct turns_settings *settings, const struct turns_tables *tables, uint64_t most,
                             uint64_t *octets);

/* Marsaglia 2003, shifts 13, 17, 5. */
static inline uint32_t turns_xorshift32(uint32_t x)
{
	x ^= x << 13;
	x ^= x >> 17;
	return x ^ x << 5;
}

/* A turn is 12 bits wide: with a number of turns that it never reaches, it comes round after 4096. */
static inline uint32_t turns_take_in_turn(uint32_t *turn, uint32_t turns)
{
	const uint32_t now = *turn;

	*turn = now + 1 == turns ? 0 : (now + 1) % TURNS_MOST;
	return now;
}

static inline uint32_t turns_take_drawn(uint32_t *draw, uint32_t flows)
{
	const uint32_t flow = (*draw >> 16) * flows >> 16;

	*draw = turns_xorshift32(*draw);
	return flow % TURNS_FLOWS;
}

static inline uint32_t turns_take_flow(struct turns *turns, const struct turns_settings *settings,
                                       const struct turns_tables *tables)
{
	if (settings->every != 0 && --turns->every_left == 0) {
		turns->every_left = settings->every;
		return settings->every_flow;
	}
	if (settings->order == ORDER_DRAWN)
		return turns_take_drawn(&turns->draw, settings->flows);
	if (settings->order == ORDER_TABLE)
		return tables->turn[turns_take_in_turn(&turns->turn, settings->turns)];
	return turns_take_in_turn(&turns->turn, settings->flows) % TURNS_FLOWS;
}

static inline uint32_t turns_take_octets(struct turns *turns, const struct turns_settings *settings,
                                         const struct turns_tables *tables, uint32_t number)
{
	const struct flow *flow = &tables->flow[number];
	uint32_t position;

	if (flow->how == HOW_FRAME_OCTETS)
		return settings->frame_octets;
	if (flow->how == HOW_IN_TURN) {
		position = turns->position[number];
		turns->position[number] = (uint16_t)(position + 1 == flow->count ? 0 : (position + 1) % TURNS_LENGTHS);
		return tables->octets[(flow->first + position) % TURNS_LENGTHS];
	}
	position = flow->first + ((turns->size_draw >> 16) * flow->count >> 16);
	turns->size_draw = turns_xorshift32(turns->size_draw);
	return flow->how == HOW_DRAWN_ENTRY ? tables->octets[position % TURNS_LENGTHS] : position & 0x3fff;
}

/* The next frame. */
static inline struct descriptor turns_take(struct turns *turns, const struct turns_settings *settings,
                                           const struct turns_tables *tables)
{
	const uint32_t flow = turns_take_flow(turns, settings, tables);
	const uint32_t octets = turns_take_octets(turns, settings, tables, flow);

	return (struct descriptor){
	        .flow = (uint8_t)flow,
	        .flags = tables->flow[flow].flags,
	        .octets = (uint16_t)(octets < TURNS_LEAST_OCTETS ? TURNS_LEAST_OCTETS : octets),
	};
}

#endif
