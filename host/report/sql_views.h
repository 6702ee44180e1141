/* SPDX-License-Identifier: Apache-2.0 */
/* The tables that the RFCs ask for, as views in a run file, so that sqlite3 shows them without this program. */
#ifndef FPGAUGE_REPORT_SQL_VIEWS_H
#define FPGAUGE_REPORT_SQL_VIEWS_H

/* SQL that creates a view for every description that has one (result_description.sql), over the table `result`
 * (docs/run-file.md). Malloced; NULL when out of memory. */
char *sql_views(void);

#endif
