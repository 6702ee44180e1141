/* SPDX-License-Identifier: Apache-2.0 */
/* The live line on standard error: on a terminal only, ten times a second at most. */
#ifndef FPGAUGE_CLI_PROGRESS_H
#define FPGAUGE_CLI_PROGRESS_H

#include <stdbool.h>

#include "host/bench/bench.h"

struct progress {
	bool live;
	double shown_s; /* when the line was last written */
	double began_s; /* when this test at this size began */
	unsigned test_number;
	uint32_t frame_octets;
};

void progress_begin(struct progress *progress, bool quiet);
void progress_show(void *progress, const struct bench_progress *now); /* for struct bench_context */
void progress_end(struct progress *progress);

/* The line itself, without control characters; seconds_left below 0 is unknown. */
void progress_line(const struct bench_progress *now, double seconds_left, char *buffer, int size);

double progress_now_s(void *user); /* wall time from any origin */

#endif
