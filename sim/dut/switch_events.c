// SPDX-License-Identifier: Apache-2.0
/* Plays what happens in a switch, in its order. Each port has at most one event that comes next, the decision on the
 * frame that came in first or the frame that becomes the head of its input queue. */
#include "sim/dut/switch.h"

static uint64_t next_decision_ot(const struct switch_port *port)
{
	const struct switch_arrival *first = ring_first(&port->arrivals, sizeof(*first));

	return ring_empty(&port->arrivals) ? UINT64_MAX : first->decided_ot;
}

static uint64_t next_head_ot(const struct switch_port *port)
{
	const struct switch_waiting *first = ring_first(&port->waiting, sizeof(*first));

	if (ring_empty(&port->waiting))
		return UINT64_MAX;
	return first->decided_ot > port->head_ot ? first->decided_ot : port->head_ot;
}

void switch_note_event(struct switch_device *dut, unsigned number)
{
	const struct switch_port *port = &dut->ports[number];
	const uint64_t decision_ot = next_decision_ot(port), head_ot = next_head_ot(port);

	earliest_set(&dut->events, number, decision_ot < head_ot ? decision_ot : head_ot);
}

static void do_event(struct switch_device *dut, unsigned number, uint64_t now_ot)
{
	struct switch_port *port = &dut->ports[number];

	switch_let_go(dut, now_ot);
	if (next_head_ot(port) == now_ot) {
		switch_pass_head(dut, number, now_ot);
	} else {
		switch_decide(dut, number, now_ot);
		port->arrivals.first++;
	}
	switch_note_event(dut, number);
}

/* A short time is not worth it: the calendar has to be looked through. */
static void do_events(struct switch_device *dut, uint64_t until_ot)
{
	enum { LEAST_OT = 1024 };

	while (earliest_ot(&dut->events) < until_ot) {
		const uint64_t from_ot = earliest_ot(&dut->events);
		const uint64_t end_ot = until_ot - from_ot < CALENDAR_OT ? until_ot : from_ot + CALENDAR_OT;

		dut->calendar.from_ot = from_ot;
		if (end_ot - from_ot >= LEAST_OT && !dut->settings.head_of_line_blocking &&
		    !dut->settings.back_pressure) {
			switch_decide_many(dut, end_ot);
			for (unsigned i = 0; i < dut->device.ports; i++)
				switch_note_event(dut, i);
			continue;
		}
		while (earliest_ot(&dut->events) < end_ot)
			do_event(dut, earliest_port(&dut->events), earliest_ot(&dut->events));
	}
}

void switch_do_events(struct switch_device *dut, uint64_t until_ot)
{
	do_events(dut, until_ot);
	if (until_ot != 0)
		switch_let_go(dut, until_ot - 1);
	switch_tell_seen(dut);
	if (switch_places_later(&dut->settings))
		switch_place(dut);
}
