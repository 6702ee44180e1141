// SPDX-License-Identifier: Apache-2.0
/* A ring that doubles. */
#include "sim/twin/records.h"

#include <stdlib.h>

enum { FIRST_RECORDS = 1024 };

int records_init(struct records *records)
{
	*records = (struct records){.mask = FIRST_RECORDS - 1};
	records->ring = malloc(FIRST_RECORDS * sizeof(*records->ring));
	return records->ring != NULL ? 0 : -1;
}

void records_release(struct records *records)
{
	free(records->ring);
	records->ring = NULL;
}

/* Doubles the size and keeps the records from oldest up to next. */
static int grow(struct records *records, uint64_t next)
{
	size_t mask = records->mask * 2 + 1;
	struct record *ring = malloc((mask + 1) * sizeof(*ring));

	if (ring == NULL)
		return -1;
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
	while (next + more - oldest > (records->mask + 1) / 2)
		if (grow(records, next) != 0)
			return -1;
	return 0;
}
