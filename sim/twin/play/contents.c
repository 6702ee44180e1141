// SPDX-License-Identifier: Apache-2.0
/* Makes the addresses of frames. All that differs from frame to frame is put in by OR. */
#include "sim/twin/play/contents.h"

enum { KIND_NONE, KIND_INCREMENT, KIND_LIST, KIND_DRAW }; /* tx_field_kind */
enum { POSITION_BITS = 24, DRAW_COUNT_MASK = 0x1ffffff, LENGTH_IN_USE_BIT = 31, LENGTH_OCTETS = 2, FIELD_OCTETS = 4 };

static const uint32_t SEED_STEP = 0x9e3779b9;
static const uint32_t POSITION_MASK = (UINT32_C(1) << POSITION_BITS) - 1;

void contents_put_length(struct contents_length *length, uint32_t value)
{
	*length = (struct contents_length){.uncounted = (uint16_t)(value >> 16 & 0x3fff),
	                                   .octet = (uint8_t)(value & 0x7e),
	                                   .in_use = value >> LENGTH_IN_USE_BIT & 1};
}

void contents_put_kind(struct contents_field *field, uint32_t value)
{
	field->kind = (uint8_t)(value & 3);
	field->octet = (uint8_t)(value >> 8 & 0x7f);
}

void contents_put_header(struct contents_flow *flow, unsigned word, uint32_t value)
{
	for (unsigned octet = 4 * word; octet < 4 * word + 4 && octet < CONTENTS_OCTETS; octet++) {
		flow->header[octet] = (uint8_t)value;
		value >>= 8;
	}
}

enum contents_course contents_course(const struct contents_field *field)
{
	if (field->kind == KIND_NONE || field->octet >= CONTENTS_OCTETS)
		return CONTENTS_CONSTANT;
	return field->kind == KIND_DRAW ? CONTENTS_DRAWN : CONTENTS_ROUND;
}

bool contents_varies(const struct contents_flow *flow)
{
	for (unsigned i = 0; i < CONTENTS_FIELDS; i++)
		if (flow->field[i].kind != KIND_NONE)
			return true;
	return false;
}

/* A field that is not in the addresses counts nevertheless, because draws are shared by all flows. */
static bool is_constant(const struct contents_flow *flow)
{
	for (unsigned i = 0; i < CONTENTS_LENGTHS; i++)
		if (flow->length[i].in_use && flow->length[i].octet < CONTENTS_OCTETS)
			return false;
	return !contents_varies(flow);
}

void contents_start(struct contents *contents, uint32_t seed)
{
	contents->constant = true;
	for (uint32_t i = 0; i < TURNS_FLOWS; i++) {
		contents->flow[i].used = false;
		contents->flow[i].constant = is_constant(&contents->flow[i]);
		contents->constant = contents->constant && contents->flow[i].constant;
		contents->addresses[i] = dut_addresses_of(contents->flow[i].header);
	}
	for (uint32_t i = 0; i < CONTENTS_FIELDS; i++) {
		const uint32_t own = seed ^ i * SEED_STEP;

		contents->draw[i] = turns_xorshift32(own == 0 ? 1 : own);
	}
}

/* The most significant of the octets first, as far as they are addresses. */
static void insert(uint8_t addresses[CONTENTS_OCTETS], uint32_t at, uint32_t value, uint32_t octets)
{
	for (uint32_t i = 0; i < octets && at + i < CONTENTS_OCTETS; i++)
		addresses[at + i] |= (uint8_t)(value >> 8 * (octets - 1 - i));
}

/* Goes on to the next position; returns the one that was. */
static uint32_t take_position(struct contents_field *field)
{
	const uint32_t position = field->position;
	const bool last = position == ((field->count - 1) & POSITION_MASK);

	field->position = last ? 0 : (position + 1) & POSITION_MASK;
	if (field->kind == KIND_INCREMENT)
		field->offset = last ? 0 : field->offset + field->step;
	return position;
}

/* 24 bits of the draw times count; what is drawn has 24 bits. */
static uint32_t take_draw(struct contents *contents, unsigned number, const struct contents_field *field)
{
	const uint64_t product = (uint64_t)(contents->draw[number] >> 8) * (field->count & DRAW_COUNT_MASK);

	contents->draw[number] = turns_xorshift32(contents->draw[number]);
	return (uint32_t)(product >> POSITION_BITS & POSITION_MASK) << (field->step & 31);
}

static uint32_t take_value(struct contents *contents, unsigned number, struct contents_field *field)
{
	const uint32_t offset = field->offset;

	if (field->kind == KIND_DRAW)
		return (field->start + take_draw(contents, number, field)) & field->mask;
	if (field->kind == KIND_LIST)
		return contents->value[(field->start + take_position(field)) % CONTENTS_VALUES] & field->mask;
	take_position(field);
	return (field->start + offset) & field->mask;
}

void contents_values(struct contents *contents, uint32_t number, uint32_t values[CONTENTS_FIELDS])
{
	struct contents_flow *flow = &contents->flow[number];

	for (unsigned i = 0; i < CONTENTS_FIELDS; i++) {
		struct contents_field *field = &flow->field[i];

		if (!flow->used)
			field->position = field->offset = 0;
		values[i] = field->kind != KIND_NONE ? take_value(contents, i, field) : 0;
	}
	flow->used = true;
}

void contents_take_varied(struct contents *contents, uint32_t number, uint32_t octets,
                          uint8_t addresses[CONTENTS_OCTETS])
{
	struct contents_flow *flow = &contents->flow[number];

	for (unsigned i = 0; i < CONTENTS_LENGTHS; i++)
		if (flow->length[i].in_use)
			insert(addresses, flow->length[i].octet, octets - flow->length[i].uncounted, LENGTH_OCTETS);
	for (unsigned i = 0; i < CONTENTS_FIELDS; i++) {
		struct contents_field *field = &flow->field[i];

		if (!flow->used)
			field->position = field->offset = 0;
		if (field->kind != KIND_NONE)
			insert(addresses, field->octet, take_value(contents, i, field), FIELD_OCTETS);
	}
	flow->used = true;
}

/* -- many frames at once ------------------------------------------------------------------------------------------- */

uint32_t contents_choices(const struct contents_field *field)
{
	const uint32_t drawn = field->count & DRAW_COUNT_MASK;

	if (field->kind == KIND_NONE)
		return 1;
	if (field->kind == KIND_DRAW)
		return drawn != 0 ? drawn : 1;
	return ((field->count - 1) & POSITION_MASK) + 1;
}

uint32_t contents_choice(const struct contents *contents, uint32_t flow, unsigned number, uint32_t choice)
{
	const struct contents_field *field = &contents->flow[flow].field[number];

	switch (field->kind) {
	case KIND_NONE:
		return 0;
	case KIND_DRAW:
		return (field->start + ((choice & POSITION_MASK) << (field->step & 31))) & field->mask;
	case KIND_LIST:
		return contents->value[(field->start + choice) % CONTENTS_VALUES] & field->mask;
	default:
		return (field->start + choice * field->step) & field->mask;
	}
}

static void skip_positions(struct contents_field *field, uint64_t frames)
{
	const uint64_t choices = contents_choices(field);

	field->position = (uint32_t)((field->position + frames % choices) % choices);
	if (field->kind == KIND_INCREMENT)
		field->offset = field->position * field->step;
}

/* Many steps of a draw at once: they are linear over its bits, so that each bit of it alone becomes a column. */
struct steps {
	uint32_t column[32];
};

static uint32_t steps_do(const struct steps *steps, uint32_t draw)
{
	uint32_t done = 0;

	for (unsigned bit = 0; bit < 32; bit++)
		done ^= draw >> bit & 1 ? steps->column[bit] : 0;
	return done;
}

static uint32_t skip_draws(uint32_t draw, uint64_t draws)
{
	struct steps steps, twice;

	for (unsigned bit = 0; bit < 32; bit++)
		steps.column[bit] = turns_xorshift32(UINT32_C(1) << bit);
	for (; draws != 0; draws /= 2) {
		if (draws & 1)
			draw = steps_do(&steps, draw);
		for (unsigned bit = 0; bit < 32; bit++)
			twice.column[bit] = steps_do(&steps, steps.column[bit]);
		steps = twice;
	}
	return draw;
}

void contents_skip(struct contents *contents, const uint64_t frames[TURNS_FLOWS])
{
	uint64_t draws[CONTENTS_FIELDS] = {0};

	for (unsigned i = 0; i < TURNS_FLOWS; i++) {
		struct contents_flow *flow = &contents->flow[i];

		for (unsigned j = 0; j < CONTENTS_FIELDS && frames[i] != 0; j++) {
			struct contents_field *field = &flow->field[j];

			if (!flow->used)
				field->position = field->offset = 0;
			draws[j] += field->kind == KIND_DRAW ? frames[i] : 0;
			if (field->kind != KIND_NONE && field->kind != KIND_DRAW)
				skip_positions(field, frames[i]);
		}
		flow->used = flow->used || frames[i] != 0;
	}
	for (unsigned j = 0; j < CONTENTS_FIELDS; j++)
		contents->draw[j] = skip_draws(contents->draw[j], draws[j]);
}
