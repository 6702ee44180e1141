// SPDX-License-Identifier: Apache-2.0
/* Reads of the tables of a port: frozen values, in a clock in which no frame accesses the table. */
#include "sim/twin/play/clocks.h"
#include "sim/twin/play/wiring.h"
#include "sim/twin/twin.h"

/* The clock in which a table of a port is free for the host: not while it is cleared or a frame accesses it. */
static bool free_clock(struct twin *twin, unsigned port, unsigned reg, uint64_t sweep_clocks, uint64_t *clock)
{
	const bool of_entries = reg == PORT_TX_STREAM_FRAMES, of_gaps_sent = reg == PORT_TX_GAP_HISTOGRAM_COUNT;
	const bool of_gaps_received = reg == PORT_RX_GAP_HISTOGRAM_COUNT;
	const bool of_latencies = reg == PORT_RX_HISTOGRAM_COUNT || reg == PORT_RX_OCTAVE_HISTOGRAM_COUNT;
	const bool of_steps = reg >= PORT_TCP_STREAM_DELIVERED && reg <= PORT_TCP_STREAM_AGAIN;
	const bool sent = of_steps || of_entries || of_gaps_sent;
	const struct sender *sender = &twin->play.directions[port].sender;

	if (*clock < twin->clear_clock + sweep_clocks)
		*clock = twin->clear_clock + sweep_clocks;
	for (;; (*clock)++) {
		bool asked;

		if (!(sent ? play_port(&twin->play, port, *clock, true) : play_receiver(&twin->play, port, *clock)))
			return false;
		if (of_entries)
			asked = sender_asks_table(sender, *clock);
		else if (of_steps)
			asked = twin->play.tcp && connections_ask_table(&twin->play.connections[port], *clock);
		else if (of_gaps_sent)
			asked = sender_asks_gaps(sender, *clock);
		else if (of_gaps_received)
			asked = receiver_asks_gaps(&twin->play.receivers[port], *clock);
		else
			asked = receiver_asks(&twin->play.receivers[port], play_records(&twin->play, port),
			                      of_latencies ? RECEIVER_HISTOGRAMS : RECEIVER_STREAM_TABLE, *clock);
		if (!asked)
			return true;
	}
}

/* All streams exist; those of a source that has sent nothing here are empty. */
static uint64_t stream_count(const struct twin *twin, unsigned port, unsigned reg)
{
	static const struct stream empty = {.latency = {.min_ot = UINT64_MAX}};
	uint64_t index = twin->ports[port].value[PORT_RX_STREAM_INDEX];
	const struct stream *streams = twin->ports[port].streams[index / RECEIVER_STREAMS];
	const struct stream *stream = streams != NULL ? &streams[index % RECEIVER_STREAMS] : &empty;

	switch (reg) {
	case PORT_RX_STREAM_RECEIVED:
		return stream->received;
	case PORT_RX_STREAM_LOST:
		return stream->lost;
	case PORT_RX_STREAM_DUPLICATED:
		return stream->duplicated;
	case PORT_RX_STREAM_REORDERED:
		return stream->reordered;
	case PORT_RX_STREAM_LATE:
		return stream->late;
	case PORT_RX_STREAM_SEQUENCE_GAPS:
		return stream->gaps;
	case PORT_RX_STREAM_NEXT:
		return stream->next;
	case PORT_RX_STREAM_UNEXPECTED:
		return stream->unexpected;
	case PORT_RX_STREAM_LATENCY_MIN:
		return stream->latency.min_ot;
	case PORT_RX_STREAM_LATENCY_MAX:
		return stream->latency.max_ot;
	case PORT_RX_STREAM_LATENCY_SUM:
		return latency_sum_low(&stream->latency);
	default:
		return latency_sum_high(&stream->latency);
	}
}

static uint64_t connection_count(const struct twin_port *frozen, unsigned reg)
{
	const struct connections_count *count = &frozen->connections[frozen->value[PORT_TCP_STREAM_INDEX]];

	if (reg == PORT_TCP_STREAM_DELIVERED)
		return count->delivered;
	return reg == PORT_TCP_STREAM_SENT ? count->sent : count->again;
}

bool twin_read_tag(struct twin *twin, unsigned port, const struct register_word *word, uint32_t *value)
{
	const struct receiver *receiver = &twin->play.receivers[port];
	uint64_t index = twin->ports[port].value[PORT_RX_TAG_INDEX];
	/* The registers lag the table by two clocks, and the count of tags by three. */
	uint64_t clock = twin->clock + READ_CLOCK + RX_COMMIT_LAG - RX_TAG_LAG;
	const struct receiver_tag *tag = &receiver->tags[index];

	if (!play_receiver(&twin->play, port, clock))
		return false;
	if (index >= receiver->counts.tagged)
		*value = 0;
	else if (word->reg == PORT_RX_TAG_STREAM)
		*value = tag->stream;
	else
		*value = register_word_of(word->reg == PORT_RX_TAG_LATENCY ? tag->latency_ot : tag->start_ot,
		                          word->word);
	return true;
}

bool twin_read_table(struct twin *twin, unsigned port, const struct register_word *word, uint32_t *value)
{
	const struct twin_port *frozen = &twin->ports[port];
	uint64_t clock = twin->clock + TABLE_CLOCK;
	uint64_t count, sweep_clocks;

	switch (word->reg) {
	case PORT_TX_STREAM_FRAMES:
		sweep_clocks = TX_SWEEP_CLOCKS;
		count = frozen->sent[frozen->value[PORT_TX_STREAM_INDEX]];
		break;
	case PORT_TX_GAP_HISTOGRAM_COUNT:
		sweep_clocks = TX_GAP_SWEEP_CLOCKS;
		count = frozen->sent_gap_bins[frozen->value[PORT_TX_GAP_HISTOGRAM_INDEX]];
		break;
	case PORT_RX_GAP_HISTOGRAM_COUNT:
		sweep_clocks = RX_SWEEP_CLOCKS;
		count = frozen->gap_bins[frozen->value[PORT_RX_GAP_HISTOGRAM_INDEX]];
		break;
	case PORT_RX_HISTOGRAM_COUNT:
		sweep_clocks = RX_SWEEP_CLOCKS;
		count = frozen->bins[frozen->value[PORT_RX_HISTOGRAM_INDEX]];
		break;
	case PORT_RX_OCTAVE_HISTOGRAM_COUNT:
		sweep_clocks = RX_SWEEP_CLOCKS;
		count = frozen->octaves[frozen->value[PORT_RX_OCTAVE_HISTOGRAM_INDEX]];
		break;
	case PORT_TCP_STREAM_DELIVERED:
	case PORT_TCP_STREAM_SENT:
	case PORT_TCP_STREAM_AGAIN:
		sweep_clocks = CONNECTIONS_SWEEP_CLOCKS;
		count = connection_count(frozen, word->reg);
		break;
	default:
		sweep_clocks = twin_stream_sweep_clocks(twin);
		count = stream_count(twin, port, word->reg);
	}
	if (!free_clock(twin, port, word->reg, sweep_clocks, &clock))
		return false;
	twin->clock = clock - TABLE_CLOCK + ACCESS_TABLE_CLOCKS;
	*value = register_word_of(count, word->word);
	return true;
}
