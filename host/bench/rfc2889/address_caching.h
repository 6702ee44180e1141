/* SPDX-License-Identifier: Apache-2.0 */
/* Address caching capacity (RFC 2889 5.7): how many addresses a device knows at the same time. address_caching_keys.c
 * has its keys and what is known before the first trial, address_caching_description.c what it reports. */
#ifndef FPGAUGE_BENCH_RFC2889_ADDRESS_CACHING_H
#define FPGAUGE_BENCH_RFC2889_ADDRESS_CACHING_H

#include "host/bench/benchmark.h"

extern const struct result_description ADDRESS_CACHING_RESULTS;
extern const struct benchmark RFC2889_ADDRESS_CACHING;

#endif
