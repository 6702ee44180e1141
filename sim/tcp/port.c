// SPDX-License-Identifier: Apache-2.0
// tcp.v clock by clock: what its registers are after a clock, from those before it.
#include "sim/tcp/port.h"
#include <string.h>

enum { LOOK = 7 }; // stands beside enum tcp_event_kind

// The one picked last among what takes turns.
enum { LAST_SEGMENT, LAST_TICK, LAST_TURN };

// Registers of a clock as they were when it began.
struct clock_work {
	struct tcp_port *port;
	const struct tcp_inputs *in;
	bool busy, done, free, starts;
	bool segment_waits, turn_valid;
	bool picks;
	uint8_t pick, pick_kind;
};

void tcp_port_reset(struct tcp_port *port)
{
	struct tcp_settings settings = port->settings;
	struct tcp_timers timers[TCP_CONNECTIONS];
	memcpy(timers, port->timers, sizeof timers);
	memset(port, 0, sizeof *port);
	port->settings = settings;
	memcpy(port->timers, timers, sizeof timers);
}

static bool engine_busy(const struct tcp_port *p)
{
	return p->done_waits && p->clock < p->done_at;
}

static uint64_t bit(uint8_t connection)
{
	return (uint64_t)1 << connection;
}

static uint8_t scanned(const struct tcp_port *p)
{
	return (uint8_t)((p->clock - 1) % TCP_CONNECTIONS);
}

static bool is_served(const struct tcp_port *p, uint8_t connection)
{
	return (engine_busy(p) && connection == p->running) || (p->next_valid && connection == p->next);
}

static bool timers_end(const struct tcp_timers *t, uint32_t now)
{
	return (t->timer_on && (int32_t)(now - t->timer_at) >= 0) || (t->ack_on && (int32_t)(now - t->ack_at) >= 0);
}

static bool finds_due(const struct tcp_port *p, uint32_t now)
{
	uint8_t connection = scanned(p);
	return !p->due_valid && p->open & bit(connection) && !is_served(p, connection) && timers_end(&p->timer, now);
}

/* Round robin: the first behind the one that had the last turn, else the first of all. */
static uint64_t lowest_of(const struct tcp_port *p)
{
	uint64_t behind = p->more & ~((bit(p->turned) << 1) - 1), candidates = behind ? behind : p->more;
	return candidates & (~candidates + 1);
}

static uint8_t turn_of(uint64_t lowest)
{
	return lowest ? (uint8_t)__builtin_ctzll(lowest) : 0;
}

static bool segment_waits(const struct tcp_port *p)
{
	return p->written != p->played && !(p->next_valid && p->next_kind == TCP_SEGMENT);
}

static bool turn_valid(const struct tcp_port *p, bool may_send)
{
	return p->more & bit(p->turn) && may_send && !(engine_busy(p) && p->running == p->turn);
}

/* A command of the host and a look come first, else segments, timers and turns have turns. */
static uint8_t kind_of(const struct clock_work *w)
{
	const struct tcp_port *p = w->port;
	if (w->in->command)
		return (uint8_t)w->in->command->event.kind;
	if (w->in->look && !p->look_ready)
		return LOOK;
	if (p->last == LAST_SEGMENT)
		return p->due_valid ? TCP_TICK : w->turn_valid ? TCP_TURN : TCP_SEGMENT;
	if (p->last == LAST_TICK)
		return w->turn_valid ? TCP_TURN : w->segment_waits ? TCP_SEGMENT : TCP_TICK;
	return w->segment_waits ? TCP_SEGMENT : p->due_valid ? TCP_TICK : TCP_TURN;
}

static void choose(struct clock_work *w)
{
	const struct tcp_port *p = w->port;
	w->segment_waits = segment_waits(p);
	w->turn_valid = turn_valid(p, w->in->may_send);
	w->picks = !p->next_valid && (w->in->command || (w->in->look && !p->look_ready) || w->segment_waits ||
	                              p->due_valid || w->turn_valid);
	if (!w->picks)
		return;
	w->pick_kind = kind_of(w);
	switch (w->pick_kind) {
	case TCP_SEGMENT:
		w->pick = p->waiting[p->played % TCP_WAITING].connection;
		break;
	case TCP_TICK:
		w->pick = p->due;
		break;
	case TCP_TURN:
		w->pick = p->turn;
		break;
	case LOOK:
		w->pick = w->in->look_connection;
		break;
	default:
		w->pick = w->in->command->connection;
		break;
	}
}

/* Keeps what a step that ends leaves: the segment that it sends, its timers, and whether there is more. */
static void end_step(struct clock_work *w)
{
	struct tcp_port *p = w->port;
	const struct tcp_connection *c = &p->connection[p->running];
	p->m_valid = w->done && p->output.sent;
	if (!w->done)
		return;
	p->done_waits = false;
	p->m_connection = p->running;
	p->m_segment = p->output.segment;
	p->timers[p->running] = (struct tcp_timers){c->timer_on, c->ack_on, c->timer_at, c->ack_at};
	if (p->output.again)
		p->more |= bit(p->running);
}

static void scan(struct clock_work *w, bool due)
{
	struct tcp_port *p = w->port;
	if (due) {
		p->due_valid = true;
		p->due = scanned(p);
	}
	if (w->picks && w->pick_kind == TCP_TICK)
		p->due_valid = false;
	p->timer = p->timers[p->clock % TCP_CONNECTIONS];
}

static void take_pick(struct clock_work *w)
{
	struct tcp_port *p = w->port;
	p->next_valid = true;
	p->next_kind = w->pick_kind;
	p->next = w->pick;
	if (w->pick_kind == TCP_SEGMENT) {
		p->last = LAST_SEGMENT;
	} else if (w->pick_kind == TCP_TICK) {
		p->last = LAST_TICK;
	} else if (w->pick_kind == TCP_TURN) {
		p->last = LAST_TURN;
		p->turned = w->pick;
		p->more &= ~bit(w->pick);
	}
}

/* 12 clocks of the engine for a segment or a tick, 8 for a command, 7 for a turn. */
static void start(struct clock_work *w)
{
	struct tcp_port *p = w->port;
	struct tcp_event event = {.kind = p->next_kind};
	if (p->next_kind == TCP_SEGMENT)
		event.segment = p->waiting[p->played++ % TCP_WAITING].segment;
	else if (p->next_kind == TCP_OPEN || p->next_kind == TCP_CLOSE)
		event = w->in->command->event;
	tcp_step(&p->settings, &p->connection[p->next], &event, w->in->now, w->in->may_send, &p->output);
	p->running = p->next;
	p->open |= bit(p->next);
	p->done_waits = true;
	p->done_at = p->clock + (p->next_kind == TCP_TURN                                  ? 7
	                         : p->next_kind == TCP_SEGMENT || p->next_kind == TCP_TICK ? 12
	                                                                                   : 8);
}

static void arrive(struct clock_work *w, bool room)
{
	struct tcp_port *p = w->port;
	if (!w->in->arrival)
		return;
	if (room)
		p->waiting[p->written++ % TCP_WAITING] = *w->in->arrival;
	else if (p->dropped != UINT32_MAX)
		p->dropped++;
}

struct tcp_played tcp_port_clock(struct tcp_port *port, const struct tcp_inputs *inputs)
{
	struct clock_work w = {.port = port, .in = inputs};
	w.busy = engine_busy(port);
	w.done = port->done_waits && port->clock == port->done_at;
	w.free = !w.busy && port->next_valid && port->read;
	w.starts = w.free && port->next_kind != LOOK;
	choose(&w);
	bool room = port->written - port->played < TCP_WAITING;
	bool due = finds_due(port, inputs->now);
	struct tcp_played played = {w.starts, port->next_kind, port->next};
	uint64_t lowest = lowest_of(port);
	port->turn = turn_of(port->lowest);
	port->lowest = lowest;
	scan(&w, due);
	end_step(&w);
	port->look_ready = w.free && port->next_kind == LOOK;
	if (port->look_ready)
		port->looked = port->connection[port->next];
	port->read = port->next_valid && !w.free;
	if (w.starts)
		start(&w);
	if (w.free)
		port->next_valid = false;
	if (w.picks)
		take_pick(&w);
	arrive(&w, room);
	port->clock++;
	return played;
}

/* The clocks from the next one on until the scan first finds a connection whose timer has ended. */
static uint64_t until_due(const struct tcp_port *p, const struct tcp_ticks *ticks, uint8_t connection)
{
	const struct tcp_timers *t = &p->timers[connection];
	int32_t ends = INT32_MAX;
	if (t->timer_on)
		ends = (int32_t)(t->timer_at - ticks->now);
	if (t->ack_on && (int32_t)(t->ack_at - ticks->now) < ends)
		ends = (int32_t)(t->ack_at - ticks->now);
	if ((!t->timer_on && !t->ack_on) || (ends > 1 && !ticks->period))
		return TCP_FOREVER;
	uint64_t from = ends <= 0 ? 0 : ticks->left + (uint64_t)(ends - 1) * ticks->period;
	// The register that is compared now was read before: the first that is read from now on is compared in the next
	// clock.
	from = from ? from : 1;
	return from + ((connection + 1u - (p->clock + from)) % TCP_CONNECTIONS);
}

uint64_t tcp_port_idle(const struct tcp_port *port, const struct tcp_ticks *ticks, bool may_send)
{
	bool busy = engine_busy(port), is_free = !busy && port->next_valid && port->read;
	if (port->m_valid || port->look_ready || is_free || port->read != port->next_valid ||
	    (port->done_waits && !busy) || port->lowest != lowest_of(port) || port->turn != turn_of(port->lowest) ||
	    finds_due(port, ticks->now))
		return 0;
	if (!port->next_valid && (segment_waits(port) || port->due_valid || turn_valid(port, may_send)))
		return 0;
	uint64_t idle = busy ? port->done_at - port->clock : TCP_FOREVER;
	if (port->due_valid)
		return idle;
	for (uint64_t rest = port->open; rest; rest &= rest - 1) {
		uint8_t connection = (uint8_t)__builtin_ctzll(rest);
		uint64_t due = is_served(port, connection) ? TCP_FOREVER : until_due(port, ticks, connection);
		idle = due < idle ? due : idle;
	}
	return idle;
}

void tcp_port_skip(struct tcp_port *port, uint64_t clocks)
{
	if (!clocks)
		return;
	port->clock += clocks;
	port->timer = port->timers[(port->clock - 1) % TCP_CONNECTIONS];
}
