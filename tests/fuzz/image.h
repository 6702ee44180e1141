/* SPDX-License-Identifier: Apache-2.0 */
/* A run file as somebody else could have made it: a good one, changed row by row and octet by octet, in memory. */
#ifndef FPGAUGE_TESTS_FUZZ_IMAGE_H
#define FPGAUGE_TESTS_FUZZ_IMAGE_H

#include <jansson.h>
#include <stddef.h>

/* Takes the run file that is to be changed; called once, before the others. */
void image_begin(const char *path);

/* The file after the changes of an input; the caller frees it with sqlite3_free().
 *
 * "set": [[table, row, column, value], ...], tables and columns by name or number; "document": [[trial, 0 result or 1
 * request, path, value], ...], changes in documents of trials; "delete": [[table, row], ...]; "results": documents that
 * replace the existing ones; "damage": [[octet, value], ...] of the file; "cut": octets that are left. Checksums match
 * the result, unless "checksums" is false: whoever makes a file can make them, too. */
unsigned char *image_make(const json_t *changes, size_t *size);

#endif
