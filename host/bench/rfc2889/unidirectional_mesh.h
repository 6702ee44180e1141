/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_BENCH_RFC2889_UNIDIRECTIONAL_MESH_H
#define FPGAUGE_BENCH_RFC2889_UNIDIRECTIONAL_MESH_H

#include "host/bench/benchmark.h"

extern const struct benchmark RFC2889_UNIDIRECTIONAL_MESH;

#endif
