// SPDX-License-Identifier: Apache-2.0
/* The model faults: a store-and-forward stage that drops, duplicates, reorders, corrupts, alters and delays frames,
 * every Nth or at random. Without any fault it is the plain stage that makes a chain store-and-forward. Defined in
 * docs/dut-models.md. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "host/base/rate.h"
#include "sim/dut/faults.h"

/* -- which frames -------------------------------------------------------------------------------------------------- */

/* Every kind of fault draws for every frame, whatever the others do to it. */
static void draw(struct faults *faults, size_t frames)
{
	faults->hits_from = 0;
	faults->hits_end = frames < FAULTS_BLOCK ? frames : FAULTS_BLOCK;
	memset(faults->hits, 0, faults->hits_end);
	for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
		struct fault *fault = &faults->kinds[kind];

		if (fault->on)
			fault_draw(fault, (uint8_t)(1 << kind), faults->hits, faults->hits_end);
	}
}

/* -- what happens to them ------------------------------------------------------------------------------------------ */

static inline bool holds(const struct faults *faults)
{
	return faults->first_held != faults->next_held;
}

static inline struct held *oldest(struct faults *faults)
{
	return &faults->held[faults->first_held % FAULTS_MOST_HELD];
}

/* Sends a frame to the line when the event that releases it happens, after all earlier frames. */
static void emit(struct faults *faults, const struct dut_frame *frame, uint8_t hits, uint64_t event_ot,
                 struct dut_frame *out)
{
	uint64_t ready_ot = event_ot + (hits & 1 << FAULT_DELAY ? faults->delay_ot : 0);

	if (ready_ot < faults->floor_ot)
		ready_ot = faults->floor_ot;
	faults->floor_ot = ready_ot;
	*out = *frame;
	if (hits & 1 << FAULT_CORRUPT)
		out->flags |= DUT_FRAME_CORRUPT;
	if (hits & 1 << FAULT_ALTER)
		out->flags |= DUT_FRAME_ALTERED;
	if (hits & 1 << FAULT_DUPLICATE) {
		faults->copy = *out;
		faults->copy.start_ot = ready_ot;
	}
	out->start_ot = line_out_take(&faults->line, ready_ot, frame->octets);
	faults->copy_due = (hits & 1 << FAULT_DUPLICATE) && faults->line.free_ot <= ready_ot + FAULTS_COPY_LAG;
}

static void emit_copy(struct faults *faults, struct dut_frame *out)
{
	*out = faults->copy;
	out->start_ot = line_out_take(&faults->line, faults->copy.start_ot, out->octets);
	faults->copy_due = false;
}

static void release(struct faults *faults, uint64_t event_ot, struct dut_frame *out)
{
	const struct held *held = oldest(faults);

	faults->first_held++;
	emit(faults, &held->frame, held->hits, event_ot, out);
}

/* Gives the frames that are due before anything that happens at bound_ot. */
static size_t settle(struct faults *faults, uint64_t bound_ot, struct dut_frame *out, size_t room)
{
	size_t given = 0;

	while (given < room) {
		if (faults->copy_due)
			emit_copy(faults, &out[given++]);
		else if (holds(faults) && faults->passed - oldest(faults)->passed >= faults->overtaking)
			release(faults, faults->event_ot, &out[given++]);
		else if (holds(faults) && oldest(faults)->deadline_ot < bound_ot)
			release(faults, oldest(faults)->deadline_ot, &out[given++]);
		else
			break;
	}
	return given;
}

/* Takes the next frame, which a fault hits, or which finds others held back. Returns the number of frames given, 0 or
 * 1. */
static size_t take(struct faults *faults, const struct dut_frame *frame, struct dut_frame *out)
{
	const uint8_t hits = faults->hits[faults->hits_from++];
	const uint64_t arrival_ot = dut_frame_end_ot(frame);

	if (hits & 1 << FAULT_DROP)
		return 0;
	if (hits & 1 << FAULT_REORDER && faults->next_held - faults->first_held < FAULTS_MOST_HELD) {
		faults->held[faults->next_held++ % FAULTS_MOST_HELD] =
		        (struct held){.frame = *frame,
		                      .passed = faults->passed,
		                      .deadline_ot = arrival_ot + faults->wait_ot,
		                      .hits = hits};
		return 0;
	}
	faults->passed++;
	faults->event_ot = arrival_ot;
	emit(faults, frame, hits, arrival_ot, out);
	return 1;
}

/* Takes the frames that no fault hits, which are most of them, up to the first that is hit. Returns how many. */
static size_t pass_plain(struct faults *faults, const struct dut_frame *in, size_t count, struct dut_frame *out)
{
	const uint8_t *hits = &faults->hits[faults->hits_from];
	struct line_out line = faults->line;
	uint64_t floor_ot = faults->floor_ot;
	size_t i;

	for (i = 0; i < count && hits[i] == 0; i++) {
		const struct dut_frame frame = in[i];
		const uint64_t arrival_ot = dut_frame_end_ot(&frame);

		floor_ot = arrival_ot > floor_ot ? arrival_ot : floor_ot;
		out[i] = (struct dut_frame){.start_ot = line_out_take(&line, floor_ot, frame.octets),
		                            .id = frame.id,
		                            .octets = frame.octets,
		                            .flags = frame.flags};
	}
	if (i > 0)
		faults->event_ot = dut_frame_end_ot(&in[i - 1]);
	faults->line = line;
	faults->floor_ot = floor_ot;
	faults->passed += i;
	faults->hits_from += i;
	return i;
}

static size_t least_of(size_t a, size_t b, size_t c)
{
	const size_t ab = a < b ? a : b;

	return ab < c ? ab : c;
}

static size_t faults_pass(struct dut *dut, const struct dut_frame *in, size_t *count, uint64_t known_ot,
                          struct dut_frame *out, size_t room)
{
	struct faults *faults = (struct faults *)dut;
	const size_t all = *count;
	size_t taken = 0, given = 0;

	for (;;) {
		if (holds(faults) || faults->copy_due)
			given += settle(faults, taken < all ? dut_frame_end_ot(&in[taken]) : known_ot, out + given,
			                room - given);
		if (given == room || taken == all)
			break;
		if (faults->hits_from == faults->hits_end)
			draw(faults, all - taken);
		if (!holds(faults) && faults->hits[faults->hits_from] == 0) {
			const size_t plain = pass_plain(
			        faults, in + taken,
			        least_of(all - taken, room - given, faults->hits_end - faults->hits_from), out + given);

			taken += plain;
			given += plain;
		} else {
			given += take(faults, &in[taken++], out + given);
		}
	}
	*count = taken;
	return given;
}

static uint64_t faults_quiet_until(const struct dut *dut)
{
	const struct faults *faults = (const struct faults *)dut;

	if (faults->copy_due)
		return 0;
	return holds(faults) ? faults->held[faults->first_held % FAULTS_MOST_HELD].deadline_ot : UINT64_MAX;
}

static uint64_t faults_oldest_id(const struct dut *dut)
{
	const struct faults *faults = (const struct faults *)dut;
	uint64_t id = faults->copy_due ? faults->copy.id : UINT64_MAX;

	if (holds(faults) && faults->held[faults->first_held % FAULTS_MOST_HELD].frame.id < id)
		id = faults->held[faults->first_held % FAULTS_MOST_HELD].frame.id;
	return id;
}

static void faults_clear(struct dut *dut)
{
	struct faults *faults = (struct faults *)dut;

	faults->first_held = faults->next_held;
	faults->copy_due = false;
	faults->line.free_ot = 0;
	faults->floor_ot = 0;
}

/* -- jumps --------------------------------------------------------------------------------------------------------- */

static size_t faults_state(const struct dut *dut, uint64_t base_ot, uint64_t base_id, uint8_t *buffer, size_t size)
{
	const struct faults *faults = (const struct faults *)dut;
	struct dut_state_writer writer = {.buffer = buffer, .size = size};

	if (faults->copy_due || faults->hits_from != faults->hits_end)
		return 0;
	for (unsigned kind = 0; kind < FAULT_KINDS; kind++)
		dut_state_word(&writer, faults->kinds[kind].left);
	dut_state_word(&writer, dut_after(faults->floor_ot, base_ot));
	dut_state_word(&writer, dut_after(faults->line.free_ot, base_ot));
	for (uint64_t i = faults->first_held; i != faults->next_held; i++) {
		const struct held *held = &faults->held[i % FAULTS_MOST_HELD];

		dut_state_word(&writer, held->frame.id - base_id);
		dut_state_word(&writer, (uint64_t)held->frame.flags << 32 | held->frame.octets);
		dut_state_word(&writer, faults->passed - held->passed);
		dut_state_word(&writer, held->deadline_ot - base_ot);
		dut_state_word(&writer, held->hits);
	}
	return writer.needed;
}

/* A frame that has been drawn for and not taken is the next one. */
static uint64_t faults_spares(struct dut *dut, uint64_t most)
{
	struct faults *faults = (struct faults *)dut;
	bool draws = false;

	if (faults->hits_from != faults->hits_end)
		most = 0;
	for (unsigned kind = 0; kind < FAULT_KINDS; kind++) {
		if (!faults->kinds[kind].at_random)
			continue;
		draws = true;
		most = fault_spares(&faults->kinds[kind], most);
	}
	return draws ? most : UINT64_MAX;
}

static void faults_shift(struct dut *dut, uint64_t ot, uint64_t ids)
{
	struct faults *faults = (struct faults *)dut;

	for (unsigned kind = 0; kind < FAULT_KINDS; kind++)
		if (faults->kinds[kind].at_random)
			fault_skip(&faults->kinds[kind], ids);
	faults->floor_ot += ot;
	faults->line.free_ot += ot;
	faults->event_ot += ot;
	for (uint64_t i = faults->first_held; i != faults->next_held; i++) {
		struct held *held = &faults->held[i % FAULTS_MOST_HELD];

		held->frame.start_ot += ot;
		held->frame.id += ids;
		held->deadline_ot += ot;
	}
}

/* A throughput has no meaning with frames lost, corrupted or delayed on purpose. */
static void faults_truth(const struct dut *dut, uint32_t frame_octets, struct fpgauge_sim_truth *truth)
{
	const struct faults *faults = (const struct faults *)dut;

	truth->throughput_fps = faults->any ? NAN : rate_fps(rate_max_theoretical(dut->link_bps, frame_octets));
	truth->longest_burst_frames = faults->any ? FPGAUGE_SIM_TRUTH_NONE : UINT64_MAX;
	truth->latency_ot = dut_group_up(DUT_PREAMBLE_OCTETS + frame_octets);
}

static void faults_destroy(struct dut *dut)
{
	free(dut);
}

static const struct dut_ops faults_ops = {
        .destroy = faults_destroy,
        .pass = faults_pass,
        .clear = faults_clear,
        .quiet_until = faults_quiet_until,
        .oldest_id = faults_oldest_id,
        .spares = faults_spares,
        .state = faults_state,
        .shift = faults_shift,
        .truth = faults_truth,
};

struct dut *faults_create(const struct dut_setup *setup)
{
	struct faults *faults = calloc(1, sizeof(*faults));

	if (faults == NULL) {
		sim_options_refuse(setup->options, NULL, "out of memory");
		return NULL;
	}
	faults->dut = (struct dut){.ops = &faults_ops, .link_bps = setup->link_bps};
	if (setup->named[DUT_FAULTS] && faults_read(setup, faults) != 0) {
		free(faults);
		return NULL;
	}
	return &faults->dut;
}
