// SPDX-License-Identifier: Apache-2.0
/* Start, stop, clear, snapshot, and the resulting status. */
#include <string.h>

#include "sim/twin/play/clocks.h"
#include "sim/twin/play/wiring.h"
#include "sim/twin/twin.h"

/* Everything that the DUT has been given must have arrived by then: dut_reset(). */
_Static_assert(DUT_RESET_LEAD_OT >= DUT_PREAMBLE_OCTETS + DUT_MAX_FRAME_OCTETS + (TX_LATENCY + 1) * WORD_OCTETS,
               "the twin knows too much ahead for a reset on command");

bool twin_reset_dut(struct twin *twin)
{
	const uint64_t from_ot = twin_now_ot(twin) + DUT_RESET_LEAD_OT;

	if (!play_all(&twin->play, twin->clock, true))
		return false;
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		struct direction *direction = &twin->play.directions[i];

		if (twin->play.duts[i] == NULL || !dut_reset(twin->play.duts[i], from_ot))
			return play_fail(&twin->play, FPGAUGE_SIM_NO_RESET);
		if (direction->dut != twin->play.duts[i]) /* the port is in loopback */
			continue;
		receiver_call_off(direction->receiver, from_ot);
		direction_disturb(direction);
	}
	return true;
}

bool twin_status(struct twin *twin, uint64_t clock, uint32_t *status)
{
	*status = 0;
	/* Both bits are one clock old. */
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		struct direction *direction = &twin->play.directions[i];

		if ((twin->play.tcp || sender_sending_depends(&direction->sender, clock - 1)) &&
		    !play_port(&twin->play, i, clock - 1, true))
			return false;
		if (sender_sending(&direction->sender, clock - 1))
			*status |= FPGAUGE_GLOBAL_STATUS_SENDING;
	}
	if (clock <= twin->clear_clock + twin_sweep_clocks(twin))
		*status |= FPGAUGE_GLOBAL_STATUS_CLEARING;
	return true;
}

/* -- snapshot ------------------------------------------------------------------------------------------------------ */

/* Takes off the frames that a snapshot in this clock does not see yet: with connections, more have been made. */
static void uncount_early(const struct sender *sender, const struct records *records, uint64_t clock, uint64_t *sent)
{
	const uint64_t seen_ot = (clock + TX_COUNT_LEAD + 1) * WORD_OCTETS;

	for (size_t i = sender->pending; i > 0 && sender->block[i - 1].start_ot >= seen_ot; i--) {
		const struct record *record = &records->ring[sender->block[i - 1].id & records->mask];

		sent[record->sequence >> RECORD_ENTRY_LSB & (RECORD_ENTRIES - 1)] -=
		        sender->block[i - 1].start_ot >= sender->uncounted_ot;
	}
}

static void freeze_sender(const struct sender *sender, const struct records *records, uint64_t clock,
                          struct twin_port *port)
{
	const struct line_counts *line = &sender->meter.counts;
	uint64_t *counters = port->counters;

	counters[FPGAUGE_COUNTER_TX_FRAMES] = line->frames;
	counters[FPGAUGE_COUNTER_TX_OCTETS] = line->octets;
	sender_times(sender, clock, &counters[FPGAUGE_COUNTER_TX_FIRST_TIME], &counters[FPGAUGE_COUNTER_TX_LAST_TIME]);
	counters[FPGAUGE_COUNTER_TX_GAPS] = line->gaps;
	counters[FPGAUGE_COUNTER_TX_GAP_MIN_OCTETS] = line->gap_min_octets;
	counters[FPGAUGE_COUNTER_TX_GAP_MAX_OCTETS] = line->gap_max_octets;
	counters[FPGAUGE_COUNTER_TX_GAP_SUM_OCTETS] = line->gap_sum_octets;
	counters[FPGAUGE_COUNTER_TX_BAD_FCS_FRAMES] = sender->bad_fcs_frames;
	counters[FPGAUGE_COUNTER_TX_HELD_TIME] = sender_held_words(sender, clock) * WORD_OCTETS;
	counters[FPGAUGE_COUNTER_RX_PAUSE_FRAMES] = sender->hold.frames;
	counters[FPGAUGE_COUNTER_RX_RESUME_FRAMES] = sender->hold.resume_frames;
	memcpy(port->sent, sender->sent, sizeof(port->sent));
	uncount_early(sender, records, clock, port->sent);
	memcpy(port->sent_gap_bins, sender->gap_bins, sizeof(port->sent_gap_bins));
}

static void freeze_frames(const struct receiver_counts *counts, uint64_t *counters)
{
	counters[FPGAUGE_COUNTER_RX_FRAMES] = counts->frames;
	counters[FPGAUGE_COUNTER_RX_OCTETS] = counts->octets;
	counters[FPGAUGE_COUNTER_RX_BAD_FRAMES] =
	        counts->bad_code + counts->bad_short + counts->bad_long + counts->bad_fcs;
	counters[FPGAUGE_COUNTER_RX_BAD_CODE_FRAMES] = counts->bad_code;
	counters[FPGAUGE_COUNTER_RX_BAD_SHORT_FRAMES] = counts->bad_short;
	counters[FPGAUGE_COUNTER_RX_BAD_LONG_FRAMES] = counts->bad_long;
	counters[FPGAUGE_COUNTER_RX_BAD_FCS_FRAMES] = counts->bad_fcs;
	counters[FPGAUGE_COUNTER_RX_FOREIGN_FRAMES] = counts->foreign;
	counters[FPGAUGE_COUNTER_RX_OTHER_RUN_FRAMES] = counts->other_run;
	counters[FPGAUGE_COUNTER_RX_BAD_PAYLOAD_FRAMES] = counts->bad_payload;
	counters[FPGAUGE_COUNTER_RX_WRONG_PORT_FRAMES] = counts->wrong_port;
	counters[FPGAUGE_COUNTER_RX_RECEIVED_FRAMES] = counts->received;
	counters[FPGAUGE_COUNTER_RX_LOST_FRAMES] = counts->sums.lost;
	counters[FPGAUGE_COUNTER_RX_DUPLICATED_FRAMES] = counts->sums.duplicated;
	counters[FPGAUGE_COUNTER_RX_REORDERED_FRAMES] = counts->sums.reordered;
	counters[FPGAUGE_COUNTER_RX_LATE_FRAMES] = counts->sums.late;
	counters[FPGAUGE_COUNTER_RX_SEQUENCE_GAPS] = counts->sums.gaps;
	counters[FPGAUGE_COUNTER_RX_FIRST_TIME] = counts->first_ot;
	counters[FPGAUGE_COUNTER_RX_LAST_TIME] = counts->last_ot;
	counters[FPGAUGE_COUNTER_RX_LAST_LOSS_TIME] = counts->last_loss_ot;
	counters[FPGAUGE_COUNTER_RX_SILENCE_MAX] = counts->silence_ot;
	counters[FPGAUGE_COUNTER_RX_SILENCE_TIME] = counts->silence_start_ot;
	counters[FPGAUGE_COUNTER_RX_LATENCY_FRAMES] = counts->received;
	counters[FPGAUGE_COUNTER_RX_LATENCY_MIN] = counts->latency.min_ot;
	counters[FPGAUGE_COUNTER_RX_LATENCY_MAX] = counts->latency.max_ot;
	counters[FPGAUGE_COUNTER_RX_LATENCY_SUM] = latency_sum_low(&counts->latency);
	counters[FPGAUGE_COUNTER_RX_LATENCY_SUM_HIGH] = latency_sum_high(&counts->latency);
	counters[FPGAUGE_COUNTER_RX_TAGGED_FRAMES] = counts->tagged;
	counters[FPGAUGE_COUNTER_RX_MAIL_FRAMES] = counts->mail;
	counters[FPGAUGE_COUNTER_RX_MAIL_OVERFLOW_FRAMES] = counts->mail_overflow;
	counters[FPGAUGE_COUNTER_RX_TCP_FRAMES] = counts->tcp;
	counters[FPGAUGE_COUNTER_RX_TCP_BAD_FRAMES] = counts->tcp_bad;
}

/* All frames on a simulated line are from a tester and have the length with which they were sent: the counter of others
 * stays 0. */
static void freeze_receiver(const struct receiver *receiver, struct twin_port *port)
{
	const struct line_counts *line = &receiver->meter.counts;
	uint64_t *counters = port->counters;

	freeze_frames(&receiver->counts, counters);
	counters[FPGAUGE_COUNTER_RX_GAPS] = line->gaps;
	counters[FPGAUGE_COUNTER_RX_GAP_MIN_OCTETS] = line->gap_min_octets;
	counters[FPGAUGE_COUNTER_RX_GAP_MAX_OCTETS] = line->gap_max_octets;
	counters[FPGAUGE_COUNTER_RX_GAP_SUM_OCTETS] = line->gap_sum_octets;
	counters[FPGAUGE_COUNTER_RX_SHORT_GAPS] = line->short_gaps;
	memcpy(port->bins, receiver->counts.bins, sizeof(port->bins));
	memcpy(port->octaves, receiver->counts.octaves, sizeof(port->octaves));
	memcpy(port->gap_bins, receiver->gap_bins, sizeof(port->gap_bins));
}

/* Streams of a source at and above this number are empty, at every receiver and in every frozen table: a table of 256
 * streams takes 32 KB, and most trials use a few. */
static void flows_by_source(const struct twin *twin, uint32_t flows[RECEIVER_SOURCES])
{
	for (unsigned source = 0; source < RECEIVER_SOURCES; source++)
		flows[source] = source < twin->play.port_count ? twin->play.directions[source].sender.flows : 0;
}

/* False: out of memory. */
static bool freeze_streams(const struct receiver *receiver, const uint32_t *flows, struct twin_port *port)
{
	for (unsigned source = 0; source < RECEIVER_SOURCES; source++) {
		if (receiver->streams[source] == NULL)
			continue;
		if (port->streams[source] == NULL)
			port->streams[source] = streams_make(RECEIVER_STREAMS);
		if (port->streams[source] == NULL)
			return false;
		memcpy(port->streams[source], receiver->streams[source],
		       flows[source] * sizeof(*port->streams[source]));
	}
	return true;
}

static bool snapshot(struct twin *twin, uint64_t clock)
{
	uint32_t flows[RECEIVER_SOURCES];

	twin->value[GLOBAL_SNAPSHOT_TIME] = clock * WORD_OCTETS;
	flows_by_source(twin, flows);
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		if (twin->play.receivers[i].mail.missed)
			return twin_mail_missed(twin, i);
		hold_count(&twin->play.directions[i].sender.hold, clock);
		freeze_sender(&twin->play.directions[i].sender, &twin->play.records[i], clock, &twin->ports[i]);
		twin_tcp_freeze(twin, i, clock);
		freeze_receiver(&twin->play.receivers[i], &twin->ports[i]);
		if (!freeze_streams(&twin->play.receivers[i], flows, &twin->ports[i]))
			return play_fail(&twin->play, "out of memory for the streams of port %u", i);
	}
	return true;
}

/* -- clear, start -------------------------------------------------------------------------------------------------- */

/* Tables are cleared together with their frozen values; frozen counters stay. */
static bool clear(struct twin *twin, uint64_t clock)
{
	uint32_t flows[RECEIVER_SOURCES];

	if (!twin_tcp_clear(twin, clock))
		return false;
	flows_by_source(twin, flows);
	twin->clear_clock = clock + 1;
	play_disturb(&twin->play);
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		struct direction *direction = &twin->play.directions[i];
		struct twin_port *port = &twin->ports[i];

		if (!play_port(&twin->play, i, clock + TX_CLEAR_LEAD - TX_COUNT_LEAD, true))
			return false;
		direction_disturb(direction);
		sender_clear(&direction->sender, clock);
		memset(port->sent, 0, sizeof(port->sent));
		memset(port->connections, 0, sizeof(port->connections));
		memset(port->sent_gap_bins, 0, sizeof(port->sent_gap_bins));
		memset(port->gap_bins, 0, sizeof(port->gap_bins));
		for (unsigned source = 0; source < RECEIVER_SOURCES; source++)
			if (port->streams[source] != NULL)
				streams_clear(port->streams[source], flows[source]);
		memset(port->bins, 0, sizeof(port->bins));
		memset(port->octaves, 0, sizeof(port->octaves));
	}
	for (unsigned i = 0; i < twin->play.port_count; i++)
		receiver_clear(&twin->play.receivers[i], flows, clock, twin_sweep_clocks(twin));
	return true;
}

static bool start(struct twin *twin, uint64_t clock)
{
	const bool follows = twin_keeps_mail(twin);

	if (!twin_tcp_start(twin, clock))
		return false;
	play_disturb(&twin->play);
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		const struct sender *sender = &twin->play.directions[i].sender;
		struct sender_settings settings;
		const char *why_not;

		if (twin->ports[i].value[PORT_TX_ENABLE] == 0 || sender_sending(sender, clock))
			continue;
		twin->value[GLOBAL_START_TIME] = (clock + START_DELAY) * WORD_OCTETS;
		twin_transmit_settings(twin, i, &settings);
		why_not = sender_refuses(sender, &settings);
		if (why_not != NULL)
			return play_fail(&twin->play, "port %u: %s: the twin plays legal lines only", i, why_not);
		if (settings.obey_pause && !play_exchanges(&twin->play, i))
			return play_fail(
			        &twin->play,
			        "port %u: tx_obey_pause without a device between all ports: the twin knows only "
			        "the pause frames of such a device",
			        i);
		post_start(twin->play.posts[i], &sender->tables, &settings.rules, follows);
		direction_start(&twin->play.directions[i], &settings, clock);
		if (hold_start(&twin->play.directions[i].sender.hold, settings.obey_pause, clock) != 0)
			return play_fail(&twin->play, "out of memory for the pause frames to port %u", i);
		contents_start(&twin->play.posts[i]->contents, (uint32_t)twin->ports[i].value[PORT_TX_FIELD_SEED]);
	}
	return true;
}

bool twin_strobe(struct twin *twin, uint32_t bits, uint64_t clock)
{
	if (!play_all(&twin->play, clock, true))
		return false;
	if (bits & FPGAUGE_GLOBAL_CONTROL_SNAPSHOT && !snapshot(twin, clock))
		return false;
	if (bits & FPGAUGE_GLOBAL_CONTROL_CLEAR && !clear(twin, clock))
		return false;
	if (bits & FPGAUGE_GLOBAL_CONTROL_START && !start(twin, clock))
		return false;
	if (bits & FPGAUGE_GLOBAL_CONTROL_STOP)
		for (unsigned i = 0; i < twin->play.port_count; i++)
			sender_stop(&twin->play.directions[i].sender, clock);
	return true;
}
