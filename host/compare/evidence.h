/* SPDX-License-Identifier: Apache-2.0 */
/* Collects what a report says about one measurement: the values of all its results, and how exact they are. */
#ifndef FPGAUGE_COMPARE_EVIDENCE_H
#define FPGAUGE_COMPARE_EVIDENCE_H

#include <jansson.h>
#include <stdbool.h>

#include "host/base/statistics.h"
#include "host/result/metric.h"

/* Everything that a report says about one metric of one measurement. */
struct evidence {
	const char *why_skipped; /* left out, as the RFC says; NULL: not */
	const char *why_invalid; /* "-": none is */
	struct sample sample;    /* count 0: none is valid */
	double low, high;        /* smallest and largest of the sample; NAN: none */
	double step;             /* the smallest difference that can be resolved; 0 when not known */
	size_t results, invalid;
};

/* results: all results of the measurement (match_all()); why_invalid is borrowed from them. */
struct evidence evidence_of(const json_t *results, const struct metric *metric);

#endif
