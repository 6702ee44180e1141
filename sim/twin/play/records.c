// SPDX-License-Identifier: Apache-2.0
/* A ring that doubles. */
#include "sim/twin/play/records.h"

#include <stdlib.h>

enum { FIRST_RECORDS = 1024 };

int records_init(struct records *records)
{
	*records = (struct records){.mask = FIRST_RECORDS - 1};
	records->ring = malloc(FIRST_RECORDS * sizeof(*records->ring));
	return records->ring != NULL ? 0 : -1;
}

int records_init_foreign(struct records *records)
{
	*records = (struct records){.mask = 0};
	records->ring = malloc(sizeof(*records->ring));
	if (records->ring == NULL)
		return -1;
	*records->ring = (struct record){.start = RECORD_UNSIGNED};
	return 0;
}

void records_release(struct records *records)
{
	free(records->ring);
	free(records->segments);
	records->ring = NULL;
	records->segments = NULL;
}

int records_have_segments(struct records *records, bool have)
{
	if (have == (records->segments != NULL))
		return 0;
	free(records->segments);
	records->segments = have ? calloc(records->mask + 1, sizeof(*records->segments)) : NULL;
	return have && records->segments == NULL ? -1 : 0;
}

/* The same ids in a larger ring. */
static int grow_segments(struct records *records, size_t mask, uint64_t next)
{
	struct record_segment *segments;

	if (records->segments == NULL)
		return 0;
	segments = calloc(mask + 1, sizeof(*segments));
	if (segments == NULL)
		return -1;
	for (uint64_t id = records->oldest; id != next; id++)
		segments[id & mask] = records->segments[id & records->mask];
	free(records->segments);
	records->segments = segments;
	return 0;
}

/* Doubles the size and keeps the records from oldest up to next. */
static int grow(struct records *records, uint64_t next)
{
	size_t mask = records->mask * 2 + 1;
	struct record *ring = malloc((mask + 1) * sizeof(*ring));

	if (ring == NULL)
		return -1;
	if (grow_segments(records, mask, next) != 0) {
		free(ring);
		return -1;
	}
	for (uint64_t id = records->oldest; id != next; id++)
		ring[id & mask] = records->ring[id & records->mask];
	free(records->ring);
	records->ring = ring;
	records->mask = mask;
	return 0;
}

int records_drop(struct records *records, uint64_t oldest, uint64_t next, size_t more)
{
	records->oldest = oldest;
	while (next + more - oldest > (records->mask + 1) / 4 * 3)
		if (grow(records, next) != 0)
			return -1;
	return 0;
}

bool records_repeat(const struct records *records, uint64_t oldest, uint64_t next)
{
	uint64_t tags = 0;

	for (uint64_t id = oldest; id != next; id++)
		tags |= records->ring[id & records->mask].start & RECORD_TAG;
	return tags == 0;
}

bool records_jump(struct records *records, const struct records_leap *leap)
{
	const size_t count = (size_t)(leap->next - leap->oldest);
	struct record *held = count != 0 ? malloc(count * sizeof(*held)) : NULL;

	if ((count != 0 && held == NULL) || !records_repeat(records, leap->oldest, leap->next)) {
		free(held);
		return false;
	}
	for (size_t i = 0; i < count; i++)
		held[i] = records->ring[(leap->oldest + i) & records->mask];
	for (size_t i = 0; i < count; i++) {
		const uint64_t entry = held[i].sequence >> RECORD_ENTRY_LSB & (RECORD_ENTRIES - 1);
		const uint64_t sequence = held[i].sequence + leap->periods * leap->sent[entry];
		const uint64_t start = held[i].start + leap->by_ot;

		records->ring[(leap->oldest + leap->frames + i) & records->mask] = (struct record){
		        .start = (held[i].start & ~RECORD_START_MASK) | (start & RECORD_START_MASK),
		        .sequence = (held[i].sequence & ~RECORD_SEQUENCE_MASK) | (sequence & RECORD_SEQUENCE_MASK)};
	}
	records->oldest = leap->oldest + leap->frames;
	free(held);
	return true;
}
