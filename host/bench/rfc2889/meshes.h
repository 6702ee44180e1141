/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FPGAUGE_BENCH_RFC2889_MESHES_H
#define FPGAUGE_BENCH_RFC2889_MESHES_H

#include "host/bench/benchmark.h"

extern const struct benchmark RFC2889_FULL_MESH;
extern const struct benchmark RFC2889_ONE_TO_MANY;
extern const struct benchmark RFC2889_MANY_TO_ONE;
extern const struct benchmark RFC2889_UNIDIRECTIONAL_MESH;

#endif
