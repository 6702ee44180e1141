// SPDX-License-Identifier: Apache-2.0
/* tcp_port.v: what arrives, commands and looks go into tcp.v at their clocks, and what it sends waits for the pacer. */
#include "sim/twin/play/connections.h"

#include <string.h>

#include "host/base/ethernet.h"

enum {
	TICK_CLOCKS = 256,
	ROOM_BELOW = CONNECTIONS_WAITING - 3, /* a step may send below this: what has begun then still finds room */
	OPTION_OCTETS = 4,
	STEP_COUNT_CLOCKS = 3, /* the end of a step to the clock in which its counts are there */
};

struct connections_arrival {
	uint64_t clock;
	struct tcp_arrival arrival;
};

/* State that a step may change, as it was before. */
struct before {
	uint32_t snd_max;
	bool alive; /* and nobody here wants it to end */
};

int connections_init(struct connections *connections)
{
	connections->counted_from =
	        CONNECTIONS_SWEEP_CLOCKS; /* reset counts as a clear in the clock before the first */
	connections->active_from = connections->load_clock = UINT64_MAX;
	return ring_init(&connections->arrivals, sizeof(struct connections_arrival));
}

void connections_release(struct connections *connections)
{
	ring_release(&connections->arrivals);
}

static uint32_t held(const struct connections *connections)
{
	return connections->written - connections->taken;
}

bool connections_busy(const struct connections *connections)
{
	return connections->tcp.open != 0 || held(connections) != 0 || !ring_empty(&connections->arrivals);
}

static bool may_send(const struct connections *connections, uint64_t clock)
{
	return clock >= connections->active_from && clock <= connections->active_to && held(connections) < ROOM_BELOW;
}

static const struct connections_arrival *next_arrival(const struct connections *connections)
{
	return ring_empty(&connections->arrivals)
	               ? NULL
	               : ring_first(&connections->arrivals, sizeof(struct connections_arrival));
}

/* -- clocks in which nothing happens ------------------------------------------------------------------------------- */

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The next clock in which something comes from outside; the one to be played or later. */
static uint64_t next_input(const struct connections *connections)
{
	const struct connections_arrival *arrival = next_arrival(connections);
	const uint64_t clock = connections->clock;
	uint64_t next = UINT64_MAX;

	if (arrival != NULL)
		next = earlier(next, arrival->clock);
	if (connections->commanded)
		next = earlier(next, connections->command_from);
	if (connections->looks)
		next = earlier(next, connections->look_from);
	if (connections->active_from > clock)
		next = earlier(next, connections->active_from);
	if (connections->active_to >= clock && connections->active_to != UINT64_MAX)
		next = earlier(next, connections->active_to + 1);
	if (connections->load_clock >= clock)
		next = earlier(next, connections->load_clock);
	return next > clock ? next : clock;
}

/* The clock that is to be played next, at most a limit: nothing happens in those before it. */
static uint64_t next_clock(const struct connections *connections, uint64_t limit)
{
	const uint64_t clock = connections->clock, input = earlier(next_input(connections), limit);
	const struct tcp_ticks ticks = {.now = (uint32_t)(clock / TICK_CLOCKS),
	                                .left = TICK_CLOCKS - (uint32_t)(clock % TICK_CLOCKS),
	                                .period = TICK_CLOCKS};
	uint64_t idle;

	if (input == clock)
		return clock;
	idle = tcp_port_idle(&connections->tcp, &ticks, may_send(connections, clock));
	return idle < input - clock ? clock + idle : input;
}

/* -- a clock ------------------------------------------------------------------------------------------------------- */

static struct before look_before(const struct connections *connections)
{
	const struct tcp_port *tcp = &connections->tcp;
	const struct tcp_connection *was = &tcp->connection[tcp->next];
	const bool commanded = tcp->next_kind == TCP_OPEN || tcp->next_kind == TCP_CLOSE;

	return (struct before){.snd_max = tcp->next_kind == TCP_OPEN ? connections->command.event.iss : was->snd_max,
	                       .alive = !commanded && was->state > TCP_LISTEN && !was->closing};
}

/* Notes the outcome of a step that has begun; it counts from the end of the step on. */
static void note_step(struct connections *connections, const struct before *before, const struct tcp_played *played)
{
	const struct tcp_port *tcp = &connections->tcp;
	const struct tcp_connection *now = &tcp->connection[played->connection];
	const struct tcp_segment *segment = &tcp->output.segment;
	const uint64_t end = connections->clock + (tcp->done_at - (tcp->clock - 1));
	const bool counts = tcp->output.sent && (segment->octets != 0 || segment->flags & (TCP_SYN | TCP_FIN));

	if (connections->step_count == CONNECTIONS_STEPS)
		connections_count(connections, connections->clock);
	if (end < connections->counted_from)
		return;
	connections->steps[connections->step_count++] =
	        (struct connections_step){.clock = end + STEP_COUNT_CLOCKS,
	                                  .connection = played->connection,
	                                  .sent = tcp->output.sent,
	                                  .again = counts && now->snd_max == before->snd_max,
	                                  .lost = before->alive && now->state == TCP_CLOSED,
	                                  .delivered = now->delivered};
}

static void push(struct connections *connections)
{
	const struct tcp_segment *segment = &connections->tcp.m_segment;
	const unsigned options = (segment->mss != 0 ? 1u : 0u) + (segment->scale_is_there ? 1u : 0u);

	connections->waiting[connections->written++ % CONNECTIONS_WAITING] =
	        (struct connections_sent){.segment = *segment,
	                                  .connection = connections->tcp.m_connection,
	                                  .octets = (uint16_t)(connections->header_octets + OPTION_OCTETS * options +
	                                                       segment->octets + FCS_OCTETS)};
}

/* take: the transmitter takes what is first in this clock, if there is something. */
static bool play_clock(struct connections *connections, bool take, struct connections_sent *sent)
{
	struct tcp_port *tcp = &connections->tcp;
	const uint64_t clock = connections->clock;
	const struct connections_arrival *arrival = next_arrival(connections);
	const bool arrives = arrival != NULL && arrival->clock <= clock;
	const bool takes = take && held(connections) != 0 && clock != connections->load_clock;
	const struct tcp_inputs inputs = {
	        .now = (uint32_t)(clock / TICK_CLOCKS),
	        .may_send = may_send(connections, clock),
	        .arrival = arrives ? &arrival->arrival : NULL,
	        .command = connections->commanded && clock >= connections->command_from ? &connections->command : NULL,
	        .look = connections->looks && clock >= connections->look_from,
	        .look_connection = connections->look_connection};
	const bool sends = tcp->m_valid;
	const struct before before = look_before(connections);
	struct tcp_played played;

	if (takes)
		*sent = connections->waiting[connections->taken % CONNECTIONS_WAITING];
	if (sends)
		push(connections);
	connections->taken += takes;
	if (inputs.look && tcp->look_ready)
		connections->looks = false;
	played = tcp_port_clock(tcp, &inputs);
	if (played.valid) {
		note_step(connections, &before, &played);
		if (played.kind == TCP_OPEN || played.kind == TCP_CLOSE)
			connections->commanded = false;
	}
	connections->arrivals.first += arrives;
	if (clock == connections->load_clock)
		connections->taken = connections->written;
	connections->clock++;
	return takes;
}

static void pass(struct connections *connections, uint64_t clock)
{
	tcp_port_skip(&connections->tcp, clock - connections->clock);
	connections->clock = clock;
}

void connections_play(struct connections *connections, uint64_t clock)
{
	while (connections->clock < clock) {
		pass(connections, next_clock(connections, clock));
		if (connections->clock < clock)
			play_clock(connections, false, NULL);
	}
}

bool connections_take(struct connections *connections, uint64_t clock, struct connections_sent *sent)
{
	connections_play(connections, clock);
	return connections->clock == clock && play_clock(connections, true, sent);
}

bool connections_take_next(struct connections *connections, uint64_t limit, struct connections_sent *sent)
{
	while (connections->clock < limit) {
		if (held(connections) == 0)
			pass(connections, next_clock(connections, limit));
		if (connections->clock < limit && play_clock(connections, true, sent))
			return true;
	}
	return false;
}

/* -- from outside -------------------------------------------------------------------------------------------------- */

int connections_hear(struct connections *connections, const struct tcp_arrival *arrival, uint64_t end_word)
{
	struct connections_arrival *entry = ring_push(&connections->arrivals, sizeof(*entry));

	if (entry == NULL)
		return -1;
	*entry = (struct connections_arrival){.clock = end_word + CONNECTIONS_WAIT_WORDS, .arrival = *arrival};
	return 0;
}

void connections_start(struct connections *connections, uint64_t clock, uint64_t last_clock)
{
	connections->load_clock = clock;
	connections->active_from = clock + 1;
	connections->active_to = last_clock;
}

void connections_end(struct connections *connections, uint64_t clock)
{
	connections->active_to = earlier(connections->active_to, clock);
}

void connections_clear(struct connections *connections, uint64_t clock)
{
	connections_play(connections, clock + 1);
	tcp_port_reset(&connections->tcp);
	connections->tcp.clock = connections->clock;
	connections->commanded = connections->looks = false;
	connections->arrivals.first = connections->arrivals.end;
	connections->taken = connections->written;
	connections->step_count = 0;
	connections->counted_from = clock + 1 + CONNECTIONS_SWEEP_CLOCKS;
	memset(&connections->counts, 0, sizeof(connections->counts));
}

void connections_command(struct connections *connections, const struct tcp_command *command, uint64_t clock)
{
	if (connections->commanded)
		return;
	connections->commanded = true;
	connections->command = *command;
	connections->command_from = clock + 1;
}

void connections_look(struct connections *connections, uint8_t connection, uint64_t clock)
{
	connections->looks = true;
	connections->look_connection = connection;
	connections->look_from = clock;
}

void connections_count(struct connections *connections, uint64_t clock)
{
	struct connections_counts *counts = &connections->counts;
	unsigned left = 0;

	for (unsigned i = 0; i < connections->step_count; i++) {
		const struct connections_step *step = &connections->steps[i];
		struct connections_count *of = &counts->of[step->connection];

		if (step->clock > clock) {
			connections->steps[left++] = *step;
			continue;
		}
		counts->sent += step->sent;
		counts->again += step->again;
		counts->lost += step->lost;
		of->sent += step->sent;
		of->again += step->again;
		of->delivered = step->delivered;
	}
	connections->step_count = left;
}
