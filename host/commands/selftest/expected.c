/* SPDX-License-Identifier: Apache-2.0 */
/* The values that counters must have: an implementation of the register description, frame by frame. It shares no code
 * with the twin, which it checks too. */
#include <string.h>

#include "host/base/rate.h"
#include "host/commands/selftest/traffic.h"

enum { GROUP_OCTETS = 8 };

struct play {
	const struct traffic *traffic;
	uint64_t *value; /* counters */
	struct stream_expected *streams;
	uint64_t tag_due_ot;
};

/* Receives a frame of this run, of the right length, that is expected. */
static void receive(struct play *play, unsigned entry, uint64_t sequence, uint64_t start_ot, bool tagged)
{
	struct stream_expected *stream = &play->streams[entry];
	uint64_t *value = play->value;
	uint64_t ahead = sequence - stream->next;

	stream->received++;
	stream->next = sequence + 1;
	stream->lost += ahead;
	value[FPGAUGE_COUNTER_RX_LOST_FRAMES] += ahead;
	if (ahead != 0) {
		stream->gaps++;
		value[FPGAUGE_COUNTER_RX_SEQUENCE_GAPS]++;
		value[FPGAUGE_COUNTER_RX_LAST_LOSS_TIME] = start_ot;
	}
	if (value[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES]++ == 0) {
		value[FPGAUGE_COUNTER_RX_FIRST_TIME] = start_ot;
	} else {
		uint64_t silence = start_ot - value[FPGAUGE_COUNTER_RX_LAST_TIME];

		if (silence > value[FPGAUGE_COUNTER_RX_SILENCE_MAX]) {
			value[FPGAUGE_COUNTER_RX_SILENCE_MAX] = silence;
			value[FPGAUGE_COUNTER_RX_SILENCE_TIME] = value[FPGAUGE_COUNTER_RX_LAST_TIME];
		}
	}
	value[FPGAUGE_COUNTER_RX_LAST_TIME] = start_ot;
	value[FPGAUGE_COUNTER_RX_LATENCY_FRAMES]++;
	value[FPGAUGE_COUNTER_RX_LATENCY_MIN] = 0;
	value[FPGAUGE_COUNTER_RX_TAGGED_FRAMES] += tagged;
}

/* Counts a frame in exactly one class. */
static void classify(struct play *play, uint64_t number, unsigned entry, uint64_t start_ot, bool tagged)
{
	const struct traffic *traffic = play->traffic;
	uint64_t sequence = play->streams[entry].sent++;
	bool bad_fcs = traffic->bad_fcs_every != 0 && (number + 1) % traffic->bad_fcs_every == 0;
	uint64_t *value = play->value;

	value[FPGAUGE_COUNTER_TX_BAD_FCS_FRAMES] += bad_fcs;
	if (traffic->frame_octets < MIN_FRAME_OCTETS)
		value[FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES]++;
	else if (traffic->frame_octets > traffic->max_frame_octets)
		value[FPGAUGE_COUNTER_RX_BAD_LONG_FRAMES]++;
	else if (bad_fcs)
		value[FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES]++;
	else {
		value[FPGAUGE_COUNTER_RX_FRAMES]++;
		value[FPGAUGE_COUNTER_RX_OCTETS] += traffic->frame_octets;
		if (traffic_expects(traffic, entry)) {
			receive(play, entry, sequence, start_ot, tagged);
		} else {
			value[FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES]++;
			play->streams[entry].unexpected++;
		}
	}
}

static void measure_gap(struct play *play, uint64_t gap_octets)
{
	uint64_t *value = play->value;

	value[FPGAUGE_COUNTER_TX_GAPS]++;
	value[FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS] += gap_octets;
	if (gap_octets < value[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS])
		value[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS] = gap_octets;
	if (gap_octets > value[FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS])
		value[FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS] = gap_octets;
	value[FPGAUGE_COUNTER_RX_SHORT_GAPS] += gap_octets < play->traffic->short_gap_octets;
}

static void clear(struct play *play)
{
	memset(play->value, 0, FPGAUGE_COUNTER_COUNT * sizeof(*play->value));
	memset(play->streams, 0, TRAFFIC_ENTRIES * sizeof(*play->streams));
	play->value[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS] = UINT64_MAX;
	play->value[FPGAUGE_COUNTER_RX_LATENCY_MIN] = UINT64_MAX;
}

/* A looped line has the same gaps on both sides, and the total of bad frames is the sum of their classes. */
static void finish(uint64_t *value)
{
	value[FPGAUGE_COUNTER_RX_GAPS] = value[FPGAUGE_COUNTER_TX_GAPS];
	value[FPGAUGE_COUNTER_RX_GAP_MIN_OCTETS] = value[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS];
	value[FPGAUGE_COUNTER_RX_GAP_MAX_OCTETS] = value[FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS];
	value[FPGAUGE_COUNTER_RX_GAP_SUM_OCTETS] = value[FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS];
	value[FPGAUGE_COUNTER_RX_BAD_FRAMES] = value[FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES] +
	                                       value[FPGAUGE_COUNTER_RX_BAD_LONG_FRAMES] +
	                                       value[FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES];
}

void traffic_expect(const struct traffic *traffic, uint64_t start_ot, struct counters *counters,
                    struct stream_expected *streams)
{
	struct play play = {.traffic = traffic, .value = counters->value, .streams = streams, .tag_due_ot = start_ot};
	uint64_t occupied = traffic->frame_octets + PREAMBLE_OCTETS, ended_ot = 0;

	clear(&play);
	for (uint64_t i = 0; i < traffic->frames; i++) {
		/* Ideal starts, rounded down to a group: deficit idle count. */
		uint64_t at_ot = start_ot + i * (occupied + MIN_GAP_OCTETS) / GROUP_OCTETS * GROUP_OCTETS;
		bool tagged = traffic->tag_interval_ot != 0 && at_ot >= play.tag_due_ot;

		if (tagged)
			play.tag_due_ot += traffic->tag_interval_ot;
		if (i == 0)
			play.value[FPGAUGE_COUNTER_TX_FIRST_TIME] = at_ot;
		else
			measure_gap(&play, at_ot - ended_ot);
		play.value[FPGAUGE_COUNTER_TX_LAST_TIME] = at_ot;
		play.value[FPGAUGE_COUNTER_TX_FRAMES]++;
		play.value[FPGAUGE_COUNTER_TX_OCTETS] += traffic->frame_octets;
		classify(&play, i, (unsigned)(i % traffic->destinations), at_ot, tagged);
		ended_ot = at_ot + occupied;
	}
	finish(play.value);
}
