/* SPDX-License-Identifier: Apache-2.0 */
/* UTF-8. Text from people, devices, programs and files may hold any octets and have any length; what goes into JSON or
 * a run file must be UTF-8, or there is no report. */
#ifndef FPGAUGE_BASE_TEXT_H
#define FPGAUGE_BASE_TEXT_H

#include <stddef.h>

/* Length in octets of the character at text, which has `left` octets; 0 when there is no character: overlong forms,
 * surrogates and anything above U+10FFFF are none, as in JSON. */
size_t text_character(const char *text, size_t left);

/* Index of the first octet that belongs to no character; length when all do. */
size_t text_check(const char *text, size_t length);

/* Turns the text in a buffer of `size` octets into valid UTF-8. It may have been cut to fit: a character that was cut
 * is dropped, any other octet that belongs to none becomes U+FFFD. Returns text. */
char *text_repair(char *text, size_t size);

/* Copies as much as fits, repaired. Returns to. */
char *text_copy(char *to, size_t size, const char *from);

/* Copies as much as fits; what nobody can see is escaped: control characters as \x1b, other characters without a shape
 * of their own, such as a byte order mark or a no-break space, as \ufeff. from must be UTF-8. Returns to. */
char *text_visible(char *to, size_t size, const char *from);

/* Appends to a text of that length in a buffer; what does not fit is cut. Returns the length it would have in full,
 * which can be passed to the next call. */
size_t text_add(char *buffer, size_t size, size_t length, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

/* A repaired copy of any length, which the caller frees; NULL when out of memory. */
char *text_repaired(const char *text);

#endif
