/* SPDX-License-Identifier: Apache-2.0 */
/* The layout of a run file, in SQL. docs/run-file.md says what it means. */
#ifndef FPGAUGE_STORE_SCHEMA_H
#define FPGAUGE_STORE_SCHEMA_H

#include <stddef.h>

enum {
	STORE_APPLICATION_ID = 0x46504731,       /* "FPG1": by which file(1) and this program recognise a run file */
	STORE_EARLY_APPLICATION_ID = 0x46504752, /* "FPGR": of files that were written before release 1 */
	STORE_SCHEMA_VERSION = 1,                /* version of tables, columns and documents of trials */
	SCHEMA_SQL_SIZE = 8192,                  /* room for any text that is made here */
};

/* Tables whose columns are not those of a trial. */
extern const char SCHEMA_TABLES[];

/* The trace of the searches, and loss over load; views of results come with store_create(). Views do not belong to the
 * version, since they only read. */
extern const char SCHEMA_TRIAL_VIEWS[];

/* CREATE TABLE trial, and the views trial_port of its ports and trial_flow of its flows. Return text, or NULL when it
 * does not fit. */
const char *schema_trial_table(char *text, size_t size);
const char *schema_port_view(char *text, size_t size);
const char *schema_flow_view(char *text, size_t size);

#endif
