/* SPDX-License-Identifier: Apache-2.0 */
/* What frames were that the sequence check counted late: 64 or more of their flow had overtaken them. Pure. */
#ifndef FPGAUGE_TRIAL_TRIAL_LATE_H
#define FPGAUGE_TRIAL_TRIAL_LATE_H

#include "host/trial/trial_check.h"

/* Of the late frames of a stream; the others can be either, and stay late and lost. */
struct trial_late {
	uint64_t reordered;  /* taken back from lost */
	uint64_t duplicated; /* proven to be second copies */
};

struct trial_late trial_late(const struct stream_counters *stream);

#endif
