/* SPDX-License-Identifier: Apache-2.0 */
/* Constant load into a fifo for a long time, exactly, without playing every frame. It is for loads and services without
 * a short common period, where jump.h finds none.
 *
 * There is always a number of frames after which everything nearly repeats: a *return*. Frame r of one return differs
 * from frame r of the next one by the same small drift in time, so over many returns whatever is counted of it changes
 * only in the few of them where the drift carries it over a boundary. So the frames of one return are gone through, and
 * for each of them, all returns at once: stretches of returns that count the same. The sum of the work is about the
 * number of frames to the power of 2/3, and every boundary is a comparison of integers.
 *
 * Two states last for long. A *full* fifo is always busy: service j ends at a known time, and the frame that takes the
 * room is the first one to arrive from then on, and after its predecessor. An *idle* one serves each frame when it
 * arrives, or after its predecessor. In both, what is more than some frames back cannot matter any more, because the
 * time between services, or arrivals, is the longer one (drift_memory()). docs/twin.md has the reasons. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_DRIFT_H
#define FPGAUGE_SIM_TWIN_SKIP_DRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "host/base/uint128.h"

enum {
	DRIFT_SPAN = 8192,           /* different latencies, and times between starts, that can be counted */
	DRIFT_BURSTS_SPAN = 1 << 20, /* latencies, of bursts */
	DRIFT_ENDS = 8,              /* last ends of services that are kept of an idle fifo, which holds fewer frames */
	DRIFT_FLOWS = 8,             /* most flows of a load, and */
	DRIFT_TURNS = 1024           /* most frames after which their turns repeat */
};

/* The flow that a frame is of, by the place of the frame in the turns. */
struct drift_turn {
	uint16_t flow;
	uint16_t rank; /* how many of its flow are before it in the turns */
	uint16_t back; /* the frame before of its flow is so many frames before it */
	bool asked;    /* the next one of its flow is not the next frame */
	bool gone;     /* it is of a flow that does not come to the fifo; then only rank and back hold */
};

/* The flows of a load: frame k, from 0, has the place k modulo `period` in the turns. Frames of a flow are numbered
 * from 0, too; before the first one, `behind` of them are not known to have arrived. */
struct drift_flows {
	int64_t period, most_back;
	int64_t gone_turns; /* frames of the period that do not come to the fifo */
	struct drift_turn turn[DRIFT_TURNS];
	size_t flows;
	bool gone[DRIFT_FLOWS]; /* all its frames are lost before */
	uint8_t number[DRIFT_FLOWS];
	int64_t frames[DRIFT_FLOWS]; /* frames of each flow in the turns */
	int64_t behind[DRIFT_FLOWS];
	uint64_t window[DRIFT_FLOWS]; /* the same as in drift_arrived */
};

/* Times are relative to a multiple of 8 octet times, from which the first frame starts less than 8 later. */
struct drift_fifo {
	const struct drift_flows *flows;
	bool slow; /* playing a frame takes much longer than a step here: few of them are worth it, one by one */
	int64_t load, load_parts;       /* a frame every load / load_parts octet times */
	int64_t start;                  /* ideal start of the first frame, in 1 / load_parts */
	int64_t burst_frames;           /* 0: one burst without end; else load_parts is 1, and: */
	int64_t burst_place;            /* place of the first frame in its burst */
	int64_t burst_ot;               /* time from one burst to the next */
	int64_t service, service_parts; /* service of a frame takes service / service_parts octet times */
	int128 end;                     /* end of the last service so far, in 1 / service_parts */
	int64_t store_ot;               /* time from the start of a frame until it has arrived */
	int64_t room_ot;      /* time from the start of a frame until it needs room: a service over by then frees it */
	int64_t latency_ot;   /* time after the end of the service; negative: before it */
	int64_t buffer;       /* frames */
	int64_t line_octets;  /* a frame on the line, with preamble and least gap */
	int64_t line_free_ot; /* when the line out was free */
};

/* Counts; times are in groups of 8 octet times. */
struct drift_sums {
	uint64_t frames;
	int64_t latency_base, between_base;
	int64_t span;                 /* latencies that can be counted */
	uint64_t between[DRIFT_SPAN]; /* how many left between_base + i after the one before */
	struct drift_flow_sums {
		uint64_t gaps;     /* frames received after one of the flow that was lost */
		uint64_t *latency; /* how many had latency_base + i: all that were received */
	} flow[DRIFT_FLOWS];
};

/* Frames of each flow that have arrived. */
struct drift_arrived {
	int64_t last[DRIFT_FLOWS];    /* number of the last frame; negative: before the first one */
	uint64_t window[DRIFT_FLOWS]; /* bit i: frame last - i was received */
};

/* State at the end, after a frame that was received. */
struct drift_end {
	int64_t start_groups;          /* start of the last frame, */
	int64_t departure_groups;      /* and when it left */
	bool lost;                     /* a frame was lost; then: */
	int64_t loss_departure_groups; /* when the last frame after a loss left */
	struct drift_arrived arrived;
	int128 ends[DRIFT_ENDS]; /* ends of services, in 1 / service_parts: those of the last frames, or, ... */
	size_t services;         /* ... if it is not idle, 1: of the first of `buffer` frames, all straight */
	int64_t line_free_ot;
};

enum drift_outcome {
	DRIFT_NOT,   /* not with these rates, or not in this state */
	DRIFT_SHORT, /* it would be, but is not worth it for so few frames */
	DRIFT_ON
};

/* Goes on for frames that start before until_ot and leave before depart_ot, at most `most` of them, but less than that.
 * If not DRIFT_ON, what is in sums and end means nothing. */
enum drift_outcome drift_full(const struct drift_fifo *fifo, int64_t until_ot, int64_t depart_ot, uint64_t most,
                              struct drift_sums *sums, struct drift_end *end);
enum drift_outcome drift_idle(const struct drift_fifo *fifo, int64_t until_ot, int64_t depart_ot, uint64_t most,
                              struct drift_sums *sums, struct drift_end *end);

/* The same for a fifo that fills or empties slowly, as long as it is busy and has room. All frames that it holds must
 * be served straight one after the other. */
enum drift_outcome drift_fill(const struct drift_fifo *fifo, int64_t until_ot, int64_t depart_ot, uint64_t most,
                              struct drift_sums *sums, struct drift_end *end);

/* The same where a frame comes exactly every service, a whole number of octets: what a line is at its full rate. */
enum drift_outcome drift_even(const struct drift_fifo *fifo, int64_t until_ot, int64_t depart_ot, uint64_t most,
                              struct drift_sums *sums, struct drift_end *end);

#endif
