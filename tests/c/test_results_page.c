/* SPDX-License-Identifier: Apache-2.0 */
/* docs/results.md contains the tables that `fpgauge help results` prints, word for word, between marks. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "host/commands/help/results_page.h"

/* The function is not inlined: gcc 12 mistakes what open_memstream() fills in for a pointer to the variable itself, and
 * warns. */
__attribute__((noinline)) static char *tables_of(const struct benchmark *benchmark)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);

	results_page_print_benchmark(out, benchmark);
	fclose(out);
	return text;
}

Test(results_page, the_tables_of_the_page_are_the_descriptions)
{
	FILE *file = fopen(FPGAUGE_DOCS "/results.md", "r");
	char page[262144] = {0}, mark[100];

	cr_assert_not_null(file);
	cr_assert_lt(fread(page, 1, sizeof(page) - 1, file), sizeof(page) - 1);
	fclose(file);
	for (size_t i = 0; i < BENCHMARK_COUNT; i++) {
		char *tables = tables_of(BENCHMARKS[i]);
		const char *begin, *end;

		snprintf(mark, sizeof(mark), "<!-- %s: fpgauge help results -->\n", benchmark_name(BENCHMARKS[i]));
		begin = strstr(page, mark);
		end = begin ? strstr(begin, "<!-- end of keys -->") : NULL;
		cr_assert(begin && end, "docs/results.md has no tables of %s", benchmark_name(BENCHMARKS[i]));
		begin += strlen(mark);
		cr_expect(strlen(tables) == (size_t)(end - begin) && !strncmp(tables, begin, strlen(tables)),
		          "docs/results.md is stale: put what `fpgauge help results` prints of %s between its marks",
		          benchmark_name(BENCHMARKS[i]));
		free(tables);
	}
}
