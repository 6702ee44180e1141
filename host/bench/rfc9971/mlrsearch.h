/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_BENCH_RFC9971_MLRSEARCH_H
#define FPGAUGE_BENCH_RFC9971_MLRSEARCH_H

#include "host/bench/benchmark.h"

extern const struct benchmark MLRSEARCH;
extern const struct result_description MLRSEARCH_RESULTS;

#endif
