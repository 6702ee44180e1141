/* SPDX-License-Identifier: Apache-2.0 */
/* What a result of a throughput test is called, and which keys hold it. Throughput is without loss (RFC 1242 3.17, RFC
 * 2544 26.1); with a goal that allows some it is the conditional throughput of RFC 9971, which no report calls
 * otherwise. */
#ifndef FPGAUGE_REPORT_RATE_WORDS_H
#define FPGAUGE_REPORT_RATE_WORDS_H

#include <jansson.h>
#include <stdbool.h>

struct rate_words {
	bool loss; /* is allowed */
	const char *name, *clause;
	const char *rate_key, *percent_key;
	const char *bound, *bound_key; /* the load above it */
	const char *latency;           /* what a chart of latencies is called */
	const char *description;       /* of a chart over the frame size */
};

const struct rate_words *rate_words(const json_t *result);

#endif
