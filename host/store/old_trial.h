/* SPDX-License-Identifier: Apache-2.0 */
/* Trials as schemas 1 and 2 stored them: a column for every field, ports in a table of their own. Only migrations read
 * them; nothing here will change any more, except the rows of fields.c. */
#ifndef FPGAUGE_STORE_OLD_TRIAL_H
#define FPGAUGE_STORE_OLD_TRIAL_H

#include "host/store/database.h"
#include "host/store/fields.h"

/* CREATE TABLE of `trial` and `trial_port`. Return text, or NULL when it does not fit. */
const char *old_trial_table(enum old_layout layout, char *text, size_t size);
const char *old_port_table(enum old_layout layout, char *text, size_t size);

/* Statements that read trials of a layout. */
struct old_trials {
	struct store *store;
	enum old_layout layout;
	sqlite3_stmt *trial, *port;
};

/* Closed by old_trials_close(), even on failure. */
int old_trials_open(struct store *store, enum old_layout layout, struct old_trials *trials, struct error *error);
void old_trials_close(struct old_trials *trials);

/* Request and result of a trial; ERROR_STORE if it is not what was written. The rest of *trial is 0. */
int old_trial_get(struct old_trials *trials, int64_t number, struct store_trial *trial, struct error *error);

/* The checksum that a program of that layout would have written with a trial. */
uint32_t old_trial_checksum(enum old_layout layout, const struct store_trial *trial);

#endif
