/* SPDX-License-Identifier: Apache-2.0 */
/* What a report says of one measurement: the values of all results that are it, and how exact they are. */
#ifndef FPGAUGE_REPORT_COMPARE_EVIDENCE_H
#define FPGAUGE_REPORT_COMPARE_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>

#include "host/base/statistics.h"
#include "host/result/metric.h"

/* Everything that a report says of one metric of one measurement. */
struct evidence {
	bool skipped; /* left out, as the RFC has it */
	const char *why_invalid;
	struct sample sample; /* count 0: none is valid */
	double step;          /* the smallest difference that can be told; 0 when not known */
	size_t results, invalid;
};

/* results: those that are the measurement (match_all()). why_invalid is borrowed from them. */
struct evidence evidence_of(const json_t *results, const struct metric *metric);

#endif
