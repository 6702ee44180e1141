/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of plan_read() that have files of their own. Private to host/plan. */
#ifndef FPGAUGE_PLAN_PLAN_PARTS_H
#define FPGAUGE_PLAN_PLAN_PARTS_H

#include "host/plan/node.h"
#include "host/plan/plan.h"

/* The public plan, and what its pointers point into. */
struct plan_private {
	struct plan plan;
	const struct key_family *benchmarks;
	struct node *root;
	struct device_option *options;
};

/* Makes a plan from a tree, which it takes over, and applies the overrides. path: for complaints without a place. */
int plan_make(struct node *root, const char *path, const char *const *overrides, size_t override_count,
              const struct key_family *benchmarks, int (*read)(struct plan_private *owner, struct error *error),
              struct plan **plan, struct error *error);

/* device = { ... } and dut = { ... } (NULL: not there). plan_device_free() frees what they allocated. */
int plan_read_device(struct plan_private *owner, const struct node *device, const struct node *dut,
                     struct error *error);
void plan_device_free(struct plan_private *owner);

/* link = { ... } */
int plan_read_link(struct plan_private *owner, const struct node *group, struct error *error);

/* Refuses frame sizes mixed within a trial, by key (frame_mix, imix) or by value (a nested list, "imix"). Looks at one
 * setting of a test, before its type is checked. */
int plan_check_mixed(const struct plan_benchmark *benchmark, const struct node *setting, struct error *error);

/* Reads the traffic of a test, the group at the top of the plan first and then that of the test, before the test's
 * other settings. */
int plan_read_traffic(const struct node *root, const struct node *group, struct traffic_shape *shape,
                      struct error *error);

/* Takes what other settings of the test say about its traffic, once they are stored, and refuses contradictions. */
int plan_finish_traffic(const struct plan *plan, struct plan_test *test, const struct node *root,
                        const struct node *group, struct error *error);

/* Checks the settings of one test against one another, the device and the link, except those that only its benchmark
 * knows; called when all but its goals are stored. */
int plan_check_test(const struct plan *plan, const struct plan_test *test, const struct node *node,
                    struct error *error);

/* Checks tests against one another: one that depends on another must have the same traffic. */
int plan_check_run(const struct plan *plan, const struct node *run, struct error *error);

/* Reads `require` of a test whose frame sizes are known. */
int plan_require_read(struct plan_test *test, const struct node *node, struct error *error);

/* Reads what MLRsearch needs from a test: its goals, and defaults that follow from other settings. */
int plan_read_goals(struct plan_test *test, const struct node *group, struct error *error);

#endif
