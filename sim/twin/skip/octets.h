/* SPDX-License-Identifier: Apache-2.0 */
/* A growing buffer of octets: the state of a moment, to be compared with that of another. */
#ifndef FPGAUGE_SIM_TWIN_SKIP_OCTETS_H
#define FPGAUGE_SIM_TWIN_SKIP_OCTETS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct octets {
	uint8_t *data;
	size_t size, capacity;
};

static inline void octets_release(struct octets *octets)
{
	free(octets->data);
	*octets = (struct octets){0};
}

/* Room for so many octets in total. False: out of memory. */
static inline bool octets_reserve(struct octets *octets, size_t size)
{
	uint8_t *data;

	if (size <= octets->capacity)
		return true;
	data = realloc(octets->data, 2 * size);
	if (data == NULL)
		return false;
	octets->data = data;
	octets->capacity = 2 * size;
	return true;
}

/* Appends a value; there must be room. */
static inline void octets_put(struct octets *octets, uint64_t value)
{
	memcpy(octets->data + octets->size, &value, sizeof(value));
	octets->size += sizeof(value);
}

static inline bool octets_equal(const struct octets *a, const struct octets *b)
{
	return a->size == b->size && memcmp(a->data, b->data, a->size) == 0;
}

#endif
