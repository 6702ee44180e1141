/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8. What comes from people, devices, programs and files may hold any octets and be of any length; what goes into
 * JSON or a run file must be UTF-8, or there is no report. */
#ifndef FPGAUGE_BASE_TEXT_H
#define FPGAUGE_BASE_TEXT_H

#include <stddef.h>

/* Octets of the character at text, of which `left` are there; 0 when there is none: overlong forms, surrogates and what
 * is above U+10FFFF are none, as in JSON. */
size_t text_character(const char *text, size_t left);

/* Where the first octet stands that belongs to no character; length when all do. */
size_t text_check(const char *text, size_t length);

/* Makes UTF-8 of a text that is in a buffer of so many octets, and may have been cut to fit into it: a character that
 * was cut goes, any other octet that belongs to none becomes U+FFFD. Returns text. */
char *text_repair(char *text, size_t size);

/* Copies as much as fits, repaired. Returns to. */
char *text_copy(char *to, size_t size, const char *from);

/* Appends to a text of this length in a buffer; what does not fit is cut. Returns the length that it would have, which
 * may go on being appended to. */
size_t text_add(char *buffer, size_t size, size_t length, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

/* A repaired copy of any length, to be freed; NULL when out of memory. */
char *text_repaired(const char *text);

#endif
