/* SPDX-License-Identifier: Apache-2.0 */
/* A struct as a JSON object with a key per field, exact both ways. A whole number above 2^63 - 1, which JSON readers
 * cannot be trusted with, is a text of its digits; what is not known is null; an infinite number is "Infinity" or
 * "-Infinity". A histogram is [first, width, beyond, count, count, ...], log bins are [offset, first, count, ...]. */
#ifndef FPGAUGE_STORE_DOCUMENT_H
#define FPGAUGE_STORE_DOCUMENT_H

#include <jansson.h>

#include "host/store/fields.h"

/* NULL: out of memory. document_row_of(): a list of the values in the order of the fields, for what there is much of.
 */
json_t *document_row_of(const struct fields *fields, const void *base);
json_t *document_of(const struct fields *fields, const void *base);

/* Reads an object as made by document_of(), but possibly by anybody: it must have exactly the keys of the fields,
 * besides those of `others`, a list that ends with NULL, each of its type and range. 0, or -1 with why: "/port/1/sent
 * is 7: must be true or false"; place: what comes before the key, "/port/1". */
int document_read(const struct fields *fields, void *base, const json_t *document, const char *const *others,
                  const char *place, char *why, size_t size);

/* The same for a list made by document_row_of(). place: "/flow/7". */
int document_row_read(const struct fields *fields, void *base, const json_t *row, const char *place, char *why,
                      size_t size);

#endif
