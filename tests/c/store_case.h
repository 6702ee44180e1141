/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of the store: a run file of their own, and trials in which every counter has its own value. */
#ifndef FPGAUGE_TESTS_STORE_CASE_H
#define FPGAUGE_TESTS_STORE_CASE_H

#include "host/store/store.h"

/* The first, for a suite, makes a folder for a run file `store_case_path`; the second expects that nothing else is left
 * in it. */
void store_case_enter(void);
void store_case_leave(void);

extern char store_case_directory[64], store_case_path[96];
extern const struct store_plan_file STORE_CASE_PLAN;

/* Creates a file with a session; opens the same file again, for STORE_RESUME with another session. */
struct store *store_case_create(void);
struct store *store_case_reopen(enum store_access access);

/* The same sequence in every run. */
uint64_t next_random(void);

/* Any histogram that histogram_begin() could have left, or none; the same of log bins; any trial, including one that
 * only a broken device reports. */
void fill_histogram(struct histogram *histogram);
void fill_octaves(struct octaves *octaves);
struct store_trial random_trial(void);

#endif
