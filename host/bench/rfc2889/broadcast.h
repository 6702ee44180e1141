/* SPDX-License-Identifier: Apache-2.0 */
/* The traffic of both broadcast tests (RFC 2889 section 5.10). */
#ifndef FPGAUGE_BENCH_RFC2889_BROADCAST_H
#define FPGAUGE_BENCH_RFC2889_BROADCAST_H

#include "host/bench/rfc2889/rfc2889_common.h"
#include "host/plan/plan_benchmark.h"

/* A single source port, whose frames must arrive at all others. */
extern const struct plan_pattern BROADCAST_PATTERN;

/* Sends the test frames of port 0 to the hardware broadcast address, for struct benchmark. */
int broadcast_traffic(const struct plan_test *test, struct traffic *traffic, struct error *error);

/* Checks the plan, for finish(): section 5.10.2 has no addresses. */
int broadcast_check_plan(const struct plan *plan, const struct plan_test *test, const struct node *group,
                         struct error *error);

#endif
