/* SPDX-License-Identifier: Apache-2.0 */
/* Description of the tester in a run file, and the check that it is still the same one. */
#ifndef FPGAUGE_COMMANDS_RUN_DESCRIBE_H
#define FPGAUGE_COMMANDS_RUN_DESCRIBE_H

#include "host/console/bring_up.h"
#include "host/store/store.h"

/* `device` of a report (docs/results.md), as JSON. The caller frees; NULL when out of memory. */
char *describe_tester(const struct setup *setup);

/* 0, or ERROR_DEVICE with the tester of the run file and this one named. */
int describe_check_same(const struct store *store, const struct setup *setup, struct error *error);

#endif
