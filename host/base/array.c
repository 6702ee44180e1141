/* SPDX-License-Identifier: Apache-2.0 */
/* The capacity is always the next power of two, so the count alone tells whether there is room left. */
#include "host/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *array_add(void *array, size_t count, size_t element_octets)
{
	size_t room = count ? count * 2 : 1;
	unsigned char *elements;

	memcpy(&elements, array, sizeof(elements)); /* a pointer to elements of a type that is not known here */
	if ((count & (count - 1)) == 0) {
		if (count > SIZE_MAX / 2 / element_octets)
			return NULL;
		elements = realloc(elements, room * element_octets);
		if (!elements)
			return NULL;
		memcpy(array, &elements, sizeof(elements));
	}
	return elements + count * element_octets;
}
