/* SPDX-License-Identifier: Apache-2.0 */
/* A tester that keeps a journal: every trial is in the run file before anybody sees its result. Trials that are in the
 * file already are answered from it, as long as each is asked for exactly as it was recorded. Benchmarks decide from
 * trials alone, so a run that starts over with the same plan takes the same course, and continues where it died. */
#ifndef FPGAUGE_STORE_JOURNAL_H
#define FPGAUGE_STORE_JOURNAL_H

#include "host/store/store.h"

struct journal;

/* Wraps `inner`, which it borrows, like the store. *cancel (may be NULL) is checked before each trial that is answered
 * from the file; the inner tester checks it itself. */
int journal_open(struct store *store, struct tester *inner, const _Atomic int *cancel, struct journal **journal,
                 struct error *error);
void journal_close(struct journal *journal); /* NULL is allowed */

/* The tester that benchmarks are given. */
struct tester *journal_tester(struct journal *journal);

/* The place of the next trial; kept until it is set again. */
void journal_place(struct journal *journal, const struct store_place *place);

/* The observer is told of every trial that the inner tester made, once it is on the disk; numbers start at 1. */
void journal_observe(struct journal *journal,
                     void (*observer)(void *user, uint64_t number, const struct store_trial *trial), void *user);

/* True while the next trial would come from the file. */
bool journal_replaying(const struct journal *journal);

/* Trials answered so far, from the file or by the inner tester; and how long those from the file took when made. */
uint64_t journal_trials(const struct journal *journal);
double journal_replayed_s(const struct journal *journal);

#endif
