/* SPDX-License-Identifier: Apache-2.0 */
/* The table of all keys of a plan: name, type, default, limits, who takes it, one line of help. The reader's checks,
 * its complaints, `fpgauge help plan` and docs/plan.md all come from it. */
#ifndef FPGAUGE_PLAN_PLAN_KEYS_H
#define FPGAUGE_PLAN_PLAN_KEYS_H

#include <stddef.h>

#include "host/base/error.h"
#include "host/base/quantity.h"
#include "host/plan/node.h"
#include "host/plan/plan.h"

enum plan_section { SECTION_PLAN, SECTION_DEVICE, SECTION_LINK, SECTION_TEST, SECTION_GOAL };

enum key_type {
	KEY_CHOICE,   /* text, one of choices; stored as its index in an enum or bool */
	KEY_BOOL,     /* stored as bool */
	KEY_COUNT,    /* whole number without quotes; stored as unsigned */
	KEY_WHOLE,    /* number or text with a unit, whole; stored as uint64_t */
	KEY_TIME,     /* text with a unit of time, whole nanoseconds; stored as uint64_t */
	KEY_QUANTITY, /* number or text with a unit; stored as struct quantity */
	KEY_SIZES,    /* list of frame sizes; frame_sizes and frame_size_count of struct plan_test */
	KEY_TEXT,     /* any text; not stored here */
	KEY_NAME,     /* text or a whole number, which both name a thing: card = 0; not stored here */
	KEY_REQUIRE,  /* limits of results; read when the other keys of the test are known */
	KEY_WORDS,    /* list of texts; read by plan_device.c */
	KEY_GOALS,    /* list of groups of SECTION_GOAL; read by plan_goals.c */
};

/* Both with their unit, as in a plan. Which units a key takes is what its ranges have; where one counts frames, a
 * number without a unit counts frames too. */
struct key_range {
	const char *min, *max;
};

enum {
	TEST_THROUGHPUT = 1 << PLAN_THROUGHPUT,
	TEST_BACK_TO_BACK = 1 << PLAN_BACK_TO_BACK,
	TEST_MLRSEARCH = 1 << PLAN_MLRSEARCH,
	TEST_BISECTS = TEST_THROUGHPUT | TEST_BACK_TO_BACK, /* may take one of the binary searches */
	TEST_LOADS = TEST_THROUGHPUT | TEST_MLRSEARCH,      /* searches loads, and so may take MLRsearch */
	TEST_ALL = TEST_BISECTS | TEST_MLRSEARCH,
};
enum {
	BACKEND_SIM = 1,
	BACKEND_EXEC = 2,
	BACKEND_XRT = 4,
	BACKEND_PCI = 8,
	BACKEND_CARDS = BACKEND_XRT | BACKEND_PCI,
	BACKEND_REGISTERS = BACKEND_SIM | BACKEND_CARDS, /* reached by drivers/device.h */
	BACKEND_ALL = BACKEND_REGISTERS | BACKEND_EXEC,
};
enum { MAX_CHOICES = 4 };

struct plan_key {
	enum plan_section section;
	const char *name;
	unsigned tests; /* SECTION_TEST: mask of TEST_..., SECTION_DEVICE: of BACKEND_... */
	enum key_type type;
	const char *default_text; /* as a plan would say it, list elements apart by blanks; NULL: see doc */
	struct key_range ranges[2];
	const char *choices[MAX_CHOICES];
	const char *unit;    /* of a number without one, for messages: "frames a second" */
	size_t offset, size; /* in struct plan_test, in struct plan_goal, or in struct plan for device and link */
	const char *doc;
};

extern const struct plan_key PLAN_KEYS[];
extern const size_t PLAN_KEY_COUNT;

/* The key of a section (and test); NULL when there is none. */
const struct plan_key *plan_key_find(enum plan_section section, enum plan_test_kind kind, const char *name);

/* "throughput", "back_to_back" */
const char *plan_test_name(enum plan_test_kind kind);

/* Checks a node against its key and stores the value at base + offset. Names the key as shown. */
int plan_key_store(const struct plan_key *key, const char *shown, const struct node *node, void *base,
                   struct error *error);

/* Reads `require` of a test whose frame sizes are known. */
int plan_require_read(struct plan_test *test, const struct node *node, struct error *error);

/* Stores the default, if the key has one. */
int plan_key_store_default(const struct plan_key *key, void *base, struct error *error);

/* "must be 0.001% to 50%, or 1 to 1T frames a second" */
const char *plan_key_limits(const struct plan_key *key, char *buffer, size_t size);

/* Complains of a key that nobody knows, with the nearest name of the section (and test). */
int plan_key_unknown(enum plan_section section, enum plan_test_kind kind, const char *shown, const struct node *node,
                     struct error *error);

/* "place: shown = value: text" */
int plan_complain(struct error *error, const struct node *node, const char *shown, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

#endif
