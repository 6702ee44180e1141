/* SPDX-License-Identifier: Apache-2.0 */
/* A copy of this process (fork.h) that makes one trial after the other on its copy of the device, with what the tester
 * knew of it. Each trial begins where the one before ended. */
#ifndef FPGAUGE_TRIAL_DEVICE_WORKER_H
#define FPGAUGE_TRIAL_DEVICE_WORKER_H

#include "host/base/fork.h"
#include "host/trial/tester.h"

struct trial_outcome {
	int status;
	struct error error;
	struct trial_result result;
	uint64_t begin_ot, end_ot; /* span on the clock of the worker's device, from the end of the trial before */
	double took_s;
	bool leaves_as_found; /* the device at rest, and nothing new known of it */
};

/* The memory that a worker and this process share. */
struct trial_desk {
	struct trial_request request;
	struct trial_outcome outcome;
	_Atomic uint64_t sent_ot;
};

struct trial_worker {
	struct fork_child child; /* none before the first trial, and after trial_worker_end() */
	struct tester *tester;   /* the device's tester */
	struct device *device;
	struct trial_desk *desk; /* shared by fork_share() */
};

/* Begins a trial: FORK_DONE of the child says that the outcome is on the desk. Without a process it becomes a copy of
 * this one, as device and tester are now. False: the system has no room for another process. */
bool trial_worker_begin(struct trial_worker *worker, const struct trial_request *request);

/* Ends its process, if it has one. */
void trial_worker_end(struct trial_worker *worker);

#endif
