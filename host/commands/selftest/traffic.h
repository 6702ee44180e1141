/* SPDX-License-Identifier: Apache-2.0 */
/* Known traffic, and what every counter must be after it. Private to this folder. */
#ifndef FPGAUGE_COMMANDS_SELFTEST_TRAFFIC_H
#define FPGAUGE_COMMANDS_SELFTEST_TRAFFIC_H

#include "host/commands/selftest/session.h"

enum { TRAFFIC_ENTRIES = 256 };

/* Frames that a port sends at the minimum gap of 12, and what of them is expected where they arrive. */
struct traffic {
	uint32_t frame_octets;
	uint64_t frames;
	unsigned destinations;
	uint32_t bad_fcs_every;    /* 0: none */
	uint32_t max_frame_octets; /* limit of the receiver */
	uint32_t short_gap_octets;
	uint64_t tag_interval_ot;                  /* 0: no tags; else one at the start, then one per interval */
	uint32_t unexpected[TRAFFIC_ENTRIES / 32]; /* bit e mod 32 of word e / 32: frames of entry e */
};

/* True if frames of this entry are expected. */
bool traffic_expects(const struct traffic *traffic, unsigned entry);

/* Programs a port to send this and to classify what it receives. looped: it receives its own frames, and expects them
 * as the traffic says. */
int traffic_program(struct session *session, unsigned port, const struct traffic *traffic, bool looped);

/* Makes the port not send; it still receives. */
int traffic_mute(struct session *session, unsigned port, bool looped);

/* Writes what a port expects: of this traffic from a source, and nothing from any other port. */
int traffic_write_expected(struct session *session, unsigned port, unsigned source, const struct traffic *traffic);

/* Clears, starts, waits until all is sent and then for drain_ot, and takes a snapshot. */
int traffic_run(struct session *session, const struct traffic *longest, uint64_t drain_ot);

/* Counters of a port as the snapshot froze them. */
struct counters {
	uint64_t value[FPGAUGE_COUNTER_COUNT];
};

int traffic_read(struct session *session, unsigned port, struct counters *counters);

/* Expected counts of a stream. */
struct stream_expected {
	uint64_t sent, received, lost, gaps, next, unexpected;
};

/* The values that the port's counters and its own streams must have in loopback, worked out frame by frame from the
 * description of the map. start_ot: start of the first frame. streams: TRAFFIC_ENTRIES of them. */
void traffic_expect(const struct traffic *traffic, uint64_t start_ot, struct counters *counters,
                    struct stream_expected *streams);

/* Name of a counter as in docs/registers.md. */
const char *counter_name(unsigned counter);

/* Fails the row if a counter is not as expected. Returns how many are not. */
unsigned traffic_compare(struct selftest_row *row, const struct counters *seen, const struct counters *expected);

#endif
