/* SPDX-License-Identifier: Apache-2.0 */
/* A report in all its forms, each checked against its own grammar; and a run file to make one from. */
#ifndef FPGAUGE_TESTS_FUZZ_FORMS_H
#define FPGAUGE_TESTS_FUZZ_FORMS_H

#include <jansson.h>

#include "host/store/store.h"

/* A new run file with trials of three tests, histograms among them. */
struct store *forms_store(const char *path);

void forms_check(const json_t *report, struct store *store);

#endif
