/* SPDX-License-Identifier: Apache-2.0 */
/* Errored frames filtering (RFC 2889 5.9): whether a device forwards frames that it must not. errored_frames_keys.c has
 * its keys and what is known before the first trial, errored_conditions.c the errors and their frames,
 * errored_frames_description.c what it reports. */
#ifndef FPGAUGE_BENCH_RFC2889_ERRORED_FRAMES_H
#define FPGAUGE_BENCH_RFC2889_ERRORED_FRAMES_H

#include "host/bench/benchmark.h"

extern const struct result_description ERRORED_FRAMES_RESULTS;
extern const struct benchmark RFC2889_ERRORED_FRAMES;

#endif
