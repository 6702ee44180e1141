/* SPDX-License-Identifier: Apache-2.0 */
/* The reference of what each benchmark reports, plain text that is also Markdown: `fpgauge help results` and the tables
 * of docs/results.md. */
#ifndef FPGAUGE_COMMANDS_HELP_RESULTS_PAGE_H
#define FPGAUGE_COMMANDS_HELP_RESULTS_PAGE_H

#include <stdio.h>

#include "host/bench/benchmark.h"

/* The keys of one benchmark. */
void results_page_print_benchmark(FILE *out, const struct benchmark *benchmark);

/* The keys of all benchmarks, each under a heading. */
void results_page_print(FILE *out);

/* The table of the counters of ports. */
void results_page_print_counters(FILE *out);

#endif
