/* SPDX-License-Identifier: Apache-2.0 */
/* Late frames, those that 64 or more of their flow had overtaken: reordered, or second copies. Pure. */
#ifndef FPGAUGE_TRIAL_JUDGING_LATE_H
#define FPGAUGE_TRIAL_JUDGING_LATE_H

#include "host/trial/judging/check.h"

/* Late frames of a stream that are one or the other; the rest can be either, and stays late and lost. */
struct trial_late {
	uint64_t reordered;  /* taken back from lost */
	uint64_t duplicated; /* proven to be second copies */
};

struct trial_late trial_late(const struct stream_counters *stream);

#endif
