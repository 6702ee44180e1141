/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a run file as SQL. docs/run-file.md says what it means. */
#ifndef FPGAUGE_STORE_SCHEMA_H
#define FPGAUGE_STORE_SCHEMA_H

#include <stddef.h>

enum {
	STORE_APPLICATION_ID = 0x46504752, /* "FPGR": what file(1) and this program know a run file by */
	STORE_SCHEMA_VERSION = 3,          /* of tables and columns; migrate.c has a step from each older one */
	SCHEMA_SQL_SIZE = 8192,            /* room for any text that is made here */
};

/* Tables whose columns are not those of a trial; all versions have had them alike. One that changes leaves its old text
 * to migrate.c. */
extern const char SCHEMA_TABLES[];

/* Where the file was made. Files of version 2 and older need not have it, and are read as those of somebody else. */
extern const char SCHEMA_ORIGIN[];

/* The trace of the searches, and loss over load; views of results come with store_create(). Views are no part of the
 * version: they only read. A migration leaves those of the file as they are, for they read no table that has changed.
 */
extern const char SCHEMA_TRIAL_VIEWS[];

/* CREATE TABLE trial, and the view trial_port of its ports. Return text, or NULL when it does not fit. */
const char *schema_trial_table(char *text, size_t size);
const char *schema_port_view(char *text, size_t size);

#endif
