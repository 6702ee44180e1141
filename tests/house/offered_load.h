/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_TESTS_HOUSE_OFFERED_LOAD_H
#define FPGAUGE_TESTS_HOUSE_OFFERED_LOAD_H

#include "host/bench/benchmark.h"

extern const struct benchmark OFFERED_LOAD;

#endif
