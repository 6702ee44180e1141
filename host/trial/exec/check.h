/* SPDX-License-Identifier: Apache-2.0 */
/* Judges the trials of an external tester, as judging/check.h does those of a device. Pure. */
#ifndef FPGAUGE_TRIAL_EXEC_CHECK_H
#define FPGAUGE_TRIAL_EXEC_CHECK_H

#include "host/trial/exec/answer.h"

/* The terms agreed with the program besides the trial itself. */
struct exec_terms {
	uint64_t link_bps;
	unsigned senders;      /* ports that send; frames are counted over all of them */
	struct rate tolerance; /* offered frames may be off by this ratio */
};

/* Fills *result: sums, and valid or the first reason why not. Load not offered as requested is INVALID, never loss. */
void exec_judge(const struct exec_terms *terms, const struct trial_request *request, const struct exec_answer *answer,
                struct trial_result *result);

#endif
