/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of plan_read() that have files of their own. Private to host/plan. */
#ifndef FPGAUGE_PLAN_PLAN_PARTS_H
#define FPGAUGE_PLAN_PLAN_PARTS_H

#include "host/plan/node.h"
#include "host/plan/plan.h"

/* What plan.h shows, and what keeps its pointers valid. */
struct plan_private {
	struct plan plan;
	struct node *root;
	struct device_option *options;
};

/* device = { ... } and dut = { ... } (NULL: not there). plan_device_free() frees what they allocated. */
int plan_read_device(struct plan_private *owner, const struct node *device, const struct node *dut,
                     struct error *error);
void plan_device_free(struct plan_private *owner);

/* What MLRsearch needs of a test: its goals, and defaults that follow from other settings. */
int plan_read_goals(struct plan_test *test, const struct node *group, struct error *error);

/* "must be a group, { ... }" */
int plan_require_group(const struct node *node, const char *shown, struct error *error);

#endif
