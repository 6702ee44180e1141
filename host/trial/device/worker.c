/* SPDX-License-Identifier: Apache-2.0 */
#include "host/trial/device/worker.h"

#include <string.h>

#include "host/base/clock.h"
#include "host/trial/device/tester.h"

/* GCOV_EXCL_START: in the child, which ends without a count of its lines */
static void make_trial(void *user)
{
	const struct trial_worker *worker = user;
	struct trial_desk *desk = worker->desk;
	struct trial_outcome *outcome = &desk->outcome;
	const uint64_t before = device_tester_knowledge(worker->tester);
	const double begin_s = clock_s();

	device_tester_show(worker->tester, &desk->sent_ot);
	outcome->status = device_now(worker->device, &outcome->begin_ot, &outcome->error);
	if (outcome->status == 0)
		outcome->status = tester_run(worker->tester, &desk->request, &outcome->result, &outcome->error);
	if (outcome->status == 0)
		outcome->status = device_now(worker->device, &outcome->end_ot, &outcome->error);
	outcome->took_s = clock_s() - begin_s;
	outcome->leaves_as_found = device_tester_knowledge(worker->tester) == before &&
	                           !device_tester_listens(worker->tester) && device_at_rest(worker->device);
}
/* GCOV_EXCL_STOP */

bool trial_worker_begin(struct trial_worker *worker, const struct trial_request *request)
{
	memset(worker->desk, 0, sizeof(*worker->desk));
	worker->desk->request = *request;
	if (worker->child.pid != 0 && fork_again(&worker->child))
		return true;
	fork_end(&worker->child);
	return fork_start(&worker->child, make_trial, worker) == 0;
}

void trial_worker_end(struct trial_worker *worker)
{
	fork_end(&worker->child);
}
