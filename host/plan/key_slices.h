/* SPDX-License-Identifier: Apache-2.0 */
/* Macros for the files of keys, those here and those beside benchmarks, and the slices of those here. Such a file
 * defines SETTINGS, the settings struct of its slices. */
#ifndef FPGAUGE_PLAN_KEY_SLICES_H
#define FPGAUGE_PLAN_KEY_SLICES_H

#include <stdint.h>

#include "host/plan/plan_keys.h"

/* A member of SETTINGS that keeps a value; the compiler rejects one of another C type. */
#define KEY_VALUE(type, c_type, member)                                                                                \
	{                                                                                                              \
		type, offsetof(SETTINGS, member),                                                                      \
		        sizeof(_Generic(((SETTINGS *)NULL)->member, c_type                                             \
		                        : ((SETTINGS *)NULL)->member))                                                 \
	}
#define CHOICE(member) KEY_VALUE(KEY_CHOICE, unsigned, member)
#define CHOICE_OF_TWO(member) KEY_VALUE(KEY_CHOICE, bool, member)
#define BOOL(member) KEY_VALUE(KEY_BOOL, bool, member)
#define COUNT(member) KEY_VALUE(KEY_COUNT, unsigned, member)
#define WHOLE(member) KEY_VALUE(KEY_WHOLE, uint64_t, member)
#define TIME(member) KEY_VALUE(KEY_TIME, uint64_t, member)
#define QUANTITY(member) KEY_VALUE(KEY_QUANTITY, struct quantity, member)
#define SIZES(member) KEY_VALUE(KEY_SIZES, uint32_t *, member)
#define COUNTS(member) KEY_VALUE(KEY_COUNTS, struct plan_counts, member)
#define NAME(member) KEY_VALUE(KEY_NAME, const char *, member)
#define TEXT(member) KEY_VALUE(KEY_TEXT, const char *, member)
#define WORDS(member) KEY_VALUE(KEY_WORDS, const char **, member)
#define UNSTORED(type)                                                                                                 \
	{                                                                                                              \
		type, 0, 0                                                                                             \
	}

#define CHOICES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define SLICE(rows) .keys = (rows), .count = sizeof(rows) / sizeof((rows)[0])
#define SLICES(...) ((const struct key_slice *const[]){__VA_ARGS__, NULL})
/* A slice for one benchmark: its settings struct is what plan_test.settings points to. */
#define OWN_SLICE(rows) .base = offsetof(struct plan_test, settings), .is_pointer = true, SLICE(rows)

/* The largest times. Like the largest count, a trillion, they are far above any use and, in octet times at 400G, far
 * below what 64 bits hold. */
#define A_WEEK "604800s"
#define A_YEAR "31536000s"

extern const struct key_slice KEYS_DEVICE, KEYS_REGISTERS, KEYS_SIM, KEYS_CARD, KEYS_XRT, KEYS_PCI, KEYS_EXEC;
extern const struct key_slice KEYS_TEST;            /* every test has these */
extern const struct key_slice KEYS_BISECTION;       /* tests that take a binary search */
extern const struct key_slice KEYS_LOADS;           /* tests that search loads, and so take MLRsearch */
extern const struct key_slice KEYS_LOAD_RANGE;      /* tests that try several loads, from min_load to max_load */
extern const struct key_slice KEYS_CHOSEN_DURATION; /* tests whose duration run may choose */
extern const struct key_slice KEYS_GOAL;            /* an MLRsearch goal */

#endif
