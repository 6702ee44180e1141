// SPDX-License-Identifier: Apache-2.0
/* A store-and-forward FIFO with tail drop. Definition and consequences: docs/dut-models.md. */
#include "sim/dut/fifo.h"

#include <stdlib.h>
#include <string.h>

#include "host/base/rate.h"

typedef unsigned __int128 uint128;

static uint64_t line_octets(uint32_t frame_octets)
{
	return (uint64_t)frame_octets + DUT_PREAMBLE_OCTETS + DUT_MIN_GAP_OCTETS;
}

bool fifo_service_from_rate(const struct quantity *rate, uint64_t link_bps, struct fifo_service *service)
{
	uint128 numerator = rate->denominator;
	uint128 denominator = rate->numerator;
	uint128 a, b;

	/* 1 / fps seconds are link_bps / 8 / fps octet times; at p of the line rate a line octet takes 1 / p. */
	service->per_line_octet = rate->unit == QUANTITY_PERCENT;
	if (!service->per_line_octet) {
		numerator *= link_bps;
		denominator *= 8;
	}
	if (numerator == 0 || denominator == 0)
		return false;
	for (a = numerator, b = denominator; b != 0;) {
		uint128 rest = a % b;

		a = b;
		b = rest;
	}
	numerator /= a;
	denominator /= a;
	/* Two parts below the denominator must add up in 64 bits. */
	if (numerator > UINT64_MAX || denominator > UINT64_MAX / 2)
		return false;
	service->numerator = (uint64_t)numerator;
	service->denominator = (uint64_t)denominator;
	return true;
}

static struct fifo_time service_time(const struct fifo_service *service, uint32_t frame_octets)
{
	uint128 time = service->numerator;

	if (service->per_line_octet)
		time *= line_octets(frame_octets);
	return (struct fifo_time){.whole = (uint64_t)(time / service->denominator),
	                          .part = (uint64_t)(time % service->denominator)};
}

int fifo_init(struct fifo *fifo, const struct fifo_service *service, uint64_t latency_ot, uint64_t buffer_frames)
{
	size_t slots = 1;

	while (slots < buffer_frames)
		slots *= 2;
	*fifo = (struct fifo){.service = *service, .latency_ot = latency_ot, .buffer_frames = buffer_frames};
	fifo->slot_mask = slots - 1;
	fifo->slot_free_ot = malloc(slots * sizeof(*fifo->slot_free_ot));
	return fifo->slot_free_ot != NULL ? 0 : -1;
}

void fifo_release(struct fifo *fifo)
{
	free(fifo->slot_free_ot);
	fifo->slot_free_ot = NULL;
}

/* Service of the frame begins when it is whole and its predecessor is done. Returns the first octet time that is not
 * before its end. */
static uint64_t serve(struct fifo *fifo, uint64_t arrival_ot, uint32_t frame_octets)
{
	struct fifo_time begin = fifo->end;

	if (frame_octets != fifo->cached_octets) {
		fifo->cached_octets = frame_octets;
		fifo->cached_service = service_time(&fifo->service, frame_octets);
	}
	if (begin.whole < arrival_ot)
		begin = (struct fifo_time){.whole = arrival_ot, .part = 0};
	fifo->end.whole = begin.whole + fifo->cached_service.whole;
	fifo->end.part = begin.part + fifo->cached_service.part;
	if (fifo->end.part >= fifo->service.denominator) {
		fifo->end.part -= fifo->service.denominator;
		fifo->end.whole++;
	}
	return fifo->end.whole + (fifo->end.part != 0);
}

/* The slot on the line of a frame that is ready at a time: deficit idle count, as the tester's own pacer has it. */
static uint64_t take_line(struct fifo *fifo, uint64_t ready_ot, uint32_t frame_octets)
{
	uint64_t start = dut_group_up(ready_ot);
	uint64_t ideal;

	if (start < dut_group_down(fifo->line_free_ot))
		start = dut_group_down(fifo->line_free_ot);
	ideal = start > fifo->line_free_ot ? start : fifo->line_free_ot;
	fifo->line_free_ot = ideal + line_octets(frame_octets);
	return start;
}

bool fifo_admit(struct fifo *fifo, const struct dut_frame *frame, uint64_t *departure_ot)
{
	uint64_t arrival_ot = frame->start_ot + DUT_PREAMBLE_OCTETS + frame->octets;
	uint64_t end_ot;

	while (fifo->slots_freed != fifo->slots_taken &&
	       fifo->slot_free_ot[fifo->slots_freed & fifo->slot_mask] <= arrival_ot)
		fifo->slots_freed++;
	if (fifo->slots_taken - fifo->slots_freed >= fifo->buffer_frames)
		return false;
	end_ot = serve(fifo, arrival_ot, frame->octets);
	fifo->slot_free_ot[fifo->slots_taken++ & fifo->slot_mask] = end_ot;
	*departure_ot = take_line(fifo, end_ot + fifo->latency_ot, frame->octets);
	return true;
}

/* -- truth ------------------------------------------------------------------------------------------------------- */

/* The burst of a tester at the minimum gap: frame n begins at n x P rounded down to a group, P = frame + 20. Early by
 * 0 to 7 octets, in a pattern that repeats every 8 frames at most. */
static uint64_t early_octets(uint64_t n, uint64_t period_ot)
{
	return n % DUT_GROUP_OCTETS * period_ot % DUT_GROUP_OCTETS;
}

/* Service no slower than the line: only a buffer of one frame can lose, when two starts are nearer than the service. */
static uint64_t burst_into_fast_service(uint128 service, uint64_t denominator, uint64_t buffer_frames,
                                        uint64_t period_ot)
{
	if (buffer_frames > 1)
		return UINT64_MAX;
	for (uint64_t n = 1; n <= DUT_GROUP_OCTETS; n++) {
		uint64_t apart = period_ot + early_octets(n - 1, period_ot) - early_octets(n, period_ot);

		if (service > (uint128)apart * denominator)
			return n;
	}
	return UINT64_MAX;
}

/* Service slower than the line: the server is never idle, service k ends at (k + 1) S after the first arrival, and
 * frame n = m + B - 1 is lost when service m - 1 has not ended: m S > n P - early(n). The first such m, over each class
 * of m that is early alike, is a division. */
static uint64_t burst_into_slow_service(uint128 service, uint64_t denominator, uint64_t buffer_frames,
                                        uint64_t period_ot)
{
	uint128 surplus = service - (uint128)period_ot * denominator;
	uint64_t first = UINT64_MAX;

	for (uint64_t class = 1; class <= DUT_GROUP_OCTETS; class ++) {
		uint64_t early = early_octets(class + buffer_frames - 1, period_ot);
		uint128 head_start = (uint128)(buffer_frames - 1) * period_ot; /* m (S - P) > (B - 1) P - early */
		uint128 least = 1;

		if (head_start >= early)
			least = (head_start - early) * denominator / surplus + 1;
		if (least < class)
			least = class;
		least += (class + DUT_GROUP_OCTETS - least % DUT_GROUP_OCTETS) % DUT_GROUP_OCTETS;
		if (least + buffer_frames - 1 < first)
			first = (uint64_t)(least + buffer_frames - 1);
	}
	return first;
}

uint64_t fifo_longest_burst(const struct fifo_service *service, uint64_t buffer_frames, uint32_t frame_octets)
{
	uint64_t period_ot = line_octets(frame_octets);
	uint128 time = (uint128)service->numerator * (service->per_line_octet ? period_ot : 1);

	if (time <= (uint128)period_ot * service->denominator)
		return burst_into_fast_service(time, service->denominator, buffer_frames, period_ot);
	return burst_into_slow_service(time, service->denominator, buffer_frames, period_ot);
}

struct rate fifo_lossless_period_ot(const struct fifo_service *service, uint64_t buffer_frames, uint32_t frame_octets)
{
	uint64_t period_ot = line_octets(frame_octets);
	uint64_t factor = service->per_line_octet ? period_ot : 1;
	uint128 time = (uint128)service->numerator * factor;
	uint128 whole_up = (time + service->denominator - 1) / service->denominator;

	if (time <= (uint128)period_ot * service->denominator &&
	    burst_into_fast_service(time, service->denominator, buffer_frames, period_ot) == UINT64_MAX)
		return (struct rate){period_ot, 1};
	/* With one slot the next arrival must not come before the service ends. Starts are rounded down to a group, so
	 * a period that is no whole number of groups brings some of them nearer than itself. */
	if (buffer_frames == 1)
		return (struct rate){dut_group_up((uint64_t)whole_up), 1};
	return rate_scale((struct rate){service->numerator, service->denominator}, factor, 1);
}

/* -- the model --------------------------------------------------------------------------------------------------- */

struct fifo_dut {
	struct dut dut;
	struct fifo fifo;
};

enum { RULE_BUFFER_FRAMES, RULE_SERVICE_FPS, RULE_LATENCY_NS, RULES };

static const struct sim_option_rule rules[RULES] = {
        [RULE_BUFFER_FRAMES] = {.name = "dut.buffer_frames",
                                .fallback = "1000",
                                .kind = SIM_OPTION_INTEGER,
                                .min = 1,
                                .max = FIFO_MAX_BUFFER_FRAMES},
        [RULE_SERVICE_FPS] = {.name = "dut.service_fps",
                              .fallback = "100%",
                              .kind = SIM_OPTION_RATE,
                              .min = 1,
                              .max = 10000000000,
                              .unit = "fps"},
        [RULE_LATENCY_NS] = {.name = "dut.latency_ns",
                             .fallback = "0",
                             .kind = SIM_OPTION_NUMBER,
                             .min = 0,
                             .max = 100000000,
                             .unit = "ns"},
};

static struct dut *fifo_create(const struct sim_options *options, const struct sim_option_value *values,
                               uint64_t link_bps, unsigned direction)
{
	struct fifo_service service;
	struct fifo_dut *made;

	(void)direction;
	if (!fifo_service_from_rate(&values[RULE_SERVICE_FPS].number, link_bps, &service)) {
		sim_options_refuse(options, rules[RULE_SERVICE_FPS].name, "%s: too many digits",
		                   values[RULE_SERVICE_FPS].text);
		return NULL;
	}
	made = calloc(1, sizeof(*made));
	if (made == NULL || fifo_init(&made->fifo, &service, dut_latency_ot(&values[RULE_LATENCY_NS].number, link_bps),
	                              values[RULE_BUFFER_FRAMES].number.numerator) != 0) {
		free(made);
		sim_options_refuse(options, NULL, "out of memory");
		return NULL;
	}
	made->dut = (struct dut){.ops = &dut_fifo_ops, .link_bps = link_bps};
	return &made->dut;
}

static void fifo_destroy(struct dut *dut)
{
	struct fifo_dut *made = (struct fifo_dut *)dut;

	fifo_release(&made->fifo);
	free(made);
}

/* A departure is settled by the frames before it, so nothing is held back. */
static size_t fifo_pass(struct dut *dut, const struct dut_frame *in, size_t *count, uint64_t known_ot,
                        struct dut_frame *out, size_t room)
{
	struct fifo *fifo = &((struct fifo_dut *)dut)->fifo;
	size_t taken = 0, given = 0;

	(void)known_ot;
	for (; taken < *count && given < room; taken++) {
		out[given] = in[taken];
		given += fifo_admit(fifo, &in[taken], &out[given].start_ot);
	}
	*count = taken;
	return given;
}

static uint64_t later_than(uint64_t ot, uint64_t base_ot)
{
	return ot > base_ot ? ot - base_ot : 0;
}

/* What is over at base_ot is as if it had never been. */
static size_t fifo_state(const struct dut *dut, uint64_t base_ot, uint64_t base_id, uint8_t *buffer, size_t size)
{
	const struct fifo *fifo = &((const struct fifo_dut *)dut)->fifo;
	const bool busy = fifo->end.whole >= base_ot;
	uint64_t first = fifo->slots_freed;
	uint64_t words[3];
	size_t needed;

	(void)base_id;
	while (first != fifo->slots_taken && fifo->slot_free_ot[first & fifo->slot_mask] <= base_ot)
		first++;
	needed = sizeof(words) + (size_t)(fifo->slots_taken - first) * sizeof(words[0]);
	if (needed > size)
		return needed;
	words[0] = later_than(fifo->end.whole, base_ot);
	words[1] = busy ? fifo->end.part : 0;
	words[2] = later_than(fifo->line_free_ot, base_ot);
	memcpy(buffer, words, sizeof(words));
	buffer += sizeof(words);
	for (; first != fifo->slots_taken; first++, buffer += sizeof(words[0])) {
		words[0] = fifo->slot_free_ot[first & fifo->slot_mask] - base_ot;
		memcpy(buffer, words, sizeof(words[0]));
	}
	return needed;
}

static void fifo_shift(struct dut *dut, uint64_t ot, uint64_t ids)
{
	struct fifo *fifo = &((struct fifo_dut *)dut)->fifo;

	(void)ids;
	fifo->end.whole += ot;
	fifo->line_free_ot += ot;
	for (uint64_t i = fifo->slots_freed; i != fifo->slots_taken; i++)
		fifo->slot_free_ot[i & fifo->slot_mask] += ot;
}

static void fifo_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	const struct fifo *fifo = &((const struct fifo_dut *)dut)->fifo;
	struct rate period = fifo_lossless_period_ot(&fifo->service, fifo->buffer_frames, frame_octets);
	struct fifo_time service = service_time(&fifo->service, frame_octets);

	truth->throughput_fps = (double)dut->link_bps / 8 * (double)period.denominator / (double)period.numerator;
	truth->buffer_frames = fifo->buffer_frames;
	truth->longest_burst_frames = fifo_longest_burst(&fifo->service, fifo->buffer_frames, frame_octets);
	truth->latency_ot = dut_group_up(DUT_PREAMBLE_OCTETS + frame_octets + service.whole + (service.part != 0) +
	                                 fifo->latency_ot);
}

const struct dut_ops dut_fifo_ops = {
        .name = "fifo",
        .rules = rules,
        .rule_count = RULES,
        .create = fifo_create,
        .destroy = fifo_destroy,
        .pass = fifo_pass,
        .state = fifo_state,
        .shift = fifo_shift,
        .truth = fifo_truth,
};
