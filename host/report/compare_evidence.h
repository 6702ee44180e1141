/* SPDX-License-Identifier: Apache-2.0 */
/* What a report says of one measurement: the values of all results that are it, and how exact they are. */
#ifndef FPGAUGE_REPORT_COMPARE_EVIDENCE_H
#define FPGAUGE_REPORT_COMPARE_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>

#include "host/base/metric.h"
#include "host/base/statistics.h"

/* Everything that a report says of one number of one measurement. */
struct evidence {
	bool skipped; /* left out, as the RFC has it */
	const char *why_invalid;
	struct sample sample; /* count 0: none is valid */
	double step;          /* of the search that found it; 0 when not known */
	size_t results, invalid;
};

/* Of the results of a report that measured the same as `like`. why_invalid is borrowed from it. */
struct evidence evidence_of(const json_t *report, const json_t *like, const struct metric *metric);

#endif
