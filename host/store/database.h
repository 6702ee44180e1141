/* SPDX-License-Identifier: Apache-2.0 */
/* The open database of a store, and what all statements on it share. Only files of the store include this. */
#ifndef FPGAUGE_STORE_DATABASE_H
#define FPGAUGE_STORE_DATABASE_H

#include <sqlite3.h>

#include "host/store/store.h"

struct store {
	sqlite3 *database;
	char *path;
	int lock; /* file descriptor that holds the writer's lock; -1: none */
	bool writing;
	bool skips_columns; /* generated columns of trials are NULL, as nobody needs them now */
	struct store_run run;
	uint64_t trial_count;
	int64_t session;
	sqlite3_stmt *trial_insert, *trial_select, *trial_indexes, *search_insert, *search_select;
};

/* "run.db: trial 17 cannot be written: database or disk is full"; returns ERROR_STORE. */
int store_fail(const struct store *store, struct error *error, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

/* Runs statements without results: BEGIN IMMEDIATE, COMMIT, CREATE ... */
int store_exec(struct store *store, const char *sql, struct error *error);
int store_prepare(struct store *store, const char *sql, sqlite3_stmt **statement, struct error *error);

/* Steps a statement that returns no row, and resets it. what: for the complaint. */
int store_step(struct store *store, sqlite3_stmt *statement, const char *what, struct error *error);

/* Ends a transaction: COMMIT when status is 0, else ROLLBACK. Returns status, or the failure of the commit. */
int store_end(struct store *store, int status, const char *what, struct error *error);

/* One integer; ERROR_STORE when there is none. */
int store_integer(struct store *store, const char *sql, int64_t *value, struct error *error);

uint32_t store_checksum_text(const char *text);

#endif
