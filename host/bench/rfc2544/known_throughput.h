/* SPDX-License-Identifier: Apache-2.0 */
/* The throughput that other tests of RFC 2544 determine first: that of the same run, of the same frame size and
 * traffic, without loss. */
#ifndef FPGAUGE_BENCH_RFC2544_KNOWN_THROUGHPUT_H
#define FPGAUGE_BENCH_RFC2544_KNOWN_THROUGHPUT_H

#include "host/bench/result.h"

extern const char KNOWN_THROUGHPUT[]; /* the test that finds it */

/* Frames a second of a sending port; NAN: there is no valid result, 0: frames were lost at every load. */
double known_throughput_fps(const struct session *session);

/* A part of line rate, which the pacer can offer exactly: percent of a rate, at most `most` percent of line rate. */
struct rate known_throughput_part(const struct session *session, double fps, unsigned percent, unsigned most);

/* True if no more than that was tried, so that the device may well have a higher one (load_range.h). */
bool known_throughput_is_at_least(const struct session *session);

/* Says so in the result of a test that sends at it. */
void known_throughput_flag(const struct session *session, json_t *result);

/* The reason why a test that needs it cannot be run; NULL: it can. */
const char *known_throughput_missing(double fps);

#endif
