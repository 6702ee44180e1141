// SPDX-License-Identifier: Apache-2.0
/* The second implementation of the DUT models. */
#include "tests/sim/plain_dut.h"

#include <stdlib.h>

#include "host/base/uint128.h"

size_t plain_wire(uint64_t delay_ot, const struct dut_frame *in, size_t count, struct dut_frame *out)
{
	for (size_t i = 0; i < count; i++) {
		out[i] = in[i];
		out[i].start_ot += delay_ot;
	}
	return count;
}

/* Sends at the first multiple of 8 not before ready_ot, with 12 octets on average after the last frame. */
static uint64_t send(uint64_t ready_ot, uint32_t octets, uint64_t *ideal_ot)
{
	uint64_t start_ot = ready_ot % 8 == 0 ? ready_ot : ready_ot + 8 - ready_ot % 8;

	if (start_ot < *ideal_ot - *ideal_ot % 8)
		start_ot = *ideal_ot - *ideal_ot % 8;
	*ideal_ot = (*ideal_ot > start_ot ? *ideal_ot : start_ot) + octets + 20;
	return start_ot;
}

/* -- server: times are octet times x unit ------------------------------------------------------------------------- */

static int128 end_of_service(const struct plain_server *server, int128 begin, int128 takes, int128 unit)
{
	int128 end;

	for (size_t i = 0; i < server->stalls; i++) {
		const int128 from = server->stall_start_ot[i] * unit, to = from + server->stall_ot * unit;

		if (begin >= from && begin < to)
			begin = to;
	}
	end = begin + takes;
	for (size_t i = 0; i < server->stalls; i++) {
		const int128 from = server->stall_start_ot[i] * unit;

		if (from >= begin && from < end)
			end += server->stall_ot * unit;
	}
	return end;
}

size_t plain_server(const struct plain_server *server, const struct dut_frame *in, size_t count, struct dut_frame *out)
{
	static int128 ends[PLAIN_MAX_OUT];
	static uint64_t costs[PLAIN_MAX_OUT];
	const int128 unit = (int128)server->denominator * (server->slow_percent != 0 ? server->slow_percent : 1);
	bool overloaded = false;
	uint64_t ideal_ot = 0;
	size_t given = 0;

	for (size_t i = 0; i < count; i++) {
		const uint32_t octets = in[i].octets;
		const uint64_t whole_ot = in[i].start_ot + 8 + octets;
		const uint64_t there_ot = server->cut_through && octets > 64 ? in[i].start_ot + 72 : whole_ot;
		const uint64_t cost = !server->in_octets ? 1 : (octets < 64 ? 64 : octets) + server->buffer_overhead;
		int128 takes = (int128)server->numerator * (server->per_octet ? octets + server->overhead : 1);
		int128 begin = there_ot * unit, ready;
		uint64_t used = 0, ready_ot;

		for (size_t k = 0; k < given; k++)
			used += ends[k] > begin ? costs[k] : 0;
		if (used == 0)
			overloaded = false;
		if (used + cost > server->buffer) {
			overloaded = true;
			continue;
		}
		takes *= server->slow_percent == 0 ? 1 : overloaded ? 100 : server->slow_percent;
		if (given > 0 && ends[given - 1] > begin)
			begin = ends[given - 1];
		ends[given] = end_of_service(server, begin, takes, unit);
		costs[given] = cost;
		ready = ends[given] + server->latency_ot * unit;
		ready_ot = (uint64_t)((ready + unit - 1) / unit);
		out[given] = in[i];
		out[given++].start_ot = send(ready_ot > whole_ot ? ready_ot : whole_ot, octets, &ideal_ot);
	}
	return given;
}

/* -- faults -------------------------------------------------------------------------------------------------------- */

enum { DROP, DUPLICATE, REORDER, CORRUPT, DELAY, ALTER };

/* The n-th draw of SplitMix64, from 0; written anew, as it judges the draws of the models. */
static uint64_t draw(uint64_t state, uint64_t n)
{
	uint64_t z = state + (n + 1) * 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

static bool hit(const struct plain_faults *faults, int kind, uint64_t n)
{
	n += faults->seen;
	if (faults->every[kind] != 0)
		return (n + 1) % faults->every[kind] == 0;
	return faults->limit[kind] != 0 && draw(faults->state[kind], n) <= faults->limit[kind];
}

/* A frame that goes to the line, in order of time. At the same instant: first the frame that arrives, then the frames
 * it releases, then the frames that have waited long enough; older before newer. */
struct event {
	uint64_t ot;
	int rank;
	size_t frame;
};

static int by_time(const void *a, const void *b)
{
	const struct event *left = a, *right = b;

	if (left->ot != right->ot)
		return left->ot < right->ot ? -1 : 1;
	if (left->rank != right->rank)
		return left->rank - right->rank;
	return left->frame < right->frame ? -1 : 1;
}

static uint64_t end_of(const struct dut_frame *frame)
{
	return frame->start_ot + 8 + frame->octets;
}

static struct event event_of(const struct plain_faults *faults, const struct dut_frame *in, size_t count, size_t i)
{
	const uint64_t arrival_ot = end_of(&in[i]), deadline_ot = arrival_ot + faults->wait_ot;
	uint64_t overtaking = 0;

	if (!hit(faults, REORDER, i))
		return (struct event){arrival_ot, 0, i};
	for (size_t k = i + 1; k < count && end_of(&in[k]) <= deadline_ot; k++) {
		if (hit(faults, DROP, k) || hit(faults, REORDER, k))
			continue;
		if (++overtaking == faults->reorder_frames)
			return (struct event){end_of(&in[k]), 1, i};
	}
	return (struct event){deadline_ot, 2, i};
}

size_t plain_faults(const struct plain_faults *faults, const struct dut_frame *in, size_t count, struct dut_frame *out)
{
	static struct event events[PLAIN_MAX_OUT];
	uint64_t ready_ot = 0, ideal_ot = 0;
	size_t going = 0, given = 0;

	for (size_t i = 0; i < count; i++)
		if (!hit(faults, DROP, i))
			events[going++] = event_of(faults, in, count, i);
	qsort(events, going, sizeof(events[0]), by_time);
	for (size_t e = 0; e < going; e++) {
		const size_t i = events[e].frame;
		const uint64_t free_ot = events[e].ot + (hit(faults, DELAY, i) ? faults->delay_ot : 0);

		ready_ot = free_ot > ready_ot ? free_ot : ready_ot;
		out[given] = in[i];
		if (hit(faults, CORRUPT, i))
			out[given].flags |= DUT_FRAME_CORRUPT;
		if (hit(faults, ALTER, i))
			out[given].flags |= DUT_FRAME_ALTERED;
		out[given++].start_ot = send(ready_ot, in[i].octets, &ideal_ot);
		if (hit(faults, DUPLICATE, i) && ideal_ot <= ready_ot + 16384) {
			out[given] = out[given - 1];
			out[given++].start_ot = send(ready_ot, in[i].octets, &ideal_ot);
		}
	}
	return given;
}
