/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a plan as tables: name, type, default, limits, which search takes it, one line of help. The reader's
 * checks, its complaints, `fpgauge help plan` and docs/plan.md all come from them.
 *
 * Keys come in slices, one a file or two: what one benchmark or one backend takes alone, or several take together. A
 * set lists the slices of one kind of group: { test = "throughput"; ... } takes those of its benchmark. So a new
 * benchmark is a slice of its own and a row of PLAN_TESTS. */
#ifndef FPGAUGE_PLAN_PLAN_KEYS_H
#define FPGAUGE_PLAN_PLAN_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"
#include "host/base/quantity.h"
#include "host/plan/node.h"
#include "host/plan/plan.h"

enum key_type {
	KEY_CHOICE,   /* text, one of choices; stored as its index in an enum or bool */
	KEY_BOOL,     /* stored as bool */
	KEY_COUNT,    /* whole number without quotes; stored as unsigned */
	KEY_WHOLE,    /* number or text with a unit, whole; stored as uint64_t */
	KEY_TIME,     /* text with a unit of time, whole nanoseconds; stored as uint64_t */
	KEY_QUANTITY, /* number or text with a unit; stored as struct quantity */
	KEY_SIZES,    /* list of frame sizes; frame_sizes and frame_size_count of struct plan_test */
	KEY_TEXT,     /* any text; stored as const char *, which belongs to the tree */
	KEY_NAME,     /* text or a whole number, which both name a thing: card = 0; not stored */
	KEY_WORDS,    /* list of texts, a program first; stored as an array of const char * that ends with NULL */
	KEY_REQUIRE,  /* limits of results; plan_require_read() reads them when the other keys of the test are known */
	KEY_GOALS,    /* list of groups of PLAN_GOAL_KEYS; plan_read_goals() reads them, as late */
};

/* What is read, and where in the settings struct of the slice it is kept; size 0: nowhere. */
struct key_value {
	enum key_type type;
	size_t offset, size;
};

/* Both with their unit, as in a plan. Which units a key takes is what its ranges have; where one counts frames, a
 * number without a unit counts frames too. */
struct key_range {
	const char *min, *max;
};

enum {
	SEARCH_BINARY = 1 << PLAN_SEARCH_BINARY,
	SEARCH_LOSS_VERIFICATION = 1 << PLAN_SEARCH_LOSS_VERIFICATION,
	SEARCH_MLRSEARCH = 1 << PLAN_SEARCH_MLRSEARCH,
};

struct plan_key {
	const char *name;
	struct key_value value;
	unsigned searches;          /* that it says something to, a mask of SEARCH_...; 0: all */
	const char *instead;        /* what another search has in its place, for the complaint; NULL: nothing */
	const char *const *choices; /* ends with NULL */
	const struct key_family *choices_of; /* in place of choices: the names of its sets */
	struct key_range ranges[2];
	const char *unit;         /* of a number without one, for messages: "frames a second" */
	const char *default_text; /* as a plan would say it, list elements apart by blanks; NULL: see doc */
	const char *doc;
};

/* Keys with one heading in the help and one settings struct. */
struct key_slice {
	const char *heading; /* NULL: says which sets of the family have it */
	const struct plan_key *keys;
	size_t count;
	size_t base;     /* of their settings struct in the struct that a group is read into */
	bool for_driver; /* values are options of the device's driver, which get there as text */
};

/* All that a group may say. */
struct key_set {
	const char *name;                      /* of the benchmark or backend */
	const struct key_slice *const *slices; /* ends with NULL */
	const struct key_family *family;       /* NULL: it is the only one of its kind */
};

/* Sets of which a key of the group picks one by its name: test, backend. */
struct key_family {
	const struct key_set *sets;
	size_t count;
	const char *heading[2]; /* around names, of a slice that some have */
	const char *of, *quote; /* before and around a name: is not a key of backend = "sim" */
};

enum plan_backend { BACKEND_SIM, BACKEND_XRT, BACKEND_PCI, BACKEND_EXEC };

extern const struct key_set PLAN_TOP_KEYS;    /* read into struct plan */
extern const struct key_family PLAN_BACKENDS; /* by enum plan_backend; into struct plan */
extern const struct key_set PLAN_LINK_KEYS;   /* into struct plan */
extern const struct key_family PLAN_TESTS;    /* by enum plan_test_kind; into struct plan_test */
extern const struct key_set PLAN_GOAL_KEYS;   /* into struct plan_goal */
extern const char *const PLAN_SEARCH_NAMES[]; /* by enum plan_search; ends with NULL */

enum { PLAN_NAMES_SIZE = 800 }; /* of a buffer for names or limits: less than an error holds */

/* The key of a set and, where slice is not NULL, its slice; NULL when there is none. */
const struct plan_key *plan_key_find(const struct key_set *set, const char *name, const struct key_slice **slice);

bool plan_set_has_slice(const struct key_set *set, const void *slice);
bool plan_set_has_key(const struct key_set *set, const void *name);

/* "throughput", "back_to_back" */
const char *plan_test_name(enum plan_test_kind kind);

/* "\"sim\", \"xrt\" or \"pci\"", with last = " or ": names of the sets for which has(set, what), of all when NULL. */
const char *plan_family_names(const struct key_family *family, bool (*has)(const struct key_set *set, const void *what),
                              const void *what, const char *quote, const char *last, char *buffer, size_t size);

/* "\"binary\" or \"loss_verification\"" */
const char *plan_search_names(unsigned searches, const char *quote, char *buffer, size_t size);

/* Reads all settings of a group into the struct that its set is for, and defaults for those that it does not have.
 * prefix goes before a key in complaints: "link." */
int plan_settings_read(const struct key_set *set, const char *prefix, const struct node *group, void *base,
                       struct error *error);

/* One setting; complains when its set has no such key. */
int plan_setting_read(const struct key_set *set, const char *prefix, const struct node *node, void *base,
                      struct error *error);

/* The defaults alone. */
int plan_settings_default(const struct key_set *set, const struct node *group, void *base, struct error *error);

/* Checks a node against its key and stores the value in the settings struct. Names the key as shown. */
int plan_key_store(const struct plan_key *key, const char *shown, const struct node *node, void *settings,
                   struct error *error);

/* Stores the default, if the key has one. */
int plan_key_store_default(const struct plan_key *key, void *settings, struct error *error);

/* Reads `require` of a test whose other settings are known. results: descriptions of its benchmark. */
int plan_require_read(struct plan_test *test, const struct result_description *const *results, const struct node *node,
                      struct error *error);

/* "must be 0.001% to 50%, or 1 to 1T frames a second" */
const char *plan_key_limits(const struct plan_key *key, char *buffer, size_t size);

/* ERROR_PLAN when the key had this name once and has another now: a setting of a library, which no table has, would go
 * there, and be refused without a hint, or mean something else. */
int plan_key_check_name(const char *shown, const struct node *node, struct error *error);

/* "place: shown = value: text" */
int plan_complain(struct error *error, const struct node *node, const char *shown, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

#endif
