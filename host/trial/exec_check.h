/* SPDX-License-Identifier: Apache-2.0 */
/* The judge of an external tester's trials, as trial_check.h is of a device's. Pure. */
#ifndef FPGAUGE_TRIAL_EXEC_CHECK_H
#define FPGAUGE_TRIAL_EXEC_CHECK_H

#include "host/trial/exec_answer.h"

/* What is agreed with the program, beside the trial itself. */
struct exec_terms {
	uint64_t link_bps;
	unsigned senders;      /* ports that send; frames are counted over all of them */
	struct rate tolerance; /* offered frames may be off by this ratio and stay valid */
};

/* Fills *result: sums, and valid or the first reason why not. What was not offered as asked is INVALID, never loss. */
void exec_judge(const struct exec_terms *terms, const struct trial_request *request, const struct exec_answer *answer,
                struct trial_result *result);

#endif
