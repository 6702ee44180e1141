/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of all plan keys, plain text that is also Markdown: `fpgauge help plan` and docs/plan.md. */
#ifndef FPGAUGE_COMMANDS_HELP_PLAN_PAGE_H
#define FPGAUGE_COMMANDS_HELP_PLAN_PAGE_H

#include <stdio.h>

void plan_page_print(FILE *out);

#endif
