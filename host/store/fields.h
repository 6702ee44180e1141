/* SPDX-License-Identifier: Apache-2.0 */
/* Members of the structs of a trial, one row each: the keys of its documents, the columns for SQL and comparisons are
 * all made from them, so that no counter can be written but not read back. */
#ifndef FPGAUGE_STORE_FIELDS_H
#define FPGAUGE_STORE_FIELDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum field_type {
	FIELD_U64,    /* uint64_t; UINT64_MAX means not known */
	FIELD_U32,    /* uint32_t or unsigned */
	FIELD_DOUBLE, /* NAN means not known */
	FIELD_BOOL,
	FIELD_TEXT,      /* a char array */
	FIELD_CHOICE,    /* an enum or a bool, by its name */
	FIELD_VLAN,      /* unsigned; TRAFFIC_NO_VLAN means none */
	FIELD_SIZES,     /* struct traffic_sizes, by its text; without sizes: none */
	FIELD_MODIFIERS, /* uint32_t, a mask of modifiers, by its text (host/traffic/modifiers.h) */
	FIELD_HISTOGRAM, /* struct histogram; all 0: not measured */
	FIELD_OCTAVES,   /* struct octaves; all 0: not measured */
};

struct field {
	const char *name;
	enum field_type type;
	size_t offset, size;
	const char *const *choices; /* values of FIELD_CHOICE; ends with NULL */
	bool sparse; /* few trials have it: a document has it only where it is not 0, and no table a column */
};

struct fields {
	const struct field *field;
	size_t count;
};

extern const struct fields REQUEST_FIELDS;    /* members of struct trial_request */
extern const struct fields RESULT_FIELDS;     /* members of struct trial_result, except its ports */
extern const struct fields PORT_FIELDS;       /* members of struct trial_port */
extern const struct fields FLOW_FIELDS;       /* members of struct trial_flow */
extern const struct fields CONNECTION_FIELDS; /* members of struct trial_connection */

/* Every member that is not a text, floating-point number, histogram or mix of sizes, as 64 bits. field_set_integer()
 * returns -1 for a value that the member cannot hold. */
uint64_t field_integer(const struct field *field, const void *base);
int field_set_integer(const struct field *field, void *base, uint64_t value);

double field_double(const struct field *field, const void *base);
void field_set_double(const struct field *field, void *base, double value);

/* Any member, by its address. */
const void *field_at(const struct field *field, const void *base);

/* "?" for a value without a name; -1 for a name without a value. */
const char *field_choice(const struct field *field, const void *base);
int field_set_choice(const struct field *field, void *base, const char *name);

/* -1 if the text is too long. */
int field_set_text(const struct field *field, void *base, const char *text);

/* The first field in which two structs differ, NULL when there is none; and its value as text. */
const struct field *fields_difference(const struct fields *fields, const void *a, const void *b);
const char *field_show(const struct field *field, const void *base, char *text, size_t size);

#endif
