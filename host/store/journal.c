/* SPDX-License-Identifier: Apache-2.0 */
/* The journaling tester. */
#include "host/store/journal.h"

#include <inttypes.h>
#include <stdlib.h>

#include "host/base/clock.h"

struct journal {
	struct tester tester; /* first: a struct tester * is this */
	struct store *store;
	struct tester *inner;
	const _Atomic int *cancel;
	struct store_place place;
	uint64_t trials;
	uint64_t recorded; /* trials in the file when the journal was opened */
	double replayed_s;
	struct store_trial trial; /* the last one */
	void (*observer)(void *user, uint64_t number, const struct store_trial *trial);
	void *user;
};

static int replay(struct journal *journal, const struct trial_request *request, struct trial_result *result,
                  struct error *error)
{
	struct store_trial *trial = &journal->trial;
	char difference[256];
	int status;

	if (journal->cancel && *journal->cancel)
		return error_set(error, ERROR_CANCELLED, "stopped by the user");
	status = store_trial_get(journal->store, journal->trials + 1, trial, error);
	if (status)
		return status;
	if (store_request_differs(&trial->request, request, difference, sizeof(difference)))
		return error_set(error, ERROR_STORE,
		                 "%s: cannot go on: this program would run another trial %" PRIu64
		                 " than the one in the file (of %s): %s",
		                 store_path(journal->store), journal->trials + 1, store_run(journal->store)->tool,
		                 difference);
	if (journal->inner->ops->skip)
		journal->inner->ops->skip(journal->inner);
	*result = trial->result;
	journal->trials++;
	journal->replayed_s += trial->wall_s;
	return 0;
}

static int run_live(struct journal *journal, const struct trial_request *request, struct trial_result *result,
                    struct error *error)
{
	struct store_trial *trial = &journal->trial;
	double begin_s = clock_s();
	int status;

	trial->place = journal->place;
	trial->request = *request;
	clock_rfc3339_now(trial->started, true);
	status = tester_run(journal->inner, request, &trial->result, error);
	if (status)
		return status;
	trial->wall_s = clock_s() - begin_s;
	status = store_trial_add(journal->store, trial, error);
	if (status)
		return status;
	*result = trial->result;
	journal->trials++;
	if (journal->observer)
		journal->observer(journal->user, journal->trials, trial);
	return 0;
}

static int journal_run(struct tester *tester, const struct trial_request *request, struct trial_result *result,
                       struct error *error)
{
	struct journal *journal = (struct journal *)tester;

	return journal_replaying(journal) ? replay(journal, request, result, error)
	                                  : run_live(journal, request, result, error);
}

static bool journal_truth(struct tester *tester, uint32_t frame_octets, struct dut_truth *truth)
{
	struct tester *inner = ((struct journal *)tester)->inner;

	return inner->ops->truth && inner->ops->truth(inner, frame_octets, truth);
}

/* Trials that are in the file are not run. */
static unsigned journal_looks_ahead(const struct tester *tester)
{
	const struct journal *journal = (const struct journal *)tester;

	return journal_replaying(journal) ? 0 : tester_looks_ahead(journal->inner);
}

static void journal_expect(struct tester *tester, const struct trial_request *requests, unsigned count)
{
	tester_expect(((struct journal *)tester)->inner, requests, count);
}

static void journal_closed(struct tester *tester)
{
	free(tester);
}

static const struct tester_ops JOURNAL_OPS = {
        .run = journal_run,
        .truth = journal_truth,
        .looks_ahead = journal_looks_ahead,
        .expect = journal_expect,
        .close = journal_closed,
};

int journal_open(struct store *store, struct tester *inner, const _Atomic int *cancel, struct journal **journal,
                 struct error *error)
{
	struct journal *made = calloc(1, sizeof(*made));

	*journal = made;
	if (!made)
		return error_set(error, ERROR_INTERNAL, "out of memory");
	made->tester.ops = &JOURNAL_OPS;
	made->tester.info = inner->info;
	made->store = store;
	made->inner = inner;
	made->cancel = cancel;
	made->recorded = store_trial_count(store);
	return 0;
}

void journal_close(struct journal *journal)
{
	free(journal);
}

struct tester *journal_tester(struct journal *journal)
{
	return &journal->tester;
}

void journal_place(struct journal *journal, const struct store_place *place)
{
	journal->place = *place;
}

void journal_observe(struct journal *journal,
                     void (*observer)(void *user, uint64_t number, const struct store_trial *trial), void *user)
{
	journal->observer = observer;
	journal->user = user;
}

bool journal_replaying(const struct journal *journal)
{
	return journal->trials < journal->recorded;
}

uint64_t journal_trials(const struct journal *journal)
{
	return journal->trials;
}

double journal_replayed_s(const struct journal *journal)
{
	return journal->replayed_s;
}
