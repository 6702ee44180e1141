// SPDX-License-Identifier: Apache-2.0
/* A ring in the order of numbers. */
#include "sim/twin/play/letters.h"

#include <stdlib.h>

static struct letter *at(const struct letters *letters, uint64_t i)
{
	return ring_at(&letters->ring, i, sizeof(struct letter));
}

int letters_init(struct letters *letters)
{
	return ring_init(&letters->ring, sizeof(struct letter));
}

void letters_release(struct letters *letters)
{
	if (letters->ring.entries != NULL)
		letters_drop_below(letters, UINT64_MAX);
	ring_release(&letters->ring);
}

uint8_t *letters_add(struct letters *letters, uint64_t number, uint32_t octets)
{
	uint8_t *octet = malloc(octets);
	struct letter *letter = octet != NULL ? ring_push(&letters->ring, sizeof(*letter)) : NULL;

	if (letter == NULL) {
		free(octet);
		return NULL;
	}
	*letter = (struct letter){.number = number, .octets = octets, .octet = octet};
	return octet;
}

const struct letter *letters_find(const struct letters *letters, uint64_t number)
{
	uint64_t low = letters->ring.first, high = letters->ring.end;

	while (low < high) {
		const uint64_t middle = low + (high - low) / 2;

		if (at(letters, middle)->number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low != letters->ring.end && at(letters, low)->number == number ? at(letters, low) : NULL;
}

void letters_drop_below(struct letters *letters, uint64_t number)
{
	for (; !ring_empty(&letters->ring) && at(letters, letters->ring.first)->number < number; letters->ring.first++)
		free(at(letters, letters->ring.first)->octet);
}

void letters_drop_from(struct letters *letters, uint64_t number)
{
	for (; !ring_empty(&letters->ring) && at(letters, letters->ring.end - 1)->number >= number; letters->ring.end--)
		free(at(letters, letters->ring.end - 1)->octet);
}

uint8_t *letters_take(struct letters *letters, uint64_t number)
{
	letters_drop_below(letters, number);
	if (letters_empty(letters) || at(letters, letters->ring.first)->number != number)
		return NULL;
	return at(letters, letters->ring.first++)->octet;
}
