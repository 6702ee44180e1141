/* SPDX-License-Identifier: Apache-2.0 */
/* The run file: one SQLite database per run, with everything that was asked, measured and found. What a call has
 * committed survives the death of the program and of the machine (WAL, synchronous=FULL). The layout is described in
 * docs/run-file.md. Nothing here makes decisions: it only writes and reads. */
#ifndef FPGAUGE_STORE_STORE_H
#define FPGAUGE_STORE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "drivers/device.h"
#include "host/base/error.h"
#include "host/trial/tester.h"

struct store;

/* A file that the plan was read from: the plan first, then what it includes. */
struct store_plan_file {
	const char *path;          /* named as in the plan */
	const char *absolute_path; /* "" when it could not be determined */
	const char *text;
};

/* A limit that the plan sets for a key of a result. */
struct store_requirement {
	unsigned test_number;  /* number in the order of the plan, from 1 */
	uint32_t frame_octets; /* 0: every size of the test */
	const char *key;       /* key of the result: "throughput_fps" */
	bool at_least;         /* else at most */
	double limit;          /* limit in the unit of the key */
};

/* A text about the run: who measured what and where. */
struct store_info {
	const char *key, *text;
};

/* Everything that is known before the first trial. Borrowed by store_create(); what store_run() returns belongs to the
 * store. */
struct store_run {
	const char *tool;
	const char *plan_path, *plan_text; /* plan_text: files[0].text; set by the store */
	const char *const *overrides;      /* texts of --set, in order */
	size_t override_count;
	const struct store_plan_file *files;
	size_t file_count;
	const struct store_requirement *requirements;
	size_t requirement_count;
	const struct store_info *info; /* ordered as in the plan */
	size_t info_count;
	const char *tester; /* JSON: what `device` says in a report (docs/results.md) */
	bool has_device;    /* false: an external program */
	struct device_identity device;
	uint64_t link_bps;
	const char *calibration; /* JSON; NULL: none was made */
	/* set by the store */
	const char *started;
	const char *finished;   /* end of the last session; NULL while none has ended */
	const char *incomplete; /* why the run is not complete; NULL when it is */
};

/* The place of a trial in the run: what the benchmark said just before it asked for it. */
struct store_place {
	unsigned test_number;
	char test[32];
	uint32_t frame_octets;
	unsigned repetition;       /* number of the search of this test at this size, from 1 */
	uint64_t point, low, high; /* the search's: frames a second, or frames of a burst */
};

struct store_trial {
	struct store_place place;
	struct trial_request request;
	struct trial_result result;
	char started[40]; /* RFC 3339, UTC, by the host's clock */
	double wall_s;    /* how long it took, by the host's clock */
};

struct store_result {
	unsigned test_number;
	const char *test, *rfc, *why_invalid; /* why_invalid: NULL when valid */
	uint32_t frame_octets;
	bool valid;
	const char *document; /* the whole result, JSON (docs/results.md) */
};

/* One session of the program on the file. Texts may be NULL: a session that was killed lacks what an ended one has. */
struct store_session {
	const char *command, *tool, *host; /* host: JSON */
	uint64_t first_trial;
	const char *started, *ended, *outcome;
};

struct store_event_row {
	uint64_t session;
	const char *time, *kind, *detail; /* detail: JSON, or NULL */
};

enum store_access {
	STORE_REPORT, /* opened read-only; nothing in it changes */
	STORE_RESUME,
};

/* Makes a new run file; an existing file is refused, and the error says what is in it. views: SQL that creates views of
 * the results for people to read; "" for none. 0 or a negative error, ERROR_STORE for anything about the file; *store
 * is NULL then. */
int store_create(const char *path, const struct store_run *run, const char *views, struct store **store,
                 struct error *error);

/* Opens what store_create() made. Refuses other files, other schema versions, damaged files, and, for STORE_RESUME,
 * one that another run is writing. */
int store_open(const char *path, enum store_access access, struct store **store, struct error *error);
void store_close(struct store *store); /* NULL is allowed */

const struct store_run *store_run(const struct store *store);
bool store_complete(const struct store *store); /* all tests are done */
const char *store_path(const struct store *store);

/* True if the file may be somebody else's, with the reason: it belongs to another user, is not in the folder that it
 * was made in, is a copy, or does not say. why: "was made in /a and lies in /b now". */
bool store_is_foreign(struct store *store, char *why, size_t size);

/* One session of the program on this file. host: JSON. outcome: NULL when all tests are done, else why not. */
int store_session_begin(struct store *store, const char *command, const char *tool, const char *host,
                        struct error *error);
int store_session_end(struct store *store, const char *outcome, struct error *error);

/* Trials are numbered from 1 without a gap. store_trial_add() returns once the trial is on the disk. */
uint64_t store_trial_count(const struct store *store);
int store_trial_add(struct store *store, const struct store_trial *trial, struct error *error);
int store_trial_get(struct store *store, uint64_t number, struct store_trial *trial, struct error *error);

/* Calls `each` with every row in order, trials with their place; texts live as long as the call. Stops at the first
 * nonzero return. */
int store_trials_each(struct store *store, int (*each)(void *user, uint64_t number, const struct store_trial *trial),
                      void *user, struct error *error);
int store_sessions_each(struct store *store, int (*each)(void *user, const struct store_session *session), void *user,
                        struct error *error);
int store_events_each(struct store *store, int (*each)(void *user, const struct store_event_row *event), void *user,
                      struct error *error);

/* Seconds of the host's clock that the trials of a test at a size took, with these modifiers (their text, "" for none);
 * 0 when there are none. */
int store_wall_s(struct store *store, unsigned test_number, uint32_t frame_octets, const char *modifiers,
                 double *seconds, struct error *error);

/* Returns 0, or writes in words which part of the two requests differs, with both values. */
int store_request_differs(const struct trial_request *recorded, const struct trial_request *asked, char *text,
                          size_t size);

/* Results by position, from 0. All are committed at once, and those beyond `count` are removed. */
int store_results_put(struct store *store, const struct store_result *results, size_t count, struct error *error);

/* Calls `each` with every result in order; its texts live as long as the call. Stops at the first nonzero return. */
int store_results_each(struct store *store, int (*each)(void *user, const struct store_result *result), void *user,
                       struct error *error);

/* Something worth remembering beside trials and results. detail: JSON, or NULL. */
int store_event(struct store *store, const char *kind, const char *detail, struct error *error);

#endif
