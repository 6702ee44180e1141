/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a run file as SQL. docs/run-file.md says what it means. */
#ifndef FPGAUGE_STORE_SCHEMA_H
#define FPGAUGE_STORE_SCHEMA_H

#include <stddef.h>

enum {
	STORE_APPLICATION_ID = 0x46504752, /* "FPGR": what file(1) and this program know a run file by */
	STORE_SCHEMA_VERSION = 2,          /* of tables and columns; another one is refused */
};

/* Tables whose columns are not those of a C struct, then indexes. */
extern const char SCHEMA_TABLES[];

/* Where the file was made. Files of this version without it are older, and read as those of somebody else. */
extern const char SCHEMA_ORIGIN[];

/* Views of trials; those of results come with store_create(). Views are no part of the version: they only read. */
extern const char SCHEMA_VIEWS[];

/* CREATE TABLE, INSERT and SELECT of trials and their ports. Return text, or NULL when it does not fit. */
const char *schema_trial_table(char *text, size_t size);
const char *schema_trial_insert(char *text, size_t size);
const char *schema_trial_select(char *text, size_t size);
const char *schema_port_table(char *text, size_t size);
const char *schema_port_insert(char *text, size_t size);
const char *schema_port_select(char *text, size_t size);

#endif
