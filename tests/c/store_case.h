/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the store share: a run file of their own, and trials with every counter something else. */
#ifndef FPGAUGE_TESTS_STORE_CASE_H
#define FPGAUGE_TESTS_STORE_CASE_H

#include "host/store/store.h"

/* Of a suite: a folder with a run file `store_case_path` in it; the second expects that nothing else is left there. */
void store_case_enter(void);
void store_case_leave(void);

extern char store_case_directory[64], store_case_path[96];
extern const struct store_plan_file STORE_CASE_PLAN;

/* A new file with a session; the same file again, for STORE_RESUME with another session. */
struct store *store_case_create(void);
struct store *store_case_reopen(enum store_access access);

/* The same sequence in every run. */
uint64_t next_random(void);

/* Any histogram that histogram_begin() could have left, or none; any trial, also one that only a broken device shows.
 */
void fill_histogram(struct histogram *histogram);
struct store_trial random_trial(void);

#endif
