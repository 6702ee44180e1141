// SPDX-License-Identifier: Apache-2.0
/* A FIFO with one server and tail drop. Defined, with its consequences, in docs/dut-models.md. */
#include "sim/dut/fifo.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/uint128.h"

enum { FIRST_RUNS = 64 };

/* -- service times ------------------------------------------------------------------------------------------------- */

/* The sum of two parts below the denominator must fit in 64 bits. */
static bool store_reduced(uint128 numerator, uint128 denominator, struct fifo_service *service)
{
	uint128 a = numerator, b = denominator;

	if (numerator == 0 || denominator == 0)
		return false;
	while (b != 0) {
		const uint128 rest = a % b;

		a = b;
		b = rest;
	}
	numerator /= a;
	denominator /= a;
	if (numerator > UINT64_MAX || denominator > UINT64_MAX / 2)
		return false;
	service->numerator = (uint64_t)numerator;
	service->denominator = (uint64_t)denominator;
	return true;
}

bool fifo_service_from_fps(const struct quantity *rate, uint64_t link_bps, struct fifo_service *service)
{
	/* A line octet takes 1 / p at a share p of the line rate; 1 / fps seconds are link_bps / 8 / fps octet times.
	 */
	if (rate->unit == QUANTITY_PERCENT)
		return fifo_service_from_bps(rate, DUT_PREAMBLE_OCTETS + DUT_MIN_GAP_OCTETS, link_bps, service);
	*service = (struct fifo_service){.per_octet = false};
	return store_reduced((uint128)rate->denominator * link_bps, (uint128)rate->numerator * 8, service);
}

bool fifo_service_from_bps(const struct quantity *rate, uint32_t overhead_octets, uint64_t link_bps,
                           struct fifo_service *service)
{
	const uint64_t of_bps = rate->unit == QUANTITY_PERCENT ? 1 : link_bps;

	*service = (struct fifo_service){.per_octet = true, .overhead_octets = overhead_octets};
	return store_reduced((uint128)rate->denominator * of_bps, rate->numerator, service);
}

bool fifo_set_overload(struct fifo_settings *settings, const struct quantity *share)
{
	/* Both services over one denominator: n / d and n x q / (d x p) for a share p / q. */
	struct fifo_service *service = &settings->service;
	const uint128 denominator = (uint128)service->denominator * share->numerator;
	const uint128 numerator = (uint128)service->numerator * share->numerator;
	const uint128 slow = (uint128)service->numerator * share->denominator;

	if (denominator > UINT64_MAX / 2 || slow > UINT64_MAX || numerator > UINT64_MAX)
		return false;
	service->denominator = (uint64_t)denominator;
	service->numerator = (uint64_t)numerator;
	settings->slow_numerator = (uint64_t)slow;
	return true;
}

struct fifo_time fifo_service_time(const struct fifo_service *service, uint32_t frame_octets)
{
	uint128 time = service->numerator;

	if (service->per_octet)
		time *= (uint64_t)frame_octets + service->overhead_octets;
	return (struct fifo_time){.whole = (uint64_t)(time / service->denominator),
	                          .part = (uint64_t)(time % service->denominator)};
}

static void learn_size(struct fifo *fifo, struct fifo_known_size *size, uint32_t frame_octets)
{
	struct fifo_service slow = fifo->settings.service;

	slow.numerator = fifo->settings.slow_numerator;
	size->octets = frame_octets;
	size->service = fifo_service_time(&fifo->settings.service, frame_octets);
	size->slow_service = fifo_service_time(&slow, frame_octets);
}

/* Divisions are expensive, and most frames have one of a few sizes. */
static inline const struct fifo_time *service_of(struct fifo *fifo, bool overloaded, uint32_t frame_octets)
{
	struct fifo_known_size *size = &fifo->known[frame_octets % FIFO_KNOWN_SIZES];

	if (size->octets != frame_octets)
		learn_size(fifo, size, frame_octets);
	return overloaded ? &size->slow_service : &size->service;
}

static inline void add(struct fifo_time *time, const struct fifo_time *more, uint64_t denominator)
{
	time->whole += more->whole;
	time->part += more->part;
	if (time->part >= denominator) {
		time->part -= denominator;
		time->whole++;
	}
}

static inline uint64_t round_up(const struct fifo_time *time)
{
	return time->whole + (time->part != 0);
}

static inline bool equal(const struct fifo_time *a, const struct fifo_time *b)
{
	return a->whole == b->whole && a->part == b->part;
}

/* -- the buffer ---------------------------------------------------------------------------------------------------- */

static uint64_t most_frames(const struct fifo_settings *settings)
{
	return settings->buffer_in_octets ? settings->buffer / FIFO_MIN_COST_OCTETS : settings->buffer;
}

int fifo_init(struct fifo *fifo, const struct fifo_settings *settings)
{
	uint64_t room = FIRST_RUNS;

	*fifo = (struct fifo){.settings = *settings, .run_mask = FIRST_RUNS - 1, .now = {.free_ot = UINT64_MAX}};
	stalls_none(&fifo->stalls);
	while (room < most_frames(settings))
		room *= 2;
	fifo->runs = calloc((size_t)room, sizeof(*fifo->runs));
	return fifo->runs != NULL ? 0 : -1;
}

void fifo_release(struct fifo *fifo)
{
	free(fifo->runs);
	fifo->runs = NULL;
}

void fifo_clear(struct fifo *fifo)
{
	fifo->first_run = fifo->next_run;
	fifo->now = (struct fifo_now){.free_ot = UINT64_MAX};
}

/* Releases the frames whose service has ended by now. */
static inline void free_slots(struct fifo *fifo, struct fifo_now *now, uint64_t now_ot)
{
	while (now->free_ot <= now_ot) {
		struct fifo_run *run = &fifo->runs[fifo->first_run & fifo->run_mask];

		now->used -= run->cost;
		if (--run->frames != 0)
			add(&run->end, &run->service, fifo->settings.service.denominator);
		else
			run = &fifo->runs[++fifo->first_run & fifo->run_mask];
		now->free_ot = fifo->first_run != fifo->next_run ? round_up(&run->end) : UINT64_MAX;
	}
}

/* Uses twice as much of the ring's room; it grows only as needed, so that it stays small if few runs are held. Entries
 * move to where the wider mask finds them. */
static void widen(struct fifo *fifo)
{
	const uint64_t mask = fifo->run_mask * 2 + 1;

	for (uint64_t i = fifo->first_run; i != fifo->next_run; i++)
		if ((i & mask) != (i & fifo->run_mask))
			fifo->runs[i & mask] = fifo->runs[i & fifo->run_mask];
	fifo->run_mask = mask;
}

/* straight: its service began when the one before ended, and was not interrupted. */
static inline void hold(struct fifo *fifo, struct fifo_now *now, const struct fifo_time *service, uint64_t cost,
                        bool straight)
{
	struct fifo_run *run = &fifo->runs[(fifo->next_run - 1) & fifo->run_mask];

	now->used += cost;
	if (straight && now->free_ot != UINT64_MAX && run->cost == cost && equal(&run->service, service)) {
		run->frames++;
		return;
	}
	if (fifo->next_run - fifo->first_run > fifo->run_mask)
		widen(fifo);
	fifo->runs[fifo->next_run++ & fifo->run_mask] =
	        (struct fifo_run){.end = now->end, .service = *service, .cost = cost, .frames = 1};
	if (now->free_ot == UINT64_MAX)
		now->free_ot = round_up(&now->end);
}

/* -- the server ---------------------------------------------------------------------------------------------------- */

/* End of a service that could begin at the given time, taking into account the stalls that begin before its end. */
static struct fifo_time stand_still(struct fifo *fifo, struct fifo_time begin, const struct fifo_time *service)
{
	const uint64_t denominator = fifo->settings.service.denominator;
	struct stalls *stalls = &fifo->stalls;
	struct fifo_time end = begin;

	add(&end, service, denominator);
	stalls_skip_to(stalls, begin.whole);
	for (; stalls->start_ot < round_up(&end); stalls_next(stalls)) {
		/* A stall that began in the octet time in which the previous service ended has already delayed that. */
		if (stalls->start_ot >= begin.whole) {
			end.whole += stalls->end_ot - stalls->start_ot;
		} else if (stalls->end_ot > begin.whole) {
			/* The service could not begin before the stall is over. */
			end = begin = (struct fifo_time){.whole = stalls->end_ot, .part = 0};
			add(&end, service, denominator);
		}
	}
	return end;
}

/* Service begins when the frame is there and its predecessor is done. */
static inline void serve(struct fifo *fifo, struct fifo_now *now, uint64_t arrival_ot, uint32_t frame_octets,
                         uint64_t cost)
{
	const struct fifo_time *service = service_of(fifo, now->overloaded, frame_octets);
	struct fifo_time begin = now->end;
	const bool straight = begin.whole >= arrival_ot;

	if (!straight)
		begin = (struct fifo_time){.whole = arrival_ot, .part = 0};
	now->end = begin;
	add(&now->end, service, fifo->settings.service.denominator);
	if (fifo->stalls.start_ot >= round_up(&now->end)) {
		hold(fifo, now, service, cost, straight);
	} else {
		now->end = stand_still(fifo, begin, service);
		hold(fifo, now, service, cost, false);
	}
}

static inline bool admit(struct fifo *fifo, struct fifo_now *now, const struct dut_frame *frame, uint64_t *departure_ot)
{
	const uint64_t arrival_ot = fifo_arrival_ot(&fifo->settings, frame);
	const uint64_t whole_ot = dut_frame_end_ot(frame);
	const uint64_t cost = fifo_cost(&fifo->settings, frame->octets);
	uint64_t ready_ot;

	free_slots(fifo, now, arrival_ot);
	if (now->used == 0)
		now->overloaded = false;
	if (now->used + cost > fifo->settings.buffer) {
		now->overloaded = fifo->settings.slow_numerator != 0;
		return false;
	}
	serve(fifo, now, arrival_ot, frame->octets, cost);
	ready_ot = round_up(&now->end) + fifo->settings.latency_ot;
	*departure_ot = line_out_take(&now->line, ready_ot > whole_ot ? ready_ot : whole_ot, frame->octets);
	return true;
}

bool fifo_admit(struct fifo *fifo, const struct dut_frame *frame, uint64_t *departure_ot)
{
	return admit(fifo, &fifo->now, frame, departure_ot);
}

size_t fifo_play(struct fifo *fifo, const struct dut_frame *in, size_t *count, struct dut_frame *out, size_t room)
{
	struct fifo_now now = fifo->now;
	size_t taken = 0, given = 0;

	for (; taken < *count && given < room; taken++) {
		const struct dut_frame frame = in[taken];
		uint64_t departure_ot;

		if (!admit(fifo, &now, &frame, &departure_ot))
			continue;
		out[given] = frame;
		out[given++].start_ot = departure_ot;
	}
	fifo->now = now;
	*count = taken;
	return given;
}

/* -- jumps --------------------------------------------------------------------------------------------------------- */

enum { RUN_WORDS = 6 };

static uint64_t after(uint64_t ot, uint64_t base_ot)
{
	return ot > base_ot ? ot - base_ot : 0;
}

static void save_run(const struct fifo_run *run, uint64_t base_ot, uint8_t *buffer)
{
	const uint64_t words[RUN_WORDS] = {run->end.whole - base_ot, run->end.part, run->service.whole,
	                                   run->service.part,        run->cost,     run->frames};

	memcpy(buffer, words, sizeof(words));
}

/* End of the service of its last frame. */
static struct fifo_time end_of_run(const struct fifo *fifo, const struct fifo_run *run)
{
	const uint128 denominator = fifo->settings.service.denominator;
	const uint128 parts = run->end.part + run->service.part * (uint128)(run->frames - 1);

	return (struct fifo_time){.whole = run->end.whole + run->service.whole * (run->frames - 1) +
	                                   (uint64_t)(parts / denominator),
	                          .part = (uint64_t)(parts % denominator)};
}

/* Services that are over by base_ot no longer matter. The end of the last service is that of the last frame held. */
size_t fifo_save(const struct fifo *fifo, uint64_t base_ot, uint8_t *buffer, size_t size)
{
	struct fifo_run first = fifo->runs[fifo->first_run & fifo->run_mask];
	uint64_t words[2];
	uint64_t i = fifo->first_run;
	size_t needed;

	while (i != fifo->next_run && round_up(&first.end) <= base_ot) {
		if (--first.frames == 0)
			first = fifo->runs[++i & fifo->run_mask];
		else
			add(&first.end, &first.service, fifo->settings.service.denominator);
	}
	needed = sizeof(words) + (size_t)(fifo->next_run - i) * RUN_WORDS * sizeof(words[0]);
	if (needed > size)
		return needed;
	words[0] = after(fifo->now.line.free_ot, base_ot);
	words[1] = fifo->now.overloaded && i != fifo->next_run;
	memcpy(buffer, words, sizeof(words));
	buffer += sizeof(words);
	for (; i != fifo->next_run; first = fifo->runs[++i & fifo->run_mask], buffer += RUN_WORDS * sizeof(words[0]))
		save_run(&first, base_ot, buffer);
	return needed;
}

void fifo_resume(struct fifo *fifo, const struct fifo_run *runs, size_t count, uint64_t free_ot)
{
	const struct fifo_run *last = &runs[count - 1];

	fifo_clear(fifo);
	fifo->now.line.free_ot = free_ot;
	fifo->now.free_ot = round_up(&runs[0].end);
	for (size_t i = 0; i < count; i++) {
		fifo->now.used += runs[i].cost * runs[i].frames;
		fifo->runs[fifo->next_run++ & fifo->run_mask] = runs[i];
	}
	fifo->now.end = end_of_run(fifo, last);
}

void fifo_shift(struct fifo *fifo, uint64_t ot)
{
	fifo->now.end.whole += ot;
	fifo->now.line.free_ot += ot;
	if (fifo->now.free_ot != UINT64_MAX)
		fifo->now.free_ot += ot;
	for (uint64_t i = fifo->first_run; i != fifo->next_run; i++)
		fifo->runs[i & fifo->run_mask].end.whole += ot;
}
