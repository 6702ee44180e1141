/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the schema check share. Nobody else includes this. */
#ifndef FPGAUGE_REPORT_SCHEMA_WALK_H
#define FPGAUGE_REPORT_SCHEMA_WALK_H

#include <jansson.h>
#include <regex.h>
#include <stdbool.h>

#include "host/base/error.h"

enum { POINTER_SIZE = 400, PATTERNS = 32, EXPECTED_SIZE = 300 };

struct pattern {
	const char *text; /* of the schema */
	regex_t regex;
};

struct walk {
	const json_t *root;
	char pointer[POINTER_SIZE]; /* to the value that is being checked; cut if too long */
	size_t length;
	struct pattern patterns[PATTERNS];
	size_t pattern_count;
	unsigned quiet;      /* above 0: only an answer is wanted, no complaint */
	unsigned conditions; /* above 0: inside "if" */
	struct error *error;
	const char *path;
	int status;
};

/* Both keep the first complaint, and return false. */
bool schema_complain(struct walk *walk, const json_t *value, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
bool schema_internal(struct walk *walk, const char *what, const char *detail);

/* Whether a text matches a pattern of the schema. */
bool schema_matches(struct walk *walk, const char *pattern, const char *text);

/* Keywords about a value by itself: schema_values.c. schema: the one that contains the keyword. */
bool schema_type(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_const(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_enum(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_minimum(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_maximum(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_above(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_min_length(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_min_items(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_max_properties(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);
bool schema_pattern(struct walk *walk, const json_t *schema, const json_t *keyword, const json_t *value);

#endif
