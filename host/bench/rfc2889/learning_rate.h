/* SPDX-License-Identifier: Apache-2.0 */
/* Address learning rate (RFC 2889 5.8): how fast new addresses may come so that a device learns them all.
 * learning_rate_keys.c has its keys and what is known before the first trial, learning_rate_description.c what it
 * reports. */
#ifndef FPGAUGE_BENCH_RFC2889_LEARNING_RATE_H
#define FPGAUGE_BENCH_RFC2889_LEARNING_RATE_H

#include "host/bench/benchmark.h"

extern const struct result_description LEARNING_RATE_RESULTS;
extern const struct benchmark RFC2889_LEARNING_RATE;

#endif
