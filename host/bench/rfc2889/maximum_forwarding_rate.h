/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_BENCH_RFC2889_MAXIMUM_FORWARDING_RATE_H
#define FPGAUGE_BENCH_RFC2889_MAXIMUM_FORWARDING_RATE_H

#include "host/bench/benchmark.h"

extern const struct benchmark RFC2889_MAXIMUM_FORWARDING_RATE;

#endif
