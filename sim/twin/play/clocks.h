/* SPDX-License-Identifier: Apache-2.0 */
/* The number of clocks between an event and its effect, as in hw/rtl. A clock is named by the number of its line word.
 *
 * A strobe or a new setting is valid in the clock that a register write reaches; a snapshot in clock T copies the
 * values of clock T. A LAG is how many words the line is ahead of a counter: in clock T it includes events up to word T
 * - LAG. */
#ifndef FPGAUGE_SIM_TWIN_PLAY_CLOCKS_H
#define FPGAUGE_SIM_TWIN_PLAY_CLOCKS_H

enum {
	WORD_OCTETS = 64, /* 8 groups */
	GROUP_OCTETS = 8,

	/* Register accesses (hw/rtl/csr, hw/regs/csr_*.v): clocks until the answer is taken, ... */
	ACCESS_CLOCKS = 7,
	ACCESS_MISSING_CLOCKS = 6, /* an access to a block that this build does not have */
	ACCESS_COUNTER_CLOCKS = 8,
	ACCESS_TABLE_CLOCKS = 11, /* if the table is free at once */
	/* ... and from the first of them to the one in which */
	READ_CLOCK = 3,  /* the value read is sampled, */
	WRITE_CLOCK = 4, /* the strobe or the new setting is valid, */
	TABLE_CLOCK = 4, /* a table is accessed. */

	/* Sender. The pacer has a start 21 clocks before its word of the line (tx.v: LATENCY). */
	TX_LATENCY = 21,
	START_DELAY = TX_LATENCY + 8,  /* strobe to the first word of the trial on the line: what it sends is decided */
	TX_PHASE_GUARD = 8,            /* words from the frame that begins a phase to one that may begin the next */
	TX_RULE_GUARD = 16,            /* words from a frame of a rule, or of tx_send, to the next one of a rule */
	TX_SEND_LEAD = TX_LATENCY + 1, /* a frame asked for by tx_send in clock T starts in word T + this, or later */
	TX_COUNT_LEAD = 15,            /* starts up to word T + 15 have taken their sequence number in clock T */
	TX_ASK_CLOCKS = 3,             /* the pacer's word to the clock in which the table is accessed */
	TX_METER_LAG = 6,
	TX_METER_TIME_LAG = 4,      /* first and last time are ahead of the rest */
	TX_GAP_ASK_CLOCKS = 5,      /* the word of a start to the clock in which its gap accesses the gap histogram */
	TX_GAP_SWEEP_CLOCKS = 1024, /* sweep of that histogram */
	TX_CLEARED_METER_LAG = 3,   /* the line up to word T + sweep - this is not counted after a clear in clock T */
	TX_BAD_FCS_LAG = 0,         /* counted in the word of the last octet before the FCS */
	TX_BAD_FCS_CLEAR_LEAD = 1,  /* a clear in clock T clears those up to word T + 1 */
	TX_CLEAR_LEAD = 16,         /* ... and lets starts up to word T + 16 keep their sequence numbers; */
	TX_SWEEP_CLOCKS = 256,
	TX_CLEARED_LEAD = TX_SWEEP_CLOCKS + 18, /* then, up to here, they have number 0 and are not in the table */
	TX_HELD_LEAD = TX_LATENCY - 2, /* words up to T + this in which a frame was held have been counted in clock T */
	TX_DRAIN_CLOCKS = 18,          /* status.sending, after the word of the last octet before the FCS */

	/* Receiver. Frames are placed by the word of their end. */
	RX_METER_LAG = 7,
	RX_GAP_ASK_CLOCKS = 6,  /* the same as TX_GAP_ASK_CLOCKS */
	RX_COMMIT_LAG = 17,     /* counters and tables change at once */
	RX_TAG_LAG = 19,        /* end of a frame to the clock in which the tag registers can be read */
	RX_ASK_CLOCKS = 14,     /* end of a received frame to the clock in which it accesses the tables */
	RX_SWEEP_CLOCKS = 1024, /* sweep of each histogram */
	/* A clear in clock T leaves the line up to word T + sweep - this uncounted. */
	RX_CLEARED_FRAME_LAG = 11,
	RX_CLEARED_METER_LAG = 4,
	RX_CLEARED_TCP_LAG = 8, /* ... nor heard: of a few words more than are not counted */
	/* A new setting in clock T applies to frames that end this many words before T, or later. */
	RX_RUN_ID_LAG = 9,
	RX_MAX_FRAME_LAG = 4,
	RX_PAYLOAD_LAG = 5,
	RX_HISTOGRAM_LAG = 11,
	RX_EXPECTED_LAG = 8,
	/* Switched on in clock T, the check of payloads applies to frames that begin this many words before T, or
	   later. */
	RX_PAYLOAD_ON_LAG = 3,
	RX_MAIL_WORD_LAG = 3,   /* a word of the line to the clock in which rx_mail_filter may make it one to keep, */
	RX_MAIL_WRITE_LAG = 16, /* and to the one in which it is kept, or its frame */
	RX_TCP_ON_LAG = 3, /* the word of a frame's start to the clock in which tcp_enable makes it one to look at */
	RX_PAUSE_LAG = 11, /* a pause frame is counted, and holds what the pacer starts from then on: */
	TX_HOLD_LAG = RX_PAUSE_LAG + TX_LATENCY, /* the word of its end to the first one on the line without a start */
	RX_PAUSE_ON_LAG = 3, /* the word of its start to the clock in which the receiver begins to look */
	/* rx_short_gap_octets: the old value applies to gaps up to word T - RX_METER_LAG, which are those counted by
	 * then. */
};

#endif
