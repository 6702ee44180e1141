/* SPDX-License-Identifier: Apache-2.0 */
/* Foresees which trials will come: a copy of the search is told outcomes that are likely, and says what it would ask
 * for next. A wrong guess costs the time of a trial that nobody asks for, and never changes a result. */
#ifndef FPGAUGE_BENCH_FORESIGHT_H
#define FPGAUGE_BENCH_FORESIGHT_H

#include <stdint.h>

#include "host/search/search.h"
#include "host/trial/tester.h"

enum { FORESIGHT_POINTS = 64 };

/* The last outcome at a point and duration. */
struct foreseen {
	uint64_t point, duration_ns, expected_frames, lost_frames;
};

/* The outcomes that the searches of a test at one size have seen, repetitions included. All 0: nothing. */
struct foresight {
	struct foreseen seen[FORESIGHT_POINTS]; /* the last ones */
	unsigned count, next;
	enum search_kind kind; /* the search it is about; so is the grid */
	uint64_t low, high, step;
};

/* Begins anew if it was about other points. */
void foresight_begin(struct foresight *foresight, const struct search_config *config);

void foresight_note(struct foresight *foresight, const struct search_request *wanted,
                    const struct search_observation *observed);

/* A likely outcome of a trial. */
struct search_observation foresight_guess(const struct foresight *foresight, const struct search_request *wanted);

#endif
