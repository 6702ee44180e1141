/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a plan as tables: name, type, default, limits, which searches take it, one line of help. The reader's
 * checks, its complaints, `fpgauge help plan` and docs/plan.md all come from them.
 *
 * Keys come in slices, one or two per file: those of a single benchmark or backend, or those shared by several. A set
 * lists the slices of one kind of group: a test takes those of its benchmark. Benchmarks keep their own slices with
 * them (host/plan/plan_benchmark.h); here are the shared ones. */
#ifndef FPGAUGE_PLAN_PLAN_KEYS_H
#define FPGAUGE_PLAN_PLAN_KEYS_H

#include <stdbool.h>
#include <stddef.h>

#include "host/base/error.h"
#include "host/base/quantity.h"
#include "host/plan/node.h"
#include "host/plan/plan.h"

enum key_type {
	KEY_CHOICE,    /* text, one of choices; stored as its index in an enum or bool */
	KEY_BOOL,      /* stored as bool */
	KEY_COUNT,     /* whole number without quotes; stored as unsigned */
	KEY_WHOLE,     /* number or text with a unit, whole; stored as uint64_t */
	KEY_TIME,      /* text with a unit of time, whole nanoseconds; stored as uint64_t */
	KEY_QUANTITY,  /* number or text with a unit; stored as struct quantity */
	KEY_SIZES,     /* list of frame sizes; frame_sizes and frame_size_count of struct plan_test */
	KEY_COUNTS,    /* list of different whole numbers; stored as struct plan_counts */
	KEY_MIX,       /* text or list of lengths (host/traffic/sizes.h); stored as struct traffic_sizes */
	KEY_MODIFIERS, /* list of names (host/traffic/modifiers.h); stored as their mask, uint32_t */
	KEY_TEXT,      /* any text; stored as const char *, which belongs to the tree */
	KEY_NAME,      /* text or a number, either of which is a name: card = 0, firmware = 1.10 */
	KEY_WORDS,     /* list of texts, a program first; stored as an array of const char * that ends with NULL */
	KEY_REQUIRE,   /* limits of results; plan_require_read() reads them once the other keys of the test are known */
	KEY_GOALS,     /* list of groups of PLAN_GOAL_KEYS; plan_read_goals() reads them, just as late */
	KEY_TRAFFIC,   /* group of PLAN_TRAFFIC_KEYS; plan_read_traffic() reads it, before the other keys */
};

/* The type that is read, and where the value goes in the settings struct of the slice; size 0: nowhere. */
struct key_value {
	enum key_type type;
	size_t offset, size;
};

/* Limits, both with their unit, as in a plan. A key takes the units of its ranges; where one counts frames, a number
 * without a unit counts frames too. */
struct key_range {
	const char *min, *max;
};

enum {
	BY_BINARY = 1 << PLAN_SEARCH_BINARY,
	BY_LOSS_VERIFICATION = 1 << PLAN_SEARCH_LOSS_VERIFICATION,
	BY_MLRSEARCH = 1 << PLAN_SEARCH_MLRSEARCH,
};

struct plan_key {
	const char *name;
	struct key_value value;
	unsigned searches;          /* searches that it applies to, a mask of BY_...; 0: all */
	const char *instead;        /* says in the complaint what other searches use instead; NULL: nothing */
	const char *const *choices; /* ends with NULL */
	bool may_be_empty;          /* KEY_COUNTS: also [] */
	bool picks_set;             /* instead of choices: the name of a set of the family selects the group's set */
	struct key_range ranges[2];
	const char *unit;         /* names the unit of a number without one, for messages: "frames a second" */
	const char *default_text; /* written as in a plan, list elements separated by spaces; NULL: see doc */
	const char *doc;          /* NULL: the family's */
};

/* Keys that share a heading in the help and a settings struct. */
struct key_slice {
	const char *heading; /* NULL: one that says which sets of the family have it */
	const struct plan_key *keys;
	size_t count;
	size_t base;     /* offset of their settings struct in the struct that a group is read into */
	bool is_pointer; /* the struct there is a pointer to them */
	bool for_driver; /* values are options for the device's driver, passed on as text */
};

/* All the keys that a group may have. */
struct key_set {
	const char *name;                      /* name of the benchmark or backend */
	const struct key_slice *const *slices; /* ends with NULL */
	const struct key_family
	        *family; /* NULL: it is the only one of its kind, or is in a row that does not know the others */
};

/* Sets from which a key of the group picks one by name: test, backend. */
struct key_family {
	const struct key_set *(*set)(size_t index);    /* NULL after the last */
	const char *(*doc)(char *buffer, size_t size); /* text for the key that picks a set, where its row has none */
	const char *heading[2];                        /* words around the names, for a slice that only some have */
	const char *of, *quote; /* words before and around a name: is not a key of backend = "sim" */
};

enum plan_backend { BACKEND_SIM, BACKEND_XRT, BACKEND_PCI, BACKEND_EXEC };

extern const struct key_set PLAN_TOP_KEYS;     /* read into struct plan */
extern const struct key_family PLAN_BACKENDS;  /* indexed by enum plan_backend; read into struct plan */
extern const struct key_set PLAN_LINK_KEYS;    /* read into struct plan */
extern const struct key_set PLAN_INFO_KEYS;    /* read into struct plan_info */
extern const struct key_set PLAN_TRAFFIC_KEYS; /* read into struct traffic_shape */
extern const struct key_set PLAN_GOAL_KEYS;    /* read into struct plan_goal */
extern const char *const PLAN_SEARCH_NAMES[];  /* indexed by enum plan_search; ends with NULL */

enum { PLAN_NAMES_SIZE = 800 }; /* size of a buffer for names or limits: less than an error holds */

/* Finds a key of a set and, where slice is not NULL, its slice; NULL when there is none. */
const struct plan_key *plan_key_find(const struct key_set *set, const char *name, const struct key_slice **slice);

bool plan_set_has_slice(const struct key_set *set, const void *slice);
bool plan_set_has_key(const struct key_set *set, const void *name);

/* The set of the family selected by the value of its key; NULL: none, and the complaint is in error. All sets have that
 * key. */
const struct key_set *plan_family_pick(const struct key_family *family, const char *prefix, const struct node *node,
                                       struct error *error);

/* "\"sim\", \"xrt\" or \"pci\"", with last = " or ": names of the sets for which has(set, what), of all when NULL. */
const char *plan_family_names(const struct key_family *family, bool (*has)(const struct key_set *set, const void *what),
                              const void *what, const char *quote, const char *last, char *buffer, size_t size);

/* "\"binary\" or \"loss_verification\"" */
const char *plan_search_names(unsigned searches, const char *quote, char *buffer, size_t size);

/* Reads all settings of a group into the struct of its set, with defaults for those that are missing. prefix goes
 * before a key in complaints: "link." */
int plan_settings_read(const struct key_set *set, const char *prefix, const struct node *group, void *base,
                       struct error *error);

/* Reads one setting; complains when its set has no such key. */
int plan_setting_read(const struct key_set *set, const char *prefix, const struct node *node, void *base,
                      struct error *error);

/* Sets only the defaults. */
int plan_settings_default(const struct key_set *set, const struct node *group, void *base, struct error *error);

/* A setting on its way to where its key keeps it. */
struct setting {
	const struct plan_key *key;
	const struct key_family *family; /* family of its set */
	const char *shown;               /* the name in complaints */
	const struct node *node;
	void *settings;
	struct error *error;
};

/* Checks the node against its key and stores the value in the settings struct. */
int plan_setting_store(const struct setting *setting);

/* Stores the default, if the key has one. */
int plan_key_store_default(const struct plan_key *key, void *settings, struct error *error);

/* "must be 0.001% to 50%, or 1 to 1T frames a second"; family: of the key's set */
const char *plan_key_limits(const struct plan_key *key, const struct key_family *family, char *buffer, size_t size);

/* "place: shown = value: text" */
int plan_complain(struct error *error, const struct node *node, const char *shown, const char *format, ...)
        __attribute__((format(printf, 4, 5)));

/* "must be a group, { ... }" */
int plan_require_group(const struct node *node, const char *shown, struct error *error);

#endif
