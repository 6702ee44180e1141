/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow by one element at a time. */
#ifndef FPGAUGE_BASE_ARRAY_H
#define FPGAUGE_BASE_ARRAY_H

#include <stddef.h>

/* Makes room for one more element after the first `count`, in an array that only this function allocates. array: the
 * address of the pointer to its elements, which is NULL at first. Returns the new element, uninitialised; NULL when out
 * of memory, which leaves the array as it was. */
void *array_add(void *array, size_t count, size_t element_octets);

#endif
