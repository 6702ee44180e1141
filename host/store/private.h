/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the store share. Nobody else includes this. */
#ifndef FPGAUGE_STORE_PRIVATE_H
#define FPGAUGE_STORE_PRIVATE_H

#include <sqlite3.h>

#include "host/store/store.h"

struct store {
	sqlite3 *database;
	char *path;
	int lock; /* file descriptor that holds the lock of a writer; -1 none */
	bool writing;
	struct store_run run;
	uint64_t trial_count;
	int64_t session;
	sqlite3_stmt *trial_insert, *port_insert, *trial_select, *port_select, *search_insert, *search_select;
};

/* "run.db: trial 17 cannot be written: database or disk is full"; returns ERROR_STORE. */
int store_fail(const struct store *store, struct error *error, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* Statements without results: BEGIN IMMEDIATE, COMMIT, CREATE ... */
int store_exec(struct store *store, const char *sql, struct error *error);
int store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement, struct error *error);

/* Steps a statement that gives no row, and resets it. what: for the complaint. */
int store_step(struct store *store, sqlite3_stmt *statement, const char *what, struct error *error);

/* Ends a transaction: COMMIT when status is 0, else ROLLBACK. Returns status, or the failure of the commit. */
int store_end(struct store *store, int status, const char *what, struct error *error);

/* One integer; ERROR_STORE when there is none. */
int store_integer(struct store *store, const char *sql, int64_t *value, struct error *error);

/* What a file of somebody else may not do: store_check.c. Before anything is read: no trigger, view or function of the
 * file runs, and no text is endless. */
int store_distrust(struct store *store, struct error *error);
/* Has every column of every table that this program makes, as it makes them. */
int store_check_layout(struct store *store, struct error *error);
/* The types of a row, one letter a column: text t, number r, whole number from 0 n; T and N may be NULL; '-': any. */
int store_check_row(const struct store *store, sqlite3_stmt *statement, const char *table, const char *types,
                    struct error *error);

/* Where the file is made: store_origin.c. */
int store_origin_write(struct store *store, struct error *error);
/* ERROR_STORE for a file that begins like no database: a text, a picture. store_magic.c. */
int store_check_magic(const struct store *store, struct error *error);

/* The run's own rows: store_run.c. */
int store_run_write(struct store *store, const struct store_run *run, struct error *error);
int store_run_read(struct store *store, struct error *error);
void store_run_free(struct store_run *run);

int store_trials_prepare(struct store *store, struct error *error);
void store_trials_finalize(struct store *store);

uint32_t store_checksum_text(const char *text);

#endif
