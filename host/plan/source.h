/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a plan before libconfig sees it.
 *
 * libconfig 1.5 reads 4294967296 as 0, saturates over-range L values, makes 1e400 infinite and takes an unclosed
 * comment for the end of the file. So the text is scanned first: such things are refused here, every number that passes
 * goes to libconfig as a string between two marks (so libconfig never converts one), comments are dropped and included
 * files are put in place, with a map from the lines of the output back to files and lines. */
#ifndef FPGAUGE_PLAN_SOURCE_H
#define FPGAUGE_PLAN_SOURCE_H

#include <stddef.h>

#include "host/base/error.h"

/* Marks around a number inside its string. The scanner lets no control characters from the user through. */
#define NUMBER_BEGIN '\x01'
#define NUMBER_END '\x02'

enum {
	SOURCE_MAX_OCTETS = 1 << 20, /* limit for all files of a plan together */
	SOURCE_MAX_INCLUDES = 10,    /* nesting depth, as in libconfig */
	SOURCE_MAX_NESTING = 16,     /* groups and lists inside one another */
};

/* A file that the plan was read from, as it was when read. */
struct plan_file {
	char *path;     /* named as in messages; an included file's begins with the folder of the plan */
	char *absolute; /* "" when it cannot be determined */
	char *text;
};

struct source_line {
	const char *file;
	unsigned line;
};

struct source {
	char *text; /* text for libconfig */
	size_t length, capacity;
	struct source_line *lines; /* the place in the plan of each line of text */
	size_t line_count;
	struct plan_file
	        *files; /* the plan file, then its includes, each as often as it is read; lines point to their paths */
	size_t file_count;
	/* If not NULL, files come from here and not from disk: those of an earlier run. */
	const struct plan_file *recorded;
	size_t recorded_count;
};

/* Reads the plan file and everything it includes. source must be empty; free it in any case. */
int source_read(struct source *source, const char *path, struct error *error);

/* The same for a text that is not a file; place stands for file and line in complaints ("--set dut.model=wire"). */
int source_scan_text(struct source *source, const char *place, const char *text, struct error *error);

void source_free(struct source *source);
void source_free_files(struct plan_file *files, size_t count);

/* "lab.cfg:12" of a line of source->text (from 1), into buffer. */
void source_place(const struct source *source, unsigned text_line, char *buffer, size_t size);

/* One line of source->text as the user wrote it, marks and outer blanks removed, cut to size. */
void source_line_text(const struct source *source, unsigned text_line, char *buffer, size_t size);

/* A literal number as libconfig defines one (decimal, hexadecimal with 0x, L suffix, float): writes it in plain decimal
 * digits, otherwise as written. Returns NULL, or what it must be: "must be -2147483648 to ...". limits: hold integers
 * to what libconfig can read, 32 bits and 64 with an L. */
const char *source_number(const char *literal, int limits, char *buffer, size_t size);

/* Returns whether the text begins like a libconfig number: a digit, or a sign or point and a digit. */
int source_begins_number(const char *text);

/* NULL, or what is wrong with a text: not UTF-8, control characters. Sets *octet to the position. */
const char *source_check_text(const char *text, size_t length, size_t *octet);

#endif
