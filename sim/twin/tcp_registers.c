// SPDX-License-Identifier: Apache-2.0
/* The registers of TCP connections, and when ports are played with them. */
#include "sim/twin/play/clocks.h"
#include "sim/twin/twin.h"

/* The settings of all connections of a port. */
static struct tcp_settings settings_of(const uint64_t *value)
{
	return (struct tcp_settings){.mss = (uint16_t)value[PORT_TCP_MSS],
	                             .window = (uint32_t)value[PORT_TCP_WINDOW],
	                             .use_scale = value[PORT_TCP_USE_SCALE] != 0,
	                             .scale = (uint8_t)value[PORT_TCP_SCALE],
	                             .initial_segments = (uint8_t)value[PORT_TCP_INITIAL_SEGMENTS],
	                             .ack_every = (uint8_t)value[PORT_TCP_ACK_EVERY],
	                             .retries = (uint8_t)value[PORT_TCP_RETRIES],
	                             .ack_delay = (uint32_t)value[PORT_TCP_ACK_DELAY],
	                             .granularity = (uint32_t)value[PORT_TCP_GRANULARITY],
	                             .rto_initial = (uint32_t)value[PORT_TCP_RTO_INITIAL],
	                             .rto_min = (uint32_t)value[PORT_TCP_RTO_MIN],
	                             .rto_max = (uint32_t)value[PORT_TCP_RTO_MAX],
	                             .rto_after_syn = (uint32_t)value[PORT_TCP_RTO_AFTER_SYN],
	                             .time_wait = (uint32_t)value[PORT_TCP_TIME_WAIT]};
}

static bool is_enabled(const struct twin *twin, unsigned port)
{
	return twin->has_tcp && twin->ports[port].value[PORT_TCP_ENABLE] != 0;
}

static bool has_connections(const struct twin *twin, unsigned port)
{
	return is_enabled(twin, port) || connections_busy(&twin->play.connections[port]);
}

static void take_settings(struct twin *twin, unsigned port)
{
	const uint64_t *value = twin->ports[port].value;
	struct sender_tcp *sender = &twin->play.directions[port].sender.tcp;

	twin->play.connections[port].tcp.settings = settings_of(value);
	twin->play.connections[port].header_octets = (uint8_t)value[PORT_TCP_HEADER_OCTETS];
	sender->flow = (uint8_t)value[PORT_TCP_FLOW];
	sender->header_octets = (uint8_t)value[PORT_TCP_HEADER_OCTETS];
	twin->play.receivers[port].tcp.port = (uint16_t)value[PORT_TCP_PORT];
}

/* Nothing is jumped over, and all ports are played together, if there are connections somewhere. False: out of memory.
 */
static bool set_mode(struct twin *twin, bool on, uint64_t clock)
{
	if (on == twin->play.tcp)
		return true;
	twin->play.tcp = on;
	twin->play.tcp_ot = clock * WORD_OCTETS;
	twin->play.tcp_clock = 0;
	play_disturb(&twin->play);
	for (unsigned i = 0; i < twin->play.port_count; i++) {
		if (twin->play.skips != NULL)
			twin->play.directions[i].skips->allow(&twin->play.directions[i], !on);
		if (records_have_segments(&twin->play.records[i], on) != 0)
			return play_fail(&twin->play, "out of memory for the segments of port %u", i);
	}
	return true;
}

static bool enable(struct twin *twin, unsigned port, uint64_t clock)
{
	struct receiver_tcp *receiver = &twin->play.receivers[port].tcp;
	struct sender *sender = &twin->play.directions[port].sender;
	const uint64_t from_ot = (clock - RX_TCP_ON_LAG) * WORD_OCTETS;

	if (!is_enabled(twin, port)) {
		/* Frames that have begun before may still wait to be counted. */
		receiver->until_ot = receiver->until_ot < from_ot ? receiver->until_ot : from_ot;
		return true;
	}
	if (sender_sending(sender, clock)) {
		twin->ports[port].value[PORT_TCP_ENABLE] = false;
		return play_fail(&twin->play,
		                 "port %u: tcp_enable is written while the port sends: the twin needs it to stand "
		                 "still",
		                 port);
	}
	if (!set_mode(twin, true, clock))
		return false;
	if (receiver->until_ot != UINT64_MAX)
		receiver->since_ot = from_ot;
	receiver->until_ot = UINT64_MAX;
	receiver->connections = sender->tcp.connections = &twin->play.connections[port];
	connections_play(&twin->play.connections[port], clock);
	return true;
}

static void command(struct twin *twin, unsigned port, uint32_t value, uint64_t clock)
{
	enum { CONNECTION_MASK = 0x3f, OPENS = 1 << 8, PASSIVE = 1 << 9, ENDLESS = 1 << 10 };
	const uint64_t *values = twin->ports[port].value;
	const struct tcp_command given = {.connection = value & CONNECTION_MASK,
	                                  .event = {.kind = value & OPENS ? TCP_OPEN : TCP_CLOSE,
	                                            .passive = (value & PASSIVE) != 0,
	                                            .endless = (value & ENDLESS) != 0,
	                                            .iss = (uint32_t)values[PORT_TCP_ISS],
	                                            .octets = (uint32_t)values[PORT_TCP_OCTETS]}};

	if (is_enabled(twin, port))
		connections_command(&twin->play.connections[port], &given, clock);
}

bool twin_tcp_write(struct twin *twin, unsigned port, const struct register_word *word, uint32_t value, uint64_t clock,
                    bool *done)
{
	*done = word->reg >= PORT_TCP_ENABLE && word->reg <= PORT_TCP_COMMAND;
	if (!*done)
		return true;
	if ((twin->play.tcp || word->reg == PORT_TCP_ENABLE) && !play_all(&twin->play, clock, true))
		return false;
	if (word->stored)
		register_put(&twin->ports[port].value[word->reg], word, value);
	if (word->reg == PORT_TCP_ENABLE)
		return enable(twin, port, clock);
	if (word->reg == PORT_TCP_COMMAND)
		command(twin, port, value & word->mask, clock);
	else
		take_settings(twin, port);
	return true;
}

static uint32_t look_value(const struct tcp_connection *looked, unsigned reg)
{
	enum { RECOVERY_BIT = 8, TIMER_BIT, SCALE_BIT, RETRIES_LSB = 12 };

	switch (reg) {
	case PORT_TCP_LOOK_STATE:
		return looked->state | (uint32_t)looked->recovery << RECOVERY_BIT |
		       (uint32_t)looked->timer_on << TIMER_BIT | (uint32_t)looked->scale_ok << SCALE_BIT |
		       (uint32_t)looked->retries << RETRIES_LSB;
	case PORT_TCP_LOOK_SND_UNA:
		return looked->snd_una;
	case PORT_TCP_LOOK_SND_NXT:
		return looked->snd_nxt;
	case PORT_TCP_LOOK_SND_MAX:
		return looked->snd_max;
	case PORT_TCP_LOOK_SND_END:
		return looked->snd_end;
	case PORT_TCP_LOOK_SND_WND:
		return looked->snd_wnd;
	case PORT_TCP_LOOK_CWND:
		return looked->cwnd;
	case PORT_TCP_LOOK_SSTHRESH:
		return looked->ssthresh;
	case PORT_TCP_LOOK_SRTT8:
		return looked->srtt8;
	case PORT_TCP_LOOK_RTTVAR4:
		return looked->rttvar4;
	case PORT_TCP_LOOK_RTO:
		return looked->rto;
	default:
		return looked->rcv_nxt;
	}
}

bool twin_tcp_look(struct twin *twin, unsigned port, const struct register_word *word, uint32_t *value)
{
	const uint64_t *values = twin->ports[port].value;
	struct connections *connections = &twin->play.connections[port];
	const uint64_t from = twin->clock + TABLE_CLOCK;
	uint64_t clock = from;

	*value = 0;
	if (is_enabled(twin, port)) {
		if (!play_all(&twin->play, from, true))
			return false;
		connections_look(connections, (uint8_t)values[PORT_TCP_LOOK_INDEX], from);
		while (!connections->tcp.look_ready)
			if (!play_all(&twin->play, ++clock, true))
				return false;
		*value = look_value(&connections->tcp.looked, word->reg);
	}
	twin->clock += ACCESS_COUNTER_CLOCKS + (clock - from);
	return true;
}

bool twin_tcp_status(struct twin *twin, unsigned port, uint64_t clock, uint32_t *value)
{
	if (twin->play.tcp && !play_all(&twin->play, clock, true))
		return false;
	*value = twin->play.connections[port].commanded;
	return true;
}

/* Names what is not played, as no trial of the host asks for it (docs/twin.md says what each would take). */
static const char *refuses(const struct twin *twin, unsigned port)
{
	if (twin->ports[port].value[PORT_TX_OBEY_PAUSE] != 0)
		return "tx_obey_pause";
	if (twin->play.device->reads_frames && twin->play.device->header_octets > CONTENTS_OCTETS)
		return "a device that reads more of a frame than its addresses";
	if (twin->play.device->reads_frames && twin->play.looped[port])
		return "loopback beside a device between all ports";
	return twin_keeps_mail(twin) ? "rx_mail_filter" : NULL;
}

bool twin_tcp_start(struct twin *twin, uint64_t clock)
{
	bool any = false;

	for (unsigned i = 0; i < twin->play.port_count; i++) {
		struct sender *sender = &twin->play.directions[i].sender;
		const bool has = has_connections(twin, i);

		any |= has;
		if (has && refuses(twin, i) != NULL)
			return play_fail(&twin->play,
			                 "port %u: TCP connections and %s: the twin does not play both; a library "
			                 "rtlN-tcp does",
			                 i, refuses(twin, i));
		if (!sender_sending(sender, clock))
			sender->tcp.connections = has ? &twin->play.connections[i] : NULL;
	}
	return set_mode(twin, any, clock);
}

bool twin_tcp_clear(struct twin *twin, uint64_t clock)
{
	for (unsigned i = 0; twin->play.tcp && i < twin->play.port_count; i++) {
		const struct sender *sender = &twin->play.directions[i].sender;

		if (sender->tcp.connections != NULL && sender_sending(sender, clock))
			return play_fail(&twin->play,
			                 "port %u: a clear while a port with TCP connections sends: the twin needs a "
			                 "trial to end before",
			                 i);
	}
	for (unsigned i = 0; i < twin->play.port_count; i++)
		connections_clear(&twin->play.connections[i], clock);
	return true;
}

void twin_tcp_freeze(struct twin *twin, unsigned port, uint64_t clock)
{
	struct connections *connections = &twin->play.connections[port];
	struct twin_port *frozen = &twin->ports[port];

	connections_count(connections, clock);
	frozen->counters[FPGAUGE_COUNTER_TCP_SENT_SEGMENTS] = connections->counts.sent;
	frozen->counters[FPGAUGE_COUNTER_TCP_SENT_AGAIN_SEGMENTS] = connections->counts.again;
	frozen->counters[FPGAUGE_COUNTER_TCP_DROPPED_SEGMENTS] = connections->tcp.dropped;
	frozen->counters[FPGAUGE_COUNTER_TCP_LOST_CONNECTIONS] = connections->counts.lost;
	for (unsigned i = 0; i < TCP_CONNECTIONS; i++)
		frozen->connections[i] = connections->counts.of[i];
}
