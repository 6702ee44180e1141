/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a run file, in SQL. docs/run-file.md says what it means. */
#ifndef FPGAUGE_STORE_SCHEMA_H
#define FPGAUGE_STORE_SCHEMA_H

#include <stddef.h>

enum {
	STORE_APPLICATION_ID = 0x46504752, /* "FPGR": by which file(1) and this program recognise a run file */
	STORE_SCHEMA_VERSION = 6,          /* of tables and columns; migrate.c has a step from each older one */
	SCHEMA_SQL_SIZE = 8192,            /* room for any text that is made here */
};

/* Tables whose columns are not those of a trial; they are the same in all versions. If one changes, its old text moves
 * to migrate.c. */
extern const char SCHEMA_TABLES[];

/* The table that says where the file was made. Files of version 2 and older need not have it, and are then treated as
 * somebody else's. */
extern const char SCHEMA_ORIGIN[];

/* The table of what the plan says about the run as a whole. Files that were made before it came need not have it: they
 * say nothing. */
extern const char SCHEMA_INFO[];

/* The trace of the searches, and loss over load; views of results come with store_create(). Views do not belong to the
 * version, since they only read. A migration leaves those of results alone, for they read no table that has changed. */
extern const char SCHEMA_TRIAL_VIEWS[];

/* CREATE TABLE trial, and the views trial_port of its ports and trial_flow of its flows. Return text, or NULL when it
 * does not fit. */
const char *schema_trial_table(char *text, size_t size);
const char *schema_trial_table_4(char *text, size_t size); /* as it was in schemas 3 and 4 */
const char *schema_trial_table_5(char *text, size_t size);
const char *schema_port_view(char *text, size_t size);
const char *schema_flow_view(char *text, size_t size);

/* Adds to the table of the schema before it what that lacks. */
const char *schema_trial_columns_5(char *text, size_t size);
const char *schema_trial_columns_6(char *text, size_t size);

#endif
