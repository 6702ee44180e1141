/* SPDX-License-Identifier: Apache-2.0 */
/* Arrays that grow by one element at a time. */
#ifndef FPGAUGE_BASE_ARRAY_H
#define FPGAUGE_BASE_ARRAY_H

#include <stddef.h>

/* Room for one element more, behind `count` that are there, in an array that only this function has allocated. array:
 * the address of the pointer to its elements, which is NULL at first. Returns the new element, not initialised; NULL
 * when out of memory, and then the array is as before. */
void *array_add(void *array, size_t count, size_t element_octets);

#endif
