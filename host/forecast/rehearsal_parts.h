/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a rehearsal, run on a tester: which of them, in which order, and for how long. */
#ifndef FPGAUGE_FORECAST_REHEARSAL_PARTS_H
#define FPGAUGE_FORECAST_REHEARSAL_PARTS_H

#include <jansson.h>

#include "host/forecast/rehearsal.h"
#include "host/forecast/rehearsal_meter.h"

struct stage {
	const struct setup *setup;
	const struct pace *pace;
	const struct rehearsal_options *options;
	struct rehearsal *rehearsal;
	struct meter meter;
	json_t *results; /* those of earlier parts */
	unsigned steps;  /* how many trials the part that is being run will have, by its own progress */
};

/* Fills wall_s of parts. */
void stage_run_parts(struct stage *stage);

/* On a tester that stands in: fills course_s. */
void stage_run_courses(struct stage *stage);

/* Of parts that have a course: fills begun_s. */
void stage_begin_parts(struct stage *stage);

#endif
