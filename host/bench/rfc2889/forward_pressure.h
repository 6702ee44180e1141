/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_BENCH_RFC2889_FORWARD_PRESSURE_H
#define FPGAUGE_BENCH_RFC2889_FORWARD_PRESSURE_H

#include "host/bench/benchmark.h"

/* forward_pressure_description.c: what it reports. */
extern const struct result_description FORWARD_PRESSURE_RESULTS;
extern const struct benchmark RFC2889_FORWARD_PRESSURE;

#endif
