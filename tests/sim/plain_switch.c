// SPDX-License-Identifier: Apache-2.0
/* A switch, as plainly as possible. */
#include "tests/sim/plain_switch.h"

#include <criterion/criterion.h>
#include <string.h>

#include "host/base/uint128.h"

static const uint64_t NEVER = UINT64_MAX;

/* A frame, or a copy of one, in a queue. */
struct held {
	uint64_t queue, cost, left_ot; /* NEVER: not known yet */
	bool gone;
};

struct waiting {
	const struct plain_switch_frame *frame;
	uint64_t decided_ot;
	size_t held;
	bool outputs[PLAIN_SWITCH_PORTS];
};

struct known {
	uint8_t address[6];
	unsigned port;
	uint64_t seen_ot;
};

/* A sender, which pause frames may hold. */
struct sender {
	bool is_held;
	unsigned queue;
	uint64_t since_ot;
};

/* One frame each 12500000000 / fps octet times: times are kept multiplied by fps. */
struct limit {
	uint64_t fps;
	uint128 due;
};

static struct {
	const struct plain_switch *settings;
	struct plain_switch_counts *counts;
	size_t next[PLAIN_SWITCH_PORTS]; /* frame to come in */
	struct held held[PLAIN_SWITCH_OUT];
	size_t held_first, held_count; /* frames before the first are gone */
	struct waiting waiting[PLAIN_SWITCH_PORTS][PLAIN_SWITCH_FRAMES];
	size_t waiting_first[PLAIN_SWITCH_PORTS], waiting_end[PLAIN_SWITCH_PORTS];
	uint64_t head_ot[PLAIN_SWITCH_PORTS];
	uint64_t line_ot[PLAIN_SWITCH_PORTS]; /* ideal start of the next frame */
	struct known known[PLAIN_SWITCH_ADDRESSES];
	size_t known_count;
	struct limit learning, broadcast[PLAIN_SWITCH_PORTS];
	struct plain_switch_frame out[PLAIN_SWITCH_PORTS][PLAIN_SWITCH_FRAMES];
	size_t out_count[PLAIN_SWITCH_PORTS];
	struct sender senders[PLAIN_SWITCH_PORTS];
	uint64_t looked_ot; /* time up to which senders that must be let go have been */
} s;

static bool within(struct limit *limit, uint64_t now_ot)
{
	const uint128 now = (uint128)now_ot * limit->fps;

	if (limit->fps == 0)
		return true;
	if (limit->due > now + 8 * (uint128)limit->fps)
		return false;
	limit->due = (limit->due > now ? limit->due : now) + 12500000000u;
	return true;
}

/* -- buffer ------------------------------------------------------------------------------------------------------- */

/* Counts what is used of all queues and of one. A frame frees its space when it and all before it in its queue have
 * left. */
static void count_held(unsigned queue, uint64_t now_ot, uint64_t *in_queue, uint64_t *in_all)
{
	bool stays[PLAIN_SWITCH_PORTS] = {false};

	for (size_t i = s.held_first; i < s.held_count; i++) {
		struct held *held = &s.held[i];

		if (held->gone)
			continue;
		if (held->left_ot > now_ot)
			stays[held->queue] = true;
		held->gone = !stays[held->queue];
		if (held->gone)
			continue;
		*in_all += held->cost;
		*in_queue += held->queue == queue ? held->cost : 0;
	}
	while (s.held_first < s.held_count && s.held[s.held_first].gone)
		s.held_first++;
}

static bool admit(unsigned queue, uint64_t octets, uint64_t now_ot, size_t *number)
{
	const struct plain_switch *set = s.settings;
	uint64_t cost = 1, in_queue = 0, in_all = 0, used;

	if (set->cell_octets != 0)
		for (cost = 0; cost * set->cell_octets < octets;)
			cost++;
	count_held(queue, now_ot, &in_queue, &in_all);
	used = set->shared ? in_all : in_queue;
	if (used + cost > set->buffer) {
		s.counts->lost++;
		return false;
	}
	if (set->alpha_thousandths != 0 && in_queue * 1000 >= set->alpha_thousandths * (set->buffer - in_all)) {
		s.counts->threshold++;
		return false;
	}
	cr_assert(s.held_count < PLAIN_SWITCH_OUT);
	*number = s.held_count++;
	s.held[*number] = (struct held){queue, cost, NEVER, false};
	return true;
}

static uint64_t send(unsigned output, const struct plain_switch_frame *frame, uint64_t ready_ot)
{
	uint64_t start_ot = 0;
	struct plain_switch_frame *out = &s.out[output][s.out_count[output]++];

	start_ot = (ready_ot > s.line_ot[output] ? ready_ot : s.line_ot[output]) / 8 * 8;
	while (start_ot < ready_ot || start_ot + 8 <= s.line_ot[output])
		start_ot += 8;
	if (s.line_ot[output] < start_ot)
		s.line_ot[output] = start_ot;
	s.line_ot[output] += 8 + frame->octets + s.settings->gap_octets;
	*out = *frame;
	out->port = output;
	out->start_ot = start_ot;
	out->from = frame->port;
	return start_ot;
}

/* -- addresses ---------------------------------------------------------------------------------------------------- */

static struct known *find(const uint8_t *address)
{
	for (size_t i = 0; i < s.known_count; i++)
		if (memcmp(s.known[i].address, address, 6) == 0)
			return &s.known[i];
	return NULL;
}

static void age(uint64_t now_ot)
{
	size_t kept = 0;

	for (size_t i = 0; i < s.known_count; i++) {
		if (now_ot < s.known[i].seen_ot + s.settings->ageing_ot)
			s.known[kept++] = s.known[i];
		else
			s.counts->aged++;
	}
	s.known_count = kept;
}

static void learn(const struct plain_switch_frame *frame, uint64_t now_ot)
{
	struct known *known = find(frame->source);

	if (frame->source[0] & 1)
		return;
	if (known == NULL && s.known_count == s.settings->table_addresses) {
		s.counts->table_full++;
		return;
	}
	if (known == NULL || known->port != frame->port) {
		if (!within(&s.learning, now_ot)) {
			s.counts->learner_busy++;
			return;
		}
		*(known == NULL ? &s.counts->learned : &s.counts->moved) += 1;
	}
	if (known == NULL) {
		known = &s.known[s.known_count++];
		memcpy(known->address, frame->source, 6);
	}
	known->port = frame->port;
	known->seen_ot = now_ot;
}

/* Returns false if the frame goes nowhere. */
static bool find_outputs(const struct plain_switch_frame *frame, uint64_t now_ot, bool *outputs)
{
	static const uint8_t reserved[5] = {0x01, 0x80, 0xc2, 0, 0};
	const struct known *known = find(frame->destination);

	if (memcmp(frame->destination, reserved, 5) == 0 && frame->destination[5] < 16)
		return false;
	if ((frame->destination[0] & 1) && !within(&s.broadcast[frame->port], now_ot)) {
		s.counts->too_many_broadcasts++;
		return false;
	}
	for (unsigned i = 0; i < s.settings->ports; i++)
		outputs[i] = i != frame->port;
	if ((frame->destination[0] & 1) || known == NULL) {
		s.counts->flooded++;
		return true;
	}
	for (unsigned i = 0; i < s.settings->ports; i++)
		outputs[i] = i == known->port && i != frame->port;
	*(known->port == frame->port ? &s.counts->own_port : &s.counts->known) += 1;
	return known->port != frame->port;
}

/* -- back pressure ------------------------------------------------------------------------------------------------ */

static uint64_t used_of(unsigned queue, uint64_t now_ot)
{
	uint64_t in_queue = 0, in_all = 0;

	count_held(queue, now_ot, &in_queue, &in_all);
	return s.settings->shared ? in_all : in_queue;
}

static void pause(unsigned port, uint64_t quanta, uint64_t now_ot)
{
	const struct plain_switch_frame frame = {.port = s.settings->ports, .id = quanta, .octets = 64};

	send(port, &frame, now_ot);
}

static void look_at_queue(unsigned input, unsigned queue, bool admitted, uint64_t now_ot)
{
	const uint64_t used = used_of(queue, now_ot), buffer = s.settings->buffer;
	struct sender *sender = &s.senders[input];
	const bool full = used > buffer - buffer / 4 - (buffer % 4 != 0) || (!admitted && used > buffer / 2);

	if (!s.settings->back_pressure || !full || (sender->is_held && now_ot < sender->since_ot + 32768 * 64))
		return;
	*(sender->is_held ? &s.counts->renewed : &s.counts->held) += 1;
	*sender = (struct sender){true, queue, now_ot};
	pause(input, 65535, now_ot);
}

/* Lets the senders go whose queue is half empty at each time up to now at which a frame has left. */
static void let_go_until(uint64_t now_ot)
{
	for (;;) {
		uint64_t next_ot = NEVER;

		for (size_t i = s.held_first; i < s.held_count; i++)
			if (s.held[i].left_ot > s.looked_ot && s.held[i].left_ot < next_ot)
				next_ot = s.held[i].left_ot;
		if (next_ot > now_ot || next_ot == NEVER)
			return;
		s.looked_ot = next_ot;
		for (unsigned port = 0; port < s.settings->ports; port++) {
			if (!s.senders[port].is_held ||
			    used_of(s.senders[port].queue, next_ot) > s.settings->buffer / 2)
				continue;
			s.senders[port].is_held = false;
			s.counts->let_go++;
			pause(port, 0, next_ot);
		}
	}
}

/* -- events ------------------------------------------------------------------------------------------------------- */

static uint64_t decision_ot(const struct plain_switch_frame *frame)
{
	uint64_t octets = frame->octets;

	if (s.settings->cut_through && octets > 9216)
		octets -= 9216 - 64;
	else if (s.settings->cut_through && octets > 64)
		octets = 64;
	return frame->start_ot + 8 + octets + s.settings->latency_ot;
}

static bool is_error(const struct plain_switch_frame *frame)
{
	const struct plain_switch *set = s.settings;

	return frame->octets < 14 || (frame->octets < 64 && !set->forwards_short) ||
	       (frame->octets > 9216 && !set->forwards_long) || (frame->bad_fcs && !set->forwards_fcs);
}

static void decide(const struct plain_switch_frame *frame, uint64_t now_ot)
{
	bool outputs[PLAIN_SWITCH_PORTS] = {false};
	struct waiting *waiting;
	size_t held;
	bool admitted;

	if (is_error(frame)) {
		s.counts->errors++;
		return;
	}
	age(now_ot);
	learn(frame, now_ot);
	if (!find_outputs(frame, now_ot, outputs))
		return;
	for (unsigned i = 0; i < s.settings->ports && !s.settings->head_of_line_blocking; i++)
		if (outputs[i]) {
			admitted = admit(i, frame->octets, now_ot, &held);
			if (admitted)
				s.held[held].left_ot = send(i, frame, now_ot) + 8 + frame->octets;
			look_at_queue(frame->port, i, admitted, now_ot);
		}
	if (!s.settings->head_of_line_blocking)
		return;
	admitted = admit(frame->port, frame->octets, now_ot, &held);
	look_at_queue(frame->port, frame->port, admitted, now_ot);
	if (!admitted)
		return;
	waiting = &s.waiting[frame->port][s.waiting_end[frame->port]++];
	*waiting = (struct waiting){.frame = frame, .decided_ot = now_ot, .held = held};
	memcpy(waiting->outputs, outputs, sizeof(outputs));
}

static void send_head(unsigned input, uint64_t now_ot)
{
	const struct waiting *head = &s.waiting[input][s.waiting_first[input]++];
	uint64_t last_ot = now_ot;

	if (now_ot > head->decided_ot)
		s.counts->blocked++;
	for (unsigned i = 0; i < s.settings->ports; i++) {
		const uint64_t start_ot = head->outputs[i] ? send(i, head->frame, now_ot) : 0;

		last_ot = start_ot > last_ot ? start_ot : last_ot;
	}
	s.head_ot[input] = last_ot;
	s.held[head->held].left_ot = last_ot + 8 + head->frame->octets;
}

static uint64_t head_time(unsigned input)
{
	const struct waiting *head = &s.waiting[input][s.waiting_first[input]];

	if (s.waiting_first[input] == s.waiting_end[input])
		return NEVER;
	return head->decided_ot > s.head_ot[input] ? head->decided_ot : s.head_ot[input];
}

/* Does what is next, of equal times at the lowest port, there the head first. False: nothing is left. */
static bool step(const struct plain_switch_frame *in, size_t count)
{
	uint64_t least_ot = NEVER;
	unsigned least_port = 0;
	bool decides = false;

	for (unsigned port = 0; port < s.settings->ports; port++) {
		size_t *next = &s.next[port];

		if (head_time(port) < least_ot) {
			least_ot = head_time(port);
			least_port = port;
			decides = false;
		}
		while (*next < count && in[*next].port != port)
			++*next;
		if (*next < count && decision_ot(&in[*next]) < least_ot) {
			least_ot = decision_ot(&in[*next]);
			least_port = port;
			decides = true;
		}
	}
	if (s.settings->back_pressure)
		let_go_until(least_ot);
	if (least_ot == NEVER)
		return false;
	if (decides)
		decide(&in[s.next[least_port]++], least_ot);
	else
		send_head(least_port, least_ot);
	return true;
}

size_t plain_switch_play(const struct plain_switch *settings, const struct plain_switch_frame *in, size_t count,
                         struct plain_switch_frame *out, struct plain_switch_counts *counts)
{
	size_t given = 0;

	cr_assert(count <= PLAIN_SWITCH_FRAMES);
	memset(&s, 0, sizeof(s));
	s.settings = settings;
	s.counts = counts;
	s.learning.fps = settings->learning_fps;
	for (unsigned i = 0; i < settings->ports; i++)
		s.broadcast[i].fps = settings->broadcast_fps;
	while (step(in, count))
		;
	for (unsigned i = 0; i < settings->ports; i++) {
		memcpy(out + given, s.out[i], s.out_count[i] * sizeof(*out));
		given += s.out_count[i];
	}
	return given;
}
