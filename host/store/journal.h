/* SPDX-License-Identifier: Apache-2.0 */
/* A tester that keeps a journal: every trial is in the run file before anybody sees its result. Trials that are in the
 * file already are answered from it, as long as each is asked for exactly as it was recorded. Benchmarks decide from
 * trials alone, so a run that begins again with the same plan goes the same way and goes on where it died. */
#ifndef FPGAUGE_STORE_JOURNAL_H
#define FPGAUGE_STORE_JOURNAL_H

#include <signal.h>

#include "host/store/store.h"

struct journal;

/* Stands in front of `inner`, which it borrows, as it does the store. *cancel (may be NULL) is looked at before each
 * trial that is answered from the file; the inner tester looks at it itself. */
int journal_open(struct store *store, struct tester *inner, const volatile sig_atomic_t *cancel,
                 struct journal **journal, struct error *error);
void journal_close(struct journal *journal); /* NULL is allowed */

/* What benchmarks are given. */
struct tester *journal_tester(struct journal *journal);

/* Where the next trial stands; kept until it is set again. */
void journal_place(struct journal *journal, const struct store_place *place);

/* Told of every trial that the inner tester made, when it is on the disk; number is from 1. */
void journal_observe(struct journal *journal,
                     void (*observer)(void *user, uint64_t number, const struct store_trial *trial), void *user);

/* While the next trial would come from the file. */
bool journal_replaying(const struct journal *journal);

/* Trials answered so far, from the file or by the inner tester; and what those from the file took when they were made.
 */
uint64_t journal_trials(const struct journal *journal);
double journal_replayed_s(const struct journal *journal);

#endif
