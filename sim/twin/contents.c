// SPDX-License-Identifier: Apache-2.0
/* What the addresses of frames are. All that differs from frame to frame is put in by OR. */
#include "sim/twin/contents.h"

enum { KIND_NONE, KIND_INCREMENT, KIND_LIST, KIND_DRAW }; /* tx_field_kind */
enum { POSITION_BITS = 24, LENGTH_IN_USE_BIT = 31, LENGTH_OCTETS = 2, FIELD_OCTETS = 4 };

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
	const uint64_t product = (uint64_t)(contents->draw[number] >> 8) * (field->count & 0x1ffffff);

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
