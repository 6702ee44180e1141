/* SPDX-License-Identifier: Apache-2.0 */
/* What no single key shows: settings that contradict one another or the RFC. */
#ifndef FPGAUGE_PLAN_PLAN_CHECK_H
#define FPGAUGE_PLAN_PLAN_CHECK_H

#include "host/plan/node.h"
#include "host/plan/plan.h"

/* Refuses frame sizes mixed within a trial, by key (frame_mix, imix) or by value (a nested list, "imix").
 * Looks at one setting of a test, before its type is checked. */
int plan_check_mixed(enum plan_test_kind kind, const struct node *setting, struct error *error);

/* Settings of one test among themselves and with device and link, after all but its goals are stored. */
int plan_check_test(const struct plan *plan, const struct plan_test *test, const struct node *node,
                    struct error *error);

/* Tests among themselves: traffic of back_to_back is that of its throughput test (RFC 9004 section 5). */
int plan_check_run(const struct plan *plan, const struct node *run, struct error *error);

#endif
