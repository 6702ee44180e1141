/* SPDX-License-Identifier: Apache-2.0 */
/* One error convention for the whole program: a function returns 0 or a negative error code and describes what happened
 * once, where it happened, in a struct error given by its caller. Only cli and report print. */
#ifndef FPGAUGE_BASE_ERROR_H
#define FPGAUGE_BASE_ERROR_H

#include <stdarg.h>

enum error_code {
	ERROR_NONE = 0,
	ERROR_PLAN = -1,      /* the plan or the arguments are wrong: exit 2 */
	ERROR_DEVICE = -2,    /* the device failed or is not the expected one: exit 3 */
	ERROR_CANCELLED = -3, /* the user asked to stop (Ctrl-C) */
	ERROR_INTERNAL = -4,  /* out of memory, a broken promise inside the tester */
	ERROR_STORE = -5,     /* the run file cannot be written, read or used: exit 2 */
};

/* Kinds of error that a caller acts on, so that no message is read to decide anything. */
enum error_kind {
	ERROR_OF_NO_KIND = 0,
	ERROR_NOT_A_RUN_FILE,
	ERROR_NO_RUN_IN_FILE, /* such as a file that was still being made */
	ERROR_DAMAGED_FILE,
};

struct error {
	enum error_code code;
	enum error_kind kind;
	char text[1024]; /* one line of UTF-8, without newline: place, value and limit */
};

/* Sets code and text (cut to fit); returns code, so that "return error_set(...)" reads well. */
int error_set(struct error *error, enum error_code code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* The same, of a kind. */
int error_set_as(struct error *error, enum error_code code, enum error_kind kind, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

/* Puts a prefix such as "lab.cfg:12: " in front of the text. */
void error_prefix(struct error *error, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
